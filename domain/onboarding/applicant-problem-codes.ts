import type { Explanation } from '../explanation.ts';
import type { FileProblemCode } from '../payment-file/file-problem-codes.ts';
import type { SheetNoteCode } from '../payment-file/sheet-note-codes.ts';

/** What is wrong with the form of an applicants' file. A sheet can also have the form problems of a payment file. */
export const APPLICANT_FILE_ERRORS = {
  no_applicants: { cause: 'The file has no applicant.', fix: 'Export it again, with the applicants in it.' },
  not_yaml: {
    cause: 'The file is not YAML from this line on.',
    fix: 'Put values that contain a colon, or begin with a special character, into quotes. Indent with blanks, not tabs.',
  },
  not_json: { cause: 'The file is not JSON from this line on.', fix: 'Correct the line, or write YAML or a CSV.' },
  several_applicants: {
    cause: 'A YAML or JSON file has several applicants, or new values for a case have more than one line.',
    fix: 'Use a CSV, with one applicant on each line. New values for a case are of one applicant.',
  },
  not_an_applicant: {
    cause: 'The file does not consist of keys with values.',
    fix: 'Write one `key: value` on each line, as in the example.',
  },
  yaml_alias: {
    cause: 'The YAML file refers from one place to another (`&` or `*`), which payrun does not follow.',
    fix: 'Write the value itself, in quotes if it begins with `&` or `*`.',
  },
  yaml_tag: {
    cause: 'The YAML file gives a value a type (`!`). Every value is read as text.',
    fix: 'Remove the type, or put a value that begins with `!` into quotes.',
  },
  comment_after_value: {
    cause: 'In YAML, what follows a blank and `#` is a comment, so that `Block 12 #04-15` would lose its end.',
    fix: 'Put the whole value into quotes, or the comment on its own line.',
  },
  not_text: { cause: 'The value is a list or a group of keys.', fix: 'Give one text.' },
  unknown_field: {
    cause: 'The file has a key or a column that payrun does not know.',
    fix: 'Correct the name as the message says, or remove it.',
  },
  unknown_document: {
    cause: 'The file names a document of a type that does not exist.',
    fix: 'Correct the type as the message says. Further files of a type have a number from 2, as `passport_2`.',
  },
  repeated_field: { cause: 'The file has the same key or column twice.', fix: 'Keep one of them.' },
  missing_column: { cause: 'A column is missing that every applicant needs.', fix: 'Add it.' },
  password_given: {
    cause: 'The file has a password. payrun never sends one: the provider mails the user what to do next.',
    fix: 'Remove the key or column, and delete the passwords wherever the file was stored.',
  },
} as const satisfies Record<string, Explanation>;

