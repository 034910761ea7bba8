import type { CaseReason } from '../../domain/onboarding/case-reason-codes.ts';
import type { CaseState } from '../../domain/onboarding/case-state.ts';
import type { CallOptions } from '../../provider/calls/api-call.ts';
import { isRefusal, outcomeOfFailure } from '../../domain/payments/request-result.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Queryable } from '../../store/database/database.ts';
import { type CaseCipher, keepProviderRemark } from '../../store/onboarding/case-content.ts';
import {
  beginCaseRequest,
  type CaseOperation,
  isCurrentRevision,
  recordCaseAnswer,
} from '../../store/onboarding/case-requests.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { type CaseRecord, readCase } from '../../store/onboarding/cases.ts';
import { hasUnreadableUser } from '../../store/onboarding/onboarding-holds.ts';
import { areSignUpsPaused } from '../../store/onboarding/sign-up-pauses.ts';
import { AccountStopped, holdIfStopped, retryIfStopped, unlessAccountStopped } from '../calls/account-stop.ts';
import { callProvider, type ProviderReply } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';

/** The state in which the case is after an activity: the workflow goes on only while it is still its turn. */
export interface CaseOutcome {
  state: CaseState;
}

/** As `unlessAccountStopped`; what holds the account's sign-ups may have begun while this one waited for its lease. */
export function unlessSignUpsHeld(
  database: Queryable,
  { account, caseId }: Pick<CaseRecord, 'account' | 'caseId'>,
): () => Promise<void> {
  return async () => {
    await unlessAccountStopped(database, account)();
    if (await areSignUpsPaused(database, account)) throw new AccountStopped('sign-ups are paused');
    // It was checked before the intent, and another one may have begun since.
    if (await hasUnreadableUser(database, account, caseId))
      throw new AccountStopped('the user before was not read yet');
  };
}

/** The case was changed since its content was read: what would be sent is no longer what was supplied last. */
class RevisionSuperseded extends Error {
  override readonly name = 'RevisionSuperseded';
}

/**
 * Sends a request that can be repeated, with its intent and its outcome in the database. Null: the case is in another state by now,
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
  const isRefused = isRefusal(kind);
  // A request that can be repeated is: what an unknown outcome was no longer matters.
  const outcome = isRefused ? 'refused' : outcomeOfFailure(kind);
  await recordCaseAnswer(database, { ...begun, outcome, answer: kind, httpStatus });
  if (isRefused) return reply;
  if (reply.cause instanceof RevisionSuperseded) return null;
  retryIfStopped(reply);
  throw retryLater(reply);
}

/** A refusal of something that an onboarder can correct: its text is kept encrypted, and shown to onboarders. */
export async function returnToOnboarder(
  database: Queryable,
  { record, cipher }: { record: CaseRecord; cipher: CaseCipher },
  refusal: { failure: ProviderFailure; to: CaseState; reason: CaseReason; missing?: readonly string[] },
): Promise<CaseOutcome> {
  const { failure, to, reason, missing = [] } = refusal;
  await keepFailureText(database, { record, cipher }, failure);
  await moveCase(database, record.caseId, to, { reason, missing, revision: record.revision });
  return stateOf(database, record.caseId);
}

export async function keepFailureText(
  database: Queryable,
  { record, cipher }: { record: CaseRecord; cipher: CaseCipher },
  failure: ProviderFailure,
): Promise<void> {
  const text = failure.providerMessage ?? failure.providerCode;
  if (text === null) return;
  const providerStatus = record.providerStatus ?? 'refused';
  await keepProviderRemark(database, cipher, { caseId: record.caseId, providerStatus, text });
}

export async function stateOf(database: Queryable, caseId: string): Promise<CaseOutcome> {
  return { state: (await readCase(database, caseId)).state };
}
