import {
  type FundingDecision,
  type FundingTimes,
  MAX_UNCERTAIN_MS,
  wasItFunded,
} from '../../domain/treasury/funding-evidence.ts';
import { inTransaction } from '../../store/database/database.ts';
import {
  type FundingFacts,
  noteAbsence,
  readEvidenceStart,
  readFundingFacts,
} from '../../store/treasury/funding-facts.ts';
import { readConversionLimits } from '../../store/treasury/order-guards.ts';
import { readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder, type OrderUpdate } from '../../store/treasury/order-transition.ts';
import { lockOrder, readOrder } from '../../store/treasury/orders.ts';
import { SEND_WITHIN_MS } from '../calls/send-window.ts';
import type { ActivityDependencies, ActivitySettings } from '../dependencies.ts';
import { stateOf, type OrderOutcome } from './order-calls.ts';

/** Since when the history has to be read for the question whether the order was funded; null: nobody asked to fund it. */
export function planEvidenceActivity({ database }: ActivityDependencies) {
  return async function planEvidence({ orderId }: { orderId: string }): Promise<{ sinceMs: number | null }> {
    return { sinceMs: await readEvidenceStart(database, orderId) };
  };
}

/**
 * Decides from the record whether an order was funded: by the history, then the balance, then the conversion, as they were read
 * last. Only a complete history without the debit, found twice, leads to another request.
 */
export function judgeFundingActivity({ database, settings }: ActivityDependencies) {
  return async function judgeFunding({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const { terms, state } = await readOrder(database, orderId);
    const facts = await readFundingFacts(database, orderId, settings.treasury.mayTakeEffectMs);
    if (state !== 'funding') return { state };
    if (facts === null) return giveUpIfTooOld(orderId);
    if (facts.openRequestId === null) return { state };
    const { secondFunding } = await readConversionLimits(database, terms);
    const { status, requests, entries, isComplete, total, sellAmount, otherDebits } = facts;
    const times = timesOf(facts, settings);
    const decision = wasItFunded(
      {
        ...{ entries, isComplete, total, sellAmount, otherDebits, times, requests },
        // What was read of it before the history proves nothing.
        status: status ?? 'not read',
        secondRequest: secondFunding,
      },
      settings.visibilityDelayMs,
      settings.treasury.mayTakeEffectMs,
    );
    await act(orderId, facts, decision);
    return stateOf(database, orderId);
  };

  /** Nothing could be read since the request: after a day people are told. */
  async function giveUpIfTooOld(orderId: string): Promise<OrderOutcome> {
    const open = await readOpenOrderRequest(database, orderId, 'fund');
    if (open !== null && open.ageMs >= MAX_UNCERTAIN_MS) {
      await moveOrder(database, orderId, 'unknown', { from: ['funding'], reason: 'funding_uncertain' });
    }
    return stateOf(database, orderId);
  }

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
        else if (decision.by === 'payrun') await conclude(orderId, facts, 'had_no_effect', null);
        else await conclude(orderId, facts, null, 'unknown', { reason: 'second_funding_undecided' });
        return;
      case 'unknown':
        await conclude(orderId, facts, null, 'unknown', { reason: decision.code });
        return;
      case 'lapsed':
        await conclude(orderId, facts, 'had_no_effect', 'lapsed', { reason: 'cutoff_passed' });
    }
  }

  async function conclude(
    orderId: string,
    { openRequestId, wasRefused }: FundingFacts,
    outcome: 'took_effect' | 'had_no_effect' | 'refused' | null,
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

/** A request whose answer nobody recorded may have been sent, and have waited for an answer, for so long. */
function timesOf(facts: FundingFacts, settings: Pick<ActivitySettings, 'requestTimeoutMs'>): FundingTimes {
  const givenUpMs = SEND_WITHIN_MS + settings.requestTimeoutMs;
  return {
    firstRequestEndedMs: facts.firstAnsweredMs ?? facts.firstBegunMs + givenUpMs,
    lastRequestEndedMs: facts.lastAnsweredMs ?? facts.lastBegunMs + givenUpMs,
    readBeganMs: facts.readBeganMs,
    earlierAbsenceMs: facts.earlierAbsenceMs,
    fundingCutoffMs: facts.fundingCutoffMs,
  };
}
