import { shownValue } from '../payment-file/row-problem.ts';
import type { ApplicantKey } from './applicant-fields.ts';
import type { ApplicantProblemCode } from './applicant-problem-codes.ts';
import type { ApplicantProblem } from './applicant-problem.ts';
import { fileNameKey } from './check-documents.ts';
import type { RawApplicant, RawValue } from './raw-applicant.ts';

/** A place of a file, with what is compared there. */
interface Place extends RawValue {
  applicantRef: string | null;
  field: string;
  compared: string;
}

interface Repeat {
  code: ApplicantProblemCode;
  problem: string;
  fix: string;
}

/** The same mail address, whatever its capitals. */
export function mailAddressKey(email: string): string {
  return email.trim().toLowerCase();
}

const UNIQUE_KEYS: readonly { key: ApplicantKey; keyOf: (text: string) => string; repeat: Repeat }[] = [
  {
    key: 'applicant_ref',
    keyOf: (text) => text,
    repeat: {
      code: 'repeated_reference',
      problem: 'has the same applicant_ref',
      fix: 'give each applicant their own, or remove the repeated line',
    },
  },
  {
    key: 'provider_user_id',
    keyOf: (text) => text,
    repeat: {
      code: 'repeated_user',
      problem: 'takes over the same user',
      fix: 'correct provider_user_id, or remove the repeated line',
    },
  },
  {
    key: 'email',
    keyOf: mailAddressKey,
    repeat: {
      code: 'repeated_email',
      problem: 'has the same e-mail address',
      fix: 'give each applicant their own, or remove the repeated line',
    },
  },
];

const REPEATED_FILE: Repeat = {
  code: 'document_repeated',
  problem: 'names the same file',
  fix: 'name each file once; if it is really of both, give a copy under another name',
};

/**
 * What must be unique in a file and is not: at each place that has it, the first one as well, since only a person can say
 * which is right.
 */
export function repeatProblems(fileName: string, applicants: readonly RawApplicant[]): ApplicantProblem[] {
  const unique = UNIQUE_KEYS.flatMap(({ key, keyOf, repeat }) =>
    repeatsAmong(
      fileName,
      repeat,
      applicants.flatMap((raw) => placeOf(raw, key, keyOf)),
    ),
  );
  return [...unique, ...repeatsAmong(fileName, REPEATED_FILE, applicants.flatMap(documentPlaces))];
}

function placeOf(raw: RawApplicant, key: ApplicantKey, keyOf: (text: string) => string): Place[] {
  const value = raw.values.get(key);
  const text = value?.text?.trim() ?? '';
  if (value === undefined || text === '' || raw.reported.has(key)) return [];
  return [{ ...value, applicantRef: refOf(raw), field: key, compared: keyOf(text) }];
}

function documentPlaces(raw: RawApplicant): Place[] {
  return [...raw.documents.values()].flatMap((document) => {
    const compared = fileNameKey(document.text?.trim() ?? '');
    return compared === '' ? [] : [{ ...document, applicantRef: refOf(raw), compared }];
  });
}

function refOf(raw: RawApplicant): string | null {
  const text = raw.values.get('applicant_ref')?.text?.trim() ?? '';
  return text === '' ? null : shownValue(text);
}

function repeatsAmong(file: string, repeat: Repeat, places: readonly Place[]): ApplicantProblem[] {
  const byText = new Map<string, [first: Place, second: Place | null]>();
  for (const place of places) {
    const known = byText.get(place.compared);
    if (known === undefined) byText.set(place.compared, [place, null]);
    else known[1] ??= place;
  }
  return places.flatMap((place) => {
    const [first, second] = byText.get(place.compared) ?? [place, null];
    if (second === null) return [];
    const other = first === place ? second : first;
    return {
      code: repeat.code,
      file,
      line: place.line,
      applicantRef: place.applicantRef,
      field: place.field,
      value: place.text === null ? null : shownValue(place.text),
      problem: `${other.line === place.line ? other.field : `line ${other.line ?? 1}`} ${repeat.problem}`,
      fix: repeat.fix,
    };
  });
}
