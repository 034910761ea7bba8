import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxAccount } from '../../sandbox/config/accounts.ts';
import { ACCOUNT_VARIABLES } from '../../config/account-settings.ts';
import type { Variables } from '../../config/environment.ts';

/** Several accounts of one sandbox, as payrun and the sandbox are configured for them. */
export interface BenchAccounts {
  /** Each with the API key by which the sandbox knows it. */
  readonly accounts: readonly { readonly name: string; readonly apiKey: string; readonly webhookToken: string }[];
  readonly sandboxFlags: readonly string[];
  /** Environment variables of a worker, and of a server. */
  readonly worker: Variables;
  readonly server: Variables;
}

/** An account, with the prefix of the environment variables that hold its credentials. */
function describe(number: number) {
  const name = `account-${number}`;
  const credentials = {
    apiKey: `${name}-api-key`,
    accessKeyId: `${name}-access-key-id`,
    secretAccessKey: `${name}-secret-access-key`,
  };
  return { name, prefix: `ACCOUNT_${number}`, credentials, webhookToken: `${name}-webhook-token` };
}

/** Writes the sandbox's list of accounts and payrun's accounts file to the folder. */
export function writeAccounts(options: {
  folder: string;
  sandboxUrl: string;
  count: number;
  requestsPerSecond: number;
}): BenchAccounts {
  const { folder, sandboxUrl, count, requestsPerSecond } = options;
  const all = Array.from({ length: count }, (_, index) => describe(index + 1));
  const callers: SandboxAccount[] = all.map(({ credentials }) => ({ ...credentials, webhookUrl: null }));
  const callersFile = join(folder, 'sandbox-accounts.json');
  writeFileSync(callersFile, JSON.stringify(callers));
  const entries = all.map(({ name, prefix }) =>
    [
      `  ${name}:`,
      `    api_url: ${sandboxUrl}`,
      `    api_key_env: ${prefix}_API_KEY`,
      `    access_key_id_env: ${prefix}_ACCESS_KEY_ID`,
      `    secret_access_key_env: ${prefix}_SECRET_ACCESS_KEY`,
      `    webhook_token_env: ${prefix}_WEBHOOK_TOKEN`,
      `    requests_per_second: ${requestsPerSecond}`,
    ].join('\n'),
  );
  const accountsFile = join(folder, 'payrun.yaml');
  writeFileSync(accountsFile, `accounts:\n${entries.join('\n')}\n`);
  const secrets: Record<string, string> = {};
  for (const { prefix, credentials } of all) {
    secrets[`${prefix}_API_KEY`] = credentials.apiKey;
    secrets[`${prefix}_ACCESS_KEY_ID`] = credentials.accessKeyId;
    secrets[`${prefix}_SECRET_ACCESS_KEY`] = credentials.secretAccessKey;
  }
  const none = Object.fromEntries(ACCOUNT_VARIABLES.map((name) => [name, undefined]));
  const tokens = Object.fromEntries(all.map(({ prefix, webhookToken }) => [`${prefix}_WEBHOOK_TOKEN`, webhookToken]));
  const server = { ...none, ...tokens, PAYRUN_CONFIG: accountsFile };
  return {
    accounts: all.map(({ name, webhookToken, credentials: { apiKey } }) => ({ name, webhookToken, apiKey })),
    sandboxFlags: ['--accounts', callersFile],
    server,
    worker: { ...server, ...secrets },
  };
}
