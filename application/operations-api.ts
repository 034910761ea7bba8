import type { PolicyCheck, PolicyCheckRequest } from '../api/approvals/policy-check.ts';
import type { PolicyExplanation, PolicyQuestion } from '../api/approvals/policy-explanation.ts';
import type { Gates, Workers } from '../api/gate/gate.ts';
import type { WebhookListQuery } from '../api/webhooks/received-webhook.ts';
import type { WebhookRecord } from '../store/webhooks/received-webhooks.ts';
import type { WebhookRecords } from './webhooks/webhook-views.ts';
import type { SignedIn } from './users/signed-in.ts';

/** What operators look at. */
export interface OperationsApplication {
  /** Of the accounts that the user may use, the newest first. */
  listWebhooks(user: SignedIn, query: WebhookListQuery): Promise<WebhookRecords>;
  /** Null: there is no such webhook of these accounts. */
  findWebhook(user: SignedIn, webhookId: string): Promise<WebhookRecord | null>;
  /** The request gates of the accounts that the user may use. */
  readGates(user: SignedIn): Promise<Gates>;
  /** Who polls the task queues, by version. */
  readWorkers(): Promise<Workers>;
  /** What a run would need. Throws `not_found` for an unknown maker, `not_allowed` for an account that is not the user's. */
  explainPolicy(user: SignedIn, question: PolicyQuestion): Promise<PolicyExplanation>;
  /** What another policy would mean. Nothing is recorded. Throws as `explainPolicy` does. */
  checkPolicy(user: SignedIn, request: PolicyCheckRequest): Promise<PolicyCheck>;
}
