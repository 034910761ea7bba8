import Big from 'big.js';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { conversionDifferences, type QuotedConversion } from '../../domain/treasury/conversion-quote.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Conversion } from '../../provider/treasury/conversion-fields.ts';
import type { Queryable } from '../../store/database/database.ts';
import { isAcceptedByTwo } from '../../store/treasury/order-resolutions.ts';
import { recordConversionSeal } from '../../store/treasury/order-transition.ts';
import type { OrderRecord } from '../../store/treasury/orders.ts';
import { callProvider } from '../calls/call-provider.ts';
import { FORBIDDEN } from '../calls/failure-meaning.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { isSealedConversion, sealConversion, shownConversionOf } from './order-calls.ts';

/**
 * Whether the conversion on record is the order's. One without a valid seal (as after a change of credentials) is read from the
 * provider and compared with what was approved and committed: if it is the same one, it is sealed again. False: it is another one,
 * or the provider has none, so somebody has changed the record. Contract: payments 4.3.
 */
export async function sealIfAsApproved(
  { database, provider, seal }: Pick<ActivityDependencies, 'database' | 'provider' | 'seal'>,
  record: OrderRecord,
): Promise<boolean> {
  const { terms, conversionId } = record;
  const sealer = seal(terms.account);
  if (conversionId === null) return false;
  if (isSealedConversion(sealer, record)) return true;
  const reply = await callProvider((options) => provider(terms.account).conversions.item(conversionId, options));
  if (reply instanceof ProviderFailure) {
    // A refusal is about this conversion, unless it may be about the credentials.
    if (reply.kind === 'refused' && reply.httpStatus !== FORBIDDEN) return false;
    throw retryLater(reply);
  }
  if (!(await isAsApproved(database, record, reply.value))) return false;
  await recordConversionSeal(database, terms.orderId, {
    conversionId,
    conversionSeal: sealConversion(sealer, record, conversionId),
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
  // guard: conversion-sealed-as-approved
  if (differing.length > 0) return false;
  const fixed = terms.fixedSide === 'sell' ? committed.sellAmount : committed.buyAmount;
  // guard: conversion-sealed-as-ordered
  return new Big(fixed).eq(terms.amount) || isAcceptedByTwo(database, terms.orderId);
}

/** The order as its money is committed: only functions of the database write these amounts. */
function committedConversion({ terms, sellAmount, buyAmount, totalAmount }: OrderRecord): QuotedConversion | null {
  if (sellAmount === null || buyAmount === null || totalAmount === null) return null;
  const { sellCurrency, buyCurrency, fixedSide } = terms;
  return { sellCurrency, buyCurrency, fixedSide, sellAmount, buyAmount, totalAmount, totalFees: null };
}
