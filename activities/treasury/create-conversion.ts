import { withoutFloatNoise } from '../../domain/money.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { conversionDifferences } from '../../domain/treasury/conversion-quote.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Mac } from '../../provider/mac.ts';
import { isNamedConversionStatus } from '../../provider/statuses.ts';
import type { Conversion } from '../../provider/treasury/conversion-fields.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { countOrderCreations, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder, type OrderUpdate } from '../../store/treasury/order-transition.ts';
import { lockOrder, type OrderRecord, readOrder } from '../../store/treasury/orders.ts';
import { holdIfStopped, isUnsent, retryIfStopped, unlessAccountStopped, whileStopped } from '../calls/account-stop.ts';
import { callNonIdempotent, startSendDeadline } from '../calls/send-deadline.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { commitConversion } from './commit-conversion.ts';
import {
  holdUnlessAsApproved,
  hasValidQuoteMac,
  type OrderOutcome,
  macConversion,
  shownConversionOf,
  stateOf,
} from './order-calls.ts';

/**
 * Commits the money of a quoted order and creates its conversion, once: no call cancels it, so every guard comes before. While
 * the outcome is unknown nobody sends a second one. Contract: payments 4.3.
 */
export function createConversionActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf } = dependencies;
  return async function createConversion({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const stored = await readOrder(database, orderId);
    const { account } = stored.terms;
    if (stored.state !== 'quoted' || !(await holdUnlessAsApproved(database, stored))) return stateOf(database, orderId);
    await holdIfStopped(database, account);
    const mac = macOf(account);
    const deadline = startSendDeadline(dependencies);
    const committed = await commitConversion(database, orderId, (record) => hasValidQuoteMac(mac, record));
    if (committed.kind === 'stopped') throw whileStopped();
    if (committed.kind === 'moved') return stateOf(database, orderId);
    const { requestId, quoteId, record } = committed;
    const referenceId = referenceIdOf(orderId, record.attempt);
    const reply = await callNonIdempotent(deadline, unlessAccountStopped(database, account), (options) =>
      provider(account).conversions.create({ quoteId, referenceId, uniqueReferenceId: true }, options),
    );
    if (reply instanceof ProviderFailure) return recordFailure(orderId, requestId, reply);
    const { value, httpStatus } = reply;
    // guard: conversion-created-with-known-status
    if (!isNamedConversionStatus(value.status)) {
      // What it means is not known: it is looked up before anything is sent.
      await recordOrderAnswer(database, { requestId, outcome: null, answer: 'unknown_outcome', httpStatus });
      return stateOf(database, orderId);
    }
    await recordCreated(database, mac, { orderId, requestId, httpStatus, isOurAnswer: true }, value);
    return stateOf(database, orderId);
  };

  async function recordFailure(orderId: string, requestId: string, failure: ProviderFailure): Promise<OrderOutcome> {
    const { kind, httpStatus } = failure;
    const answer = { requestId, answer: kind, httpStatus };
    if (isUnsent(failure)) {
      await record({ ...answer, outcome: 'not_sent' }, orderId, 'approved');
      retryIfStopped(failure);
      throw retryLater(failure);
    }
    const earlier = await countOrderCreations(database, orderId);
    // An earlier creation may become visible late, and be why this one is refused: its reference is taken.
    // guard: conversion-looked-up
    if (kind !== 'refused' || earlier.foundAbsent > 0) {
      await recordOrderAnswer(database, { ...answer, outcome: null });
      return stateOf(database, orderId);
    }
    // No contract says how an expired quote is reported, so the first refusal of any kind is tried with another one.
    if (earlier.refused === 0) await record({ ...answer, outcome: 'refused' }, orderId, 'approved');
    else {
      const message = failure.providerMessage ?? failure.message;
      await record({ ...answer, outcome: 'refused' }, orderId, 'skipped', { reason: 'quote_refused', message });
    }
    return stateOf(database, orderId);
  }

  async function record(
    answer: Parameters<typeof recordOrderAnswer>[1],
    orderId: string,
    to: 'approved' | 'skipped',
    update: OrderUpdate = {},
  ): Promise<void> {
    await inTransaction(database, async (transaction) => {
      await lockOrder(transaction, orderId);
      if (!(await recordOrderAnswer(transaction, answer))) return;
      await moveOrder(transaction, orderId, to, { from: ['committed'], ...update });
    });
  }
}

/**
 * Records the provider's conversion, and what follows from it, in one transaction. Other amounts than those of the quote: it is
 * held, and nothing is funded, as where people were asked what became of the order. Without a request: that the creation was
 * not seen is contradicted by what is seen now.
 */
export async function recordCreated(
  database: ActivityDependencies['database'],
  mac: Mac,
  of: { orderId: string; requestId: string | null; httpStatus: number | null; isOurAnswer: boolean },
  conversion: Conversion,
): Promise<void> {
  const { orderId, requestId, httpStatus, isOurAnswer } = of;
  await inTransaction(database, async (transaction) => {
    const record = await lockOrder(transaction, orderId);
    if (requestId !== null) {
      const answer = { requestId, outcome: 'took_effect', answer: 'as_asked', httpStatus } as const;
      if (!(await recordOrderAnswer(transaction, answer))) return;
    }
    await moveToCreated(transaction, mac, record, { conversion, isOurAnswer });
  });
}

async function moveToCreated(
  transaction: Queryable,
  mac: Mac,
  record: OrderRecord,
  { conversion, isOurAnswer }: { conversion: Conversion; isOurAnswer: boolean },
): Promise<void> {
  const { terms, quote, attempt } = record;
  if (quote === null) throw new Error(`order ${terms.orderId} was created without a quote`);
  const shown = shownConversionOf(conversion);
  const referenceId = referenceIdOf(terms.orderId, attempt);
  const differing = conversionDifferences({ quote, referenceId }, shown, isOurAnswer);
  const update: OrderUpdate = {
    conversion: {
      conversionId: conversion.conversionId,
      conversionMac: macConversion(mac, record, conversion.conversionId),
      shown,
      status: conversion.status,
      fundingCutoffMs: conversion.fundingCutoffTime?.epochMs ?? null,
    },
    detail: { total: withoutFloatNoise(quote.totalAmount) },
  };
  // guard: conversion-created-as-quoted
  if (differing.length > 0) {
    await moveOrder(transaction, terms.orderId, 'held', {
      ...update,
      reason: 'created_differs',
      detail: { differing },
    });
  } else if (conversion.status === 'completed') {
    await moveOrder(transaction, terms.orderId, 'completed', { ...update, isFunded: true });
    // Nobody wanted it any more, it was too late, or several were found: what an order is unknown for does not end by a look.
    // guard: found-late-is-held
  } else if (record.state === 'unknown') {
    await moveOrder(transaction, terms.orderId, 'held', { ...update, reason: 'found_late' });
  } else {
    await moveOrder(transaction, terms.orderId, 'created', update);
  }
}
