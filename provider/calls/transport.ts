import { request as plainRequest, Agent as PlainAgent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { HttpAnswer } from './http-answer.ts';

/**
 * One HTTP exchange, without retries. Node's own client rather than `fetch`, because only it tells whether a failed
 * request can have reached the other side, and a payment must not be sent twice.
 */
export interface Transport {
  exchange(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes idle connections; those in use finish first. */
  close(): void;
}

interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** From sending to the last byte of the answer. */
  timeoutMs: number;
  connectTimeoutMs: number;
  /** Name resolution for a new connection, instead of the platform's. */
  lookup?: LookupFunction;
  /** A longer answer counts as none. */
  maxAnswerBytes: number;
}

/** No usable answer. `sent` is false only if the request was certainly not sent. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly sent: boolean;
  constructor(reason: string, sent: boolean, cause?: unknown) {
    super(reason, cause === undefined ? {} : { cause });
    this.sent = sent;
  }
}

/**
 * Shorter than the five seconds after which most servers close an idle connection, so that a request is not sent into
 * a closing one: its outcome would be unknown.
 */
const IDLE_CONNECTION_MS = 4_000;

/** `authorities`: trusted certificate authorities in PEM, instead of the default ones. */
export function createTransport({
  authorities,
  monotonicMs = () => performance.now(),
}: {
  authorities?: string | undefined;
  monotonicMs?: () => number;
} = {}): Transport {
  const limits = { keepAlive: true, timeout: IDLE_CONNECTION_MS, maxFreeSockets: 8 };
  const plainAgent = new PlainAgent(limits);
  const secureAgent = new SecureAgent({ ...limits, ...(authorities === undefined ? {} : { ca: authorities }) });
  return {
    exchange: (request) => {
      const { method, lookup } = request;
      const options = { method, headers: headersOf(request), ...(lookup === undefined ? {} : { lookup }) };
      const open =
        request.url.protocol === 'https:'
          ? secureRequest(request.url, { ...options, agent: secureAgent })
          : plainRequest(request.url, { ...options, agent: plainAgent });
      return exchangeOn(open, request, monotonicMs);
    },
    close: () => {
      plainAgent.destroy();
      secureAgent.destroy();
    },
  };
}

function headersOf(request: HttpRequest): Record<string, string> {
  if (request.body === undefined) return request.headers;
  return { ...request.headers, 'Content-Length': String(Buffer.byteLength(request.body)) };
}

function exchangeOn(open: ClientRequest, request: HttpRequest, monotonicMs: () => number): Promise<HttpAnswer> {
  const progress = { sent: false, sentMs: monotonicMs() };
  return new Promise<HttpAnswer>((resolve, reject) => {
    const stop = (reason: string, cause?: unknown): void => {
      release();
      reject(new NoAnswer(reason, progress.sent, cause));
      open.destroy();
    };
    const wholeTimer = setTimeout(() => stop(`no answer within ${request.timeoutMs} ms`), request.timeoutMs);
    const connectTimer = setTimeout(
      () => stop(`no connection within ${request.connectTimeoutMs} ms`),
      request.connectTimeoutMs,
    );
    const onAbort = (): void => stop('given up by the caller');
    const release = (): void => {
      clearTimeout(wholeTimer);
      clearTimeout(connectTimer);
      request.signal?.removeEventListener('abort', onAbort);
    };
    // After `stop` the promise has already been rejected, and this has no effect.
    open.on('error', (error) => stop(progress.sent ? 'the connection broke' : 'no connection', withoutBytes(error)));
    if (request.signal?.aborted) {
      stop('given up by the caller');
      return;
    }
    request.signal?.addEventListener('abort', onAbort);
    open.on('socket', (socket) => {
      const connected = (): void => {
        // guard: left-once-connected
        progress.sent = true;
        progress.sentMs = monotonicMs();
        clearTimeout(connectTimer);
      };
      if (!socket.connecting) connected();
      else socket.once(request.url.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
    });
    open.on('response', (message) => {
      const roundTripMs = monotonicMs() - progress.sentMs;
      readBody(message, request.maxAnswerBytes).then(
        (bytes) => {
          release();
          const headers = message.headers as Record<string, string | undefined>;
          const body = bytes.toString('utf8');
          resolve({ status: message.statusCode ?? 0, headers, body, bytes, roundTripMs });
        },
        (error: unknown) => stop(error instanceof Error ? error.message : 'the answer broke off'),
      );
    });
    open.end(request.body);
  });
}

/** Node's parser adds the unparsed bytes to its error, and they may contain secrets or personal data. */
function withoutBytes(error: Error): Error {
  Reflect.deleteProperty(error, 'rawPacket');
  return error;
}

async function readBody(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new Error('the answer broke off', { cause: error });
  }
  if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
  if (!message.complete) throw new Error('the answer broke off');
  return Buffer.concat(chunks);
}
