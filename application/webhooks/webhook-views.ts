import type { WebhookListQuery } from '../../api/webhooks/received-webhook.ts';
import { listReceivedWebhooks, type WebhookRecord } from '../../store/webhooks/received-webhooks.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';

/** Webhooks of the accounts that the user may use, the newest first. */
export async function listWebhooks(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, kind, resourceId, before, limit }: WebhookListQuery,
): Promise<WebhookRecord[]> {
  return listReceivedWebhooks(database, {
    ...{ accounts: accountsOf(user, account ?? null), kind: kind ?? null, resourceId: resourceId ?? null },
    ...{ webhookId: null, before: before ?? null, limit },
  });
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
