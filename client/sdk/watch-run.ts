import { setTimeout as delay } from 'node:timers/promises';
import { requestOf } from '../../api/endpoint-call.ts';
import { runEventEndpoints } from '../../api/runs/endpoints.ts';
import { RUN_EVENT_NAMES, type RunEvent, runEventSchema } from '../../api/runs/run-event.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import { PayrunApiError, PayrunUnreachableError } from './errors.ts';
import { type ServerSentEvent, serverSentEvents } from './event-stream.ts';
import { checkedAnswer, type HttpCaller } from './http-caller.ts';

export interface WatchOptions {
  signal?: AbortSignal;
  /** How long to go on without a working connection before giving up. Default 2 minutes. */
  reconnectTimeoutMs?: number;
  /** The server sends something every 15 s; a connection that is silent for longer than this is replaced. Default 45 s. */
  idleTimeoutMs?: number;
  /** Waits between attempts to connect. */
  wait?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds of a clock that is never set. */
  now?: () => number;
}

const RECONNECT_TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 45_000;
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * The run at once, then whenever it has changed, until it has ended. Reconnects when the connection breaks or the
 * server is away for a while. Throws PayrunApiError when the server refuses, AnswerMismatchError for an event of another
 * version, PayrunUnreachableError when `reconnectTimeoutMs` is over, and the signal's reason when it is aborted.
 */
export async function* watchRun(
  call: HttpCaller,
  url: string,
  runId: string,
  options: WatchOptions = {},
): AsyncGenerator<RunSummary> {
  const { signal, reconnectTimeoutMs = RECONNECT_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const { wait = pause, now = () => performance.now() } = options;
  let lastData = '';
  let pauseMs = MIN_PAUSE_MS;
  /** When the server was heard last, or the first attempt began. */
  let heardAtMs = now();
  /** What one connection shows that is new; true when the run has ended. */
  async function* changes(): AsyncGenerator<RunSummary, boolean> {
    for await (const received of receivedEvents(call, runId, idleTimeoutMs, signal)) {
      pauseMs = MIN_PAUSE_MS;
      heardAtMs = now();
      const event = runEventOf(received);
      if (event?.event === 'end') return true;
      if (event === null || received.data === lastData) continue;
      lastData = received.data;
      yield event.data;
      // Whoever takes the states may take long.
      heardAtMs = now();
    }
    return false;
  }
  for (;;) {
    try {
      if (yield* changes()) return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTemporary(error)) throw error;
      if (now() - heardAtMs >= reconnectTimeoutMs) throw finalError(url, error);
    }
    await wait(pauseMs, signal);
    signal?.throwIfAborted();
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  }
}

/** Null for an event that this client does not know. */
function runEventOf({ event, data }: ServerSentEvent): RunEvent | null {
  return RUN_EVENT_NAMES.includes(event) ? checkedAnswer(runEventSchema, { event, data: jsonOrNone(data) }, 200) : null;
}

/** Undefined for what is not JSON, which no schema allows. */
function jsonOrNone(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* receivedEvents(
  call: HttpCaller,
  runId: string,
  idleTimeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerSentEvent> {
  const connection = new AbortController();
  const onAbort = () => {
    connection.abort(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort);
  const watchdog = setTimeout(() => {
    connection.abort(new ConnectionBroken());
  }, idleTimeoutMs);
  try {
    signal?.throwIfAborted();
    const request = requestOf(runEventEndpoints.watchRun, { runId });
    const { body } = await call({ ...request, accept: 'text/event-stream', signal: connection.signal });
    if (body === null) return;
    const pieces = body as AsyncIterable<Uint8Array>;
    yield* serverSentEvents(observed(pieces, () => watchdog.refresh()));
  } catch (error) {
    throw isOwnError(error) ? error : new ConnectionBroken({ cause: error });
  } finally {
    clearTimeout(watchdog);
    signal?.removeEventListener('abort', onAbort);
    connection.abort(new ConnectionBroken());
  }
}

async function* observed(pieces: AsyncIterable<Uint8Array>, onPiece: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    onPiece();
    yield piece;
  }
}

/** The connection ended or was silent for too long: a new one may work. */
class ConnectionBroken extends Error {
  constructor(options?: ErrorOptions) {
    super('the connection broke', options);
    this.name = 'ConnectionBroken';
  }
}

function isOwnError(error: unknown): boolean {
  return (
    error instanceof PayrunApiError || error instanceof PayrunUnreachableError || error instanceof ConnectionBroken
  );
}

function isTemporary(error: unknown): boolean {
  if (error instanceof PayrunApiError) return error.status >= 500;
  return error instanceof PayrunUnreachableError || error instanceof ConnectionBroken;
}

function finalError(url: string, error: unknown): unknown {
  return error instanceof ConnectionBroken ? new PayrunUnreachableError(url, error.message, { cause: error }) : error;
}

async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, signal === undefined ? {} : { signal });
}
