import { WorkflowNotFoundError } from '@temporalio/client';
import { MONEY_WEBHOOK_KINDS } from '../../domain/accounts/money-webhooks.ts';
import { paymentStatusPollerWorkflowId, moneyWatchWorkflowId, casePollerWorkflowId } from '../../domain/identifiers.ts';
import { watchMoney } from '../accounts/watch-money.ts';
import { type ReportedDeposit, reportDeposit } from '../../store/accounts/deposits.ts';
import { removeWebhookDays } from '../../store/webhooks/webhook-days.ts';
import { forgetOldEvents, storeWebhook, removeWebhooks } from '../../store/webhooks/webhook-inbox.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { wakeConversion } from '../treasury/notify-conversion.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import { WebhookDayQuota } from './webhook-day-quota.ts';

export interface IncomingWebhook {
  account: string;
  rawBody: string;
  /** What the webhook parser made of it, or `unknown`. */
  kind: string;
  resourceId: string | null;
  /** Whether it says that the payment `resourceId` has ended, or the user was decided on. */
  saysEnded: boolean;
  deposit?: ReportedDeposit;
}

/** `over_quota`: nothing of it is stored. */
export type WebhookResult = 'accepted' | 'duplicate' | 'over_quota';

/** At most one signal to a workflow in this time. */
const MIN_BETWEEN_SIGNALS_MS = 1_000;

/**
 * Stores webhooks and signals the workflow that reads what they are about. Webhooks are unsigned, so they only say where to look. A
 * lost signal does no harm: the next scheduled read finds the payment.
 */
export function createWebhookReceiver(dependencies: ApplicationDependencies) {
  const { database, temporal, now, settings } = dependencies;
  const lastSignalAtMs = new Map<string, number>();
  const waiting = new Set<string>();

  async function notify({ workflowId, start }: Reader): Promise<void> {
    waiting.delete(workflowId);
    lastSignalAtMs.set(workflowId, now());
    if (start !== undefined) return start();
    try {
      await temporal.workflow.getHandle(workflowId).signal('webhookReceived');
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  function notifySoon(reader: Reader): void {
    const { workflowId } = reader;
    if (waiting.has(workflowId)) return;
    waiting.add(workflowId);
    const dueInMs = Math.max(0, (lastSignalAtMs.get(workflowId) ?? 0) + MIN_BETWEEN_SIGNALS_MS - now());
    setTimeout(() => void notify(reader).catch(() => undefined), dueInMs).unref();
  }

  const quota = new WebhookDayQuota(database, now);

  return async function receiveWebhook(webhook: IncomingWebhook): Promise<WebhookResult> {
    const { account, kind, deposit } = webhook;
    const bytes = Buffer.byteLength(webhook.rawBody);
    if (!(await quota.take(account, bytes, settings.webhookBytesPerDay ?? null))) return 'over_quota';
    if (deposit !== undefined) await reportDeposit(database, account, deposit);
    const isNew = await storeWebhook(database, {
      account,
      bodySha256: contentSha256(Buffer.from(webhook.rawBody)),
      body: webhook.rawBody,
      kind,
      resourceId: webhook.resourceId,
      saysEnded: webhook.saysEnded,
    });
    if (!isNew) quota.giveBack(account, bytes);
    // Events of users carry no id and no time: a true second request for documents repeats the first byte for byte.
    if (kind === 'user') notifySoon({ workflowId: casePollerWorkflowId(account) });
    else if (isNew) notifySoon({ workflowId: paymentStatusPollerWorkflowId(account) });
    if (isNew && OF_MONEY.has(kind)) {
      // Money may come back long after a run has ended: then nobody watches.
      const start = () => watchMoney(dependencies, account, 'webhookReceived');
      notifySoon({ workflowId: moneyWatchWorkflowId(account), start });
    }
    if (isNew && kind === 'conversion' && webhook.resourceId !== null) {
      await wakeConversion(dependencies, { account, resourceId: webhook.resourceId }).catch(() => undefined);
    }
    return isNew ? 'accepted' : 'duplicate';
  };
}

const OF_MONEY: ReadonlySet<string> = new Set([...MONEY_WEBHOOK_KINDS, 'virtual_account_request']);

/** The workflow that reads what a webhook is about. */
interface Reader {
  workflowId: string;
  /** Signals it, and starts it if it does not run. Without this, one that does not run has nothing to read. */
  start?: () => Promise<void>;
}

/** Long enough to investigate what the provider sent about a payment, and to show it to the provider. */
export const INBOX_DAYS = 90;

/** Removes old webhooks, which contain personal data, and what else events from outside have left. */
export async function forgetOldWebhooks({ database }: ApplicationDependencies): Promise<number> {
  await removeWebhookDays(database, INBOX_DAYS);
  return (await removeWebhooks(database, INBOX_DAYS)) + (await forgetOldEvents(database));
}
