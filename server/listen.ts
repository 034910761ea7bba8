import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { AppOptions } from './app.ts';
import { buildApp } from './app.ts';
import { OpenConnections } from './open-connections.ts';

export interface ListenOptions extends AppOptions {
  host: string;
  /** 0: any free one. */
  port: number;
}

export interface RunningServer {
  url: string;
  /** Refuses new requests, ends live events, lets running requests finish. */
  close(): Promise<void>;
}

/** Starts the server. Throws with what to do when the port is taken or not permitted. */
export async function startServer(options: ListenOptions): Promise<RunningServer> {
  const app = buildApp(options);
  const connections = new OpenConnections(app.server);
  const { host, port } = options;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw new Error(`cannot listen on ${host}:${port}: ${whatToDo(error)}`, { cause: error });
  }
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => closeServer(app, connections) };
}

/** How long running requests may take once the server closes. */
const CLOSE_GRACE_MS = 10_000;

async function closeServer(app: FastifyInstance, connections: OpenConnections): Promise<void> {
  const closed = app.close();
  connections.closeWhenIdle();
  const cutOff = setTimeout(() => {
    app.server.closeAllConnections();
  }, CLOSE_GRACE_MS);
  try {
    await closed;
  } finally {
    clearTimeout(cutOff);
  }
}

function whatToDo(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return 'another program listens there; stop it or choose another port';
  if (code === 'EACCES') return 'this user may not listen there; choose a port from 1024';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'this machine has no such address';
  return error instanceof Error ? error.message : 'unknown error';
}
