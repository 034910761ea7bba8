import type Big from 'big.js';

/** An amount or a name that makes the sandbox behave in a particular way, for tests. */
export interface MagicValue {
  readonly when: string;
  readonly then: string;
}

interface BadEnding {
  readonly status: 'rejected' | 'failed';
  readonly reason: string;
}

/** How payments end whose amounts have these last two digits. */
const badEndings: Readonly<Record<string, BadEnding>> = {
  '13': { status: 'rejected', reason: 'Beneficiary bank refused: account closed' },
  '14': { status: 'failed', reason: 'Beneficiary bank returned the payment: name mismatch' },
};

const DOCUMENTS_DIGITS = '15';

/** The operator's remarks where the sandbox decides a screening. */
const screeningRemarks = {
  rejected: 'The identity could not be verified',
  documents_need_resubmission: 'The photo is blurred: upload the documents again',
} as const;

/** The table for people. Amounts are those of the quote's fixed side; words are whole words. */
export const magicValues: readonly MagicValue[] = [
  ...Object.entries(badEndings).map(([digits, { status, reason }]) => ({
    when: `the amount's last two digits, at its currency's decimals, are ${digits} (100.${digits}, or 100${digits} yen)`,
    then: `after funding the payment is ${status}: "${reason}", and the balance is credited again`,
  })),
  {
    when: `the amount's last two digits, at its currency's decimals, are ${DOCUMENTS_DIGITS}`,
    then: 'the quote requires supporting documents',
  },
  {
    when: 'a name of a beneficiary contains the word SANCTIONED',
    then: 'the beneficiary is refused with 400 compliance_refused',
  },
  { when: 'a name of a beneficiary contains the word SLOW', then: 'the payment takes 60 seconds after funding' },
  {
    when: 'a name of a beneficiary contains the word STUCK',
    then: 'the payment stays in processing until it is forced',
  },
  {
    when: "a user's first name contains the word RESUBMIT",
    then: `the first screening ends documents_need_resubmission: "${screeningRemarks.documents_need_resubmission}"`,
  },
  {
    when: "a user's first name contains the word REJECTED",
    then: `the screening ends rejected: "${screeningRemarks.rejected}"`,
  },
  {
    when: "a user's first name contains the word SLOW",
    then: 'the screening takes 60 seconds, unless it waits for the operator',
  },
];

/** The last two digits of an amount at its currency's decimals: 100.13 dollars, 10.013 dinars, 10013 yen give 13. */
const lastDigits = (amount: Big, decimalPlaces: number): string =>
  amount.toFixed(decimalPlaces).replace('.', '').slice(-2);

/** How a funded payment of this amount ends; undefined means that it completes. */
export const badEndingOf = (amount: Big, decimalPlaces: number): BadEnding | undefined =>
  badEndings[lastDigits(amount, decimalPlaces)];

export const requiresDocuments = (amount: Big, decimalPlaces: number): boolean =>
  lastDigits(amount, decimalPlaces) === DOCUMENTS_DIGITS;

const containsWord = (names: readonly string[], word: string): boolean =>
  names.some((name) => name.split(/[^A-Za-z]+/).includes(word));

export const isSanctioned = (names: readonly string[]): boolean => containsWord(names, 'SANCTIONED');
export const isSlow = (names: readonly string[]): boolean => containsWord(names, 'SLOW');
export const isStuck = (names: readonly string[]): boolean => containsWord(names, 'STUCK');

type ScreeningOutcome = 'approved' | keyof typeof screeningRemarks;

/** How a screening ends, by the user's first name, else as usual; null: it waits for the operator. */
export function screeningEndingOf(
  firstName: string,
  wasAskedToResubmit: boolean,
  usual: ScreeningOutcome | 'operator',
): { readonly status: ScreeningOutcome; readonly remarks: string | null } | null {
  const words = [firstName];
  const status =
    containsWord(words, 'RESUBMIT') && !wasAskedToResubmit
      ? 'documents_need_resubmission'
      : containsWord(words, 'REJECTED')
        ? 'rejected'
        : usual;
  if (status === 'operator') return null;
  return { status, remarks: status === 'approved' ? null : screeningRemarks[status] };
}
