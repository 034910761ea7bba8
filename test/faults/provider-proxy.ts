import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { operations } from '../../sandbox/endpoints/operations.ts';
import { asBeforeFunding, withoutCreationTime } from './changed-answer.ts';

/** A request that passes through the proxy. */
export interface ProxiedRequest {
  operation: string;
  /** Its number among the requests of its operation since the counts were reset, from 1. */
  nth: number;
  /** The worker that sent it. */
  worker: number;
  /** `broken`: the sandbox broke the connection off instead of an answer. */
  phase: 'sent' | 'processed' | 'broken';
  /** The body that the worker sent. */
  sent: Buffer;
  /** The status and the body of the sandbox's answer; null without one. */
  status: number | null;
  body: Buffer | null;
}

type RequestListener = (request: ProxiedRequest) => void | Promise<void>;

/** An HTTP proxy between the workers and the sandbox, with its own port for each worker. */
export interface ProviderProxy {
  urlOf(worker: number): string;
  /** Forwards further requests to this sandbox. */
  setTarget(url: string): void;
  resetCounts(): void;
  /**
   * Calls the listener twice for every request: before the request is forwarded, and before its answer is. What the
   * listener does, or promises, happens before that.
   */
  setListener(listener: RequestListener | null): void;
  /** While true, connections are reset: the open ones at once and every new one. */
  setRefusing(isRefusing: boolean): void;
  /** The next reads, this many, show a payment as it was before its funding. */
  serveStaleReads(times: number): void;
  /** The next answers about single payments, this many, lack the creation time. */
  omitCreationTimes(times: number): void;
  close(): Promise<void>;
}

const ROUTES = operations.map(({ ids, method, path }) => ({
  operation: ids[0],
  method,
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/** Operations whose answers hold a single payment with its creation time. */
const SINGLE_PAYMENT_OPERATIONS = ['simple-payment-create', 'simple-payment-fund', 'simple-payment-get'];

function operationOf(method: string, path: string): string {
  if (path.startsWith('/storage/documents/'))
    return method === 'GET' ? 'document-download-file' : 'document-upload-file';
  if (path.startsWith('/storage/')) return 'simple-payment-upload-file';
  return ROUTES.find((route) => route.method === method && route.pattern.test(path))?.operation ?? 'unknown';
}

/** Forwards requests, counts them by operation, and changes answers as ordered. */
class Forwarder {
  target = '';
  listener: RequestListener | null = null;
  staleReads = 0;
  omittedCreationTimes = 0;
  readonly counts = new Map<string, number>();

  async forward(worker: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request);
    const operation = operationOf(request.method ?? '', (request.url ?? '').split('?')[0] ?? '');
    const nth = (this.counts.get(operation) ?? 0) + 1;
    this.counts.set(operation, nth);
    const proxied = { operation, nth, worker, sent: body };
    await this.listener?.({ ...proxied, phase: 'sent', status: null, body: null });
    const answer = await exchange(this.target, request, body);
    if (answer === null) {
      await this.listener?.({ ...proxied, phase: 'broken', status: null, body: null });
      response.socket?.destroy();
      return;
    }
    await this.listener?.({ ...proxied, phase: 'processed', status: answer.status, body: answer.bytes });
    respond(response, this.#changed(operation, answer));
  }

  #changed(operation: string, answer: Answer): Answer {
    const isStale = operation === 'simple-payment-get' && this.staleReads > 0;
    if (isStale) this.staleReads -= 1;
    const lacksCreationTime = SINGLE_PAYMENT_OPERATIONS.includes(operation) && this.omittedCreationTimes > 0;
    if (lacksCreationTime) this.omittedCreationTimes -= 1;
    const changed = isStale ? asBeforeFunding(answer) : answer;
    return lacksCreationTime ? withoutCreationTime(changed) : changed;
  }
}

export async function startProviderProxy(workers: number): Promise<ProviderProxy> {
  const forwarder = new Forwarder();
  let isRefusing = false;
  const sockets = new Set<Socket>();
  const servers = await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      startServer((request, response) => {
        forwarder.forward(worker, request, response).catch(() => response.socket?.destroy());
      }),
    ),
  );
  for (const server of servers) {
    server.on('connection', (socket) => {
      if (isRefusing) socket.resetAndDestroy();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  }
  const resetConnections = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    urlOf: (worker) => `http://127.0.0.1:${(servers[worker]?.address() as AddressInfo).port}`,
    setTarget: (url) => {
      Object.assign(forwarder, { target: url, staleReads: 0, omittedCreationTimes: 0 });
    },
    resetCounts: () => forwarder.counts.clear(),
    setListener: (listener) => {
      forwarder.listener = listener;
    },
    setRefusing: (refusing) => {
      isRefusing = refusing;
      if (refusing) resetConnections();
    },
    serveStaleReads: (times) => {
      forwarder.staleReads = times;
    },
    omitCreationTimes: (times) => {
      forwarder.omittedCreationTimes = times;
    },
    close: async () => {
      resetConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function startServer(onRequest: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 60_000 }, onRequest);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** False: the sandbox broke it off, and the proxy does the same. */
  isComplete: boolean;
}

/** Null: the connection broke without an answer. A request is processed even if its worker has died. */
function exchange(target: string, request: IncomingMessage, body: Buffer): Promise<Answer | null> {
  return new Promise((resolve) => {
    const forwarded = httpRequest(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: { ...request.headers, connection: 'close' },
      agent: false,
    });
    forwarded.on('error', () => resolve(null));
    forwarded.on('response', (message) => {
      const pieces: Buffer[] = [];
      message.on('data', (piece: Buffer) => pieces.push(piece));
      // An answer that breaks off emits an error before it closes.
      message.on('error', () => undefined);
      message.on('close', () => {
        const { statusCode: status = 502, headers, complete: isComplete } = message;
        resolve({ status, headers, bytes: Buffer.concat(pieces), isComplete });
      });
    });
    forwarded.end(body);
  });
}

function respond(response: ServerResponse, { status, headers, bytes, isComplete }: Answer): void {
  const hopByHop = new Set(['connection', 'transfer-encoding']);
  response.writeHead(status, Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name))));
  if (isComplete) response.end(bytes);
  else response.write(bytes, () => response.socket?.destroy());
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
