import { APPLICANT_FIELDS, snakeCase } from '../../domain/onboarding/applicant-fields.ts';
import { type Applicant, DETAIL_DAYS, DETAIL_FIELDS } from '../../domain/onboarding/applicant.ts';
import { mayChangeCompany } from '../../domain/onboarding/user-status.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import {
  missingScreeningFields,
  type UserDetails,
  type UserDetailsChange,
} from '../../provider/onboarding/user-detail-fields.ts';
import { sinceRequestMs } from '../../store/onboarding/case-requests.ts';
import { markReady, moveCase } from '../../store/onboarding/case-transition.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, returnToOnboarder, sendRepeatable, stateOf } from './case-calls.ts';
import { openedCase, userIdOf } from './case-data.ts';

/** Sends all details of the revision that was supplied last. Repeating it changes nothing. Contract: account 2.4. */
export function sendDetailsActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;
  return async function sendDetails({ caseId }: { caseId: string }): Promise<CaseOutcome> {
    const opened = await openedCase(dependencies, caseId);
    const { record, applicant } = opened;
    const userId = userIdOf(record);
    // Fields and days were checked when they were supplied; the provider's client checks them once more.
    const change = changeOf(applicant);
    const reply = await sendRepeatable(database, { record, operation: 'details' }, (options) =>
      provider(record.account).users.updateDetails(userId, change, options),
    );
    if (!(reply instanceof ProviderFailure)) return stateOf(database, caseId);
    return returnToOnboarder(database, opened, { failure: reply, to: 'incomplete', reason: 'details_refused' });
  };
}

/**
 * Reads the details back before a screening: what is missing goes to the onboarder, and days that the provider shows
 * otherwise than they were sent hold the case. Contract: account 2.4.
 */
export function checkDetailsActivity(dependencies: ActivityDependencies) {
  const { database, provider, settings } = dependencies;
  return async function checkDetails({ caseId }: { caseId: string }): Promise<CaseOutcome> {
    const { record, applicant } = await openedCase(dependencies, caseId);
    const userId = userIdOf(record);
    const { revision } = record;
    const { value: shown } = await callRepeatable((options) => provider(record.account).users.details(userId, options));
    const missing = (missingScreeningFields(shown) ?? missingIn(shown)).map(snakeCase);
    const differing = differingIn(applicant, shown).map(snakeCase);
    if (missing.length + differing.length > 0) {
      const remainingMs =
        settings.visibilityDelayMs - ((await sinceRequestMs(database, caseId, 'details')) ?? Infinity);
      if (remainingMs > 0) throw tryAgainIn(remainingMs, 'not_visible_yet', 'the details may not be visible yet');
    }
    if (differing.length > 0) {
      await moveCase(database, caseId, 'needs_provider', { reason: 'details_differ', missing: differing, revision });
    } else if (missing.length > 0) {
      await moveCase(database, caseId, 'incomplete', { reason: 'details_missing', missing, revision });
    } else {
      const isCompanySent = applicant.company !== null && mayChangeCompany(record.providerStatus);
      await markReady(database, { caseId, revision, isCompanySent });
    }
    return stateOf(database, caseId);
  };
}

/** Null removes a value that an earlier revision had, or that somebody else gave the user before. */
function changeOf({ details }: Applicant): UserDetailsChange {
  return Object.fromEntries(DETAIL_FIELDS.map((field) => [field, details[field] ?? null]));
}

/** Days that are shown otherwise than they were sent, and values that are shown although the applicant has none. */
function differingIn({ details }: Applicant, shown: UserDetails): string[] {
  const days: readonly string[] = DETAIL_DAYS;
  const values = shown as Record<string, unknown>;
  return DETAIL_FIELDS.filter((field) => {
    const sent = details[field];
    const read = values[field];
    if (sent === undefined) return (read ?? '') !== '';
    return days.includes(field) && read !== null && (read as { isoDay: string | null }).isoDay !== sent;
  });
}

/** Where the provider names no missing fields: those that a screening needs and the answer does not have. */
function missingIn(shown: UserDetails): string[] {
  const values = shown as Record<string, unknown>;
  return APPLICANT_FIELDS.filter(({ part, need }) => part === 'details' && need === 'screening')
    .map(({ field }) => field)
    .filter((field) => (values[field] ?? '') === '');
}
