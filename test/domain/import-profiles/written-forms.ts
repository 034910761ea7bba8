import fc from 'fast-check';
import type { AmountForm, DateForm } from '../../../domain/import-profiles/profile.ts';

export const amountForm = fc
  .record({
    decimalSign: fc.constantFrom('.', ','),
    groupSeparator: fc.constantFrom('', '.', ',', ' ', "'"),
  })
  .filter(({ decimalSign, groupSeparator }) => decimalSign !== groupSeparator) as fc.Arbitrary<AmountForm>;

export const dateForm: fc.Arbitrary<DateForm> = fc.record({
  order: fc.constantFrom('ymd', 'dmy', 'mdy'),
  yearDigits: fc.constantFrom(2, 4),
});

/** Exact decimal text, with up to three decimals. */
export const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.integer({ min: 0, max: 3 }))
  .map(([minor, decimals]) => {
    const digits = minor.toString().padStart(decimals + 1, '0');
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  });

export const date = fc
  .integer({ min: 0, max: 36_000 })
  .map((days) => new Date(Date.UTC(2000, 0, 1) + days * 86_400_000).toISOString().slice(0, 10));

/** As somebody writes the amount in this form: with groups or without, and with one of the blanks. */
export function writtenAmount(
  text: string,
  form: AmountForm,
  { grouped, blank }: { grouped: boolean; blank: string },
): string {
  const [whole = '', decimals] = text.split('.');
  const separator = form.groupSeparator === ' ' ? blank : form.groupSeparator;
  const digits = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, separator) : whole;
  return decimals === undefined ? digits : `${digits}${form.decimalSign}${decimals}`;
}

const MONTHS = [
  'jan',
  'févr.',
  'März',
  'avril',
  'mayo',
  'giugno',
  'lipca',
  'aug',
  'wrzesień',
  'out',
  'listopad',
  'Dezember',
];

/** As somebody writes the day in this form. */
export function writtenDate(
  day: string,
  form: DateForm,
  { between, named }: { between: string; named: boolean },
): string {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-');
  const parts = {
    y: form.yearDigits === 2 ? year.slice(2) : year,
    m: named && between !== '' ? (MONTHS[Number(month) - 1] ?? '') : month,
    d: dayOfMonth,
  };
  return Array.from(form.order, (part) => parts[part as 'y' | 'm' | 'd']).join(between);
}

export const writing = fc.record({
  grouped: fc.boolean(),
  blank: fc.constantFrom(' ', '\u00a0', '\u202f'),
  between: fc.constantFrom('', '.', '/', '-', ' '),
  named: fc.boolean(),
});

/** Whatever may stand in a cell. */
export const anyCell = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from("0123456789.,' \u00a0-+()€$EURe/")), maxLength: 20 }),
);
