import type { AddressInfo } from 'node:net';
import type { AppOptions } from './app.ts';
import { buildApp } from './app.ts';

export interface ListenOptions extends AppOptions {
  host: string;
  /** 0: any free one. */
  port: number;
}

export interface RunningServer {
  url: string;
  /** Refuses new requests, ends live events, lets the requests under way finish. */
  close(): Promise<void>;
}

/** Starts the server. Throws with what to do when the port is taken or not permitted. */
export async function startServer(options: ListenOptions): Promise<RunningServer> {
  const app = buildApp(options);
  const { host, port } = options;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw new Error(`cannot listen on ${host}:${port}: ${whatToDo(error)}`, { cause: error });
  }
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => app.close() };
}

function whatToDo(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return 'another program listens there; stop it or choose another port';
  if (code === 'EACCES') return 'this user may not listen there; choose a port from 1024';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'this machine has no such address';
  return error instanceof Error ? error.message : 'unknown trouble';
}
