import type { Client } from '@temporalio/client';
import Big from 'big.js';
import { formatAmount } from '../../domain/money.ts';
import { occurrenceAttemptId } from '../../domain/treasury/conversion-identity.ts';
import { type ConversionOrder, conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import { conversionStart } from '../../domain/treasury/conversion-start.ts';
import { quotedPairs, type SweepFound, sweepFound } from '../../domain/treasury/occurrence-plan.ts';
import { isMissed } from '../../domain/treasury/schedule-dates.ts';
import { scheduledOrders } from '../../domain/treasury/scheduled-orders.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import {
  planOccurrence,
  placeScheduledOrder,
  readOccurrence,
  readOccurrenceOrders,
} from '../../store/treasury/occurrences.ts';
import { lockPlanning } from '../../store/treasury/placed-orders.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { scheduleIn } from './begin-occurrence.ts';
import { type OccurrenceCash, readOccurrenceCash } from './plan-occurrence.ts';

const BY_HAND_LIFETIME_MS = 86_400_000;

/**
 * Places the orders of an occurrence with the balances of this moment and the prices of its plan, and starts their workflows. Answers
 * why there is none, which is recorded; null: there are some. All are placed in one transaction: tried again, with other money by then, it plans no others.
 */
export function placeScheduledOrdersActivity({ database, temporal, settings, now }: ActivityDependencies) {
  return async function placeScheduledOrders({
    occurrenceId,
  }: {
    occurrenceId: string;
  }): Promise<{ why: string | null }> {
    const { account, plan } = await readOccurrence(database, occurrenceId);
    const why = plan.why ?? (await inTransaction(database, (transaction) => place(transaction, account, occurrenceId)));
    if (why !== null) await planOccurrence(database, occurrenceId, { ...plan, why });
    for (const { orderId, state } of await readOccurrenceOrders(database, occurrenceId)) {
      if (state !== null) await startConversion(temporal, { orderId, account });
    }
    return { why };
  };

  async function place(transaction: Queryable, account: string, occurrenceId: string): Promise<string | null> {
    await lockPlanning(transaction, account);
    // guard: occurrence-planned-once
    if ((await readOccurrenceOrders(transaction, occurrenceId)).length > 0) return null;
    const { definition, scheduledAtMs, cause, attempt, plan } = await readOccurrence(transaction, occurrenceId);
    // Workers may have been down since it began: it acts at its time or not at all.
    if (isMissed(scheduledAtMs, now(), settings.schedules.catchUpMs)) return 'started_too_late';
    const schedule = scheduleIn(definition);
    const sweep = schedule.kind === 'sweep' ? sweepFound(plan) : null;
    if (sweep !== null && 'why' in sweep) return sweep.why;
    const cash = await readOccurrenceCash(transaction, { account, nowMs: now(), quotes: quotedPairs(plan) });
    const lifetimeMs = cause === 'schedule' ? settings.schedules.orderLifetimeMs : BY_HAND_LIFETIME_MS;
    const expiresAt = new Date(scheduledAtMs + lifetimeMs).toISOString();
    const planned = scheduledOrders(
      schedule,
      { occurrenceId: occurrenceAttemptId(occurrenceId, attempt), expiresAt },
      { cash: cash.situation, priceOf: cash.priceOf },
    );
    if ('why' in planned) return planned.why;
    for (const order of planned.orders) {
      const terms = termsOf(order, { cash, sweep });
      await placeScheduledOrder(transaction, occurrenceId, { terms, orderHash: conversionOrderHash(terms) });
    }
    return null;
  }
}

function termsOf(
  order: ConversionOrder,
  { cash, sweep }: { cash: OccurrenceCash; sweep: SweepFound | null },
): ConversionOrder {
  const decimalsOf = (currency: string): number => cash.decimals.get(currency) ?? 0;
  const { sellCurrency, buyCurrency, fixedSide } = order;
  const inSellCurrency = (amount: string): string => formatAmount(amount, decimalsOf(sellCurrency));
  const amount = formatAmount(order.amount, decimalsOf(fixedSide === 'sell' ? sellCurrency : buyCurrency));
  const cap = order.cap ?? amount;
  if (sweep === null || !('surplus' in sweep)) return { ...order, amount, cap: inSellCurrency(cap) };
  // If less is free by now, or when money is committed, the quote is too large: the order is refused then.
  const most = least(least(cap, sweep.surplus), amount);
  return { ...order, amount: inSellCurrency(sweep.amount), cap: inSellCurrency(most) };
}

function least(one: string, other: string): string {
  return new Big(one).lt(other) ? one : other;
}

/** Starts the workflow of an order. Workers start it also without, a little later, so a failure is nobody's concern. */
async function startConversion(temporal: Client, input: { orderId: string; account: string }): Promise<void> {
  await temporal.workflow.signalWithStart('conversion', conversionStart(input)).catch(() => undefined);
}
