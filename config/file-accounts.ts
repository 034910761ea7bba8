import { existsSync, readFileSync } from 'node:fs';
import {
  ACCOUNT_VARIABLES,
  type AccountLimits,
  connectionOf,
  type ProviderAccount,
  reservedOf,
  type ServerAccount,
  variantOf,
} from './account-settings.ts';
import {
  type AccountEntry,
  type AccountsFile,
  CREDENTIALS,
  credentialVariables,
  type SecretName,
} from './accounts-file.ts';
import { certificateFile } from './certificates.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Environment, Variables } from './environment.ts';
import { webhookHeaders as webhookHeadersField } from './header-fields.ts';
import { plaintextProblem } from './plaintext.ts';
import { webhookTokensField } from './provider-fields.ts';

/**
 * The accounts of the file, as a server knows them: it reads no credentials.
 *
 * @param onCredential is called for every variable of the environment that holds a credential, which is refused if absent
 * @throws ConfigurationError
 */
export function serverAccountsIn(
  file: AccountsFile,
  environment: Environment,
  { onCredential }: { onCredential?: (variable: string) => void } = {},
): ServerAccount[] {
  const { variables } = environment;
  refuseAccountVariables(file, environment);
  const problems: string[] = [];
  const refuse = (variable: string): unknown =>
    problems.push(`${variable}: remove what is the provider's from a server's environment: only workers need it`);
  for (const variable of credentialVariables(file)) {
    if ((variables[variable] ?? '') !== '') (onCredential ?? refuse)(variable);
  }
  const accounts = Object.entries(file.accounts).map(([name, entry]): ServerAccount => {
    const token = secretOf(entry, 'webhook_token', { name, variables, problems });
    const headers = secretOf(entry, 'webhook_headers', { name, variables, problems });
    const place = `accounts.${name}`;
    return {
      ...limitsOf(name, entry),
      webhookTokens: checked(webhookTokensField, token, `${place}.webhook_token`, problems),
      webhookHeaders: checked(webhookHeadersField, headers, `${place}.webhook_headers`, problems) ?? {},
    };
  });
  const tokens = accounts.flatMap(({ webhookTokens }) => webhookTokens ?? []);
  if (new Set(tokens).size < tokens.length)
    problems.push('two accounts have the same webhook_token: give each its own');
  refuseProblems(file, problems);
  return accounts;
}

/** The accounts of the file with their credentials, for a worker. @throws ConfigurationError */
export function providerAccountsIn(file: AccountsFile, environment: Environment): ProviderAccount[] {
  const { variables } = environment;
  refuseAccountVariables(file, environment);
  const problems: string[] = [];
  const accounts = Object.entries(file.accounts).map(([name, entry]): ProviderAccount => {
    problems.push(...plaintextProblems(name, entry, environment));
    const secret = (credential: SecretName): string => secretOf(entry, credential, { name, variables, problems }) ?? '';
    const authorities = checked(certificateFile, entry.ca_file, `accounts.${name}.ca_file`, problems);
    return {
      ...limitsOf(name, entry),
      apiUrl: entry.api_url,
      credentials: {
        apiKey: secret('api_key'),
        accessKeyId: secret('access_key_id'),
        secretAccessKey: secret('secret_access_key'),
      },
      variant: variantOf({
        storagePrefix: entry.storage_class_prefix,
        userDayFormat: entry.date_format,
        method: entry.upload_method,
        headers: entry.upload_headers,
        virtualAccountRequestPath: entry.virtual_account_path,
      }),
      connection: connectionOf(environment, { authorities, uploadHosts: entry.upload_hosts }),
    };
  });
  const seen = new Map<string, string>();
  for (const { name, apiUrl, credentials } of accounts) {
    const identity = `${comparableAddress(apiUrl)} ${credentials.accessKeyId}`;
    const other = seen.get(identity);
    // Two rate limiters for one account of the provider would send twice what its limit allows.
    if (other !== undefined) problems.push(`accounts.${name}: has the same address and access_key_id as ${other}`);
    seen.set(identity, name);
  }
  refuseProblems(file, problems);
  return accounts;
}

/** The same for every way to write an address: capitals, the usual port, the host's final dot and slashes at the end. */
function comparableAddress(address: string): string {
  const url = new URL(address);
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Whether any of the credentials that the file refers to can be had here, as in the environment of a worker. */
export function refersToCredentials(file: AccountsFile, { variables }: Environment): boolean {
  return Object.values(file.accounts).some((entry) =>
    CREDENTIALS.some((name) => {
      const { [`${name}_file` as const]: path, [`${name}_env` as const]: variable } = entry;
      return variable === undefined ? path !== undefined && existsSync(path) : (variables[variable] ?? '') !== '';
    }),
  );
}

/** Beyond this machine, credentials travel encrypted, unless the operator allows otherwise. */
function plaintextProblems(name: string, entry: AccountEntry, environment: Environment): string[] {
  const { protocol, hostname: host } = new URL(entry.api_url);
  if (protocol === 'https:') return [];
  const reached = {
    variable: `accounts.${name}.api_url`,
    service: 'provider',
    host,
    fix: 'give an https address',
  } as const;
  const problem = plaintextProblem(reached, environment.PAYRUN_ALLOW_PLAINTEXT);
  return problem === null ? [] : [problem];
}

function limitsOf(name: string, entry: AccountEntry): AccountLimits {
  return {
    name,
    requestsPerSecond: entry.requests_per_second,
    requestsPerDay: entry.requests_per_day,
    requestsReservedPerDay: entry.requests_reserved_per_day ?? reservedOf(entry.requests_per_day),
  };
}

/** What describes the only account in the environment contradicts a file that names the accounts. */
function refuseAccountVariables(file: AccountsFile, { given }: Environment): void {
  const names = ACCOUNT_VARIABLES.flatMap((name) => [name, `${name}_FILE`]).filter((name) => given.includes(name));
  if (names.length === 0) return;
  throw new ConfigurationError(
    `${names.join(', ')}: ${file.path} names the accounts with the provider: put these there, for the account that is meant, ` +
      'or set PAYRUN_CONFIG=none to use the environment alone',
  );
}

interface SecretPlace {
  name: string;
  variables: Variables;
  problems: string[];
}

/** The value that the entry refers to; undefined when it refers to none, or (with a problem) it cannot be had. */
function secretOf(entry: AccountEntry, secret: SecretName, { name, variables, problems }: SecretPlace) {
  const { [`${secret}_file` as const]: path, [`${secret}_env` as const]: variable } = entry;
  if (variable !== undefined) {
    const value = variables[variable] ?? '';
    if (value !== '') return value;
    problems.push(`accounts.${name}.${secret}_env: the environment variable ${variable} is not set`);
  }
  if (path === undefined) return undefined;
  try {
    const value = readFileSync(path, 'utf8').trim();
    if (value !== '') return value;
    problems.push(`accounts.${name}.${secret}_file: the file it names is empty`);
  } catch {
    problems.push(`accounts.${name}.${secret}_file: the file it names cannot be read`);
  }
  return undefined;
}

function checked<T>(
  field: {
    safeParse(
      value: unknown,
    ): { success: true; data: T } | { success: false; error: { issues: { message: string }[] } };
  },
  value: string | undefined,
  place: string,
  problems: string[],
): T | undefined {
  if (value === undefined) return undefined;
  const read = field.safeParse(value);
  if (read.success) return read.data;
  problems.push(...read.error.issues.map(({ message }) => `${place}: ${message}`));
  return undefined;
}

function refuseProblems(file: AccountsFile, problems: readonly string[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems.map((line) => `${file.path}: ${line}`).join('\n'));
}
