import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a process shows at `/metrics`. */
export interface MetricsPage {
  text(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsListener {
  url: string;
  close(): Promise<void>;
}

/** Whoever opens connections and sends nothing keeps none of them longer. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Answers `GET /metrics` and nothing else, on a port of its own. With a token, only to whoever shows it as a bearer token.
 * Throws, with what to do, when the port is taken. `port` 0: any free one.
 */
export async function listenForScrapes(
  page: MetricsPage,
  { host, port, token }: { host: string; port: number; token: string | null },
): Promise<MetricsListener> {
  const hash = token === null ? null : hashOf(token);
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
  server.on('request', (request, response) => void answer(page, hash, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const problem = `cannot listen on ${host}:${port} for metrics: choose another PAYRUN_METRICS_PORT`;
      reject(new Error(problem, { cause: error }));
    });
    server.listen({ host, port }, resolve);
  });
  server.unref();
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  page: MetricsPage,
  tokenHash: Buffer | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, body: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...headers,
    });
    response.end(body);
  };
  if (request.url?.replace(/\?.*$/, '') !== '/metrics') {
    send(404, 'metrics are at /metrics\n');
    return;
  }
  if (request.method !== 'GET') {
    send(405, 'this address is only read\n', { allow: 'GET' });
    return;
  }
  const given = /^Bearer +([!-~]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (tokenHash !== null && !timingSafeEqual(hashOf(given), tokenHash)) {
    send(401, 'give PAYRUN_METRICS_TOKEN as a bearer token\n', { 'www-authenticate': 'Bearer realm="payrun"' });
    return;
  }
  try {
    send(200, await page.text(), { 'content-type': page.contentType });
  } catch {
    send(500, 'the metrics could not be read\n');
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
