import type Big from 'big.js';

/** An amount or a name that makes the sandbox do something a test wants to see. */
export interface Meaning {
  readonly when: string;
  readonly then: string;
}

/** Why a payment of such an amount ends badly. */
const endings: Readonly<Record<string, { status: 'rejected' | 'failed'; reason: string }>> = {
  '13': { status: 'rejected', reason: 'Beneficiary bank refused: account closed' },
  '14': { status: 'failed', reason: 'Beneficiary bank returned the payment: name mismatch' },
};

const DOCUMENTS_DIGITS = '15';

/** The table for people. Amounts are those of the quote's fixed side; names are beneficiary names, whole words. */
export const meanings: readonly Meaning[] = [
  ...Object.entries(endings).map(([digits, { status, reason }]) => ({
    when: `the amount's last two digits, at its currency's decimals, are ${digits} (100.${digits}, or 100${digits} yen)`,
    then: `after funding the payment is ${status}: "${reason}", and the balance is credited again`,
  })),
  {
    when: `the amount's last two digits, at its currency's decimals, are ${DOCUMENTS_DIGITS}`,
    then: 'the quote requires supporting documents',
  },
  { when: 'a name holds the word SANCTIONED', then: 'the beneficiary is refused with 400 compliance_refused' },
  { when: 'a name holds the word SLOW', then: 'the payment takes 60 seconds after funding' },
  { when: 'a name holds the word STUCK', then: 'the payment stays in processing until it is forced' },
];

/** The last two digits of an amount at its currency's decimals: 100.13 dollars, 10.013 dinars, 10013 yen give 13. */
const lastDigits = (amount: Big, decimalPlaces: number): string =>
  amount.toFixed(decimalPlaces).replace('.', '').slice(-2);

/** How a payment of this amount ends after it was funded; undefined means that it completes. */
export const endingOf = (
  amount: Big,
  decimalPlaces: number,
): { status: 'rejected' | 'failed'; reason: string } | undefined => endings[lastDigits(amount, decimalPlaces)];

export const asksForDocuments = (amount: Big, decimalPlaces: number): boolean =>
  lastDigits(amount, decimalPlaces) === DOCUMENTS_DIGITS;

const holdsWord = (names: readonly string[], word: string): boolean =>
  names.some((name) => name.split(/[^A-Za-z]+/).includes(word));

export const isSanctioned = (names: readonly string[]): boolean => holdsWord(names, 'SANCTIONED');
export const isSlow = (names: readonly string[]): boolean => holdsWord(names, 'SLOW');
export const isStuck = (names: readonly string[]): boolean => holdsWord(names, 'STUCK');
