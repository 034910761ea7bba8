import { defaultAccount } from '../../sandbox/config/defaults.ts';
import { PROVIDER_CREDENTIALS, type Variables } from '../../config/environment.ts';

/** The services of a stack, as its worker and its server are told of them. */
export interface ServicesForChildren {
  serverDatabaseUrl: string;
  workerDatabaseUrl: string;
  isDatabaseEmbedded: boolean;
  temporalAddress: string;
  temporalUiUrl?: string | undefined;
  isTemporalEmbedded: boolean;
  /** Undefined: the provider is the configured one. */
  sandboxUrl?: string | undefined;
}

/** Neither form of the variables. */
function without(...names: readonly string[]): Variables {
  return Object.fromEntries(names.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, undefined]));
}

/**
 * The environment of a worker and of a server: every address by itself, so that nothing is taken from anywhere else,
 * and to each only what it may know. Migrations are over by then, so none of them may act as the database's owner.
 */
export function childVariables(
  variables: Variables,
  services: ServicesForChildren,
): { worker: Variables; server: Variables } {
  const { temporalAddress, temporalUiUrl, serverDatabaseUrl, workerDatabaseUrl, sandboxUrl } = services;
  const shared = {
    ...variables,
    ...without('PAYRUN_OWNER_DATABASE_URL', 'DATABASE_URL'),
    // Of the person who started it.
    PAYRUN_TOKEN: undefined,
    ...(services.isDatabaseEmbedded ? { DATABASE_CA_FILE: undefined } : {}),
    ...(services.isTemporalEmbedded ? WITHOUT_TEMPORAL_CREDENTIALS : {}),
    ...(sandboxUrl === undefined ? {} : withoutProviderSettings(variables)),
    TEMPORAL_ADDRESS: temporalAddress,
    ...(temporalUiUrl === undefined ? {} : { TEMPORAL_UI_URL: temporalUiUrl }),
  };
  return {
    worker: {
      ...shared,
      DATABASE_URL: workerDatabaseUrl,
      ...(sandboxUrl === undefined ? {} : sandboxVariables(sandboxUrl)),
    },
    server: { ...shared, ...without(...PROVIDER_CREDENTIALS), DATABASE_URL: serverDatabaseUrl },
  };
}

/** The provider of a worker that works against a sandbox of payrun's own. */
export function sandboxVariables(sandboxUrl: string): Variables {
  return {
    ...without(...PROVIDER_CREDENTIALS),
    PAYRUN_API_URL: sandboxUrl,
    PAYRUN_API_KEY: defaultAccount.apiKey,
    PAYRUN_ACCESS_KEY_ID: defaultAccount.accessKeyId,
    PAYRUN_SECRET_ACCESS_KEY: defaultAccount.secretAccessKey,
  };
}

/** The embedded Temporal takes none: those in the environment are another cluster's. */
const WITHOUT_TEMPORAL_CREDENTIALS = {
  ...without('TEMPORAL_API_KEY'),
  TEMPORAL_TLS: undefined,
  TEMPORAL_TLS_CA: undefined,
  TEMPORAL_TLS_CERT: undefined,
  TEMPORAL_TLS_KEY: undefined,
};

/** The sandbox has none of what is configured of another provider. */
function withoutProviderSettings(variables: Variables): Variables {
  const settings = Object.keys(variables).filter((name) => name.startsWith('PAYRUN_PROVIDER_'));
  return Object.fromEntries(['PAYRUN_API_URL', 'PAYRUN_API_CA_FILE', ...settings].map((name) => [name, undefined]));
}
