import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { operations } from '../../sandbox/areas/operations.ts';
import { asBeforeFunding, withoutCreationTime } from './changed-answer.ts';

/** A request on its way through the door. */
export interface Passing {
  operation: string;
  /** The so-manieth of its operation since they were last counted anew. */
  nth: number;
  /** Whose way it came by. */
  worker: number;
  phase: 'left' | 'carried_out';
  /** What the sandbox answered; null before it did. */
  body: Buffer | null;
}

/**
 * The way from the workers to the sandbox, an HTTP proxy with an entrance for each worker. It knows which request is
 * passing, can let something happen before a request goes on or before its answer does, and can break everything.
 */
export interface ProviderDoor {
  urlOf(worker: number): string;
  /** From now on requests go to this sandbox. */
  pointAt(url: string): void;
  countAnew(): void;
  /** Told of every request, twice; what it does synchronously happens before the request or the answer goes on. */
  watch(listener: ((passing: Passing) => void) | null): void;
  cutAll(): void;
  refuse(isRefusing: boolean): void;
  /** So many of the next reads show a payment as it was before it was funded. */
  staleReads(times: number): void;
  /** So many of the next answers about single payments do not say when these were created. */
  leaveOutCreationTimes(times: number): void;
  close(): Promise<void>;
}

const ROUTES = operations.map(({ ids, method, path }) => ({
  operation: ids[0],
  method,
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/** Of single payments. */
const TELL_CREATION = ['simple-payment-create', 'simple-payment-fund', 'simple-payment-get'];

function operationOf(method: string, path: string): string {
  if (path.startsWith('/storage/')) return 'simple-payment-upload-file';
  return ROUTES.find((route) => route.method === method && route.pattern.test(path))?.operation ?? 'unknown';
}

export async function startProviderDoor(workers: number): Promise<ProviderDoor> {
  let target = '';
  let isRefusing = false;
  let stale = 0;
  let timeless = 0;
  let listener: ((passing: Passing) => void) | null = null;
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();

  const pass = async (worker: number, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(request);
    const operation = operationOf(request.method ?? '', (request.url ?? '').split('?')[0] ?? '');
    const nth = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, nth);
    listener?.({ operation, nth, worker, phase: 'left', body: null });
    const answer = await exchange(target, request, body);
    if (answer === null) {
      response.socket?.destroy();
      return;
    }
    listener?.({ operation, nth, worker, phase: 'carried_out', body: answer.bytes });
    const isStale = operation === 'simple-payment-get' && stale > 0;
    if (isStale) stale -= 1;
    const isTimeless = TELL_CREATION.includes(operation) && timeless > 0;
    if (isTimeless) timeless -= 1;
    const changed = isStale ? asBeforeFunding(answer) : answer;
    giveBack(response, isTimeless ? withoutCreationTime(changed) : changed);
  };

  const servers = await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      listening((request, response) => {
        pass(worker, request, response).catch(() => response.socket?.destroy());
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
  const cutAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    urlOf: (worker) => `http://127.0.0.1:${(servers[worker]?.address() as AddressInfo).port}`,
    pointAt: (url) => {
      target = url;
      stale = 0;
      timeless = 0;
    },
    countAnew: () => counts.clear(),
    watch: (next) => {
      listener = next;
    },
    cutAll,
    refuse: (refusing) => {
      isRefusing = refusing;
      if (refusing) cutAll();
    },
    staleReads: (times) => {
      stale = times;
    },
    leaveOutCreationTimes: (times) => {
      timeless = times;
    },
    close: async () => {
      cutAll();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function listening(onRequest: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
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
  /** False: it broke off before its end, and so it must for the worker. */
  isWhole: boolean;
}

/** Null: the connection broke before an answer came. A request goes on even when its sender is gone: it has left. */
function exchange(target: string, request: IncomingMessage, body: Buffer): Promise<Answer | null> {
  return new Promise((resolve) => {
    const forward = httpRequest(new URL(request.url ?? '/', target), {
      method: request.method ?? 'GET',
      headers: { ...request.headers, connection: 'close' },
      agent: false,
    });
    forward.on('error', () => resolve(null));
    forward.on('response', (message) => {
      const pieces: Buffer[] = [];
      message.on('data', (piece: Buffer) => pieces.push(piece));
      // An answer that breaks off ends with an error as well.
      message.on('error', () => undefined);
      message.on('close', () => {
        const { statusCode: status = 502, headers, complete: isWhole } = message;
        resolve({ status, headers, bytes: Buffer.concat(pieces), isWhole });
      });
    });
    forward.end(body);
  });
}

function giveBack(response: ServerResponse, { status, headers, bytes, isWhole }: Answer): void {
  const ofTheWay = new Set(['connection', 'transfer-encoding']);
  response.writeHead(status, Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheWay.has(name))));
  if (isWhole) response.end(bytes);
  else response.write(bytes, () => response.socket?.destroy());
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
