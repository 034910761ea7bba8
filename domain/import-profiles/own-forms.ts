import type { AmountForm, DateForm, Profile } from './profile.ts';

/** Amounts and dates as our own columns have them. */
export const OWN_AMOUNT_FORM: AmountForm = { decimalSign: '.', groupSeparator: '' };
export const OWN_DATE_FORM: DateForm = { order: 'ymd', yearDigits: 4 };

export function isOwnAmountForm({ amountForm }: Pick<Profile, 'amountForm'>): boolean {
  return amountForm?.decimalSign === OWN_AMOUNT_FORM.decimalSign && amountForm.groupSeparator === '';
}

export function isOwnDateForm({ dateForm }: Pick<Profile, 'dateForm'>): boolean {
  return dateForm?.order === OWN_DATE_FORM.order && dateForm.yearDigits === OWN_DATE_FORM.yearDigits;
}
