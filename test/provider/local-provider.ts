import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createProviderClient, type ProviderClient, type ProviderClientOptions } from '../../provider/client.ts';
import { createUnlimitedRateLimiter } from '../../provider/rate-limiter/rate-limiter.ts';
import { MemoryTokenStore } from './memory-token-store.ts';

interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
}

/** Answers a request with a reply, or undefined if it does something to the connection instead. */
export type Responder = (request: ReceivedRequest, response: ServerResponse) => Reply | undefined;

export interface LocalProvider {
  baseUrl: string;
  requests: ReceivedRequest[];
  /** The requests that are not for a token. */
  apiRequests(): ReceivedRequest[];
  respond: Responder;
}

export const AUTHENTICATE = '/users/v1/authenticate';

/**
 * A small HTTP server on a free port, with TLS if it has a certificate. It issues tokens by itself (`token-1-…`,
 * `token-2-…`); `respond` answers all other requests.
 */
export async function aLocalProvider(
  respond: Responder,
  certificate: { key: string; cert: string } | null = null,
): Promise<LocalProvider> {
  const provider: LocalProvider = {
    baseUrl: '',
    requests: [],
    apiRequests: () => provider.requests.filter((request) => request.path !== AUTHENTICATE),
    respond,
  };
  let tokens = 0;
  const listener: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const { method = '', url = '', headers } = incoming;
      const request = { method, path: url, headers, body: bytes.toString(), bytes };
      provider.requests.push(request);
      const own = provider.respond(request, response);
      const isAnswered = response.headersSent || response.socket?.writable !== true;
      if (own === undefined && (request.path !== AUTHENTICATE || isAnswered)) return;
      const reply = own ?? { body: { token: `token-${++tokens}-of-the-provider` } };
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
      response.writeHead(reply.status ?? 200, reply.headers).end(text);
    });
  };
  const server = certificate === null ? createServer(listener) : createSecureServer(certificate, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.baseUrl = `${certificate === null ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return provider;
}

export const CREDENTIALS = {
  apiKey: 'the-api-key-of-the-test',
  accessKeyId: 'the-access-key-id-of-the-test',
  secretAccessKey: 'the-secret-access-key-of-the-test',
};

export function aClient(provider: { baseUrl: string }, more: Partial<ProviderClientOptions> = {}): ProviderClient {
  const now = more.now ?? (() => Date.parse('2026-03-02T08:00:00Z'));
  const client = createProviderClient({
    account: 'default',
    baseUrl: provider.baseUrl,
    credentials: CREDENTIALS,
    rateLimiter: createUnlimitedRateLimiter(),
    tokens: new MemoryTokenStore(now),
    now,
    ...more,
  });
  onTestFinished(() => client.close());
  return client;
}

/** A rate limiter that lets every request through, and notes the pauses that are asked for, in milliseconds; null: without a duration. */
export function aNotingRateLimiter(pausesMs: (number | null)[]): ProviderClientOptions['rateLimiter'] {
  return {
    run: (send, options) =>
      send(options?.signal ?? new AbortController().signal, {
        answered: () => undefined,
        recheck: () => undefined,
        pause: (forMs) => pausesMs.push(forMs),
      }),
    drained: () => Promise.resolve(),
  };
}
