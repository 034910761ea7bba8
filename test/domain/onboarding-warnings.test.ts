import { describe, expect, test } from 'vitest';
import { identificationWarnings, referenceWarnings } from '../../domain/onboarding/applicant-warnings.ts';
import { anApplicant } from '../store/a-stored-case.ts';

const named = (applicantRef: string, email = 'bo.tester@example.com', firstName = 'Bo', lastName = 'Tester') =>
  anApplicant({ applicantRef, email, details: { firstName, lastName } });

describe('a reference', () => {
  test.each(['bo.tester', 'BO-17', 'tester', '2026/Testers', 'x_tester_1'])(
    'like %s is warned of: it names the person',
    (ref) => {
      expect(referenceWarnings([named(ref)])).toMatchObject([{ applicantRef: ref, code: 'reference_names_person' }]);
    },
  );

  test.each(['2026-0412', 'A-17', 'bob-1', 'EX-101'])('like %s is not', (ref) => {
    expect(referenceWarnings([named(ref)])).toEqual([]);
  });

  test('with the beginning of the mail address is warned of, and with its number alone is not', () => {
    expect(referenceWarnings([named('kunde-maria77', 'maria77@example.com', 'M', 'Ruiz')])).toHaveLength(1);
    expect(referenceWarnings([named('2026-17', 'office-17@example.com', 'Maria', 'Ruiz')])).toEqual([]);
  });
});

test('the same identification number is warned of at each applicant who has it', () => {
  const withNumber = (applicantRef: string, identificationNumber?: string) =>
    anApplicant({
      applicantRef,
      details: { firstName: 'A', lastName: 'B', ...(identificationNumber && { identificationNumber }) },
    });
  const all = [
    withNumber('1', 'E 123'),
    withNumber('2', 'e123'),
    withNumber('3', 'E124'),
    withNumber('4'),
    withNumber('5'),
  ];
  expect(identificationWarnings(all).map(({ applicantRef, message }) => [applicantRef, message])).toEqual([
    ['1', 'has the same identification_number as 2'],
    ['2', 'has the same identification_number as 1'],
  ]);
});
