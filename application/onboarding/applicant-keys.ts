import { closestName } from '../../domain/closest-name.ts';
import { APPLICANT_FIELDS, type ApplicantKey, isApplicantKey } from '../../domain/onboarding/applicant-fields.ts';
import { DOCUMENT_TYPES, documentTypeOfSlot } from '../../domain/onboarding/choices.ts';
import { usualName } from '../../domain/onboarding/usual-names.ts';
import type { FormProblem } from './applicants-file.ts';

/** What a key or column is: a field, a document, the group of documents, or a problem. */
export type KeyTarget =
  | { kind: 'field'; key: ApplicantKey }
  | { kind: 'document'; slot: string }
  | { kind: 'documents' }
  | KeyProblem;

export type KeyProblem = {
  kind: 'problem';
  /** That is probably meant. */
  documentType?: string;
} & Pick<FormProblem, 'code' | 'problem' | 'fix'>;

const KEYS = APPLICANT_FIELDS.map(({ key }) => key);
const COLUMNS = [...KEYS, ...DOCUMENT_TYPES.map((type) => `document_${type}`)];

/** Upper and lower case, and blanks around a name, make no difference. */
export function plainName(name: string): string {
  return name.trim().toLowerCase();
}

/** The meaning of a column of a CSV. */
export function columnTarget(name: string): KeyTarget {
  if (isApplicantKey(name)) return { kind: 'field', key: name };
  if (isPassword(name)) return PASSWORD;
  const slot = /^document_(.+)$/.exec(name)?.[1];
  if (slot !== undefined) return documentTarget(slot, 'document_');
  const documentType = documentTypeOfSlot(name);
  if (documentType !== null) return { ...unknownField(`name the column document_${name}`), documentType };
  return unknownField(
    name === 'documents' ? 'use one column for each document, as document_passport' : meant(name, COLUMNS),
  );
}

/** The meaning of a key of YAML or JSON, outside of `documents`. */
export function keyTarget(name: string): KeyTarget {
  if (isApplicantKey(name)) return { kind: 'field', key: name };
  if (name === 'documents') return { kind: 'documents' };
  if (isPassword(name)) return PASSWORD;
  const slot = /^document_(.+)$/.exec(name)?.[1] ?? name;
  const documentType = documentTypeOfSlot(slot);
  if (documentType !== null) return { ...unknownField(`write it under documents, as ${slot}`), documentType };
  return unknownField(meant(name, [...KEYS, 'documents']));
}

/** The meaning of a key under `documents`. */
export function documentTarget(slot: string, prefix: 'document_' | 'documents.'): KeyTarget {
  if (documentTypeOfSlot(slot) !== null) return { kind: 'document', slot };
  const nearest = closestName(slot, DOCUMENT_TYPES);
  return {
    kind: 'problem',
    ...(nearest === null ? {} : { documentType: nearest }),
    code: 'unknown_document',
    problem: 'the file names a document of a type that does not exist',
    fix:
      nearest === null
        ? `use one of: ${DOCUMENT_TYPES.join(', ')}; further files of a type have a number from 2 to 20, as passport_2`
        : `did you mean ${prefix}${nearest}? Further files of a type have a number from 2 to 20, as passport_2`,
  };
}

/** The key that an unknown column most likely means, or null. */
export function nearestKey(name: string): ApplicantKey | null {
  const nearest = usualName(name) ?? closestName(name, KEYS);
  return nearest !== null && isApplicantKey(nearest) ? nearest : null;
}

function meant(name: string, known: readonly string[]): string {
  const nearest = usualName(name) ?? closestName(name, known);
  return nearest === null ? 'remove it' : `did you mean ${nearest}? Else remove it`;
}

function unknownField(fix: string): KeyProblem {
  return { kind: 'problem', code: 'unknown_field', problem: 'payrun does not know this field', fix };
}

const isPassword = (name: string): boolean => /passwor[dt]|passwd|kennwort/.test(name.replace(/[\s_-]/g, ''));

const PASSWORD: KeyProblem = {
  kind: 'problem',
  code: 'password_given',
  problem: 'the file has a password; payrun never sends one',
  fix: 'remove it, and delete the password wherever the file was stored',
};
