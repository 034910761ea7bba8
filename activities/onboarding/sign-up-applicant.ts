import { activityInfo } from '@temporalio/activity';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { NOT_SIGNED_UP_CASE_STATES, stageOfCase } from '../../domain/onboarding/case-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import {
  beginCaseRequest,
  readOpenCaseRequest,
  recordCaseAnswer,
  recordSignUp,
} from '../../store/onboarding/case-requests.ts';
import { type Database, inTransaction } from '../../store/database/database.ts';
import { mailIndex } from '../../store/onboarding/case-content.ts';
import { hasUnreadableUser, msSinceUnanswered } from '../../store/onboarding/onboarding-holds.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { type CaseRecord, lockCase } from '../../store/onboarding/cases.ts';
import { areSignUpsPaused, pauseAfterRepeatedRefusals } from '../../store/onboarding/sign-up-pauses.ts';
import { awaitsGoingLive } from '../../store/users/going-live.ts';
import { holdIfStopped, isUnsent, retryIfStopped } from '../calls/account-stop.ts';
import { callNonIdempotent, startSendDeadline, SEND_WITHIN_MS } from '../calls/send-deadline.ts';
import { retryLater, tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, keepFailureText, stateOf, unlessSignUpsHeld } from './case-calls.ts';
import { configuredKeys } from '../data-keys.ts';
import { type OpenedCase, openedCase } from './case-data.ts';

const PAUSED_RETRY_MS = 60_000;
/** Thousands may wait for a person: they ask ever more rarely. */
const MAX_PAUSED_RETRIES_APART = 10;

/**
 * Signs the applicant up, once. The provider has no idempotency key, no list of users and no lookup by mail address, and it
 * sends a mail: so a sign-up that may have reached it is never sent again, and its case is `unknown` until the user is found.
 * Contract: account 2.1, 4.2.
 */
