import { readFileSync } from 'node:fs';
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { callInterceptors } from './call-interceptors.ts';
import type { TemporalSettings } from './temporal-settings.ts';

/** Only what both kinds of connection take. */
function connectionOptions(settings: TemporalSettings) {
  const { address, apiKey } = settings;
  const tls = settings.tls ? tlsOptions(settings) : false;
  return apiKey === undefined ? { address, tls } : { address, tls, apiKey };
}

/** Without any of them the platform's own authorities are trusted, and the client shows no certificate. */
function tlsOptions({ authorityPath, certificatePath, keyPath }: TemporalSettings) {
  return {
    ...(authorityPath === undefined ? {} : { serverRootCACertificate: readFileSync(authorityPath) }),
    ...(certificatePath === undefined || keyPath === undefined
      ? {}
      : { clientCertPair: { crt: readFileSync(certificatePath), key: readFileSync(keyPath) } }),
  };
}

/** A client that connects when it is first used, and again whenever the server comes back. */
export function temporalClient(
  settings: TemporalSettings,
  interceptors: WorkflowClientInterceptor[] = [],
): { client: Client; connection: Connection } {
  const connection = Connection.lazy({ ...connectionOptions(settings), interceptors: callInterceptors() });
  const client = new Client({ connection, namespace: settings.namespace, interceptors: { workflow: interceptors } });
  return { client, connection };
}

/** A client whose calls are made once, for those who would rather hear that the server is away. */
export function temporalClientWithoutRetries(settings: TemporalSettings): { client: Client; connection: Connection } {
  const connection = Connection.lazy({ ...connectionOptions(settings), interceptors: [] });
  return { client: new Client({ connection, namespace: settings.namespace }), connection };
}

/** The connection of workers; throws when the server cannot be reached. */
export async function workerConnection(settings: TemporalSettings): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(settings));
}
