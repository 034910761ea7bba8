import type { ReceivedWebhook, WebhookListQuery } from '../../api/webhooks/received-webhook.ts';
import { listReceivedWebhooks, type WebhookRecord } from '../../store/webhooks/received-webhooks.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';

/** What came of a webhook follows from what it is about: to find those with a result, so many are looked at for a page. */
const MOST_LOOKED_AT = 5_000;
const LOOKED_AT_ONCE = 500;

export interface WebhookRecords {
  webhooks: WebhookRecord[];
  /** `before` of the next page; null: this is the last. */
  nextBefore: string | null;
}

/** Webhooks of the accounts that the user may use, the newest first. With a result, a page may have fewer than there are. */
export async function listWebhooks(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, kind, resourceId, result, before, limit }: WebhookListQuery,
): Promise<WebhookRecords> {
  const filter = { accounts: accountsOf(user, account ?? null), kind: kind ?? null, resourceId: resourceId ?? null };
  const atOnce = result === undefined ? limit + 1 : LOOKED_AT_ONCE;
  const fitting: WebhookRecord[] = [];
  let last = before ?? null;
  for (let lookedAt = 0; lookedAt < MOST_LOOKED_AT; lookedAt += atOnce) {
    const found = await listReceivedWebhooks(database, { ...filter, webhookId: null, before: last, limit: atOnce });
    for (const webhook of found) {
      if (result !== undefined && resultOf(webhook) !== result) continue;
      if (fitting.length === limit) return { webhooks: fitting, nextBefore: fitting.at(-1)?.webhookId ?? null };
      fitting.push(webhook);
    }
    if (found.length < atOnce) return { webhooks: fitting, nextBefore: null };
    last = found.at(-1)?.webhookId ?? null;
  }
  return { webhooks: fitting, nextBefore: last };
}

/** What came of it. */
export function resultOf({
  resourceId,
  subject,
  isRead,
}: Pick<WebhookRecord, 'resourceId' | 'subject' | 'isRead'>): ReceivedWebhook['result'] {
  if (resourceId === null) return 'unparsed';
  if (subject === null) return 'ignored';
  return isRead || subject.hasEnded ? 'processed' : 'waiting';
}

/** Null: there is no such webhook of these accounts. */
export async function findWebhook(
  { database }: ApplicationDependencies,
  user: SignedIn,
  webhookId: string,
): Promise<WebhookRecord | null> {
  const filter = { accounts: user.accounts, kind: null, resourceId: null, webhookId, before: null, limit: 1 };
  return (await listReceivedWebhooks(database, filter))[0] ?? null;
}
