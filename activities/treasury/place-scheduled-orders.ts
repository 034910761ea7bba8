import Big from 'big.js';
import { formatAmount } from '../../domain/money.ts';
import { conversionOrderHash, type ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { QuotedPair } from '../../domain/treasury/indicative-prices.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import { isMissed } from '../../domain/treasury/schedule-dates.ts';
import { scheduledOrders } from '../../domain/treasury/scheduled-orders.ts';
import { placeScheduledOrder, readOccurrence } from '../../store/treasury/occurrences.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { scheduleIn } from './begin-occurrence.ts';
import { type OccurrenceCash, readOccurrenceCash } from './occurrence-cash.ts';
import { startConversion } from './start-conversion.ts';

const BY_HAND_LIFETIME_MS = 86_400_000;

/**
 * Places the orders of an occurrence with the money of this moment, and starts their workflows. Answers why there is none;
 * null: there are some. Each order has an id of the occurrence, so that it is placed once however often this is tried.
 */
export function placeScheduledOrdersActivity({ database, temporal, settings, now }: ActivityDependencies) {
  return async function placeScheduledOrders(input: {
    occurrenceId: string;
    quotes: QuotedPair[];
    /** Of a sweep: what may leave the balance, and what is sold so that the fees fit as well. */
    sweep?: { surplus: string; amount: string };
  }): Promise<{ why: string | null }> {
    const { occurrenceId, quotes, sweep } = input;
    const { account, definition, scheduledAtMs, cause } = await readOccurrence(database, occurrenceId);
    // Workers may have been down since it began: it acts at its time or not at all.
    if (isMissed(scheduledAtMs, now(), settings.schedules.catchUpMs)) return { why: 'started_too_late' };
    const schedule = scheduleIn(definition);
    const cash = await readOccurrenceCash(database, { account, nowMs: now(), quotes });
    const lifetimeMs = cause === 'schedule' ? settings.schedules.orderLifetimeMs : BY_HAND_LIFETIME_MS;
    const expiresAt = new Date(scheduledAtMs + lifetimeMs).toISOString();
    const planned = scheduledOrders(
      schedule,
      { occurrenceId, expiresAt },
      { cash: cash.situation, priceOf: cash.priceOf },
    );
    if ('why' in planned) return { why: planned.why };
    for (const order of planned.orders) await place(occurrenceId, termsOf(order, { schedule, cash, sweep }));
    return { why: null };
  };

  async function place(occurrenceId: string, terms: ConversionOrder): Promise<void> {
    const orderHash = conversionOrderHash(terms);
    const refused = await placeScheduledOrder(database, occurrenceId, { terms, orderHash });
    if (refused === null) await startConversion(temporal, { orderId: terms.orderId, account: terms.account });
  }
}

function termsOf(
  order: ConversionOrder,
  {
    schedule,
    cash,
    sweep,
  }: { schedule: Schedule; cash: OccurrenceCash; sweep: { surplus: string; amount: string } | undefined },
): ConversionOrder {
  const decimalsOf = (currency: string): number => cash.decimals.get(currency) ?? 0;
  const { sellCurrency, buyCurrency, fixedSide } = order;
  const inSellCurrency = (amount: string): string => formatAmount(amount, decimalsOf(sellCurrency));
  const amount = formatAmount(order.amount, decimalsOf(fixedSide === 'sell' ? sellCurrency : buyCurrency));
  const cap = order.cap ?? amount;
  if (schedule.kind !== 'sweep' || sweep === undefined) return { ...order, amount, cap: inSellCurrency(cap) };
  // If less is free by now, the quote is too large for it: the guards refuse the order.
  const most = least(least(cap, sweep.surplus), amount);
  return { ...order, amount: inSellCurrency(sweep.amount), cap: inSellCurrency(most) };
}

function least(one: string, other: string): string {
  return new Big(one).lt(other) ? one : other;
}
