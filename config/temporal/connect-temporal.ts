import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { Client, Connection, type ConnectionOptions, type WorkflowClientInterceptor } from '@temporalio/client';
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

/**
 * What the client takes: for a server with TLS that is named by its IP address, the address is what the certificate must have.
 * The gRPC library would send it as the name of the server, which Node refuses from version 26 on.
 */
function clientOptions(settings: TemporalSettings): ConnectionOptions {
  const options = connectionOptions(settings);
  const { address, tls, apiKey } = options;
  const host = address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (typeof tls === 'boolean' || isIP(host) === 0) return options;
  const { serverRootCACertificate: authority, clientCertPair: own } = tls;
  const isServer = (_name: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
    checkServerIdentity(host, certificate);
  return {
    address,
    credentials: credentials.createSsl(authority, own?.key, own?.crt, { checkServerIdentity: isServer }),
    channelArgs: { 'grpc.ssl_target_name_override': 'temporal.invalid' },
    ...(apiKey === undefined ? {} : { metadata: { authorization: `Bearer ${apiKey}` } }),
  };
}

/** A client that connects when it is first used, and again whenever the server comes back. */
export function temporalClient(
  settings: TemporalSettings,
  interceptors: WorkflowClientInterceptor[] = [],
): { client: Client; connection: Connection } {
  const connection = Connection.lazy({ ...clientOptions(settings), interceptors: callInterceptors() });
  const client = new Client({ connection, namespace: settings.namespace, interceptors: { workflow: interceptors } });
  return { client, connection };
}

/** A client whose calls are made once, for those who would rather hear that the server is away. */
export function temporalClientWithoutRetries(settings: TemporalSettings): { client: Client; connection: Connection } {
  const connection = Connection.lazy({ ...clientOptions(settings), interceptors: [] });
  return { client: new Client({ connection, namespace: settings.namespace }), connection };
}

/** The connection of workers; throws when the server cannot be reached. */
export async function workerConnection(settings: TemporalSettings): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(settings));
}
