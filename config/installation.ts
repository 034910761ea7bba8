import { resolve } from 'node:path';
import {
  type AccountLimits,
  configuredAccount,
  environmentServerAccount,
  PROVIDER_VARIABLES,
  type ProviderAccount,
  sandboxAccount,
  type ServerAccount,
} from './account-settings.ts';
import { type AccountsFile, accountsFilePath, readAccountsFile } from './accounts-file.ts';
import { rereadable, watchedDataKeys } from './data-key-file.ts';
import type { DataKeys } from '../domain/personal-data/data-keys.ts';
import { type Environment, PROVIDER_CREDENTIALS } from './environment.ts';
import { providerAccountsIn, refersToCredentials, serverAccountsIn } from './file-accounts.ts';
import { missingVariables, type ServiceSource, serviceSource } from './service-source.ts';
import { type TemporalSettings, temporalSettings } from './temporal/temporal-settings.ts';

/** What a server and a worker both need to know of the world outside. */
interface Services {
  home: string;
  /** As the role of this kind of process. */
  databaseUrl: string;
  /** The owner of the database, for migrations alone; undefined: they are run by the role of `databaseUrl`, if at all. */
  ownerDatabaseUrl: string | undefined;
  temporal: TemporalSettings;
  /** Null: none is configured, so personal data can neither be stored nor read. */
  dataKeys: DataKeys | null;
}

/** Where accounts come from that may be added while payrun runs; undefined: the environment names the only one. */
interface FromFile {
  accountsFile: string | undefined;
}

/** Everything that a server needs: of the provider, the accounts' names and limits and how their webhooks arrive. */
export interface ServerInstallation extends Services, FromFile {
  accounts: ServerAccount[];
}

/** Everything that a worker needs. */
export interface WorkerInstallation extends Services, FromFile {
  accounts: ProviderAccount[];
}

/** Throws ConfigurationError, naming every variable that is missing. */
export function readServerInstallation(environment: Environment, workingDirectory: string): ServerInstallation {
  const source = serviceSource(environment, workingDirectory);
  const missing: string[] = [];
  const services = servicesFrom(source, environment, 'serverDatabaseUrl', missing);
  if (services === null) throw missingVariables(source, missing);
  const file = accountsFileOf(source, environment, workingDirectory);
  const accounts = file === null ? [environmentServerAccount(environment)] : serverAccountsIn(file, environment);
  return { ...services, accountsFile: file?.path, accounts };
}

/** Throws ConfigurationError, naming every variable that is missing. */
export function readWorkerInstallation(environment: Environment, workingDirectory: string): WorkerInstallation {
  const source = serviceSource(environment, workingDirectory);
  const missing: string[] = [];
  const services = servicesFrom(source, environment, 'workerDatabaseUrl', missing);
  const file = accountsFileOf(source, environment, workingDirectory);
  if (file !== null) {
    if (services === null) throw missingVariables(source, missing);
    return { ...services, accountsFile: file.path, accounts: providerAccountsIn(file, environment) };
  }
  const account = accountFrom(source, environment);
  if ('missing' in account) missing.push(...account.missing);
  if (services === null || 'missing' in account) throw missingVariables(source, missing);
  return { ...services, accountsFile: undefined, accounts: [account] };
}

/** What can be known here: of the provider only its limits, where this is not the environment of a worker. */
export interface KnownInstallation {
  installation: Services & FromFile & { accounts: AccountLimits[] };
  /** Null without any credentials of the provider. */
  worker: WorkerInstallation | null;
}

/** Throws ConfigurationError, naming every variable that is missing. */
export function readKnownInstallation(environment: Environment, workingDirectory: string): KnownInstallation {
  const source = serviceSource(environment, workingDirectory);
  const file = accountsFileOf(source, environment, workingDirectory);
  const hasCredentials =
    file !== null
      ? refersToCredentials(file, environment)
      : source.from === 'running payrun'
        ? source.addresses.sandboxUrl !== undefined
        : source.from === 'nowhere' || PROVIDER_CREDENTIALS.some((name) => environment[name] !== undefined);
  if (!hasCredentials) return { installation: readServerInstallation(environment, workingDirectory), worker: null };
  const worker = readWorkerInstallation(environment, workingDirectory);
  return { installation: worker, worker };
}

/** Null: the environment names the only account, or the payrun that runs here has a sandbox. */
function accountsFileOf(
  source: ServiceSource,
  environment: Environment,
  workingDirectory: string,
): AccountsFile | null {
  if (source.from === 'running payrun' && source.addresses.sandboxUrl !== undefined) return null;
  const path = accountsFilePath(environment, workingDirectory);
  return path === undefined ? null : readAccountsFile(path);
}

/** Null when one of them is missing, whose variable is added to the list then. */
function servicesFrom(
  source: ServiceSource,
  environment: Environment,
  role: 'serverDatabaseUrl' | 'workerDatabaseUrl',
  missing: string[],
): Services | null {
  const isRunning = source.from === 'running payrun';
  const databaseUrl = isRunning ? source.addresses[role] : environment.DATABASE_URL;
  const temporal = temporalSettings(environment, source);
  if (databaseUrl === undefined) missing.push('DATABASE_URL');
  if (temporal === null) missing.push('TEMPORAL_ADDRESS');
  if (databaseUrl === undefined || temporal === null) return null;
  // A running payrun has migrated its own database; an owner in the environment is another one's.
  const ownerDatabaseUrl = isRunning ? undefined : environment.PAYRUN_OWNER_DATABASE_URL;
  return { home: source.home, databaseUrl, ownerDatabaseUrl, temporal, dataKeys: dataKeysFrom(source, environment) };
}

/** The configured keys, else those of the payrun that runs here; null: there are none. @throws ConfigurationError */
export function readDataKeys(environment: Environment, workingDirectory: string): DataKeys | null {
  return dataKeysFrom(serviceSource(environment, workingDirectory), environment);
}

function dataKeysFrom(source: ServiceSource, environment: Environment): DataKeys | null {
  const { PAYRUN_DATA_KEY: given, variables } = environment;
  if (given === undefined) return source.from === 'running payrun' ? watchedDataKeys(source.home) : null;
  const path = variables['PAYRUN_DATA_KEY_FILE'] ?? '';
  return path === '' ? given : rereadable(given, resolve(path));
}

function accountFrom(source: ServiceSource, environment: Environment): ProviderAccount | { missing: string[] } {
  if (source.from !== 'running payrun') return configuredAccount(environment);
  const { sandboxUrl } = source.addresses;
  return sandboxUrl === undefined ? { missing: [...PROVIDER_VARIABLES] } : sandboxAccount(environment, sandboxUrl);
}
