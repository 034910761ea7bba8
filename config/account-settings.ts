import { readCertificates } from './certificates.ts';
import type { Credentials } from '../provider/calls/authentication.ts';
import type { ProviderClientOptions } from '../provider/client.ts';
import { defaultAccount } from '../sandbox/config/defaults.ts';
import { type Environment, EnvironmentError, PROVIDER_CREDENTIALS } from './environment.ts';

/** One account with the provider, as everybody may know it. Its name is the key of everything that belongs to it. */
export interface AccountLimits {
  name: string;
  requestsPerSecond: number;
  requestsPerDay: number;
  /** The last so many of a day are for finishing what is begun with the provider. */
  requestsReservedPerDay: number;
}

/** The account as those know it who speak to the provider: workers alone. */
export interface ProviderAccount extends AccountLimits {
  apiUrl: string;
  credentials: Credentials;
  variant?: ProviderVariant;
  connection?: ProviderConnection;
}

/** What the contract leaves open or shows in two ways, as this provider has it; absent: as the client has it. */
export type ProviderVariant = Pick<
  ProviderClientOptions,
  'storagePrefix' | 'userDayForm' | 'documentUpload' | 'virtualAccountRequestPath'
>;

/** Whom requests and files may be sent to, and how. */
export type ProviderConnection = Pick<ProviderClientOptions, 'authorities' | 'uploadHosts' | 'allowPlaintext'>;

/** What names a provider of one's own: all of them, or none. */
export const PROVIDER_VARIABLES = ['PAYRUN_API_URL', ...PROVIDER_CREDENTIALS] as const;

/** Enough for a window of payments to be funded and all in flight to be confirmed until the day ends. */
const RESERVED_SHARE = 0.01;

/** The only account that the environment can name. */
const DEFAULT_ACCOUNT = 'default';

export function accountLimits(environment: Environment): AccountLimits {
  const { PAYRUN_REQUESTS_PER_DAY: requestsPerDay } = environment;
  return {
    name: DEFAULT_ACCOUNT,
    requestsPerSecond: environment.PAYRUN_REQUESTS_PER_SECOND,
    requestsPerDay,
    requestsReservedPerDay: environment.PAYRUN_REQUESTS_RESERVED_PER_DAY ?? Math.ceil(requestsPerDay * RESERVED_SHARE),
  };
}

/** The account with a sandbox of payrun's own, which has none of the variant that another provider may have. */
export function sandboxAccount(environment: Environment, apiUrl: string): ProviderAccount {
  const { apiKey, accessKeyId, secretAccessKey } = defaultAccount;
  return { ...accountLimits(environment), apiUrl, credentials: { apiKey, accessKeyId, secretAccessKey } };
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
    variant: variantOf(environment),
    connection: connectionOf(environment),
  };
}

/** With `payrun up`, a provider of one's own is named whole, or the sandbox is meant. Throws EnvironmentError. */
export function requireWholeProvider(environment: Environment): void {
  const missing = PROVIDER_VARIABLES.filter((name) => environment[name] === undefined);
  if (missing.length === 0 || missing.length === PROVIDER_VARIABLES.length) return;
  throw new EnvironmentError(
    `these environment variables are missing: ${missing.join(', ')}\n` +
      'Set them as well, or none of the provider to run with the sandbox.',
  );
}

function variantOf(environment: Environment): ProviderVariant {
  const storagePrefix = environment.PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX;
  const userDayForm = environment.PAYRUN_PROVIDER_DATE_FORMAT;
  const method = environment.PAYRUN_PROVIDER_UPLOAD_METHOD;
  const headers = environment.PAYRUN_PROVIDER_UPLOAD_HEADERS;
  const virtualAccountRequestPath = environment.PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH;
  return {
    ...(storagePrefix === undefined ? {} : { storagePrefix }),
    ...(userDayForm === undefined ? {} : { userDayForm }),
    documentUpload: { ...(method === undefined ? {} : { method }), ...(headers === undefined ? {} : { headers }) },
    ...(virtualAccountRequestPath === undefined ? {} : { virtualAccountRequestPath }),
  };
}

function connectionOf(environment: Environment): ProviderConnection {
  const { PAYRUN_API_CA_FILE: path, PAYRUN_PROVIDER_UPLOAD_HOSTS: uploadHosts } = environment;
  return {
    ...(path === undefined ? {} : { authorities: readCertificates(path) }),
    ...(uploadHosts === undefined ? {} : { uploadHosts }),
    allowPlaintext: environment.PAYRUN_ALLOW_PLAINTEXT.filter((name) => name === 'provider' || name === 'uploads'),
  };
}
