import type { ServerAccount } from '../config/account-settings.ts';
import { hasOwnWebhookSecret } from '../config/webhook-token.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { listProviders } from '../store/accounts/provider-accounts.ts';
import type { Queryable } from '../store/database/database.ts';

/**
 * With a provider that is no sandbox of payrun's own, the secret of the webhooks of an account is one that its operators know: then they
 * can replace it, and all servers have the same. A worker has recorded the provider. @throws ConfigurationError
 */
export async function requireWebhookSecrets(
  database: Queryable,
  accounts: readonly Pick<ServerAccount, 'name' | 'webhookTokens' | 'webhookHeaders'>[],
): Promise<void> {
  const real = new Set(
    (await listProviders(database)).filter(({ isSandbox }) => !isSandbox).map(({ account }) => account),
  );
  // guard: webhook-secret-configured
  const open = accounts.filter((account) => real.has(account.name) && !hasOwnWebhookSecret(account));
  if (open.length === 0) return;
  throw new ConfigurationError(
    `the webhooks of ${open.map(({ name }) => name).join(', ')} have no secret that is configured: set PAYRUN_WEBHOOK_TOKEN_FILE or ` +
      'PAYRUN_WEBHOOK_HEADERS_FILE for every server (in payrun.yaml: webhook_token_file or webhook_headers_file of the account)',
  );
}
