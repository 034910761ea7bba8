import { COMPANY_FIELDS, type ApplicantCompany } from '../../domain/onboarding/applicant.ts';
import { mayChangeCompany } from '../../domain/onboarding/user-status.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { CompanyUpdate } from '../../provider/onboarding/company.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { type CaseOutcome, returnToOnboarder, sendRepeatable, stateOf } from './case-calls.ts';
import { openedCase, userIdOf } from './case-data.ts';

const NO_ACCOUNT_RETRY_MS = 60_000;

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
    userIdOf(record);
    if (company === null) return { state: record.state };
    const { accountId } = record;
    if (accountId === null) {
      throw tryAgainIn(NO_ACCOUNT_RETRY_MS, 'no_account', 'the provider shows no account of the user yet');
    }
    if (!mayChangeCompany(record.providerStatus)) return compareFrozen(caseId, record.account, accountId, company);
    const reply = await sendRepeatable(database, { record, operation: 'company' }, (options) =>
      provider(record.account).company.update(accountId, updateOf(company), options),
    );
    if (!(reply instanceof ProviderFailure)) return stateOf(database, caseId);
    return returnToOnboarder(database, opened, { failure: reply, to: 'incomplete', reason: 'company_refused' });
  };

  async function compareFrozen(
    caseId: string,
    account: string,
    accountId: string,
    company: ApplicantCompany,
  ): Promise<CaseOutcome> {
    const { value: shown } = await callRepeatable((options) => provider(account).company.get(accountId, options));
    const isSame = COMPANY_FIELDS.every((field) => {
      const value = shown[field];
      const text = value !== null && typeof value === 'object' ? value.isoDay : value;
      return text === company[field];
    });
    if (!isSame) await moveCase(database, caseId, 'needs_provider', { reason: 'company_frozen' });
    return stateOf(database, caseId);
  }
}

/** Checked when it was supplied; the provider's client checks it once more. */
function updateOf(company: ApplicantCompany): CompanyUpdate {
  return Object.fromEntries(COMPANY_FIELDS.map((field) => [field, company[field]])) as unknown as CompanyUpdate;
}
