import { APPLICANT_FIELDS } from '../../domain/onboarding/applicant-fields.ts';
import { aCompany, type ApplicantValues } from './onboarding-under-test.ts';

/** A text that nothing else has. */
export const MARK = 'Quillfeather';

const texts = APPLICANT_FIELDS.filter(({ kind }) => kind === 'text');

/** Fields whose values are from a list, and so name nobody. */
export const COMPANY_KEYS_WITH_CHOICES = APPLICANT_FIELDS.filter(({ kind }) => kind === 'choice').map(({ key }) => key);

let count = 0;

/** A company with the mark in every field that takes a text, in its mail address, and in names and contents of its files. */
export function markedCompany(values: ApplicantValues = {}): ApplicantValues {
  count += 1;
  const document = (name: string) => `${MARK}-${name}.pdf`;
  return {
    ...aCompany(),
    ...Object.fromEntries(texts.map(({ key }) => [key, `${MARK} ${count}`])),
    // Names are compared with the provider's: each has its own mark.
    email: `${MARK}${count}@example.com`,
    documents: {
      passport: document('passport'),
      company_proof: document('tokenHash'),
      company_address_proof: document('address'),
    },
    ...values,
  };
}
