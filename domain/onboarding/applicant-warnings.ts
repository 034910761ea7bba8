import type { Applicant } from './applicant.ts';

/** What is accepted, and probably not meant. `message` has no personal data but references. */
export interface ApplicantWarning {
  applicantRef: string;
  code: 'reference_names_person' | 'identification_number_repeated' | 'document_in_other_case';
  message: string;
}

/** Shorter parts of names, such as `Bo` or `de`, stand in many references by chance: they count as whole parts alone. */
const MIN_PART_LENGTH = 4;

/** A reference with a name, or the beginning of the mail address: everybody who lists cases sees it, and it is never erased. */
export function referenceWarnings(applicants: readonly Applicant[]): ApplicantWarning[] {
  return applicants.flatMap(({ applicantRef, email, details }) => {
    const reference = partsOf(applicantRef);
    const person = [...partsOf(`${details.firstName} ${details.lastName}`), ...partsOf(email.split('@')[0] ?? '')];
    const isNamed = person.some(
      (part) =>
        /\p{Letter}{2}/u.test(part) &&
        (reference.includes(part) ||
          (part.length >= MIN_PART_LENGTH && reference.some((other) => other.includes(part)))),
    );
    const message =
      'applicant_ref seems to have a part of the name or of the mail address: everybody who lists cases sees it, and it stays when ' +
      'the data is erased; use another one, such as a number';
    return isNamed ? [{ applicantRef, code: 'reference_names_person', message } as const] : [];
  });
}

/** Several applicants of one file with the same number of their identification document. */
export function identificationWarnings(applicants: readonly Applicant[]): ApplicantWarning[] {
  const byNumber = new Map<string, Applicant[]>();
  for (const applicant of applicants) {
    const number = (applicant.details.identificationNumber ?? '').replace(/[\s-]/g, '').toUpperCase();
    byNumber.set(number, [...(byNumber.get(number) ?? []), applicant]);
  }
  return [...byNumber].flatMap(([number, same]) =>
    number === '' || same.length < 2
      ? []
      : same.map(({ applicantRef }) => {
          const others = same.filter((other) => other.applicantRef !== applicantRef).map((other) => other.applicantRef);
          const message = `has the same identification_number as ${others.slice(0, 5).join(', ')}`;
          return { applicantRef, code: 'identification_number_repeated', message } as const;
        }),
  );
}

function partsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((part) => part.length > 1);
}
