import { WorkflowNotFoundError } from '@temporalio/client';
import { confirmationWorkflowId } from '../../domain/identifiers.ts';
import { storeWebhook, removeWebhooks } from '../../store/webhooks/webhook-inbox.ts';
import type { IncomingWebhook } from '../application-api.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { contentSha256 } from '../../store/content-hash.ts';

/** At most one signal to a sweep in this time. */
const MIN_BETWEEN_HINTS_MS = 1_000;

/**
 * Stores webhooks and wakes the account's confirmation sweep. Webhooks are unsigned, so they only say where to look. A
 * lost signal does no harm: the next scheduled sweep finds the payment.
 */
export function createWebhookReceiver({ database, temporal, now }: ApplicationDependencies) {
  const lastHintAtMs = new Map<string, number>();
  const waiting = new Set<string>();

  async function hint(account: string): Promise<void> {
    waiting.delete(account);
    lastHintAtMs.set(account, now());
    try {
      await temporal.workflow.getHandle(confirmationWorkflowId(account)).signal('webhookHinted');
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  function hintSoon(account: string): void {
    if (waiting.has(account)) return;
    waiting.add(account);
    const dueInMs = Math.max(0, (lastHintAtMs.get(account) ?? 0) + MIN_BETWEEN_HINTS_MS - now());
    setTimeout(() => void hint(account).catch(() => undefined), dueInMs).unref();
  }

  return async function receiveWebhook(webhook: IncomingWebhook): Promise<'accepted' | 'duplicate'> {
    const isNew = await storeWebhook(database, {
      account: webhook.account,
      bodySha256: contentSha256(Buffer.from(webhook.rawBody)),
      body: webhook.rawBody,
      kind: webhook.kind,
      resourceId: webhook.resourceId,
      saysEnded: webhook.saysEnded,
    });
    if (isNew) hintSoon(webhook.account);
    return isNew ? 'accepted' : 'duplicate';
  };
}

/** Long enough to investigate what the provider sent about a payment, and to show it to the provider. */
const INBOX_DAYS = 90;

/** Removes old webhooks: they contain personal data. */
export function forgetOldWebhooks({ database }: ApplicationDependencies): Promise<number> {
  return removeWebhooks(database, INBOX_DAYS);
}
