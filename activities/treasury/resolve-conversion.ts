import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { MAX_UNCERTAIN_MS } from '../../domain/treasury/funding-evidence.ts';
import { inTransaction } from '../../store/database/database.ts';
import { noteConversionRead, readOpenOrderRequest } from '../../store/treasury/order-requests.ts';
import {
  concludeConversionManualOutcome,
  noteUnreadHistory,
  readManualOutcome,
} from '../../store/treasury/order-manual-outcomes.ts';
import { readFundingRequests } from '../../store/treasury/order-watch.ts';
import { type OrderRecord, readOrder } from '../../store/treasury/orders.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type AssessedFunding, assessFunding, recordSeenFunding } from './assess-funding.ts';
import { recordCreated } from './create-conversion.ts';
import { stateOf, type OrderOutcome } from './order-calls.ts';
import { refreshConversion } from './read-conversion.ts';

/**
 * Acts on what two people have said of an order, after the provider was read once more: it may show otherwise. The history and
 * the balance are read just before, by activities of their own: a conversion whose debit they show is neither funded again nor
 * called lapsed, and nor is one for which they could not be read. Contract: payments 4.3.
 */
export function resolveConversionActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf, settings, now } = dependencies;
  return async function resolveConversion({ manualOutcomeId }: { manualOutcomeId: string }): Promise<OrderOutcome> {
    const { orderId } = await readManualOutcome(database, manualOutcomeId);
    const record = await readOrder(database, orderId);
    const { conversionId } = record;
    if (conversionId === null) {
      const isFound = await adoptTheOne(record);
      await concludeConversionManualOutcome(database, manualOutcomeId, isFound);
    } else {
      await refreshConversion(dependencies, { ...record, state: 'unknown' }, conversionId);
      await concludeUnlessDebited(record, manualOutcomeId);
    }
    return stateOf(database, orderId);
  };

  /** The one conversion of our reference is the order's, whatever people say. Of several, people know more than a search shows. */
  async function adoptTheOne({ terms, attempt }: OrderRecord): Promise<boolean> {
    const referenceId = referenceIdOf(terms.orderId, attempt);
    const { value } = await callRepeatable((options) =>
      provider(terms.account).conversions.getByReference(referenceId, options),
    );
    await noteConversionRead(database, terms.orderId, value.ours.length);
    const [found, ...more] = value.ours;
    // guard: conversion-found-is-adopted
    if (found === undefined || more.length > 0) return false;
    const open = await readOpenOrderRequest(database, terms.orderId, 'create');
    const of = { orderId: terms.orderId, requestId: open?.requestId ?? null, httpStatus: null, isOurAnswer: false };
    await recordCreated(database, macOf(terms.account), of, found);
    return true;
  }

  async function concludeUnlessDebited(record: OrderRecord, manualOutcomeId: string): Promise<void> {
    const { orderId } = record.terms;
    const { outcome, confirmedAtMs } = await readManualOutcome(database, manualOutcomeId);
    const saysUnfunded = outcome === 'fund_again' || outcome === 'lapsed';
    const assessed = await assessFunding(dependencies, orderId);
    // guard: conversion-resolved-by-history
    const isDebited = saysUnfunded && assessed?.found === 'seen';
    const isUnread = saysUnfunded && !isDebited && (await isToBeRead(record)) && !isReadSince(assessed, confirmedAtMs);
    // It stays open, and is tried again; what nobody can read for a day is left to the two people.
    // guard: conversion-resolved-after-reading
    if (isUnread && now() - confirmedAtMs < MAX_UNCERTAIN_MS) return;
    await inTransaction(database, async (transaction) => {
      const isConcluded = await concludeConversionManualOutcome(transaction, manualOutcomeId, isDebited);
      if (isConcluded && isUnread) await noteUnreadHistory(transaction, { orderId, manualOutcomeId });
    });
    if (isDebited) await recordSeenFunding(database, orderId);
  }

  /** A request was sent that is not known to have taken effect. What the history says of one that was never completed is doubted. */
  async function isToBeRead({ terms, stateReason }: OrderRecord): Promise<boolean> {
    if (stateReason === 'completion_not_seen') return false;
    const funding = await readFundingRequests(database, terms.orderId);
    return funding === 'open' || funding === 'without_effect';
  }

  /** What was read before the second person confirmed, or while the last request could still take effect, proves nothing. */
  function isReadSince(assessed: AssessedFunding | null, confirmedAtMs: number): boolean {
    if (assessed === null) return false;
    const { readBeganMs, lastRequestEndedMs } = assessed.times;
    // guard: conversion-resolved-when-none-may-take-effect
    return readBeganMs >= Math.max(confirmedAtMs, lastRequestEndedMs + settings.treasury.mayTakeEffectMs);
  }
}