/** What is wrong with a value of an applicant. */
export const APPLICANT_VALUE_ERRORS = {
  missing_value: {
    cause: 'A value is missing that the sign-up or the screening requires.',
    fix: 'Give it. The message says what requires it.',
  },
  empty_value: {
    cause: 'New values for a case have an empty text, which could mean two things.',
    fix: 'Write null to remove the value, or leave the key out to keep it.',
  },
  too_long: { cause: 'The text is longer than the provider, or payrun, allows.', fix: 'Shorten it.' },
  line_break: { cause: 'The value contains a line break.', fix: 'Write it on one line.' },
  control_character: {
    cause: 'The value contains an invisible or control character.',
    fix: 'Type it again instead of pasting it.',
  },
  lost_character: {
    cause: 'An earlier conversion of the file replaced a character by the sign for an unknown one.',
    fix: 'Type the value again, and save the file as UTF-8.',
  },
  leading_apostrophe: {
    cause: 'The value begins with the apostrophe by which spreadsheets mark a text.',
    fix: 'Remove the apostrophe.',
  },
  scientific_notation: {
    cause: 'A spreadsheet changed a number to scientific notation, so digits may be lost.',
    fix: 'Format the column as text, and enter the number again from its document.',
  },
  reference_form: {
    cause:
      '`applicant_ref` contains other characters than letters A to Z, digits, dot, `_`, `-` and `/`, or is too long.',
    fix: 'Choose another one, for example `2026-0412`. It must not identify a person.',
  },
  user_id_form: { cause: 'The value does not look like an id of the provider.', fix: 'Copy it again.' },
  email_form: { cause: 'The value is not one e-mail address.', fix: 'Write one address without a name.' },
  unknown_choice: {
    cause: 'The provider accepts only certain values here.',
    fix: 'Use one of those that the message lists, with the same capitals.',
  },
  country_form: { cause: 'The value is not a country code of two capitals.', fix: 'Write, for example, `SG` or `GB`.' },
  country_unknown: {
    cause: "The country is not in the provider's list of countries.",
    fix: 'Correct the code. The provider does not serve other countries.',
  },
  dialling_code_form: {
    cause: 'The value is not a dialling code: `+` and digits.',
    fix: 'Write, for example, `+65`; in a CSV, format the column as text.',
  },
  dialling_code_unknown: {
    cause: "No country of the provider's list has this dialling code.",
    fix: 'Correct it, for example `+65`. The rest of the number belongs into `mobile_number`.',
  },
  phone_number_form: {
    cause: 'The value is not a phone number: 3 to 20 digits, which blanks and hyphens may separate.',
    fix: 'Write it without the dialling code, which has its own field; in a CSV, format the column as text.',
  },
  date_form: {
    cause: 'The value is not a day that exists, written YYYY-MM-DD or DD-MM-YYYY.',
    fix: 'Write it like `1990-12-31` or `31-12-1990`; in a CSV, format the column as text.',
  },
  date_not_past: { cause: 'The day is today or later.', fix: 'Compare it with the document.' },
  date_not_future: {
    cause: 'The identification document has expired, or expires today.',
    fix: 'Correct the day, or ask the applicant for a valid document.',
  },
  date_order: {
    cause: 'The identification document was issued before its owner was born.',
    fix: 'Compare both days with the document.',
  },
  not_for_individual: {
    cause: 'The account type is `individual`, but a field of a company is given.',
    fix: 'Remove the value, or correct `account_type`.',
  },
  repeated_reference: {
    cause: 'Two applicants of the file have the same `applicant_ref`.',
    fix: 'Give each its own, or remove the repeated line.',
  },
  repeated_email: {
    cause: 'Two applicants of the file have the same e-mail address. Upper and lower case make no difference.',
    fix: 'Give each their own address, or remove the repeated line.',
  },
  email_known: {
    cause: 'Another case of the account has this e-mail address. Nobody is signed up twice.',
    fix: 'Look at that case, which the message names, or leave the applicant out.',
  },
  repeated_user: {
    cause: 'Two applicants of the file take over the same user of the provider.',
    fix: 'Correct `provider_user_id`, or remove the repeated line.',
  },
} as const satisfies Record<string, Explanation>;

/** What is wrong with the documents of an applicant. */
export const APPLICANT_DOCUMENT_ERRORS = {
  document_required: {
    cause: 'A document is missing that is required for this account type and country.',
    fix: 'Give one of the documents that the message lists.',
  },
  document_name: { cause: 'A document is named with a folder.', fix: 'Give the name of the file alone.' },
  document_missing: {
    cause: 'A document is named, but its file was not given.',
    fix: 'Put the file beside the others, under exactly this name.',
  },
  document_unnamed: {
    cause: 'A file was given that no applicant names.',
    fix: 'Name it in the file of the applicants, or leave it out.',
  },
  document_repeated: {
    cause: 'A file is named twice, so that one person may be sent as another.',
    fix: 'Name each file once. If a document is really of two persons, give a copy under another name.',
  },
  document_empty: { cause: 'The file of a document is empty.', fix: 'Save it again.' },
  document_too_large: {
    cause: 'The file of a document is larger than the provider accepts.',
    fix: 'Make it smaller, for example by scanning it at a lower resolution.',
  },
  document_type: {
    cause: 'The file of a document is neither PDF, PNG nor JPEG by its content.',
    fix: 'Convert it, and give the converted file.',
  },
} as const satisfies Record<string, Explanation>;

/** What is wrong with new values for a case. */
export const APPLICANT_REVISION_ERRORS = {
  nothing_given: { cause: 'The file has no new value and no document.', fix: 'Give what changes.' },
  other_reference: {
    cause: 'The `applicant_ref` is that of another case.',
    fix: 'Choose the case of this applicant, or leave `applicant_ref` out.',
  },
  fixed_value: {
    cause: 'The value was sent with the sign-up and cannot be changed any more.',
    fix: 'Leave it out. If it is wrong, withdraw the case, or ask the provider.',
  },
  document_removal: {
    cause: 'The file removes a document.',
    fix: 'Leave it out to keep it, or name the file that replaces it.',
  },
} as const satisfies Record<string, Explanation>;

export type ApplicantProblemCode =
  | keyof typeof APPLICANT_FILE_ERRORS
  | keyof typeof APPLICANT_VALUE_ERRORS
  | keyof typeof APPLICANT_DOCUMENT_ERRORS
  | keyof typeof APPLICANT_REVISION_ERRORS
  | FileProblemCode
  | SheetNoteCode;
