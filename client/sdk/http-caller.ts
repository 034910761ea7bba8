import { z } from 'zod';
import type { EndpointRequest } from '../../api/endpoint-call.ts';
import { errorSchema } from '../../api/error.ts';
import { applicantProblemsSchema } from '../../api/onboarding/applicant-problem.ts';
import { fileProblemsSchema } from '../../api/payment-file/row-problem.ts';
import { isLoopbackHost } from '../../api/server-address.ts';
import { scheduleProblemsSchema } from '../../api/treasury/schedule.ts';
import {
  AnswerMismatchError,
  ApplicantsRefusedError,
  FileRefusedError,
  PayrunApiError,
  PayrunUnreachableError,
  ScheduleRefusedError,
} from './errors.ts';

export interface CallerOptions {
  /** The server's address, such as `http://127.0.0.1:8700`. */
  url: string;
  /** Null: none is sent, which only the open addresses accept. */
  token: string | null;
  /** Whether the token may travel unencrypted to a server that is not this machine. */
  allowPlaintext?: boolean;
  /**
   * Where the server asks for a second factor: a code of the user's authenticator app, which is shown for what the server names, and the
   * call is made again. Null: there is none.
   */
  secondFactor?: (asked: PayrunApiError) => Promise<string | null>;
  /** Instead of the platform's own; `fetchTrusting` makes one. */
  fetch?: typeof globalThis.fetch;
}

export interface Call extends EndpointRequest {
  accept?: string;
  /** In addition to those of every request. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

export type HttpCaller = (call: Call) => Promise<Response>;

/**
 * Sends requests with the token and throws an error unless the status is a success, whose body is left to the caller.
 * Throws PayrunApiError (FileRefusedError and ApplicantsRefusedError among them) and PayrunUnreachableError; the reason of an aborted signal is
 * thrown as it is.
 */
export function httpCaller(options: CallerOptions): HttpCaller {
  const { url, token, fetch = globalThis.fetch } = options;
  const base = baseOf(url);
  // guard: token-encrypted
  if (token !== null && options.allowPlaintext !== true) refusePlaintext(base);
  return async (asked) => {
    try {
      return await send(asked);
    } catch (error) {
      if (!(error instanceof PayrunApiError) || error.code !== 'second_factor_needed') throw error;
      const subject = error.details?.['subject'];
      const code = subject === undefined ? null : ((await options.secondFactor?.(error)) ?? null);
      if (code === null) throw error;
      await send({ method: 'POST', path: '/session/step-up/totp', body: { subject, code } });
      return send(asked);
    }
  };

  async function send({
    method,
    path,
    query = {},
    body,
    accept = 'application/json',
    alsoExpected = [],
    signal,
    headers: extraHeaders = {},
  }: Call): Promise<Response> {
    const address = new URL(`${base}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== null && value !== undefined) address.searchParams.set(name, value);
    }
    const headers = new Headers({ ...extraHeaders, accept });
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    // guard: token-not-redirected
    const init: RequestInit = { method, headers, redirect: 'error', signal: signal ?? null };
    if (body instanceof FormData) {
      init.body = body;
    } else if (body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(body);
    }
    const response = await unreachable(base, signal, () => fetch(address, init));
    if (!response.ok && !alsoExpected.includes(response.status)) throw await errorOf(base, response);
    return response;
  }
}

/** The JSON body of a success. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw error instanceof SyntaxError ? notPayrun(response, error) : error;
  }
}

/** Runs work that uses the connection; throws PayrunUnreachableError with the server's address when it fails. */
export async function unreachable<T>(url: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTimeout(signal?.reason)) signal?.throwIfAborted();
    if (error instanceof PayrunApiError || error instanceof PayrunUnreachableError) throw error;
    throw new PayrunUnreachableError(url, reasonOf(error), { cause: error });
  }
}

/**
 * The answer as its schema describes it, without fields that this client does not know.
 * @throws AnswerMismatchError when the schema does not allow it
 */
export function checkedAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: unknown,
  status: number,
): z.output<Schema> {
  const checked = schema.safeParse(answer);
  if (checked.success) return checked.data;
  throw new AnswerMismatchError(status, checked.error.issues[0]?.path.join('.') ?? '');
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new TypeError(`not an http address: ${url}`);
  if (parsed.username !== '' || parsed.password !== '') throw new TypeError('the address must not contain credentials');
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}

function refusePlaintext(base: string): void {
  const { protocol, hostname } = new URL(base);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return;
  throw new TypeError(`${base} is not encrypted, and the token would be sent unencrypted: give an https address`);
}

/** Codes that this client does not know are passed on as they are. */
const anyErrorSchema = z.object({ error: errorSchema.shape.error.extend({ code: z.string() }) });

async function errorOf(base: string, response: Response): Promise<PayrunApiError | PayrunUnreachableError> {
  const answer = anyErrorSchema.safeParse(await response.json().catch(() => null));
  if (!answer.success) {
    // A proxy that has lost the server behind it answers in a format of its own.
    if ([502, 503, 504].includes(response.status)) {
      return new PayrunUnreachableError(base, `a gateway answered ${response.status}`);
    }
    return notPayrun(response);
  }
  const { code, message, details = null } = answer.data.error;
  if (code === 'applicants_refused') {
    const { problems, problemCount } = checkedAnswer(applicantProblemsSchema, details, response.status);
    return new ApplicantsRefusedError(message, problems, problemCount);
  }
  if (code === 'schedule_refused') {
    return new ScheduleRefusedError(message, checkedAnswer(scheduleProblemsSchema, details, response.status).problems);
  }
  if (code !== 'file_refused') return new PayrunApiError(response.status, code, message, details);
  const { problems, problemCount, sheetNames } = checkedAnswer(fileProblemsSchema, details, response.status);
  return new FileRefusedError(message, problems, problemCount, sheetNames);
}

function notPayrun(response: Response, cause?: unknown): PayrunApiError {
  const message = `the answer (status ${response.status}) is not one of payrun's: is the address right?`;
  const error = new PayrunApiError(response.status, 'unexpected_answer', message);
  if (cause !== undefined) error.cause = cause;
  return error;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown error';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name is not known';
  if (isTimeout(cause)) return 'it took too long';
  return cause.message === '' ? code || cause.name : cause.message;
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
