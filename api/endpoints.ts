import { accountEndpoints } from './accounts/endpoints.ts';
import { beneficiaryEndpoints } from './beneficiaries/endpoints.ts';
import { approvalEndpoints } from './approvals/endpoints.ts';
import { auditEndpoints } from './audit/endpoints.ts';
import { rateLimiterEndpoints } from './rate-limiter/endpoints.ts';
import { inboxEndpoints } from './inbox/endpoints.ts';
import { notificationEndpoints } from './notifications/endpoints.ts';
import { onboardingEndpoints } from './onboarding/endpoints.ts';
import { paymentFileEndpoints } from './payment-file/endpoints.ts';
import { paymentEndpoints } from './payments/endpoints.ts';
import { reconciliationEndpoints } from './reconciliation/endpoints.ts';
import { runEndpoints } from './runs/endpoints.ts';
import { serverEndpoints } from './server-endpoints.ts';
import { treasuryEndpoints } from './treasury/endpoints.ts';
import { userEndpoints } from './users/endpoints.ts';
import { webhookEndpoints } from './webhooks/endpoints.ts';

/** Every endpoint of the API, by its operation id. */
export const ENDPOINTS = {
  ...accountEndpoints,
  ...approvalEndpoints,
  ...auditEndpoints,
  ...beneficiaryEndpoints,
  ...rateLimiterEndpoints,
  ...inboxEndpoints,
  ...notificationEndpoints,
  ...onboardingEndpoints,
  ...paymentFileEndpoints,
  ...paymentEndpoints,
  ...reconciliationEndpoints,
  ...runEndpoints,
  ...serverEndpoints,
  ...treasuryEndpoints,
  ...userEndpoints,
  ...webhookEndpoints,
};
