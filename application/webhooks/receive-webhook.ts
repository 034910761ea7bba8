import { WorkflowNotFoundError } from '@temporalio/client';
import { confirmationWorkflowId } from '../../domain/identifiers.ts';
import { keepWebhook, removeWebhooks } from '../../store/webhooks/webhook-inbox.ts';
import type { IncomingWebhook } from '../application-api.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { contentSha256 } from '../../store/runs/row-identity.ts';

/** Hints to a sweep are worth no more than one in this time. */
const LEAST_BETWEEN_HINTS_MS = 1_000;

/**
 * Keeps webhooks, and wakes the account's confirmation sweep: a webhook is a hint and never a fact, so nothing in it
 * is believed. A hint that cannot be delivered is no loss: the sweep's own clock finds what it spoke of.
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
    const dueInMs = Math.max(0, (lastHintAtMs.get(account) ?? 0) + LEAST_BETWEEN_HINTS_MS - now());
    setTimeout(() => void hint(account).catch(() => undefined), dueInMs).unref();
  }

  return async function receiveWebhook(webhook: IncomingWebhook): Promise<'accepted' | 'duplicate'> {
    const isNew = await keepWebhook(database, {
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

/** Long enough to look into what a provider has said of a payment, and to show it to it. */
const INBOX_DAYS = 90;

/** Removes webhooks that came long ago: they hold personal data, and were only hints. */
export function forgetOldWebhooks({ database }: ApplicationDependencies): Promise<number> {
  return removeWebhooks(database, INBOX_DAYS);
}
