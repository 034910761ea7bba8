import { readAccountOf } from '../store/accounts/account-of.ts';
import { accountUseCases } from './accounts/use-cases.ts';
import type { ApplicationDependencies } from './application-dependencies.ts';
import { approvalUseCases } from './approvals/use-cases.ts';
import { createApprovalSteps } from './approvals/approval-steps.ts';
import { createAuditVerifier, listAudit, listGlobalAudit } from './audit/audit-views.ts';
import { beneficiaryUseCases } from './beneficiaries/use-cases.ts';
import { bindUseCases } from './bind-use-cases.ts';
import { inboxUseCases } from './inbox/use-cases.ts';
import { notificationUseCases } from './notifications/use-cases.ts';
import { onboardingUseCases } from './onboarding/use-cases.ts';
import { operationUseCases } from './operation-use-cases.ts';
import { draftUseCases } from './payment-file/use-cases.ts';
import { reconciliationUseCases } from './reconciliation/use-cases.ts';
import { createReviews } from './runs/run-review.ts';
import { runUseCases } from './runs/use-cases.ts';
import { serviceHealth } from './service-health.ts';
import { scheduleUseCases } from './treasury/schedule-use-cases.ts';
import { treasuryUseCases } from './treasury/use-cases.ts';
import { sessionUseCases } from './users/session-use-cases.ts';
import { userUseCases } from './users/use-cases.ts';
import { createWebhookReceiver } from './webhooks/receive-webhook.ts';

/**
 * The use cases of payrun, as the server calls them. A use case that changes something takes the user who asks; the
 * database itself refuses what their roles do not allow. Times are ISO-8601 UTC strings, amounts decimal strings.
 */
export type Application = ReturnType<typeof createApplication>;

/** The use cases on a Temporal client and the database. Reads no environment; recent reviews are cached in memory. */
export function createApplication(dependencies: ApplicationDependencies) {
  const reviewing = { ...dependencies, reviews: createReviews(dependencies) };
  return {
    ...runUseCases(reviewing),
    ...inboxUseCases({ ...reviewing, steps: createApprovalSteps(dependencies) }),
    ...draftUseCases(dependencies),
    ...beneficiaryUseCases(dependencies),
    ...approvalUseCases(reviewing),
    ...operationUseCases(dependencies),
    ...userUseCases(dependencies),
    ...sessionUseCases(dependencies),
    ...onboardingUseCases(dependencies),
    ...accountUseCases(dependencies),
    ...treasuryUseCases(dependencies),
    ...scheduleUseCases(dependencies),
    ...notificationUseCases(dependencies),
    ...reconciliationUseCases(dependencies),
    ...bindUseCases(dependencies, { listAudit, listGlobalAudit, health: serviceHealth }),
    accountOf: readAccountOf.bind(null, dependencies.database),
    verifyAudit: createAuditVerifier(dependencies),
    receiveWebhook: createWebhookReceiver(dependencies),
  };
}
