import { COMPANY_FIELDS, type ApplicantCompany } from '../../domain/onboarding/applicant.ts';
import { mayChangeCompany } from '../../domain/onboarding/user-status.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { CompanyUpdate } from '../../provider/onboarding/company.ts';
import { moveCase, recordRead } from '../../store/onboarding/case-transition.ts';
import type { CaseRecord } from '../../store/onboarding/cases.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, returnToOnboarder, sendRepeatable, stateOf } from './case-calls.ts';
import { openedCase, userIdOf } from './case-data.ts';

const NO_ACCOUNT_RETRY_MS = 1_000;

/**
 * Sends all nine fields of a company. Once the screening has begun the provider takes no change of them: then they are read
 * and compared, and what differs needs the provider. Contract: account 2.5, 3, 4.3.
 */
export function sendCompanyActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;

  return async function sendCompany({ caseId }: { caseId: string }): Promise<CaseOutcome> {
    const opened = await openedCase(dependencies, caseId);
    const { record, applicant } = opened;
    const { company } = applicant;
    const userId = userIdOf(record);
    if (company === null) return { state: record.state };
    const { accountId } = record;
    if (accountId === null) {
      await readAccount(caseId, record.account, userId);
      throw tryAgainIn(NO_ACCOUNT_RETRY_MS, 'no_account', 'the account of the user is read first');
    }
    if (!mayChangeCompany(record.providerStatus)) return compareFrozen(record, accountId, company);
    const reply = await sendRepeatable(database, { record, operation: 'company' }, (options) =>
      provider(record.account).company.update(accountId, updateOf(company), options),
    );
    if (!(reply instanceof ProviderFailure)) return stateOf(database, caseId);
    return returnToOnboarder(database, opened, { failure: reply, to: 'incomplete', reason: 'company_refused' });
  };

  /** The first read of the user did not show it. */
  async function readAccount(caseId: string, account: string, userId: string): Promise<void> {
    const readAt = await beginReading(database);
    const { value } = await callRepeatable((options) => provider(account).users.get(userId, options));
    await recordRead(database, caseId, { providerStatus: value.status, accountId: value.accountId, readAt });
  }

  async function compareFrozen(
    { caseId, account, revision }: CaseRecord,
    accountId: string,
    company: ApplicantCompany,
  ): Promise<CaseOutcome> {
    const { value: shown } = await callRepeatable((options) => provider(account).company.get(accountId, options));
    const isSame = COMPANY_FIELDS.every((field) => {
      const value = shown[field];
      const text = value !== null && typeof value === 'object' ? value.isoDay : value;
      return text === company[field];
    });
    if (!isSame) await moveCase(database, caseId, 'needs_provider', { reason: 'company_frozen', revision });
    return stateOf(database, caseId);
  }
}

/** Checked when it was supplied; the provider's client checks it once more. */
function updateOf(company: ApplicantCompany): CompanyUpdate {
  return Object.fromEntries(COMPANY_FIELDS.map((field) => [field, company[field]])) as unknown as CompanyUpdate;
}
