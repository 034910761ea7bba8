import { activityInfo } from '@temporalio/activity';
import { meaningOfUserStatus, statesAfterReading } from '../../domain/onboarding/user-status.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { openCase } from '../../store/onboarding/case-content.ts';
import { keepProviderRemark } from '../../store/onboarding/case-remarks.ts';
import { sinceScreeningMs } from '../../store/onboarding/case-requests.ts';
import { moveCase, recordRead, recordUnreadable } from '../../store/onboarding/case-transition.ts';
import { type CaseRecord, readCase } from '../../store/onboarding/cases.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callProvider } from '../calls/call-provider.ts';
import { retryLater, tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, stateOf } from './case-calls.ts';
import { configuredKeys, userIdOf } from './case-data.ts';

const MAX_EARLY_READS = 3;

/**
 * Reads the user of a case, and moves the case as its status says. Remarks are kept, sealed. A user that may not be read is
 * said with the case, and read again. Contract: account 2.3, 4.2.
 */
export function readApplicantActivity(dependencies: ActivityDependencies) {
  const { database, provider, settings } = dependencies;

  return async function readApplicant({ caseId }: { caseId: string }): Promise<CaseOutcome & { hasChanged: boolean }> {
    const record = await readCase(database, caseId);
    const userId = userIdOf(record);
    const readAt = await beginReading(database);
    const reply = await callProvider((options) => provider(record.account).users.get(userId, options));
    if (reply instanceof ProviderFailure) {
      if (reply.kind !== 'refused' && reply.kind !== 'unauthenticated') throw retryLater(reply);
      // A new user may take a moment to show.
      if (activityInfo().attempt <= MAX_EARLY_READS) {
        throw tryAgainIn(settings.visibilityDelayMs, 'not_visible_yet', 'the user may not be visible yet');
      }
      await recordUnreadable(database, caseId);
      throw retryLater(reply);
    }
    const { status, accountId, remarks } = reply.value;
    if (remarks !== null && remarks.trim() !== '') await keepRemark(record, status, remarks);
    const isTooSoon = meaningOfUserStatus(status) === 'resubmission' && (await isScreeningFresh(caseId));
    const seen = { providerStatus: status, accountId, readAt };
    await recordRead(database, caseId, seen);
    const states = isTooSoon ? [] : statesAfterReading(record.state, status);
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

  /** What a request for documents means right after a screening was requested: it may be the one before. */
  async function isScreeningFresh(caseId: string): Promise<boolean> {
    const sinceMs = await sinceScreeningMs(database, caseId);
    return sinceMs !== null && sinceMs < settings.visibilityDelayMs;
  }

  async function keepRemark({ caseId }: CaseRecord, providerStatus: string, text: string): Promise<void> {
    const seal = await openCase(database, configuredKeys(dependencies), caseId);
    if (seal !== null) await keepProviderRemark(database, seal, { caseId, providerStatus, text });
  }
}
