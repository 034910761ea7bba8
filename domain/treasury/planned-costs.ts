import Big from 'big.js';
import type { DatedAmount } from './cash-view.ts';

/** What approved rows of one run cost on one date. Amounts are decimal strings. */
export interface RunCost extends DatedAmount {
  runId: string;
}

/** What is reserved for a run in a currency. */
export interface ReservedMoney {
  runId: string;
  currency: string;
  amount: string;
}

/** The costs for which no money is reserved: what is reserved for a run pays its earliest rows. */
export function unreservedCosts(costs: readonly RunCost[], reserved: readonly ReservedMoney[]): DatedAmount[] {
  const left = new Map(reserved.map(({ runId, currency, amount }) => [`${runId} ${currency}`, new Big(amount)]));
  return [...costs]
    .sort((one, other) => (one.on < other.on ? -1 : one.on > other.on ? 1 : 0))
    .flatMap(({ runId, currency, amount, on }) => {
      const key = `${runId} ${currency}`;
      const available = left.get(key) ?? new Big(0);
      const covered = available.lt(amount) ? available : new Big(amount);
      left.set(key, available.minus(covered));
      const open = new Big(amount).minus(covered);
      return open.gt(0) ? [{ currency, amount: open.toFixed(), on }] : [];
    });
}
