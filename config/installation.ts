import {
  type AccountLimits,
  accountLimits,
  configuredAccount,
  PROVIDER_VARIABLES,
  type ProviderAccount,
  sandboxAccount,
} from './account-settings.ts';
import { type Environment, PROVIDER_CREDENTIALS } from './environment.ts';
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
}

/** Everything that a server needs: of the provider, the accounts' names and limits alone. */
export interface ServerInstallation extends Services {
  accounts: AccountLimits[];
}

/** Everything that a worker needs. */
export interface WorkerInstallation extends Services {
  accounts: ProviderAccount[];
}

/** Throws EnvironmentError, naming every variable that is missing. */
export function readServerInstallation(environment: Environment, workingDirectory: string): ServerInstallation {
  const source = serviceSource(environment, workingDirectory);
  const missing: string[] = [];
  const services = servicesFrom(source, environment, 'serverDatabaseUrl', missing);
  if (services === null) throw missingVariables(source, missing);
  return { ...services, accounts: [accountLimits(environment)] };
}

/** Throws EnvironmentError, naming every variable that is missing. */
export function readWorkerInstallation(environment: Environment, workingDirectory: string): WorkerInstallation {
  const source = serviceSource(environment, workingDirectory);
  const missing: string[] = [];
  const services = servicesFrom(source, environment, 'workerDatabaseUrl', missing);
  const account = accountFrom(source, environment);
  if ('missing' in account) missing.push(...account.missing);
  if (services === null || 'missing' in account) throw missingVariables(source, missing);
  return { ...services, accounts: [account] };
}

/** What can be known here: of the provider only its limits, where this is not the environment of a worker. */
export interface KnownInstallation {
  installation: ServerInstallation;
  /** Null without any credentials of the provider. */
  worker: WorkerInstallation | null;
}

/** Throws EnvironmentError, naming every variable that is missing. */
export function readKnownInstallation(environment: Environment, workingDirectory: string): KnownInstallation {
  const source = serviceSource(environment, workingDirectory);
  const hasCredentials =
    source.from === 'running payrun'
      ? source.addresses.sandboxUrl !== undefined
      : source.from === 'nowhere' || PROVIDER_CREDENTIALS.some((name) => environment[name] !== undefined);
  if (!hasCredentials) return { installation: readServerInstallation(environment, workingDirectory), worker: null };
  const worker = readWorkerInstallation(environment, workingDirectory);
  return { installation: worker, worker };
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
  return { home: source.home, databaseUrl, ownerDatabaseUrl, temporal };
}

function accountFrom(source: ServiceSource, environment: Environment): ProviderAccount | { missing: string[] } {
  if (source.from !== 'running payrun') return configuredAccount(environment);
  const { sandboxUrl } = source.addresses;
  return sandboxUrl === undefined ? { missing: [...PROVIDER_VARIABLES] } : sandboxAccount(environment, sandboxUrl);
}
