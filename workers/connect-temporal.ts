import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { TemporalSettings } from './installation.ts';

/** Only what both kinds of connection take. */
function connectionOptions(settings: TemporalSettings) {
  const { address, apiKey, certificatePath, keyPath } = settings;
  const tls =
    certificatePath === undefined || keyPath === undefined
      ? settings.tls
      : { clientCertPair: { crt: readFileSync(certificatePath), key: readFileSync(keyPath) } };
  return apiKey === undefined ? { address, tls } : { address, tls, apiKey };
}

/** A client that connects when it is first used, and again whenever the server comes back. */
export function temporalClient(settings: TemporalSettings): { client: Client; connection: Connection } {
  const connection = Connection.lazy(connectionOptions(settings));
  return { client: new Client({ connection, namespace: settings.namespace }), connection };
}

/** A client whose calls are made once: closing it leaves no retry behind, which would end the process with an error. */
export function temporalClientWithoutRetries(settings: TemporalSettings): { client: Client; connection: Connection } {
  const connection = Connection.lazy({ ...connectionOptions(settings), interceptors: [] });
  return { client: new Client({ connection, namespace: settings.namespace }), connection };
}

/** The connection of workers; throws when the server cannot be reached. */
export async function workerConnection(settings: TemporalSettings): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(settings));
}
