import type { ServerAccount } from '../config/account-settings.ts';
import { hasOwnWebhookSecret } from '../config/webhook-token.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { listProviders } from '../store/accounts/provider-accounts.ts';
import type { Queryable } from '../store/database/database.ts';

/**
 * With a provider that is no sandbox of payrun's own, the secret of the webhooks of an account is one that its operators know: then they
 * can replace it, and all servers have the same. A worker has recorded the provider. Where none has yet, a server that starts goes on,
 * since the worker may start after it; an account that is added to a running server waits for it. @throws ConfigurationError
 */
export async function requireWebhookSecrets(
  database: Queryable,
  accounts: readonly Pick<ServerAccount, 'name' | 'webhookTokens' | 'webhookHeaders'>[],
  { unrecorded }: { unrecorded: 'goes_on' | 'waits' },
): Promise<void> {
  const sandboxes = new Map((await listProviders(database)).map(({ account, isSandbox }) => [account, isSandbox]));
  const open = accounts.filter(
    (account) =>
      // guard: webhook-secret-configured
      !(sandboxes.get(account.name) ?? unrecorded === 'goes_on') && !hasOwnWebhookSecret(account),
  );
  if (open.length === 0) return;
  throw new ConfigurationError(
    `the webhooks of ${open.map(({ name }) => name).join(', ')} have no secret that is configured: set PAYRUN_WEBHOOK_TOKEN_FILE or ` +
      'PAYRUN_WEBHOOK_HEADERS_FILE for every server (in payrun.yaml: webhook_token_file or webhook_headers_file of the account)',
  );
}
