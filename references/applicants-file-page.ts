import { APPLICANT_FIELDS, type ApplicantField, type ApplicantKey } from '../domain/onboarding/applicant-fields.ts';
import {
  BUSINESS_TYPES,
  DOCUMENT_TYPES,
  EMPLOYMENT_INDUSTRIES,
  EMPLOYMENT_POSITIONS,
} from '../domain/onboarding/choices.ts';
import { code, codeList, page, paragraph, table } from './markdown.ts';

export function applicantsFilePage(): string {
  return page(
    "The applicants' file",
    paragraph(
      'One applicant as YAML or JSON, with a key for each value; or a sheet (CSV or `.xlsx`) with a row for each applicant and a column for',
      'each value, in any order. Keys and columns have the same names. A value that is not given is left out, or an empty',
      'cell. [Onboarding](onboarding.md) says how the file is submitted, and has an example;',
      "[Problems of an applicants' file](errors.md#problems-of-an-applicants-file) what may be wrong with it.",
    ),
    paragraph(
      'Every value is read as text, so that leading zeros stay. An unknown key or column is refused, with the name that was',
      'probably meant; so is a password, since none is ever sent.',
    ),
    '## The applicant',
    fieldTable('applicant'),
    '## The person',
    'Of a company, this is its contact.',
    fieldTable('details'),
    '## The company',
    'Not given for an individual.',
    fieldTable('company'),
    '## Documents',
    paragraph(
      'In YAML and JSON, `documents` has a key for each file, in a sheet there is a column `document_…` for it. Its value is the',
      'name of the file, without a folder. The key is the type of the document; a second file of a type has the number 2, as',
      'in `passport_2`, and so on up to 20. A file is PDF, PNG or JPEG by its content, and at most 10 MiB.',
    ),
    `The types: ${codeList(DOCUMENT_TYPES)}.`,
    '## Long lists',
    ...LONG_LISTS.flatMap(([title, values]) => [`### ${title}`, `${codeList(values)}.`]),
  );
}

/** Lists that have a section of their own. */
const LONG_LISTS: readonly (readonly [title: string, values: readonly string[]])[] = [
  ['Positions', EMPLOYMENT_POSITIONS],
  ['Industries of employment', EMPLOYMENT_INDUSTRIES],
  ['Business types', BUSINESS_TYPES],
];

function fieldTable(part: ApplicantField['part']): string {
  return table(
    ['field', 'what it is', 'required', 'form'],
    APPLICANT_FIELDS.filter((field) => field.part === part).map((field) => [
      code(field.key),
      meaningOf(field),
      NEEDS[field.need],
      formOf(field),
    ]),
  );
}

/** What the label does not say. */
const NOTES: Partial<Record<ApplicantKey, string>> = {
  applicant_ref: 'it is shown to everybody, so it must not identify a person',
  provider_user_id: 'only to take that user over',
  sign_up_country: 'if it is not the country of residence, or of incorporation of a company',
  email: 'the provider writes to it',
};

function meaningOf({ key, label }: ApplicantField): string {
  const note = NOTES[key];
  return note === undefined ? label : `${label}: ${note}`;
}

const NEEDS: Readonly<Record<ApplicantField['need'], string>> = {
  sign_up: 'yes',
  screening: 'yes',
  passport: 'for a passport',
  optional: '',
};

function formOf({ kind, choices, maxLength }: ApplicantField): string {
  switch (kind) {
    case 'choice':
      return choicesIn(choices);
    case 'reference':
      return `1 to ${maxLength} letters A to Z, digits and \`.\` \`_\` \`-\` \`/\``;
    case 'user_id':
      return 'as the provider writes it';
    case 'email':
      return `one address, at most ${maxLength} characters`;
    case 'country':
      return "two capitals, as `SG`, of the provider's list";
    case 'dialling_code':
      return "as `+65`, of the provider's list";
    case 'phone_number':
      return '3 to 20 digits; blanks and hyphens may separate them';
    case 'day':
      return '`1990-12-31` or `31-12-1990`';
    case 'text':
      return `text, at most ${maxLength} characters`;
  }
}

function choicesIn(choices: readonly string[]): string {
  const [title] = LONG_LISTS.find(([, values]) => values === choices) ?? [];
  if (title === undefined) return codeList(choices);
  return `one of the [${title.toLowerCase()}](#${title.toLowerCase().replaceAll(' ', '-')})`;
}
