import { DEFAULT_ACCOUNT } from '../domain/identifiers.ts';
import type { Credentials } from '../provider/calls/authentication.ts';
import type { ProviderClientOptions } from '../provider/client.ts';
import { readCertificates } from './certificates.ts';
import { ConfigurationError } from './configuration-error.ts';
import { type Environment, PROVIDER_CREDENTIALS } from './environment.ts';

/** One account with the provider, as everybody may know it. Its name is the key of everything that belongs to it. */
export interface AccountLimits {
  name: string;
  requestsPerSecond: number;
  requestsPerDay: number;
  /** The last so many of a day are for finishing what is begun with the provider. */
  requestsReservedPerDay: number;
}

/** The account as a server knows it: its webhooks are received there. */
export interface ServerAccount extends AccountLimits {
  /** The secret part of its webhook address, and a former one; undefined: one is made at the first start and kept. */
  webhookTokens: readonly string[] | undefined;
  /** Headers that its webhooks must carry, by their names in lower case. */
  webhookHeaders: Readonly<Record<string, string>>;
}

/** The account as a worker knows it, and nobody else: workers alone send requests to the provider. */
export interface ProviderAccount extends AccountLimits {
  apiUrl: string;
  credentials: Credentials;
  variant?: ProviderVariant;
  connection?: ProviderConnection;
}

/** What the contract leaves open or shows in two ways, as this provider has it; absent: as the client has it. */
export type ProviderVariant = Pick<
  ProviderClientOptions,
  'storagePrefix' | 'userDayFormat' | 'documentUpload' | 'virtualAccountRequestPath'
>;

/** Whom requests and files may be sent to, and how. */
export type ProviderConnection = Pick<ProviderClientOptions, 'authorities' | 'uploadHosts' | 'allowPlaintext'>;

/** What names a provider of one's own: all of them, or none. */
export const PROVIDER_VARIABLES = ['PAYRUN_API_URL', ...PROVIDER_CREDENTIALS] as const;

/** Variables that describe the only account there is without an accounts file. */
export const ACCOUNT_VARIABLES = [
  ...PROVIDER_VARIABLES,
  'PAYRUN_API_CA_FILE',
  'PAYRUN_REQUESTS_PER_SECOND',
  'PAYRUN_REQUESTS_PER_DAY',
  'PAYRUN_REQUESTS_RESERVED_PER_DAY',
  'PAYRUN_WEBHOOK_TOKEN',
  'PAYRUN_WEBHOOK_HEADERS',
  'PAYRUN_PROVIDER_DATE_FORMAT',
  'PAYRUN_PROVIDER_UPLOAD_METHOD',
  'PAYRUN_PROVIDER_UPLOAD_HEADERS',
  'PAYRUN_PROVIDER_UPLOAD_HOSTS',
  'PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX',
  'PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH',
] as const;

/** Enough for all payments within the concurrency limit to be funded and all in flight to be confirmed until the day ends. */
const RESERVED_SHARE = 0.01;

export const reservedOf = (requestsPerDay: number): number => Math.ceil(requestsPerDay * RESERVED_SHARE);

export function accountLimits(environment: Environment): AccountLimits {
  const { PAYRUN_REQUESTS_PER_DAY: requestsPerDay } = environment;
  return {
    name: DEFAULT_ACCOUNT,
    requestsPerSecond: environment.PAYRUN_REQUESTS_PER_SECOND,
    requestsPerDay,
    requestsReservedPerDay: environment.PAYRUN_REQUESTS_RESERVED_PER_DAY ?? reservedOf(requestsPerDay),
  };
}

/** The account that the environment names, as a server knows it. */
export function environmentServerAccount(environment: Environment): ServerAccount {
  return {
    ...accountLimits(environment),
    webhookTokens: environment.PAYRUN_WEBHOOK_TOKEN,
    webhookHeaders: environment.PAYRUN_WEBHOOK_HEADERS ?? {},
  };
}

/** The account with a sandbox of payrun's own, which has none of the variant that another provider may have. */
export function sandboxAccount(environment: Environment, apiUrl: string): ProviderAccount {
  return { ...accountLimits(environment), apiUrl, credentials: SANDBOX_CREDENTIALS };
}

