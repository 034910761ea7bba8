import type { ConversionReason } from '../../domain/treasury/conversion-reason-codes.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import type { ShownConversion } from '../../domain/treasury/conversion-quote.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import type { Mac } from '../../provider/mac.ts';
import type { Conversion } from '../../provider/treasury/conversion-fields.ts';
import { type Database, inTransaction, type Queryable } from '../../store/database/database.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { readFundingRequests } from '../../store/treasury/order-watch.ts';
import { lockOrder, type OrderRecord, readOrder, type StoredQuote } from '../../store/treasury/orders.ts';

/** The state in which the order is after an activity. */
export interface OrderOutcome {
  state: ConversionState;
}

export async function stateOf(database: Queryable, orderId: string): Promise<OrderOutcome> {
  return { state: (await readOrder(database, orderId)).state };
}

/**
 * Whether the stored terms are those that were placed and approved. If not, nothing is sent any more: an order of which the
 * provider has nothing is held.
 */
export async function holdUnlessAsApproved(database: Database, record: OrderRecord): Promise<boolean> {
  const { terms, orderHash } = record;
  // guard: order-hashed
  if (conversionOrderHash(terms) === orderHash) return true;
  await holdUnlessAsked(database, terms.orderId, 'order_not_as_approved');
  return false;
}

/** Holds it, unless a request to fund it is in flight or has taken effect: what became of that comes first. */
export async function holdUnlessAsked(database: Database, orderId: string, reason: ConversionReason): Promise<void> {
  await inTransaction(database, async (transaction) => {
    // No request begins meanwhile.
    await lockOrder(transaction, orderId);
    const funding = await readFundingRequests(transaction, orderId);
    // guard: conversion-not-held-in-flight
    if (funding === 'open' || funding === 'took_effect') return;
    await moveOrder(transaction, orderId, 'held', { reason });
  });
}

/** What one request returns and a later one relies on gets a MAC for its order, as for payments. */
export function macQuote(
  mac: Mac,
  { terms, orderHash, attempt }: OrderRecord,
  quoteId: string,
  quote: StoredQuote,
): string {
  return mac.of('conversion_quote', terms.orderId, attempt, orderHash, quoteId, canonicalJson(quote));
}

export function hasValidQuoteMac(mac: Mac, record: OrderRecord): boolean {
  const { terms, orderHash, attempt, quoteId, quote, quoteMac } = record;
  if (quote === null) return false;
  return mac.matches(quoteMac, 'conversion_quote', terms.orderId, attempt, orderHash, quoteId, canonicalJson(quote));
}

export function macConversion(mac: Mac, { terms, orderHash, attempt }: OrderRecord, conversionId: string): string {
  return mac.of('conversion', terms.orderId, attempt, orderHash, conversionId);
}

export function hasValidConversionMac(mac: Mac, record: OrderRecord): boolean {
  const { terms, orderHash, attempt, conversionId, conversionMac } = record;
  return mac.matches(conversionMac, 'conversion', terms.orderId, attempt, orderHash, conversionId);
}

/** The amounts of the provider may be floats. */
export function shownConversionOf(conversion: Conversion): ShownConversion {
  const plain = (amount: string | null): string | null => (amount === null ? null : withoutFloatNoise(amount));
  return {
    sellCurrency: conversion.sellCurrency,
    buyCurrency: conversion.buyCurrency,
    fixedSide: conversion.fixedSide,
    sellAmount: plain(conversion.sellAmount),
    buyAmount: plain(conversion.buyAmount),
    totalAmount: plain(conversion.totalAmount),
    totalFees: plain(conversion.totalFees),
    referenceId: conversion.referenceId,
  };
}
