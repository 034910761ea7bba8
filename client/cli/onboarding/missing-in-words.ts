import { APPLICANT_FIELDS } from '../../../domain/onboarding/applicant-fields.ts';
import { words } from '../wording.ts';

const LABELS: ReadonlyMap<string, string> = new Map(APPLICANT_FIELDS.map(({ key, label }) => [key, label]));

/** `document_passport` is `document: passport`, `date_of_birth` is `Date of birth`. */
export function missingInWords(name: string): string {
  const document = /^document_(.+)$/.exec(name)?.[1];
  return document === undefined ? (LABELS.get(name) ?? words(name)) : `document: ${words(document)}`;
}
