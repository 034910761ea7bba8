import type { Explanation } from '../explanation.ts';

/** What is wrong with one cell of a payment file: its row is not paid until the cell is corrected. */
export const CELL_ERRORS = {
  missing_value: {
    cause: 'A cell is empty that this row needs.',
    fix: 'Fill it. The message says why it is needed: for every row, or because of another cell or the destination.',
  },
  too_long: { cause: 'The text is longer than the column allows.', fix: 'Shorten it.' },
  line_break: { cause: 'The cell contains a line break.', fix: 'Write the text on one line.' },
  control_character: {
    cause:
      'The cell contains a character that nobody sees (a control, a soft hyphen, a space without width, a mark that turns the direction), ' +
      'which can hide from an approver what is paid, and makes a known name another one.',
    fix: 'Type the cell again instead of pasting it.',
  },
  mixed_scripts: {
    cause:
      'A word has Latin letters, and letters of another script that look like them, as a Cyrillic о in a Latin name. No language writes ' +
      'so; it is how a known name is made another one.',
    fix: 'Type the word again in one script. If it came so from the supplier, ask them by a contact that you know already.',
  },
  lost_character: {
    cause: 'An earlier conversion of the file replaced a character by the sign for an unknown one.',
    fix: 'Type the cell again, and save the file as UTF-8.',
  },
  unknown_code: {
    cause: 'The cell must contain one of a list of codes, and does not.',
    fix: 'Use one of the codes in [The payment file](payment-file.md#codes).',
  },
  row_ref_form: {
    cause: '`row_ref` contains other characters than letters A to Z, digits, dot, `_`, `-` and `/`, or is too long.',
    fix: 'Rename the row, for example `INV-2026-0412`.',
  },
  row_ref_repeated: {
    cause:
      'Two rows of the file have the same `row_ref`, and pay different amounts, beneficiaries or accounts. Both are refused, since ' +
      'only a person can say which is right.',
    fix: 'Give each row its own `row_ref`, or leave one of them out.',
  },
  row_repeated: {
    cause:
      'Two rows of the file are the same invoice: they have the same `row_ref`, and pay the same amount to the same beneficiary and ' +
      'account. Both are refused, so that nothing is left out without being seen.',
    fix: 'Leave one of them out: a draft offers to keep the first. If both are to be paid, give each its own `row_ref`.',
  },
  scientific_notation: {
    cause: 'A spreadsheet changed the amount or number to scientific notation, so digits may be lost.',
    fix: 'Format the column as text, an amount as a plain number, and enter it again from its document.',
  },
  amount_signed: {
    cause: 'The amount has a sign. A negative amount is often a credit note, which is not paid out.',
    fix: 'Look at its document: leave a credit note out, and ask the author of the file about anything else.',
  },
  thousands_separator: {
    cause: 'The amount seems to have thousands separators, and could be read in more than one way.',
    fix: 'Write digits and one decimal point, for example `1250.00`.',
  },
  decimal_comma: { cause: 'The amount has a decimal comma.', fix: 'Write a decimal point instead.' },
  leading_zero: { cause: 'The amount has leading zeros.', fix: 'Write it without them.' },
  missing_zero: {
    cause: 'The amount begins with the decimal point, so a digit may be lost.',
    fix: 'Write the digit before the point, for example `0.50`.',
  },
  amount_form: {
    cause: 'The cell does not contain an amount.',
    fix: 'Write digits and one decimal point, for example `1250.00`.',
  },
  amount_zero: { cause: 'The amount is zero.', fix: 'Give an amount, or leave the row out.' },
  amount_too_large: {
    cause: 'The amount has more digits than can be sent to the provider exactly.',
    fix: 'Check the amount, or split the payment.',
  },
  too_many_decimals: {
    cause: 'The amount has more decimals than its currency, or its point separates thousands.',
    fix: 'Write the amount that its document shows, with a point only before decimals.',
  },
  form_undecided: {
    cause: 'The profile that reads the sheet does not say how amounts, or dates, are written.',
    fix: 'Choose the decimal sign and the separator of thousands, or the order of day, month and year, in the profile.',
  },
  not_in_form: {
    cause:
      'An amount or a date is not written in the form that the profile says, or a filled cell has only what it takes out.',
    fix: 'Look at its document, and write it in this form. If every one has another form, choose that in the profile.',
  },
  amount_currency: {
    cause: 'Beside the amount is a sign, a code or another text that is not the currency of the row.',
    fix: 'Look at its document: correct the currency of the row, or take the text out.',
  },
  amount_shown_otherwise: {
    cause:
      'The cell of a workbook holds an amount and shows something else: another number, another sign, a percentage, a text beside it, ' +
      'or nothing.',
    fix: 'Look at its document, write its amount, and format the cell as a plain number that shows all of it.',
  },
  not_translated: {
    cause: 'The profile translates the texts of this column, and does not have this one.',
    fix: 'Add it to the translations of the profile, or correct the cell.',
  },
  not_in_text: {
    cause: 'The profile takes a part out of the cell, and the cell does not have it, or more than once.',
    fix: 'Correct the cell, or give the part a column of its own.',
  },
  currency_unsupported: {
    cause: 'The provider does not support this currency.',
    fix: 'Write the code in capitals, or use one of the currencies that the message lists.',
  },
  pair_unsupported: {
    cause: 'The provider does not convert the sell currency into the buy currency.',
    fix: 'Pay from another currency.',
  },
  country_form: { cause: 'The cell is not a country code of two capitals.', fix: 'Write, for example, `DE` or `GB`.' },
  digits_only: {
    cause: 'The funding account number contains other characters than digits.',
    fix: 'Write it without blanks and dashes, in a column formatted as text.',
  },
  date_form: {
    cause: 'The cell is not a calendar date of the form YYYY-MM-DD.',
    fix: 'Write it like `2026-03-31`, in a column formatted as text.',
  },
  date_past: {
    cause: '`pay_on` is in the past, in the time zone of the account.',
    fix: 'Give today or a later day, or leave it empty to pay as soon as the run is approved.',
  },
  id_form: { cause: 'The cell does not look like an id of the provider.', fix: 'Copy it again from the provider.' },
  beneficiary_missing: {
    cause: 'The row names no beneficiary.',
    fix: 'Fill `beneficiary_id`, `beneficiary_key`, or the `beneficiary_` and `bank_` columns.',
  },
  beneficiary_ambiguous: {
    cause: 'The row names a beneficiary by `beneficiary_id`, and names one of the book or describes one as well.',
    fix: 'Leave one of the two empty.',
  },
  beneficiary_key_form: {
    cause:
      '`beneficiary_key` contains other characters than letters A to Z, digits, dot, `_`, `-` and `/`, or is too long.',
    fix: 'Choose another key, for example `S-1042`.',
  },
  book_unknown: {
    cause: 'The book of beneficiaries has no beneficiary with this `beneficiary_key`, or none that is not ended.',
    fix: 'Compare the key, or add the beneficiary to the book (`payrun beneficiaries add`).',
  },
  book_without_account: {
    cause:
      'The beneficiary of the book has no account in the buy currency that rows may be filled from: one that is confirmed or, where the ' +
      'policy holds rows to unconfirmed accounts, one that is proposed.',
    fix: 'Correct the buy currency, or have an account in it added to the book and confirmed.',
  },
  book_ambiguous: {
    cause:
      'The beneficiary of the book has several accounts in the buy currency, and the row does not say which is meant.',
    fix: 'Fill `bank_country`, `bank_iban` or `bank_account_number` as the book has it, or end the accounts that are used no longer.',
  },
  book_contradicted: {
    cause: 'The row names a beneficiary of the book, and gives other details of it than the book has.',
    fix: 'Leave the columns empty that differ. If the account has changed, add it to the book: a second person confirms it.',
  },
  bank_currency_differs: {
    cause: '`bank_currency` is not the buy currency, in which the account is credited.',
    fix: 'Leave it empty, or write the buy currency.',
  },
  email_form: { cause: 'The cell is not an e-mail address.', fix: 'Write one address, or leave it empty.' },
  account_code: {
    cause:
      'A code of the account (IBAN, BIC, sort code, routing number, CLABE, BSB, IFSC, CNAPS) is not as the banks of its country write ' +
      'it: its length, its letters and digits, or its check digits.',
    fix: 'Compare it with the invoice, digit by digit. Ask the beneficiary by a contact that you know already.',
  },
  iban_country_differs: {
    cause: 'The IBAN is of another country than `bank_country`, so the row names two banks.',
    fix: "Write the country of the bank with the account into `bank_country`, which may be another than the beneficiary's.",
  },
  bic_country_differs: {
    cause: 'The BIC is of a bank in another country than `bank_country`.',
    fix: 'Compare both with the invoice. The BIC is that of the bank with the account, not of one in between.',
  },
  account_code_of_other_country: {
    cause: 'The row has a code that only banks of another country have, as a sort code for an account in Germany.',
    fix: 'Leave the code empty, or correct `bank_country`.',
  },
  account_code_not_asked_for: {
    cause:
      'The provider does not ask for a code of the account in this corridor, and with it the account would count as another one than ' +
      'without it.',
    fix: 'Leave the code empty.',
  },
  account_fields_contradict: {
    cause:
      'Fields of the account name different accounts or banks: a sort code or account number beside an IBAN that contains another one, ' +
      'or a BIC of another bank than that of the IBAN. People are shown one of them, and a bank may pay by the other.',
    fix: 'Ask the beneficiary which one is right, by a contact that you know already, and leave the other empty.',
  },
  requirements_unknown: {
    cause: 'What the provider requires for this destination could not be read.',
    fix: 'Submit the file again when the provider answers.',
  },
  corridor_unsupported: {
    cause: 'The provider does not pay this currency to a bank in this country for a beneficiary in that country.',
    fix: 'Check the currency and both countries, or pay another way.',
  },
  entity_type_unsupported: {
    cause: 'The provider pays only companies, or only individuals, at this destination.',
    fix: 'Check `beneficiary_entity_type`, or pay another way.',
  },
  requirement_without_column: {
    cause: 'The provider asks for a field for which a payment file has no column.',
    fix: 'Enter the beneficiary with the provider, and name it by `beneficiary_id`.',
  },
  requirement_not_met: {
    cause: 'The cell is not what the provider asks for at this destination. Often leading zeros are lost.',
    fix: 'Format the column as text, and compare the cell with the invoice.',
  },
  local_unsupported: {
    cause: 'The provider has no LOCAL channel at this destination.',
    fix: 'Use SWIFT-SHA or SWIFT-OUR, or leave the channel empty for the provider to decide.',
  },
  too_many_files: { cause: 'The row names too many supporting files.', fix: 'Join them into fewer files.' },
  duplicate_file: { cause: 'The row names a supporting file twice.', fix: 'Name each file once.' },
  file_name: { cause: 'A supporting file is named with a folder.', fix: 'Give the name of the file alone.' },
  file_type: {
    cause: 'By its name a supporting file is neither pdf, png nor jpeg.',
    fix: 'Convert the file, or give its name with the ending.',
  },
  file_missing: {
    cause: 'A supporting file was not submitted with the run.',
    fix: 'Put it into the folder given with `--files`, under exactly this name.',
  },
  file_empty: { cause: 'A supporting file is empty.', fix: 'Save it again, and submit the run again.' },
  file_too_large: {
    cause: 'A supporting file is larger than the provider accepts.',
    fix: 'Make it smaller, for example by scanning it at a lower resolution.',
  },
  file_content: {
    cause: "A supporting file's content is of another kind than its name says.",
    fix: 'Correct the ending of its name in the row and in the folder, or submit the file that was meant.',
  },
} as const satisfies Record<string, Explanation>;

