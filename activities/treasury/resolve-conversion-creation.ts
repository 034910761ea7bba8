import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { MAX_UNCERTAIN_MS } from '../../domain/treasury/funding-evidence.ts';
import { isNamedConversionStatus } from '../../provider/statuses.ts';
import type { Conversion } from '../../provider/treasury/conversion-fields.ts';
import { inTransaction } from '../../store/database/database.ts';
import { noteConversionRead, readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { lockOrder, readOrder } from '../../store/treasury/orders.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { statusNotKnown } from '../payments/payment-update.ts';
import { retryUntilVisible } from '../payments/visibility-delay.ts';
import { recordCreated } from './create-conversion.ts';
import { stateOf, type OrderOutcome } from './order-calls.ts';

/** An answer with only other conversions ignored the reference, so it does not show that ours is absent. */
const INCONCLUSIVE_RETRY_MS = 30_000;

interface SentCreation {
  orderId: string;
  attempt: number;
  /** Null: it was not seen before. */
  requestId: string | null;
}

interface FoundConversions {
  ours: readonly Conversion[];
  /** How many others the answer had. */
  others: number;
}

/**
 * Looks a creation with an unknown outcome up by its reference, once its effect must be visible. Found: it is adopted, if it is
 * as quoted. Absent: another quote is asked for, and the next creation has the same reference, so that the provider refuses it
 * if the first one appears after all.
 */
export function resolveConversionCreationActivity({ database, provider, macOf, settings }: ActivityDependencies) {
  return async function resolveConversionCreation({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const { terms, attempt, state, conversionId } = await readOrder(database, orderId);
    const open = await readOpenOrderRequest(database, orderId, 'create');
    if (open !== null) retryUntilVisible(open, settings);
    if (state === 'unknown' && conversionId === null) {
      await adoptTheOne(terms.account, { orderId, attempt, requestId: open?.requestId ?? null });
      return stateOf(database, orderId);
    }
    if (open === null || state !== 'committed') return { state };
    try {
      await resolve(terms.account, { orderId, attempt, requestId: open.requestId });
    } catch (error) {
      // guard: conversion-lookup-has-an-age
      if (open.ageMs < MAX_UNCERTAIN_MS) throw error;
      // The provider could not be asked for a day: people are notified.
      await moveOrder(database, orderId, 'unknown', { from: ['committed'], reason: 'creation_uncertain' });
    }
    return stateOf(database, orderId);
  };

  /** It could not be looked up for a day, or there were several: what else is found, people decide on. */
  async function adoptTheOne(account: string, sent: SentCreation): Promise<void> {
    const { ours } = await find(account, sent);
    const [found, ...more] = ours;
    if (found !== undefined && more.length === 0) await adopt(account, sent, found);
  }

  async function find(account: string, { orderId, attempt }: SentCreation): Promise<FoundConversions> {
    const referenceId = referenceIdOf(orderId, attempt);
    const { value } = await callRepeatable((options) =>
      provider(account).conversions.getByReference(referenceId, options),
    );
    return value;
  }

  async function adopt(account: string, { orderId, requestId }: SentCreation, found: Conversion): Promise<void> {
    await noteConversionRead(database, orderId, 1);
    const of = { orderId, requestId, httpStatus: null, isOurAnswer: false };
    await recordCreated(database, macOf(account), of, found);
  }

  async function resolve(account: string, sent: SentCreation & { requestId: string }): Promise<void> {
    const { orderId, requestId } = sent;
    const { ours, others } = await find(account, sent);
    const [found, ...more] = ours;
    if (found !== undefined && more.length === 0) {
      // guard: conversion-found-with-known-status
      if (!isNamedConversionStatus(found.status)) throw statusNotKnown();
      await adopt(account, sent, found);
      return;
    }
    await noteConversionRead(database, orderId, ours.length);
    if (more.length > 0) {
      await moveOrder(database, orderId, 'unknown', { reason: 'creation_uncertain', detail: { found: ours.length } });
      return;
    }
    if (others > 0) {
      const message = 'the provider answered with other conversions than the one looked for';
      throw tryAgainIn(INCONCLUSIVE_RETRY_MS, 'lookup_inconclusive', message);
    }
    await recordAbsent(orderId, requestId);
  }

  async function recordAbsent(orderId: string, requestId: string): Promise<void> {
    await inTransaction(database, async (transaction) => {
      await lockOrder(transaction, orderId);
      const answer = { requestId, outcome: 'not_seen', answer: 'unknown_outcome', httpStatus: null } as const;
      if (await recordOrderAnswer(transaction, answer))
        await moveOrder(transaction, orderId, 'approved', { from: ['committed'] });
    });
  }
}
