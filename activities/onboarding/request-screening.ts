import { isPastPreparation, meaningOfUserStatus } from '../../domain/onboarding/user-status.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { inTransaction } from '../../store/database/database.ts';
import {
  beginCaseRequest,
  countWithoutEffect,
  readOpenCaseRequest,
  recordCaseAnswer,
} from '../../store/onboarding/case-requests.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import { holdIfStopped, isUnsent, retryIfStopped, unlessAccountStopped } from '../calls/account-stop.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import { callNonIdempotent, startSendDeadline } from '../calls/send-deadline.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { retryUntilVisible } from '../payments/visibility-delay.ts';
import { type CaseOutcome, returnToOnboarder, stateOf } from './case-calls.ts';
import { openedCase, userIdOf } from './case-data.ts';

/** After so many screenings that were requested and are not shown, the provider has to be asked. */
const MAX_SCREENINGS = 2;

/** `wait`: the applicant has to verify their phone first. `confirm`: whether it took effect is read after a while. */
export type ScreeningOutcome = CaseOutcome & { next: 'none' | 'confirm' | 'wait' };

/** Requests the screening of a user whose details and documents are complete. Contract: account 4.2. */
export function requestScreeningActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;
  return async function requestScreening(input: {
    caseId: string;
    /** The user was read since the details were sent. */
    isLast?: boolean;
  }): Promise<ScreeningOutcome> {
    const { caseId, isLast = false } = input;
    const opened = await openedCase(dependencies, caseId);
    const { record } = opened;
    const userId = userIdOf(record);
    if (record.providerStatus === 'pending_phone') {
      // There is no call for the verification of a phone. An onboarder may correct the number meanwhile.
      if (isLast) await moveCase(database, caseId, 'incomplete', { reason: 'phone_verification' });
      return { ...(await stateOf(database, caseId)), next: 'wait' };
    }
    await holdIfStopped(database, record.account);
    const deadline = startSendDeadline(dependencies);
    const begun = await beginCaseRequest(database, { caseId, operation: 'screen', whileIn: ['ready'] });
    if (begun === null) {
      const open = await readOpenCaseRequest(database, caseId, 'screen');
      return { ...(await stateOf(database, caseId)), next: open === null ? 'none' : 'confirm' };
    }
    const reply = await callNonIdempotent(deadline, unlessAccountStopped(database, record.account), (options) =>
      provider(record.account).users.screen(userId, options),
    );
    if (!(reply instanceof ProviderFailure)) {
      const { value, httpStatus } = reply;
      const { status } = value;
      const isShown = isPastPreparation(status);
      // An unchanged status may also mean that nothing was requested.
      const outcome = isShown ? 'took_effect' : null;
      // At once: a case that is ready and has no open screening would be screened again.
      await inTransaction(database, async (transaction) => {
        await recordCaseAnswer(transaction, { ...begun, outcome, answer: 'as_asked', httpStatus });
        if (isShown) await moveCase(transaction, caseId, 'screening', { providerStatus: status });
      });
      return { ...(await stateOf(database, caseId)), next: isShown ? 'none' : 'confirm' };
    }
    const { kind, httpStatus } = reply;
    if (isUnsent(reply)) {
      await recordCaseAnswer(database, { ...begun, outcome: 'not_sent', answer: kind, httpStatus });
      retryIfStopped(reply);
      throw retryLater(reply);
    }
    const isRefused = kind === 'refused';
    await recordCaseAnswer(database, { ...begun, outcome: isRefused ? 'refused' : null, answer: kind, httpStatus });
    if (!isRefused) return { ...(await stateOf(database, caseId)), next: 'confirm' };
    const refusal = { failure: reply, to: 'incomplete', reason: 'screening_refused' } as const;
    return { ...(await returnToOnboarder(database, opened, refusal)), next: 'none' };
  };
}

const meaningOf = (status: string | null) => (status === null ? 'not_screened' : meaningOfUserStatus(status));

/** Reads whether a screening took effect, once it must be visible. Contract: account 4.2. */
export function confirmScreeningActivity(dependencies: ActivityDependencies) {
  const { database, provider, settings } = dependencies;
  return async function confirmScreening({ caseId }: { caseId: string }): Promise<CaseOutcome> {
    const record = await readCase(database, caseId);
    const open = await readOpenCaseRequest(database, caseId, 'screen');
    if (open === null) return { state: record.state };
    retryUntilVisible(open, settings);
    const userId = userIdOf(record);
    const { value } = await callRepeatable((options) => provider(record.account).users.get(userId, options));
    const { status } = value;
    // A status that no version of the contract names may be part of a screening.
    const isAskedAgain = meaningOf(status) === 'resubmission' && meaningOf(record.providerStatus) !== 'resubmission';
    const isShown = isPastPreparation(status) || meaningOf(status) === null || isAskedAgain;
    const { requestId } = open;
    const outcome = isShown ? 'took_effect' : 'not_seen';
    return inTransaction(database, async (transaction) => {
      await recordCaseAnswer(transaction, { requestId, outcome, answer: 'unknown_outcome', httpStatus: null });
      if (isShown) await moveCase(transaction, caseId, 'screening', { providerStatus: status });
      else if ((await countWithoutEffect(transaction, caseId, 'screen')) >= MAX_SCREENINGS) {
        const update = { reason: 'screening_not_shown', providerStatus: status } as const;
        await moveCase(transaction, caseId, 'needs_provider', update);
      }
      return stateOf(transaction, caseId);
    });
  };
}