/** What a person should look at. A row with warnings only is paid. */
export const CELL_WARNINGS = {
  purpose_deprecated: {
    cause: 'The provider is withdrawing this purpose code, and still accepts it.',
    fix: 'Choose a more specific code.',
  },
  bic_bank_differs: {
    cause: 'The BIC is of another bank than the IBAN names. Banks that merged may have kept the codes of both.',
    fix: 'Compare both with the invoice.',
  },
  damaged_text: {
    cause:
      'Letters seem to have been damaged when a file was saved or read in a wrong encoding: `MÃ¼ller` or `M?ller` for `Müller`.',
    fix: 'Write them as the invoice shows them, and save the file as UTF-8. A bank may return a payment to a damaged name.',
  },
  placeholder: {
    cause:
      'The cell has a word for what is missing, such as "unknown", "see vendor" or "n/a". It is sent to the bank as it is.',
    fix: 'Write what the invoice shows, or leave the cell empty if it is optional.',
  },
  digits_cut: {
    cause:
      'A number of 16 digits or more has zeros from its 16th digit on. Spreadsheets keep 15 digits, and write zeros for the others.',
    fix: 'Compare all digits with the invoice, and format the column as text.',
  },
  holder_differs: {
    cause:
      'The holder of the account has another name than the beneficiary. Spelling, legal form, initials and the order of words do not ' +
      'count.',
    fix: 'Find out why, by a contact that you know already. Fraudsters have invoices of others paid to accounts of their own.',
  },
  town_missing: {
    cause:
      'The row has an address without a town. By SEPA and SWIFT banks refuse such addresses since November 2026, or return the payment.',
    fix: 'Write the town into `beneficiary_city`, and only street and number into `beneficiary_address`.',
  },
  letters_lost: {
    cause:
      'A name or reference has letters that the system by which it is paid does not carry, and for which no Latin letters ' +
      'stand. The payee gets dots or question marks.',
    fix: 'Write it in Latin letters, as the bank has it.',
  },
  text_cut: {
    cause:
      'The payment reference is longer than the system by which it is paid carries, and the payee does not get the rest.',
    fix: 'Shorten it so that what matters, as the number of the invoice, is among the first characters.',
  },
  pattern_unusable: {
    cause: "The provider's rule for this column could not be used, so the cell was not checked against it.",
    fix: 'Check the column by eye. The provider may still refuse the row.',
  },
  file_near_size_limit: {
    cause: 'A supporting file is so close to the limit that the provider may refuse it.',
    fix: 'Make it smaller to be sure.',
  },
} as const satisfies Record<string, Explanation>;

export type CellErrorCode = keyof typeof CELL_ERRORS;
export type CellWarningCode = keyof typeof CELL_WARNINGS;