export function signUpApplicantActivity(dependencies: ActivityDependencies) {
  const { database, provider, settings } = dependencies;

  return async function signUpApplicant({ caseId }: { caseId: string }): Promise<CaseOutcome> {
    const opened = await openedCase(dependencies, caseId);
    const { record, applicant } = opened;
    // Somebody has withdrawn it while it waited.
    if (stageOfCase(record.state) === 'ended') return { state: record.state };
    // What became of a sign-up that was sent already is found out whatever holds the others.
    if ((await readOpenCaseRequest(database, caseId, 'sign_up')) === null) await untilMaySignUp(record);
    const deadline = startSendDeadline(dependencies);
    const begun = await beginCaseRequest(database, {
      caseId,
      operation: 'sign_up',
      whileIn: NOT_SIGNED_UP_CASE_STATES,
    });
    if (begun === null) return afterLostAnswer(caseId);
    const reply = await callNonIdempotent(deadline, unlessSignUpsHeld(database, record), (options) =>
      provider(record.account).users.signUp(signUpRequestOf(applicant), options),
    );
    if (reply instanceof ProviderFailure) return recordFailure(opened, begun.requestId, reply);
    const { value, httpStatus } = reply;
    const userId = idIn(value);
    // Without an id the user exists, and is found by an event or by people.
    const outcome = userId === null ? null : 'took_effect';
    return recorded(database, record.account, { ...begun, caseId, outcome, answer: 'as_asked', httpStatus, userId });
  };

  /** Waits before anything is recorded: a stop, a pause, unreadable users, or a sign-up without an answer hold all others. */
  async function untilMaySignUp({ account, caseId }: CaseRecord): Promise<void> {
    await holdIfStopped(database, account);
    await untilLive(database);
    if (await areSignUpsPaused(database, account)) {
      const apart = Math.min(activityInfo().attempt, MAX_PAUSED_RETRIES_APART);
      throw tryAgainIn(
        PAUSED_RETRY_MS * apart,
        'sign_ups_paused',
        'sign-ups are paused until a person lets them go on',
      );
    }
    if (await hasUnreadableUser(database, account, caseId)) {
      throw tryAgainIn(PAUSED_RETRY_MS, 'account_paused', 'the provider has not let the user before be read yet');
    }
    const { unknownPauseMs } = settings.onboarding;
    const sinceMs = await msSinceUnanswered(database, account);
    if (sinceMs !== null && sinceMs < unknownPauseMs) {
      throw tryAgainIn(unknownPauseMs - sinceMs, 'account_paused', 'the sign-up before got no answer');
    }
  }

  async function recordFailure(opened: OpenedCase, requestId: string, failure: ProviderFailure): Promise<CaseOutcome> {
    const { caseId } = opened.record;
    const { kind, httpStatus } = failure;
    if (isUnsent(failure)) {
      await recordCaseAnswer(database, { requestId, outcome: 'not_sent', answer: kind, httpStatus });
      retryIfStopped(failure);
      throw retryLater(failure);
    }
    const signUp = { requestId, caseId, answer: kind, httpStatus, userId: null };
    if (kind !== 'refused') return recorded(database, opened.record.account, { ...signUp, outcome: null });
    await keepFailureText(database, opened, failure);
    const answerDigest = await digestOf(dependencies, failure);
    return recorded(database, opened.record.account, { ...signUp, outcome: 'refused', answerDigest });
  }

  /** An earlier sign-up has no recorded end: the worker that sent it may still be waiting for the answer. */
  async function afterLostAnswer(caseId: string): Promise<CaseOutcome> {
    const open = await readOpenCaseRequest(database, caseId, 'sign_up');
    if (open !== null) {
      const remainingMs = open.endSeen ? 0 : SEND_WITHIN_MS + settings.requestTimeoutMs - open.ageMs;
      if (remainingMs > 0) throw tryAgainIn(remainingMs, 'not_answered_yet', 'the sign-up may still be answered');
    }
    // Also when its end is recorded and the case did not follow: people have to find out.
    await moveCase(database, caseId, 'unknown', { reason: 'sign_up_unknown' });
    return stateOf(database, caseId);
  }
}

/** Equal for equal status and code. A code is any text of the provider, so it is not kept as it is. */
async function digestOf(
  dependencies: ActivityDependencies,
  { httpStatus, providerCode }: ProviderFailure,
): Promise<Buffer> {
  const digest = await mailIndex(dependencies.database, configuredKeys(dependencies));
  return digest(`answer ${String(httpStatus)} ${providerCode ?? ''}`);
}

function recorded(
  database: Database,
  account: string,
  signUp: Parameters<typeof recordSignUp>[1],
): Promise<CaseOutcome> {
  return inTransaction(database, async (transaction) => {
    await lockCase(transaction, signUp.caseId);
    await recordSignUp(transaction, signUp);
    if (signUp.outcome === 'refused') await pauseAfterRepeatedRefusals(transaction, account);
    return stateOf(transaction, signUp.caseId);
  });
}

/** No password is ever sent. */
function signUpRequestOf({ email, language, signUpCountry, accountType, details, company }: Applicant) {
  return {
    firstName: details.firstName,
    lastName: details.lastName,
    email,
    countryCode: signUpCountry,
    accountType,
    ...(language === null ? {} : { language }),
    ...(company === null ? {} : { companyName: company.companyName }),
  };
}

/** Null: the answer has no id, as in a sample. Contract: account 2.1. */
function idIn(signedUp: { readonly userId: string }): string | null {
  try {
    return signedUp.userId;
  } catch (error) {
    if (error instanceof ProviderFailure) return null;
    throw error;
  }
}

/** A case may be submitted before the first worker has recorded which provider it is. */
async function untilLive(database: Database): Promise<void> {
  if (await awaitsGoingLive(database)) {
    throw tryAgainIn(PAUSED_RETRY_MS, 'account_paused', 'nobody is signed up before two administrators have gone live');
  }
}
