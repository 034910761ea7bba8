import type { RequestOutcome } from '../../domain/payments/request-result.ts';
import {
  type ConversionState,
  mayLapse,
  mayRunLate,
  UNFUNDED_CONVERSION_STATES,
} from '../../domain/treasury/conversion-state.ts';
import { type FundingDecision, MAX_UNCERTAIN_MS } from '../../domain/treasury/funding-evidence.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { type FundingFacts, noteAbsence, noteUnfunded, readEvidenceStart } from '../../store/treasury/funding-facts.ts';
import { recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder, type OrderUpdate } from '../../store/treasury/order-transition.ts';
import { lockOrder, readOrder } from '../../store/treasury/orders.ts';
import { peekOrderStage, readFundingWait } from '../../store/treasury/order-watch.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type AssessedFunding, assessFunding, recordSeenFunding } from './assess-funding.ts';
import type { OrderOutcome } from './order-calls.ts';
import { stepOf } from './read-order-stage.ts';

/** Since when the history has to be read for the question whether the order was funded; null: it is not created. */
export function planEvidenceActivity({ database }: ActivityDependencies) {
  return async function planEvidence({ orderId }: { orderId: string }): Promise<{ sinceMs: number | null }> {
    return { sinceMs: await readEvidenceStart(database, orderId) };
  };
}

export interface JudgedFunding extends OrderOutcome {
  /** It was proved just now that no request has taken effect: the next one follows at once, while the proof counts. */
  isToBeFunded: boolean;
}

/**
 * Decides from the database whether an order was funded: by the history, then the balance, then the conversion, as they were read
 * last. Only a complete history without the debit, found twice, leads to another request.
 */
export function judgeFundingActivity({ database, settings, now }: ActivityDependencies) {
  return async function judgeFunding({ orderId }: { orderId: string }): Promise<JudgedFunding> {
    const { state } = await readOrder(database, orderId);
    const assessed = await assessFunding({ database, settings }, orderId);
    if (assessed !== null && state === 'funding' && assessed.facts.openRequestId !== null) {
      await act(orderId, assessed.facts, assessed.decision);
    } else if (assessed !== null && (mayLapse(state) || mayRunLate(state)))
      await lookAgain(database, orderId, state, assessed);
    // Nothing could be read, or what was read last is old, or no request gets through.
    await giveUpIfUnfunded({ database, now }, orderId);
    const stage = await peekOrderStage(database, orderId);
    // guard: conversion-funded-when-proven
    return { state: stage.state, isToBeFunded: stepOf(stage) === 'fund' };
  };

  async function act(orderId: string, facts: FundingFacts, decision: FundingDecision): Promise<void> {
    switch (decision.decision) {
      case 'funded':
        await conclude(orderId, facts, 'took_effect', decision.by === 'status' ? 'completed' : 'funded', {
          isFunded: true,
          detail: { by: decision.by },
        });
        return;
      case 'wait':
        if (decision.absent) await noteAbsence(database, orderId, facts.readBeganMs);
        return;
      case 'fund_once_more':
        // What the provider has refused once, and not done, people look at.
        if (facts.wasRefused) await conclude(orderId, facts, 'refused', 'held', { reason: 'funding_refused' });
        else if (decision.by === 'payrun') {
          await noteUnfunded(database, orderId, facts.readBeganMs);
          await conclude(orderId, facts, 'not_seen', null);
        } else await conclude(orderId, facts, null, 'unknown', { reason: 'second_funding_undecided' });
        return;
      case 'unknown':
        await conclude(orderId, facts, null, 'unknown', { reason: decision.code });
        return;
      case 'lapsed':
        await conclude(orderId, facts, 'not_seen', 'lapsed', { reason: 'cutoff_passed' });
    }
  }

  async function conclude(
    orderId: string,
    { openRequestId, wasRefused }: FundingFacts,
    outcome: RequestOutcome | null,
    to: 'funded' | 'completed' | 'held' | 'unknown' | 'lapsed' | null,
    update: OrderUpdate = {},
  ): Promise<void> {
    await inTransaction(database, async (transaction) => {
      await lockOrder(transaction, orderId);
      const answer = wasRefused ? 'refused' : 'unknown_outcome';
      if (openRequestId !== null && outcome !== null) {
        const requestId = openRequestId;
        if (!(await recordOrderAnswer(transaction, { requestId, outcome, answer, httpStatus: null }))) return;
      }
      if (to !== null) await moveOrder(transaction, orderId, to, { from: ['funding'], ...update });
    });
  }
}

/** People decide on it, it is to be funded again, or it has lapsed: the debit of an earlier request may have come since. */
async function lookAgain(
  database: Database,
  orderId: string,
  state: ConversionState,
  assessed: AssessedFunding,
): Promise<void> {
  const { facts, found, decision } = assessed;
  if (decision.decision === 'funded') await recordSeenFunding(database, orderId);
  // Everything else is for the two people who resolve it, or is known of one that has lapsed.
  else if (state === 'unknown' || mayRunLate(state)) return;
  else if (decision.decision === 'lapsed') {
    await moveOrder(database, orderId, 'lapsed', { from: [state], reason: 'cutoff_passed' });
  } else if (decision.decision === 'unknown' && isGivenUp(state, assessed)) {
    await moveOrder(database, orderId, 'unknown', { from: [state], reason: decision.code });
  } else if (found === 'absent') {
    await noteAbsence(database, orderId, facts.readBeganMs);
    if (isProven(decision)) await noteUnfunded(database, orderId, facts.readBeganMs);
  }
}

/** A complete history showed no debit twice, the second time when the last request could no longer take effect. */
function isProven(decision: FundingDecision): boolean {
  if (decision.decision === 'wait') return decision.why === 'absent';
  if (decision.decision === 'unknown') return decision.code === 'second_funding_undecided';
  return decision.decision === 'fund_once_more';
}

/** After a day. What two people have had funded again is funded, once a complete history has shown no debit twice. */
function isGivenUp(state: ConversionState, { facts, found }: AssessedFunding): boolean {
  if (state === 'held') return found !== 'absent' && isPastCutoff(facts);
  return state === 'funding' || found !== 'absent' || facts.status !== 'awaiting_funds';
}

function isPastCutoff({ fundingCutoffMs, readBeganMs }: FundingFacts): boolean {
  return fundingCutoffMs !== null && readBeganMs > fundingCutoffMs;
}

/**
 * Whatever keeps a created order from being funded, people are notified after a day: nothing can be read, no request gets through, or
 * the ledger has posted its debit although none is known to have been sent (then also at its cut-off: it has not lapsed). Answers
 * whether they are.
 */
export async function giveUpIfUnfunded(
  { database, now }: Pick<ActivityDependencies, 'database' | 'now'>,
  orderId: string,
): Promise<boolean> {
  const wait = await readFundingWait(database, orderId);
  if (wait === null) return false;
  // guard: conversion-unfunded-has-an-age
  const isTooOld = now() - wait.sinceMs >= MAX_UNCERTAIN_MS;
  if (!isTooOld && !(wait.isDebitPosted && wait.isPastCutoff)) return false;
  return moveOrder(database, orderId, 'unknown', { from: UNFUNDED_CONVERSION_STATES, reason: 'funding_uncertain' });
}
