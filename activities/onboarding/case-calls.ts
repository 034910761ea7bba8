import type { CaseReason } from '../../domain/onboarding/case-reason-codes.ts';
import type { CaseState } from '../../domain/onboarding/case-state.ts';
import type { CallOptions } from '../../provider/calls/api-call.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { isStopped } from '../../store/approvals/stops.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { CaseSeal } from '../../store/onboarding/case-content.ts';
import { keepProviderRemark } from '../../store/onboarding/case-remarks.ts';
import {
  beginCaseRequest,
  type CaseOperation,
  isCurrentRevision,
  recordCaseAnswer,
} from '../../store/onboarding/case-requests.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { type CaseRecord, readCase } from '../../store/onboarding/cases.ts';
import { areSignUpsPaused } from '../../store/onboarding/sign-up-pauses.ts';
import { callProvider, type ProviderReply } from '../calls/call-provider.ts';
import { hadNoEffect } from '../calls/failure-meaning.ts';
import { retryLater, tryAgainIn } from '../calls/temporal-failures.ts';

/** The state in which the case is after an activity: the workflow goes on only while it is still its turn. */
export interface CaseOutcome {
  state: CaseState;
}

const STOPPED_RETRY_MS = 30_000;

class AccountStopped extends Error {
  override readonly name = 'AccountStopped';
}

/** A stop of the account, or of everything, holds onboarding as well: nothing is sent while it is in force. */
export function unlessAccountStopped(database: Queryable, account: string): () => Promise<void> {
  return async () => {
    if (await isStopped(database, account, null)) throw new AccountStopped('a stop is active');
  };
}

/** As `unlessAccountStopped`; a pause of the account's sign-ups may have begun while this one waited for its slot. */
export function unlessSignUpsHeld(database: Queryable, account: string): () => Promise<void> {
  return async () => {
    await unlessAccountStopped(database, account)();
    if (await areSignUpsPaused(database, account)) throw new AccountStopped('sign-ups are paused');
  };
}

/** The case was changed since its content was read: what would be sent is no longer what was supplied last. */
class RevisionSuperseded extends Error {
  override readonly name = 'RevisionSuperseded';
}

/** To be asked before an intent is recorded, so that a long stop leaves no record of requests that were never sent. */
export async function holdIfStopped(database: Queryable, account: string): Promise<void> {
  if (await isStopped(database, account, null)) throw tryAgainIn(STOPPED_RETRY_MS, 'stopped', 'a stop is active');
}

/** Has Temporal try the activity again later if a stop kept the request from being sent. */
export function retryIfStopped(failure: ProviderFailure): void {
  const { cause } = failure;
  if (cause instanceof AccountStopped) throw tryAgainIn(STOPPED_RETRY_MS, 'stopped', cause.message);
}

/**
 * Sends a request that can be repeated, with its intent and its outcome on record. Null: the case is in another state by now,
 * and nothing was sent. A refusal is returned; any other failure is thrown, and Temporal tries the activity again.
 */
export async function sendRepeatable<T>(
  database: Queryable,
  request: { record: CaseRecord; operation: CaseOperation; slot?: string },
  call: (options: CallOptions) => Promise<T>,
): Promise<ProviderReply<T> | ProviderFailure | null> {
  const { record, operation, slot } = request;
  const { caseId, account, revision } = record;
  await holdIfStopped(database, account);
  const begun = await beginCaseRequest(database, {
    caseId,
    operation,
    revision,
    ...(slot === undefined ? {} : { slot }),
    whileIn: ['preparing'],
  });
  if (begun === null) return null;
  const reply = await callProvider(call, async () => {
    await unlessAccountStopped(database, account)();
    if (!(await isCurrentRevision(database, caseId, revision)))
      throw new RevisionSuperseded('another revision is newer');
  });
  if (!(reply instanceof ProviderFailure)) {
    const { httpStatus } = reply;
    await recordCaseAnswer(database, { ...begun, outcome: 'took_effect', answer: 'as_asked', httpStatus });
    return reply;
  }
  const { kind, httpStatus } = reply;
  const isRefused = kind === 'refused' || kind === 'duplicate_reference';
  // A request that can be repeated is: what an unknown outcome was no longer matters.
  const outcome = isRefused ? 'refused' : 'had_no_effect';
  await recordCaseAnswer(database, { ...begun, outcome, answer: kind, httpStatus });
  if (isRefused) return reply;
  if (reply.cause instanceof RevisionSuperseded) return null;
  retryIfStopped(reply);
  throw retryLater(reply);
}

/** A refusal of something that an onboarder can correct: its text is kept sealed, and shown to onboarders. */
export async function returnToOnboarder(
  database: Queryable,
  { record, seal }: { record: CaseRecord; seal: CaseSeal },
  refusal: { failure: ProviderFailure; to: CaseState; reason: CaseReason; missing?: readonly string[] },
): Promise<CaseOutcome> {
  const { failure, to, reason, missing = [] } = refusal;
  await keepFailureText(database, { record, seal }, failure);
  await moveCase(database, record.caseId, to, { reason, missing, revision: record.revision });
  return stateOf(database, record.caseId);
}

export async function keepFailureText(
  database: Queryable,
  { record, seal }: { record: CaseRecord; seal: CaseSeal },
  failure: ProviderFailure,
): Promise<void> {
  const text = failure.providerMessage ?? failure.providerCode;
  if (text === null) return;
  const providerStatus = record.providerStatus ?? 'refused';
  await keepProviderRemark(database, seal, { caseId: record.caseId, providerStatus, text });
}

export async function stateOf(database: Queryable, caseId: string): Promise<CaseOutcome> {
  return { state: (await readCase(database, caseId)).state };
}

/** Whether the request provably changed nothing and may be sent again. */
export function isUnsent(failure: ProviderFailure): boolean {
  return hadNoEffect(failure) || failure.cause instanceof AccountStopped;
}
