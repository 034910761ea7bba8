import { addAmounts } from '../money.ts';
import type { ClassLine } from './entry-class.ts';
import { dayOfEntry } from './movement.ts';

/** What a conversion moved in one currency. */
export interface ExchangedAmount {
  readonly currency: string;
  /** UTC day of its last entry, YYYY-MM-DD; empty if its date cannot be read. */
  readonly day: string;
  /** Decimal string above zero, without fees. */
  readonly amount: string;
  /** How many decimals the history writes. */
  readonly decimals: number;
}

/** A conversion of which both entries are in the history. */
export interface RealisedExchange {
  readonly factId: string;
  readonly sold: ExchangedAmount;
  readonly bought: ExchangedAmount;
}

/** In the order in which the bought money came. A conversion with one entry outside of the lines is not among them. */
export function realisedExchanges(lines: readonly ClassLine[]): RealisedExchange[] {
  const sold = amountsOf(lines, 'conversion_sold');
  return [...amountsOf(lines, 'conversion_bought')].flatMap(([factId, bought]) => {
    const other = sold.get(factId);
    if (other === undefined) return [];
    return [{ factId, sold: { ...other, amount: other.amount.replace(/^-/, '') }, bought }];
  });
}

function amountsOf(lines: readonly ClassLine[], ofClass: ClassLine['entryClass']): Map<string, ExchangedAmount> {
  const amounts = new Map<string, ExchangedAmount>();
  for (const { entryClass, factId, movement, amount } of lines) {
    if (entryClass !== ofClass || factId === null) continue;
    const known = amounts.get(factId);
    amounts.set(factId, {
      currency: movement.currency,
      day: dayOfEntry(movement),
      amount: known === undefined ? amount : addAmounts(known.amount, amount),
      decimals: movement.amountAfter.split('.')[1]?.length ?? 0,
    });
  }
  return amounts;
}
