import { stageOfConversion, UNFUNDED_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { ProviderReply } from '../calls/call-provider.ts';
import type { Conversion } from '../../provider/treasury/conversion-fields.ts';
import { inTransaction } from '../../store/database/database.ts';
import { beginFunding, noteLateAnswer, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { lockOrder, type OrderRecord, readOrder } from '../../store/treasury/orders.ts';
import { holdIfStopped, isUnsent, retryIfStopped, unlessAccountStopped, whileStopped } from '../calls/account-stop.ts';
import { callNonIdempotent, startSendDeadline } from '../calls/send-deadline.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { giveUpIfUnfunded } from './judge-funding.ts';
import { holdUnlessAsApproved, holdUnlessAsked, type OrderOutcome, stateOf } from './order-calls.ts';
import { verifyConversion } from './verify-conversion.ts';

/**
 * Funds a created conversion from the balance. Its status stays the same when it is funded, so without an answer only the
 * history of the balance shows whether it was: nothing is sent again before that. Contract: payments 4.3.
 */
export function fundConversionActivity(dependencies: ActivityDependencies) {
  const { database, provider, now } = dependencies;
  return async function fundConversion({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const record = await readOrder(database, orderId);
    const { account } = record.terms;
    if (stageOfConversion(record.state) !== 'unfunded') return stateOf(database, orderId);
    if (!(await holdUnlessAsApproved(database, record))) return stateOf(database, orderId);
    const { conversionId } = record;
    const isApprovedOne = await verifyUnlessGivenUp(dependencies, record);
    if (isApprovedOne === null) return stateOf(database, orderId);
    // guard: conversion-mac
    if (conversionId === null || !isApprovedOne) {
      await holdUnlessAsked(database, orderId, 'order_not_as_approved');
      return stateOf(database, orderId);
    }
    await holdIfStopped(database, account);
    const deadline = startSendDeadline(dependencies);
    const begun = await beginFunding(database, orderId);
    if ('refused' in begun) return notBegun(orderId, begun.refused);
    const { requestId } = begun;
    const reply = await callNonIdempotent(deadline, unlessAccountStopped(database, account), (options) =>
      provider(account).conversions.fund({ conversionId }, options),
    );
    if (reply instanceof ProviderFailure) await recordFailure(orderId, requestId, reply);
    else await recordFunded(orderId, requestId, reply);
    return stateOf(database, orderId);
  };

  async function notBegun(orderId: string, why: string): Promise<OrderOutcome> {
    if (why === 'stopped') throw whileStopped();
    // The policy was changed since it was created, or two requests had no effect: people decide.
    if (why === 'approval_needed') await holdUnlessAsked(database, orderId, 'order_not_as_approved');
    // It was created while the ledger did not decide, and others have the money.
    if (why === 'not_enough_money') await holdUnlessAsked(database, orderId, 'not_enough_money');
    if (why === 'funding_uncertain') await moveOrder(database, orderId, 'unknown', { reason: why });
    if (why === 'asked_twice') await moveOrder(database, orderId, 'unknown', { reason: 'second_funding_undecided' });
    return stateOf(database, orderId);
  }

  async function recordFunded(
    orderId: string,
    requestId: string,
    { value, httpStatus }: ProviderReply<Conversion>,
  ): Promise<void> {
    await inTransaction(database, async (transaction) => {
      await lockOrder(transaction, orderId);
      const answer = { requestId, outcome: 'took_effect', answer: 'as_asked', httpStatus } as const;
      if (!(await recordOrderAnswer(transaction, answer))) {
        await noteLateAnswer(transaction, answer);
        // It was taken for one without effect: another one is not sent, or may be on its way.
        const from = UNFUNDED_CONVERSION_STATES;
        // guard: conversion-late-answer-counts
        await moveOrder(transaction, orderId, 'unknown', { from, reason: 'funding_uncertain' });
        return;
      }
      const to = value.status === 'completed' ? 'completed' : 'funded';
      // guard: conversion-held-goes-on
      await moveOrder(transaction, orderId, to, { isFunded: true });
    });
  }

  async function recordFailure(orderId: string, requestId: string, failure: ProviderFailure): Promise<void> {
    const { kind, httpStatus } = failure;
    if (isUnsent(failure)) {
      await recordOrderAnswer(database, { requestId, outcome: 'not_sent', answer: kind, httpStatus });
      retryIfStopped(failure);
      if (await giveUpIfUnfunded({ database, now }, orderId)) return;
      throw retryLater(failure);
    }
    // A refusal may mean that it is funded already. The request stays open until the history shows it.
    // guard: conversion-funded-by-history
    await recordOrderAnswer(database, { requestId, outcome: null, answer: kind, httpStatus });
  }
}

/** As `verifyConversion`. Null: the conversion could not be read for so long that people are notified. */
async function verifyUnlessGivenUp(dependencies: ActivityDependencies, record: OrderRecord): Promise<boolean | null> {
  try {
    return await verifyConversion(dependencies, record);
  } catch (error) {
    // guard: conversion-without-mac-has-an-age
    if (await giveUpIfUnfunded(dependencies, record.terms.orderId)) return null;
    throw error;
  }
}
