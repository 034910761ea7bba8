import { isLoopbackHost } from '../../domain/loopback.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { FileRefusedError, PayrunApiError, PayrunUnreachableError } from './errors.ts';

export interface CallerOptions {
  /** The server's address, such as `http://127.0.0.1:8700`. */
  url: string;
  /** Null: none is sent, which only the open addresses accept. */
  token: string | null;
  /** Whether the token may travel unencrypted to a server that is not this machine. */
  allowPlaintext?: boolean;
  /** Instead of the platform's own, as `fetchTrusting` makes it. */
  fetch?: typeof globalThis.fetch;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, each piece already encoded. */
  path: string;
  query?: Readonly<Record<string, string | number | null | undefined>>;
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  accept?: string;
  /** Besides those that every request has. */
  headers?: Readonly<Record<string, string>>;
  /** Statuses besides 2xx whose body is an answer and no error. */
  alsoFine?: readonly number[];
  signal?: AbortSignal | undefined;
}

export type HttpCaller = (call: Call) => Promise<Response>;

/**
 * Sends requests with the token and turns what is no success into an error. The body of a success is left to the
 * caller. Throws PayrunApiError (FileRefusedError among them) and PayrunUnreachableError; an aborted signal's reason
 * is thrown as it is.
 */
export function httpCaller(options: CallerOptions): HttpCaller {
  const { url, token, fetch = globalThis.fetch } = options;
  const base = baseOf(url);
  if (token !== null && options.allowPlaintext !== true) refusePlaintext(base);
  return async ({
    method = 'GET',
    path,
    query = {},
    body,
    accept = 'application/json',
    alsoFine = [],
    signal,
    headers: more = {},
  }) => {
    const address = new URL(`${base}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) address.searchParams.set(name, String(value));
    }
    const headers = new Headers({ ...more, accept });
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    const init: RequestInit = { method, headers, redirect: 'error', signal: signal ?? null };
    if (body instanceof FormData) {
      init.body = body;
    } else if (body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(body);
    }
    const response = await unreachable(base, signal, () => fetch(address, init));
    if (!response.ok && !alsoFine.includes(response.status)) throw await errorOf(base, response);
    return response;
  };
}

/** The JSON of a success. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof SyntaxError ? notPayrun(response, error) : error;
  }
}

/** Runs what needs the line, and names the server when the line fails. */
export async function unreachable<T>(url: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTimeout(signal?.reason)) signal?.throwIfAborted();
    if (error instanceof PayrunApiError || error instanceof PayrunUnreachableError) throw error;
    throw new PayrunUnreachableError(url, reasonOf(error), { cause: error });
  }
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new TypeError(`not an http address: ${url}`);
  if (parsed.username !== '' || parsed.password !== '') throw new TypeError('the address must hold no credentials');
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}

function refusePlaintext(base: string): void {
  const { protocol, hostname } = new URL(base);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return;
  throw new TypeError(`${base} is not encrypted, and the token would travel in clear: give an https address`);
}

async function errorOf(base: string, response: Response): Promise<PayrunApiError | PayrunUnreachableError> {
  const answer: unknown = await response.json().catch(() => null);
  const error = isRecord(answer) && isRecord(answer.error) ? answer.error : null;
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    // A proxy that has lost the server behind it answers in words of its own.
    if ([502, 503, 504].includes(response.status)) {
      return new PayrunUnreachableError(base, `a gateway answered ${response.status}`);
    }
    return notPayrun(response);
  }
  const details = isRecord(error.details) ? error.details : null;
  if (error.code === 'file_refused' && Array.isArray(details?.problems)) {
    const problems = details.problems as RowProblem[];
    const count = details.problemCount;
    return new FileRefusedError(error.message, problems, typeof count === 'number' ? count : problems.length);
  }
  return new PayrunApiError(response.status, error.code, error.message, details);
}

function notPayrun(response: Response, cause?: unknown): PayrunApiError {
  const message = `the answer (status ${response.status}) is not one of payrun's: is the address right?`;
  const error = new PayrunApiError(response.status, 'unexpected_answer', message);
  if (cause !== undefined) error.cause = cause;
  return error;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown trouble';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name of the machine is not known';
  if (isTimeout(cause)) return 'it took too long';
  return cause.message === '' ? code || cause.name : cause.message;
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
