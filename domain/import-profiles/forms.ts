import type { AmountForm, DateForm } from './profile.ts';

/** Amounts and dates as our own columns have them. */
export const OWN_AMOUNT_FORM: AmountForm = { decimalSign: '.', groupSeparator: '' };
export const OWN_DATE_FORM: DateForm = { order: 'ymd', yearDigits: 4 };

/** Every form of amounts, the plainest first. */
export const AMOUNT_FORMS: readonly AmountForm[] = [
  OWN_AMOUNT_FORM,
  { decimalSign: ',', groupSeparator: '' },
  { decimalSign: '.', groupSeparator: ',' },
  { decimalSign: ',', groupSeparator: '.' },
  { decimalSign: ',', groupSeparator: ' ' },
  { decimalSign: '.', groupSeparator: ' ' },
  { decimalSign: '.', groupSeparator: "'" },
  { decimalSign: ',', groupSeparator: "'" },
];

export function isOwnAmountForm(form: AmountForm | null): boolean {
  return form?.decimalSign === OWN_AMOUNT_FORM.decimalSign && form.groupSeparator === OWN_AMOUNT_FORM.groupSeparator;
}
