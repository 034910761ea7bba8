import type { BookDay } from '../../api/reconciliation/book-day.ts';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { differenceOf, sumOf, withDecimals } from '../elements/decimals.ts';
import { decimalsOfCurrency } from '../elements/formats.ts';

/** From here on the books of one currency are called a book. */
export type Book = BookDay['books'][number];

/** Decimal strings at the decimals of the currency; null where one of the amounts is no plain decimal. */
export interface DayAmounts {
  opening: string | null;
  /** Each class of movements in the history. */
  movements: readonly { entryClass: string; count: number; amount: string | null }[];
  /** Opening and movements. */
  computed: string | null;
  /** The balance after the last entry of the provider's history. */
  byHistory: string | null;
  /** The balance that the provider showed after the day; null: none yet that the day can be compared with. */
  shown: string | null;
  /** What the provider shows, or where that is not known its history, less what was computed. */
  difference: string | null;
}

/** What fills the gap between the entries and the closing balance: it is no movement, but the difference itself. */
const NOT_IN_HISTORY = 'not_in_history';

/** The amounts of a currency, with the difference computed from them. `breaks`: those of the day, of any currency. */
export function amountsOf(book: Book, breaks: readonly BreakSummary[]): DayAmounts {
  const { currency, opening, closing } = book;
  const written = (amount: string | null): string | null => atDecimalsOf(currency, amount);
  const movements = book.totals.filter(({ entryClass }) => entryClass !== NOT_IN_HISTORY);
  const computed = sumOf([opening, ...movements.map(({ amount }) => amount)]);
  const shown = shownBalance(book, breaks);
  return {
    opening: written(opening),
    movements: movements.map(({ entryClass, count, amount }) => ({ entryClass, count, amount: written(amount) })),
    computed: written(computed),
    byHistory: written(closing),
    shown: written(shown),
    difference: computed === null ? null : written(differenceOf(shown ?? closing, computed)),
  };
}

/** The database keeps amounts without zeros at their end. */
export function atDecimalsOf(currency: string, amount: string | null): string | null {
  return amount === null ? null : (withDecimals(amount, decimalsOfCurrency(currency)) ?? amount);
}

function shownBalance({ currency, closing, isComplete }: Book, breaks: readonly BreakSummary[]): string | null {
  if (isComplete) return closing;
  const differs = breaks.find((one) => one.type === 'closing_differs' && one.currency === currency && isFound(one));
  return differs?.found ?? null;
}

/** The day was not reconciled again since with another result. */
export function isFound({ state }: BreakSummary): boolean {
  return state !== 'no_longer_found';
}

export type Side = 'theirs' | 'ours' | 'both';

/** On whose side alone something is: a break of `both` has two amounts that differ. */
export function sideOf({ type, found }: Pick<BreakSummary, 'type' | 'found'>): Side {
  if (type === 'unexplained_entry' || type === 'double_entry' || type === 'refund_without_payment') return 'theirs';
  if (type === 'missing_entry' || type === 'conversion_leg') return 'ours';
  return type === 'refund_missing_or_short' && found === null ? 'ours' : 'both';
}

/** How many differences there are on each side, whatever people have said of them since. */
export function countSides(breaks: readonly BreakSummary[]): Readonly<Record<Side, number>> {
  const counts = { theirs: 0, ours: 0, both: 0 };
  for (const one of breaks.filter(isFound)) counts[sideOf(one)] += 1;
  return counts;
}
