import {
  type DebitEvidence,
  findDebit,
  type FundingDecision,
  type FundingTimes,
  wasItFunded,
} from '../../domain/treasury/funding-evidence.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { type FundingFacts, noteDebitEvidence, readFundingFacts } from '../../store/treasury/funding-facts.ts';
import { readConversionLimits } from '../../store/treasury/order-guards.ts';
import { readOpenOrderRequest, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { readFundingRequests } from '../../store/treasury/order-watch.ts';
import { lockOrder, readOrder } from '../../store/treasury/orders.ts';
import { SEND_WITHIN_MS } from '../calls/send-deadline.ts';
import type { ActivityDependencies, ActivitySettings } from '../dependencies.ts';

export interface AssessedFunding {
  facts: FundingFacts;
  times: FundingTimes;
  found: DebitEvidence;
  decision: FundingDecision;
}

/**
 * What the history, the balance and the conversion, as they were read last, say about whether the order was funded. It is kept
 * for people. Null: nothing was read since a request was sent, none was sent, one is known to have taken effect, or what the history
 * says was doubted since.
 */
export async function assessFunding(
  { database, settings }: Pick<ActivityDependencies, 'database' | 'settings'>,
  orderId: string,
): Promise<AssessedFunding | null> {
  if ((await readFundingRequests(database, orderId)) === 'took_effect') return null;
  const { terms, stateReason } = await readOrder(database, orderId);
  // The history said so before, and the provider has not confirmed it since.
  if (stateReason === 'completion_not_seen') return null;
  const { mayTakeEffectMs } = settings.treasury;
  const facts = await readFundingFacts(database, orderId, mayTakeEffectMs);
  if (facts === null) return null;
  const found = findDebit(facts);
  await noteDebitEvidence(database, orderId, { found, readBeganMs: facts.readBeganMs });
  const { secondFunding: secondRequest } = await readConversionLimits(database, terms);
  // What was read of it before the history proves nothing.
  const times = timesOf(facts, settings);
  const evidence = { ...facts, status: facts.status ?? 'not read', times, secondRequest };
  return { facts, times, found, decision: wasItFunded(evidence, settings.visibilityDelayMs, mayTakeEffectMs) };
}

/** The history shows the debit of an order that was on hold, or whose earlier request was thought to have had no effect. */
export async function recordSeenFunding(database: Database, orderId: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockOrder(transaction, orderId);
    const open = await readOpenOrderRequest(transaction, orderId, 'fund');
    if (open !== null) {
      const { requestId, answer } = open;
      const taken = { outcome: 'took_effect', answer: answer ?? 'unknown_outcome', httpStatus: null } as const;
      await recordOrderAnswer(transaction, { requestId, ...taken });
    }
    await moveOrder(transaction, orderId, 'funded', { isFunded: true, detail: { by: 'history' } });
  });
}

/** A request whose answer nobody recorded may have been sent, and have waited for an answer, for so long. */
function timesOf(facts: FundingFacts, settings: Pick<ActivitySettings, 'requestTimeoutMs'>): FundingTimes {
  const givenUpMs = SEND_WITHIN_MS + settings.requestTimeoutMs;
  return {
    lastRequestEndedMs: facts.lastAnsweredMs ?? facts.lastBegunMs + givenUpMs,
    readBeganMs: facts.readBeganMs,
    earlierAbsenceMs: facts.earlierAbsenceMs,
    fundingCutoffMs: facts.fundingCutoffMs,
  };
}
