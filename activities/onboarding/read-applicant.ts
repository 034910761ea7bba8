import { activityInfo } from '@temporalio/activity';
import { meaningOfUserStatus, statesAfterReading } from '../../domain/onboarding/user-status.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { keepProviderRemark, mailIndex, readCaseCipher } from '../../store/onboarding/case-content.ts';
import { sinceRequestMs } from '../../store/onboarding/case-requests.ts';
import { moveCase, recordRead, recordTried, recordUnreadable } from '../../store/onboarding/case-transition.ts';
import { type CaseRecord, readCase } from '../../store/onboarding/cases.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callProvider } from '../calls/call-provider.ts';
import { isDenied } from '../calls/failure-meaning.ts';
import { retryLater, tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, stateOf } from './case-calls.ts';
import { configuredKeys } from '../data-keys.ts';
import { userIdOf } from './case-data.ts';

const MAX_EARLY_READS = 3;

/**
 * Reads the user of a case, and moves the case as its status says. Remarks are kept, encrypted. A user that may not be read is
 * said with the case, and read again. Contract: account 2.3, 4.2.
 */
export function readApplicantActivity(dependencies: ActivityDependencies) {
  const { database, provider, settings } = dependencies;

  return async function readApplicant(input: {
    caseId: string;
    /** What must be visible before the read means something. */
    after?: 'details';
  }): Promise<CaseOutcome & { hasChanged: boolean }> {
    const { caseId, after } = input;
    if (after !== undefined) await untilVisible(caseId, after);
    const record = await readCase(database, caseId);
    const userId = userIdOf(record);
    const readAt = await beginReading(database);
    const reply = await callProvider((options) => provider(record.account).users.get(userId, options));
    if (reply instanceof ProviderFailure) {
      if (!isDenied(reply)) {
        await recordTried(database, caseId);
        throw retryLater(reply);
      }
      // A new user may take a moment to show.
      if (activityInfo().attempt <= MAX_EARLY_READS) {
        throw tryAgainIn(settings.visibilityDelayMs, 'not_visible_yet', 'the user may not be visible yet');
      }
      await recordUnreadable(database, caseId);
      throw retryLater(reply);
    }
    const { status, accountId, remarks, email } = reply.value;
    // Whoever can only write to the database must not have details sent to somebody else's user.
    if (record.state === 'preparing' && email !== null && !(await isMailOf(record, email))) {
      await moveCase(database, caseId, 'needs_provider', { reason: 'other_person' });
      return { ...(await stateOf(database, caseId)), hasChanged: true };
    }
    if (remarks !== null && remarks.trim() !== '') await keepRemark(record, status, remarks);
    if (meaningOfUserStatus(status) === 'resubmission') await untilVisible(caseId, 'screen');
    const encryptedStatus = meaningOfUserStatus(status) === null ? await encryptedStatusOf(record, status) : null;
    await recordRead(database, caseId, { providerStatus: status, encryptedStatus, accountId, readAt });
    if (record.stateReason === 'phone_verification' && record.state === 'incomplete' && status !== 'pending_phone') {
      await moveCase(database, caseId, 'preparing');
    }
    const states = statesAfterReading(record, status);
    const isBySelf = record.state !== 'ready' && states.length > 0 && states[0] === 'screening';
    for (const state of states) {
      await moveCase(database, caseId, state, {
        providerStatus: status,
        reason: isBySelf && state === 'screening' ? 'provider_moved_on' : null,
      });
    }
    const { state } = await stateOf(database, caseId);
    return { state, hasChanged: state !== record.state };
  };

  /** Right after a request the status may be the one before it: it is read again. */
  async function untilVisible(caseId: string, operation: 'screen' | 'details'): Promise<void> {
    const sinceMs = await sinceRequestMs(database, caseId, operation);
    const remainingMs = sinceMs === null ? 0 : settings.visibilityDelayMs - sinceMs;
    if (remainingMs > 0) throw tryAgainIn(remainingMs, 'not_visible_yet', 'what was requested may not be visible yet');
  }

  async function isMailOf({ emailHmac }: CaseRecord, email: string): Promise<boolean> {
    const hmacOf = await mailIndex(database, configuredKeys(dependencies));
    return hmacOf(email).equals(emailHmac);
  }

  async function encryptedStatusOf({ caseId }: CaseRecord, status: string): Promise<Buffer | null> {
    const cipher = await readCaseCipher(database, configuredKeys(dependencies), caseId);
    return cipher === null ? null : cipher.encryptStatus(status);
  }

  async function keepRemark({ caseId }: CaseRecord, providerStatus: string, text: string): Promise<void> {
    const cipher = await readCaseCipher(database, configuredKeys(dependencies), caseId);
    if (cipher !== null) await keepProviderRemark(database, cipher, { caseId, providerStatus, text });
  }
}
