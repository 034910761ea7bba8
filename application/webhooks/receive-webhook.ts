import { WorkflowNotFoundError } from '@temporalio/client';
import { MONEY_WEBHOOK_KINDS } from '../../domain/accounts/money-webhooks.ts';
import { confirmationWorkflowId, moneyWatchWorkflowId, onboardingSweepWorkflowId } from '../../domain/identifiers.ts';
import { watchMoney } from '../accounts/watch-money.ts';
import { reportDeposit } from '../../store/accounts/deposits.ts';
import { storeWebhook, removeWebhooks } from '../../store/webhooks/webhook-inbox.ts';
import type { IncomingWebhook } from '../application-api.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { hintConversion } from '../treasury/notify-conversion.ts';
import { contentSha256 } from '../../domain/sha256.ts';

/** At most one signal to a sweep in this time. */
const MIN_BETWEEN_HINTS_MS = 1_000;

/**
 * Stores webhooks and wakes the account's sweep of payments or of onboarding cases. Webhooks are unsigned, so they only say where to look. A
 * lost signal does no harm: the next scheduled sweep finds the payment.
 */
export function createWebhookReceiver(dependencies: ApplicationDependencies) {
  const { database, temporal, now } = dependencies;
  const lastHintAtMs = new Map<string, number>();
  const waiting = new Set<string>();

  async function hint({ workflowId, signal, start }: Hint): Promise<void> {
    waiting.delete(workflowId);
    lastHintAtMs.set(workflowId, now());
    if (start !== undefined) return start();
    try {
      await temporal.workflow.getHandle(workflowId).signal(signal);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  function hintSoon(hinted: Hint): void {
    const { workflowId } = hinted;
    if (waiting.has(workflowId)) return;
    waiting.add(workflowId);
    const dueInMs = Math.max(0, (lastHintAtMs.get(workflowId) ?? 0) + MIN_BETWEEN_HINTS_MS - now());
    setTimeout(() => void hint(hinted).catch(() => undefined), dueInMs).unref();
  }

  return async function receiveWebhook(webhook: IncomingWebhook): Promise<'accepted' | 'duplicate'> {
    const { account, kind, deposit } = webhook;
    if (deposit !== undefined) await reportDeposit(database, account, deposit);
    const isNew = await storeWebhook(database, {
      account,
      bodySha256: contentSha256(Buffer.from(webhook.rawBody)),
      body: webhook.rawBody,
      kind,
      resourceId: webhook.resourceId,
      saysEnded: webhook.saysEnded,
    });
    // Events of users carry no id and no time: a true second request for documents repeats the first byte for byte.
    if (kind === 'user') hintSoon({ workflowId: onboardingSweepWorkflowId(account), signal: 'userHinted' });
    else if (isNew) hintSoon({ workflowId: confirmationWorkflowId(account), signal: 'webhookHinted' });
    if (isNew && OF_MONEY.has(kind)) {
      // Money may come back long after a run has ended: then nobody watches.
      const start = () => watchMoney(dependencies, account, 'moneyHinted');
      hintSoon({ workflowId: moneyWatchWorkflowId(account), signal: 'moneyHinted', start });
    }
    if (isNew && kind === 'conversion' && webhook.resourceId !== null) {
      await hintConversion(dependencies, { account, resourceId: webhook.resourceId }).catch(() => undefined);
    }
    return isNew ? 'accepted' : 'duplicate';
  };
}

const OF_MONEY: ReadonlySet<string> = new Set([...MONEY_WEBHOOK_KINDS, 'virtual_account_request']);

/** The sweep to wake. */
interface Hint {
  workflowId: string;
  signal: string;
  /** Signals it, and starts it if it does not run. Without this, one that does not run has nothing to read. */
  start?: () => Promise<void>;
}

/** Long enough to investigate what the provider sent about a payment, and to show it to the provider. */
const INBOX_DAYS = 90;

/** Removes old webhooks: they contain personal data. */
export function forgetOldWebhooks({ database }: ApplicationDependencies): Promise<number> {
  return removeWebhooks(database, INBOX_DAYS);
}
