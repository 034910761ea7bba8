import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxAccount } from '../../sandbox/config/accounts.ts';
import { ACCOUNT_VARIABLES } from '../../config/account-settings.ts';
import type { Variables } from '../../config/environment.ts';

/** Several accounts of one sandbox, as payrun and the sandbox are configured for them. */
export interface BenchAccounts {
  /** Each with the API key by which the sandbox knows it. */
  readonly accounts: readonly { readonly name: string; readonly apiKey: string }[];
  readonly sandboxFlags: readonly string[];
  /** Environment variables of a worker, and of a server. */
  readonly worker: Variables;
  readonly server: Variables;
}

const credentialsOf = (name: string) => ({
  apiKey: `${name}-api-key`,
  accessKeyId: `${name}-access-key-id`,
  secretAccessKey: `${name}-secret-access-key`,
});

/** Writes the sandbox's list of accounts and payrun's accounts file to the folder. */
export function writeAccounts(options: {
  folder: string;
  sandboxUrl: string;
  count: number;
  requestsPerSecond: number;
}): BenchAccounts {
  const { folder, sandboxUrl, count, requestsPerSecond } = options;
  const names = Array.from({ length: count }, (_, index) => `account-${index + 1}`);
  const callers: SandboxAccount[] = names.map((name) => ({ ...credentialsOf(name), webhookUrl: null }));
  const callersFile = join(folder, 'sandbox-accounts.json');
  writeFileSync(callersFile, JSON.stringify(callers));
  const entries = names.map((name) => {
    const prefix = name.toUpperCase().replaceAll('-', '_');
    return [
      `  ${name}:`,
      `    api_url: ${sandboxUrl}`,
      `    api_key_env: ${prefix}_API_KEY`,
      `    access_key_id_env: ${prefix}_ACCESS_KEY_ID`,
      `    secret_access_key_env: ${prefix}_SECRET_ACCESS_KEY`,
      `    requests_per_second: ${requestsPerSecond}`,
    ].join('\n');
  });
  const accountsFile = join(folder, 'payrun.yaml');
  writeFileSync(accountsFile, `accounts:\n${entries.join('\n')}\n`);
  const secrets = names.flatMap((name) => {
    const prefix = name.toUpperCase().replaceAll('-', '_');
    const { apiKey, accessKeyId, secretAccessKey } = credentialsOf(name);
    return [
      [`${prefix}_API_KEY`, apiKey],
      [`${prefix}_ACCESS_KEY_ID`, accessKeyId],
      [`${prefix}_SECRET_ACCESS_KEY`, secretAccessKey],
    ];
  });
  const none = Object.fromEntries(ACCOUNT_VARIABLES.map((name) => [name, undefined]));
  const server = { ...none, PAYRUN_CONFIG: accountsFile };
  return {
    accounts: names.map((name) => ({ name, apiKey: credentialsOf(name).apiKey })),
    sandboxFlags: ['--accounts', callersFile],
    server,
    worker: { ...server, ...(Object.fromEntries(secrets) as Variables) },
  };
}
