import { resolve } from 'node:path';
import type { ProviderClientOptions } from '../provider/client.ts';
import { defaultAccount } from '../sandbox/defaults.ts';
import { findRunningInstance } from '../config/running-instance.ts';
import { EnvironmentError, type Environment, homeOf } from './environment.ts';

/** Everything that a worker or a server needs to know of the world outside. */
export interface Installation {
  home: string;
  databaseUrl: string;
  /** The owner of the database, for migrations alone; undefined: they are run by the role of `databaseUrl`, if at all. */
  ownerDatabaseUrl: string | undefined;
  temporal: TemporalSettings;
  accounts: ProviderAccount[];
}

export interface TemporalSettings {
  address: string;
  namespace: string;
  apiKey: string | undefined;
  tls: boolean;
  certificatePath: string | undefined;
  keyPath: string | undefined;
  uiUrl: string | null;
}

/** One account with the provider. Its name is the key of everything that belongs to it. */
export interface ProviderAccount {
  name: string;
  apiUrl: string;
  credentials: { apiKey: string; accessKeyId: string; secretAccessKey: string };
  requestsPerSecond: number;
  requestsPerDay: number;
  /** The last so many of a day are for finishing what is begun with the provider. */
  requestsReservedPerDay: number;
  variant?: ProviderVariant;
}

/** What the contract leaves open or shows in two ways, as this provider has it; absent: as the client has it. */
export type ProviderVariant = Pick<
  ProviderClientOptions,
  'storagePrefix' | 'userDayForm' | 'documentUpload' | 'virtualAccountRequestPath'
>;

/** Enough for a window of payments to be funded and all in flight to be confirmed until the day ends. */
const RESERVED_SHARE = 0.01;

/** The only account that the environment can name. */
const DEFAULT_ACCOUNT = 'default';

/** The folders in which a payrun on this machine may have left its addresses, in this order. */
export function homesToLookIn(environment: Environment, workingDirectory: string): string[] {
  const home = homeOf(environment, workingDirectory);
  return environment.PAYRUN_HOME === undefined ? [home, resolve(home, 'demo')] : [home];
}

/**
 * The installation as the environment names it; what it does not name is that of the payrun that runs on this
 * machine. Throws EnvironmentError, naming every variable that is missing.
 */
export function readInstallation(environment: Environment, workingDirectory: string): Installation {
  const running = findRunningInstance(homesToLookIn(environment, workingDirectory));
  const addresses = running?.addresses ?? {};
  const databaseUrl = environment.DATABASE_URL ?? addresses.databaseUrl;
  const temporalAddress = environment.TEMPORAL_ADDRESS ?? addresses.temporalAddress;
  const missing: string[] = [];
  if (databaseUrl === undefined) missing.push('DATABASE_URL');
  if (temporalAddress === undefined) missing.push('TEMPORAL_ADDRESS');
  const account = defaultAccountOf(environment, addresses.sandboxUrl, missing);
  if (databaseUrl === undefined || temporalAddress === undefined || account === null) {
    throw new EnvironmentError(
      `no payrun runs here to take the addresses from, so these must be set: ${missing.join(', ')}\n` +
        'Set them, or start everything on this machine with: payrun up',
    );
  }
  return {
    home: running?.home ?? homeOf(environment, workingDirectory),
    databaseUrl,
    ownerDatabaseUrl: environment.PAYRUN_OWNER_DATABASE_URL,
    temporal: temporalSettings(environment, temporalAddress, addresses.temporalUiUrl),
    accounts: [account],
  };
}

/**
 * Only where Temporal is, as readInstallation finds it: for verbs that need neither database nor provider.
 * @throws EnvironmentError when it is named nowhere.
 */
export function readTemporalSettings(environment: Environment, workingDirectory: string): TemporalSettings {
  const { addresses } = findRunningInstance(homesToLookIn(environment, workingDirectory)) ?? {};
  const address = environment.TEMPORAL_ADDRESS ?? addresses?.temporalAddress;
  if (address !== undefined) return temporalSettings(environment, address, addresses?.temporalUiUrl);
  throw new EnvironmentError('no payrun runs here to take the address of Temporal from: set TEMPORAL_ADDRESS');
}

function temporalSettings(environment: Environment, address: string, uiUrl: string | undefined): TemporalSettings {
  return {
    address,
    namespace: environment.TEMPORAL_NAMESPACE,
    apiKey: environment.TEMPORAL_API_KEY,
    tls:
      environment.TEMPORAL_TLS === undefined
        ? environment.TEMPORAL_API_KEY !== undefined
        : environment.TEMPORAL_TLS === 'true',
    certificatePath: environment.TEMPORAL_TLS_CERT,
    keyPath: environment.TEMPORAL_TLS_KEY,
    uiUrl: environment.TEMPORAL_UI_URL ?? uiUrl ?? null,
  };
}

function defaultAccountOf(
  environment: Environment,
  sandboxUrl: string | undefined,
  missing: string[],
): ProviderAccount | null {
  const limits = {
    requestsPerSecond: environment.PAYRUN_REQUESTS_PER_SECOND,
    requestsPerDay: environment.PAYRUN_REQUESTS_PER_DAY,
    requestsReservedPerDay:
      environment.PAYRUN_REQUESTS_RESERVED_PER_DAY ?? Math.ceil(environment.PAYRUN_REQUESTS_PER_DAY * RESERVED_SHARE),
  };
  // The sandbox that payrun started has the client's own variant: what is configured speaks of another provider.
  if (environment.PAYRUN_API_URL === undefined && sandboxUrl !== undefined) {
    const { apiKey, accessKeyId, secretAccessKey } = defaultAccount;
    return {
      name: DEFAULT_ACCOUNT,
      apiUrl: sandboxUrl,
      credentials: { apiKey, accessKeyId, secretAccessKey },
      ...limits,
    };
  }
  const { PAYRUN_API_URL, PAYRUN_API_KEY, PAYRUN_ACCESS_KEY_ID, PAYRUN_SECRET_ACCESS_KEY } = environment;
  const needed = { PAYRUN_API_URL, PAYRUN_API_KEY, PAYRUN_ACCESS_KEY_ID, PAYRUN_SECRET_ACCESS_KEY };
  missing.push(...Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : [])));
  if (
    PAYRUN_API_URL === undefined ||
    PAYRUN_API_KEY === undefined ||
    PAYRUN_ACCESS_KEY_ID === undefined ||
    PAYRUN_SECRET_ACCESS_KEY === undefined
  ) {
    return null;
  }
  const credentials = {
    apiKey: PAYRUN_API_KEY,
    accessKeyId: PAYRUN_ACCESS_KEY_ID,
    secretAccessKey: PAYRUN_SECRET_ACCESS_KEY,
  };
  return { name: DEFAULT_ACCOUNT, apiUrl: PAYRUN_API_URL, credentials, ...limits, variant: variantOf(environment) };
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
