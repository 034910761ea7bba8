import { defaultAccount } from '../../sandbox/config/accounts.ts';
import {
  type AccountsFile,
  credentialVariables,
  NO_ACCOUNTS_FILE,
  readAccountsFile,
} from '../../config/accounts-file.ts';
import { PROVIDER_CREDENTIALS, type Variables } from '../../config/environment.ts';

/** The services of a stack, for its worker and its server. */
export interface ServicesForChildren {
  serverDatabaseUrl: string;
  workerDatabaseUrl: string;
  isDatabaseEmbedded: boolean;
  temporalAddress: string;
  temporalUiUrl?: string | undefined;
  isTemporalEmbedded: boolean;
  /** Undefined: the provider is the configured one. */
  sandboxUrl?: string | undefined;
  /** Null: there is no accounts file. */
  accounts?: AccountsFile | null;
  /** The file of the data keys, absolute; undefined: they are the configured ones. */
  dataKeyFile?: string | undefined;
}

/** The environments of the worker and of the server. */
export interface ChildVariables {
  worker: Variables;
  server: Variables;
}

/**
 * Returns the environments for a start at that moment: accounts may have been added to the accounts file, whose credentials
 * the server must not have either. Those of accounts that were removed stay hidden from it.
 */
export function childVariablesByStart(variables: Variables, services: ServicesForChildren): () => ChildVariables {
  const { accounts = null } = services;
  const hidden = new Set<string>();
  return () => {
    for (const name of accounts === null ? [] : credentialVariables(asItIsNow(accounts))) hidden.add(name);
    const { worker, server } = childVariables(variables, services);
    return { worker, server: { ...server, ...without(...hidden) } };
  };
}

/** Of a file that is wrong by now, what was read before: the processes themselves say what is wrong. */
function asItIsNow(accounts: AccountsFile): AccountsFile {
  try {
    return readAccountsFile(accounts.path);
  } catch {
    return accounts;
  }
}

/** Removes both forms of the variables. */
function without(...names: readonly string[]): Variables {
  return Object.fromEntries(names.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, undefined]));
}

/**
 * The environment of the worker and of the server: every address is set, so that none is looked up elsewhere, and each
 * gets only the secrets that it may know. Migrations have ended, so neither gets the database's owner.
 */
export function childVariables(variables: Variables, services: ServicesForChildren): ChildVariables {
  const {
    temporalAddress,
    temporalUiUrl,
    serverDatabaseUrl,
    workerDatabaseUrl,
    sandboxUrl,
    accounts = null,
    dataKeyFile,
  } = services;
  const shared = {
    ...variables,
    ...without('PAYRUN_OWNER_DATABASE_URL', 'DATABASE_URL'),
    // The token of the person who started it.
    PAYRUN_TOKEN: undefined,
    ...(services.isDatabaseEmbedded ? { DATABASE_CA_FILE: undefined } : {}),
    ...(services.isTemporalEmbedded ? NO_TEMPORAL_CREDENTIALS : {}),
    ...(sandboxUrl === undefined ? {} : withoutProviderSettings(variables)),
    // Also when there is none, so that a process does not find another one.
    PAYRUN_CONFIG: accounts?.path ?? NO_ACCOUNTS_FILE,
    // Both encrypt and read personal data.
    ...(dataKeyFile === undefined ? {} : { PAYRUN_DATA_KEY: undefined, PAYRUN_DATA_KEY_FILE: dataKeyFile }),
    TEMPORAL_ADDRESS: temporalAddress,
    ...(temporalUiUrl === undefined ? {} : { TEMPORAL_UI_URL: temporalUiUrl }),
  };
  return {
    worker: {
      ...shared,
      // Servers alone sign people in.
      ...without('PAYRUN_OIDC_CLIENT_SECRET'),
      DATABASE_URL: workerDatabaseUrl,
      ...(sandboxUrl === undefined ? {} : sandboxVariables(sandboxUrl)),
    },
    server: {
      ...shared,
      ...without(...PROVIDER_CREDENTIALS, ...(accounts === null ? [] : credentialVariables(accounts))),
      DATABASE_URL: serverDatabaseUrl,
    },
  };
}

/** The provider of a worker, if it is the embedded sandbox. */
export function sandboxVariables(sandboxUrl: string): Variables {
  return {
    ...without(...PROVIDER_CREDENTIALS),
    PAYRUN_API_URL: sandboxUrl,
    PAYRUN_API_KEY: defaultAccount.apiKey,
    PAYRUN_ACCESS_KEY_ID: defaultAccount.accessKeyId,
    PAYRUN_SECRET_ACCESS_KEY: defaultAccount.secretAccessKey,
  };
}

/** The embedded Temporal needs none: those in the environment are for another cluster. */
const NO_TEMPORAL_CREDENTIALS = {
  ...without('TEMPORAL_API_KEY'),
  TEMPORAL_TLS: undefined,
  TEMPORAL_TLS_CA: undefined,
  TEMPORAL_TLS_CERT: undefined,
  TEMPORAL_TLS_KEY: undefined,
};

/** Settings of another provider do not apply to the sandbox. */
function withoutProviderSettings(variables: Variables): Variables {
  const settings = Object.keys(variables).filter((name) => name.startsWith('PAYRUN_PROVIDER_'));
  return Object.fromEntries(['PAYRUN_API_URL', 'PAYRUN_API_CA_FILE', ...settings].map((name) => [name, undefined]));
}
