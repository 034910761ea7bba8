import type { PolicyCheck, PolicyCheckRequest } from '../../api/approvals/policy-check.ts';
import type { PolicyExplanation, RunUnderPolicy } from '../../api/approvals/policy-explanation.ts';
import type { RateLimiters, Workers } from '../../api/rate-limiter/rate-limiter.ts';
import type { OperationsApplication } from '../../application/operation-use-cases.ts';
import type { WebhookRecords } from '../../application/webhooks/webhook-views.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { policyRemarks } from '../../domain/approvals/approval-policy.ts';
import type { WebhookRecord } from '../../store/webhooks/received-webhooks.ts';
import { FakeBeneficiaries } from './fake-beneficiaries.ts';

/** What operators look at: tests set what is answered. */
export abstract class FakeOperations extends FakeBeneficiaries implements OperationsApplication {
  receivedWebhooks: WebhookRecord[] = [];
  rateLimiters: RateLimiters = { rateLimiters: [], processes: 0 };
  workers: Workers = { versions: [], workers: [], unservedQueues: [] };
  explanation: PolicyExplanation = { rule: null, skippedRules: [], steps: [], needsSecondFactor: false };

  ofRun: RunUnderPolicy = { currencies: [], steps: [], limits: [], needsSecondFactor: false };

  listWebhooks(_user: SignedIn, { limit }: { limit: number }): Promise<WebhookRecords> {
    return Promise.resolve({ webhooks: this.receivedWebhooks.slice(0, limit), nextBefore: null });
  }

  findWebhook(_user: SignedIn, webhookId: string): Promise<WebhookRecord | null> {
    return Promise.resolve(this.receivedWebhooks.find((each) => each.webhookId === webhookId) ?? null);
  }

  readRateLimiters(): Promise<RateLimiters> {
    return Promise.resolve(this.rateLimiters);
  }

  readWorkers(): Promise<Workers> {
    return Promise.resolve(this.workers);
  }

  explainPolicy(): Promise<PolicyExplanation> {
    return Promise.resolve(this.explanation);
  }

  checkPolicy(_user: SignedIn, { policy, run, runId }: PolicyCheckRequest): Promise<PolicyCheck> {
    const explanation = run === null ? null : this.explanation;
    return Promise.resolve({
      policy,
      remarks: policyRemarks(policy),
      explanation,
      ofRun: runId === null ? null : this.ofRun,
    });
  }
}