/** The account that the environment names, or the variables that are missing of it. */
export function configuredAccount(environment: Environment): ProviderAccount | { missing: string[] } {
  const { PAYRUN_API_URL, PAYRUN_API_KEY, PAYRUN_ACCESS_KEY_ID, PAYRUN_SECRET_ACCESS_KEY } = environment;
  if (
    PAYRUN_API_URL === undefined ||
    PAYRUN_API_KEY === undefined ||
    PAYRUN_ACCESS_KEY_ID === undefined ||
    PAYRUN_SECRET_ACCESS_KEY === undefined
  ) {
    return { missing: PROVIDER_VARIABLES.filter((name) => environment[name] === undefined) };
  }
  return {
    ...accountLimits(environment),
    apiUrl: PAYRUN_API_URL,
    credentials: {
      apiKey: PAYRUN_API_KEY,
      accessKeyId: PAYRUN_ACCESS_KEY_ID,
      secretAccessKey: PAYRUN_SECRET_ACCESS_KEY,
    },
    variant: variantOf({
      storagePrefix: environment.PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX,
      userDayFormat: environment.PAYRUN_PROVIDER_DATE_FORMAT,
      method: environment.PAYRUN_PROVIDER_UPLOAD_METHOD,
      headers: environment.PAYRUN_PROVIDER_UPLOAD_HEADERS,
      virtualAccountRequestPath: environment.PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH,
    }),
    connection: connectionOf(environment, {
      authorities: environment.PAYRUN_API_CA_FILE,
      uploadHosts: environment.PAYRUN_PROVIDER_UPLOAD_HOSTS,
    }),
  };
}

/** With `payrun up`, a provider of one's own is named whole, or the sandbox is meant. @throws ConfigurationError */
export function requireWholeProvider(environment: Environment): void {
  const missing = PROVIDER_VARIABLES.filter((name) => environment[name] === undefined);
  if (missing.length === 0 || missing.length === PROVIDER_VARIABLES.length) return;
  throw new ConfigurationError(
    `these environment variables are missing: ${missing.join(', ')}\n` +
      'Set them as well, or none of the provider to run with the sandbox.',
  );
}

interface GivenVariant {
  storagePrefix: string | undefined;
  userDayFormat: 'DD-MM-YYYY' | 'YYYY-MM-DD' | undefined;
  method: 'PUT' | 'POST' | undefined;
  headers: Record<string, string> | undefined;
  virtualAccountRequestPath: string | undefined;
}

export function variantOf({
  storagePrefix,
  userDayFormat,
  method,
  headers,
  virtualAccountRequestPath,
}: GivenVariant): ProviderVariant {
  return {
    ...(storagePrefix === undefined ? {} : { storagePrefix }),
    ...(userDayFormat === undefined ? {} : { userDayFormat }),
    documentUpload: { ...(method === undefined ? {} : { method }), ...(headers === undefined ? {} : { headers }) },
    ...(virtualAccountRequestPath === undefined ? {} : { virtualAccountRequestPath }),
  };
}

export function connectionOf(
  environment: Environment,
  { authorities, uploadHosts }: { authorities: string | undefined; uploadHosts: string[] | undefined },
): ProviderConnection {
  return {
    ...(authorities === undefined ? {} : { authorities: readCertificates(authorities) }),
    ...(uploadHosts === undefined ? {} : { uploadHosts }),
    allowPlaintext: environment.PAYRUN_ALLOW_PLAINTEXT.filter((name) => name === 'provider' || name === 'uploads'),
  };
}

/**
 * The concurrency limit of each account: how many payments of its runs are begun and not yet funded. Throws for an account
 * that is not configured. Accounts may be added to the list later.
 */
export function concurrencyLimitsOf(
  accounts: readonly { name: string; requestsPerSecond: number }[],
): (account: string) => number {
  return (name) => {
    const account = accounts.find((candidate) => candidate.name === name);
    if (account === undefined) throw new Error(`no provider account named ${name} is configured`);
    return concurrencyLimitFor(account.requestsPerSecond);
  };
}

/** About ten seconds of sending, so that no quote expires in the queue. */
function concurrencyLimitFor(requestsPerSecond: number): number {
  return requestsPerSecond === 0 ? 200 : Math.max(50, 10 * requestsPerSecond);
}

/** The credentials of the sandbox's first account. A provider account with this access key is a sandbox's. */
export const SANDBOX_CREDENTIALS: Credentials = {
  apiKey: 'sandbox-api-key',
  accessKeyId: 'sandbox-access-key-id',
  secretAccessKey: 'sandbox-secret-access-key',
};
