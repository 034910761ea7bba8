import Big from 'big.js';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { conversionDifferences, type QuotedConversion } from '../../domain/treasury/conversion-quote.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Conversion } from '../../provider/treasury/conversion-fields.ts';
import type { Queryable } from '../../store/database/database.ts';
import { isAcceptedByTwo } from '../../store/treasury/order-manual-outcomes.ts';
import { renewConversionMac } from '../../store/treasury/order-transition.ts';
import type { OrderRecord } from '../../store/treasury/orders.ts';
import { callProvider } from '../calls/call-provider.ts';
import { FORBIDDEN } from '../calls/failure-meaning.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { hasValidConversionMac, macConversion, shownConversionOf } from './order-calls.ts';

/**
 * Whether the conversion in the database is the order's. One without a valid MAC (as after a change of credentials) is read from the
 * provider and compared with what was approved and committed: if it is the same one, it gets a new MAC. False: it is another one,
 * or the provider has none, so somebody has changed the database. Contract: payments 4.3.
 */
export async function verifyConversion(
  { database, provider, macOf }: Pick<ActivityDependencies, 'database' | 'provider' | 'macOf'>,
  record: OrderRecord,
): Promise<boolean> {
  const { terms, conversionId } = record;
  const mac = macOf(terms.account);
  if (conversionId === null) return false;
  if (hasValidConversionMac(mac, record)) return true;
  const reply = await callProvider((options) => provider(terms.account).conversions.item(conversionId, options));
  if (reply instanceof ProviderFailure) {
    // A refusal is about this conversion, unless it may be about the credentials.
    if (reply.kind === 'refused' && reply.httpStatus !== FORBIDDEN) return false;
    throw retryLater(reply);
  }
  if (!(await isAsApproved(database, record, reply.value))) return false;
  await renewConversionMac(database, terms.orderId, {
    conversionId,
    conversionMac: macConversion(mac, record, conversionId),
  });
  return true;
}

async function isAsApproved(database: Queryable, record: OrderRecord, conversion: Conversion): Promise<boolean> {
  const { terms, attempt, conversionId } = record;
  const committed = committedConversion(record);
  if (committed === null || conversion.conversionId !== conversionId) return false;
  const referenceId = referenceIdOf(terms.orderId, attempt);
  // It has to show the reference: only we use it, and the provider has one conversion of it.
  const differing = conversionDifferences({ quote: committed, referenceId }, shownConversionOf(conversion), false);
  // guard: conversion-verified-as-approved
  if (differing.length > 0) return false;
  const fixed = terms.fixedSide === 'sell' ? committed.sellAmount : committed.buyAmount;
  // guard: conversion-verified-as-ordered
  return new Big(fixed).eq(terms.amount) || isAcceptedByTwo(database, terms.orderId);
}

/** The order as its money is committed: only functions of the database write these amounts. */
function committedConversion({ terms, sellAmount, buyAmount, totalAmount }: OrderRecord): QuotedConversion | null {
  if (sellAmount === null || buyAmount === null || totalAmount === null) return null;
  const { sellCurrency, buyCurrency, fixedSide } = terms;
  return { sellCurrency, buyCurrency, fixedSide, sellAmount, buyAmount, totalAmount, totalFees: null };
}
