import { FileRefusedError, PayrunApiError, PayrunUnreachableError } from '../../client/sdk/errors.ts';
import type { EndpointRequest } from '../../api/endpoint-call.ts';
import { BACKGROUND, CONSOLE_HEADER, USER_HEADER } from '../../api/users/session-headers.ts';
import { UnknownOutcomeError } from './unknown-outcome-error.ts';
import { useOfPage } from './use-of-page.ts';
import type { RowProblem } from '../../api/payment-file/row-problem.ts';

export interface ConsoleCall extends EndpointRequest {
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/**
 * Browsers let no other site send this header with the session's cookie. What is read while nobody is at the page does not
 * keep the session from ending for idleness.
 */
function fromConsole(method: string, path: string): Record<string, string> {
  const isAnybodys = path === '/session' && method !== 'DELETE';
  return {
    [CONSOLE_HEADER]: method !== 'GET' || useOfPage.isUsed() ? '1' : BACKGROUND,
    ...(page.userId === null || isAnybodys ? {} : { [USER_HEADER]: page.userId }),
  };
}

const sessionListeners = new Set<() => void>();

/** Tells whoever shows the sign-in that the session is no longer the one that it was. */
export function onSessionLost(listener: () => void): () => void {
  sessionListeners.add(listener);
  return () => sessionListeners.delete(listener);
}

/** Whose page it is, and whether their session has ended. */
const page: { userId: string | null; hasEnded: boolean } = { userId: null, hasEnded: false };

/** From now on calls are of this user's page. While nobody is signed in, pages that are still there ask for nothing. */
export function callFor(userId: string | null): void {
  page.hasEnded = userId === null;
  page.userId = userId ?? page.userId;
}

/** The address of a call, as links to files need it too. */
export function addressOf({ path, query = {} }: Pick<ConsoleCall, 'path' | 'query'>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.set(name, value);
  }
  const text = parameters.toString();
  return `/api/v1${path}${text === '' ? '' : `?${text}`}`;
}

/**
 * Sends a request with the session's cookie. The server checks its answers against the schemas of their endpoints. Throws
 * PayrunApiError, PayrunUnreachableError, UnknownOutcomeError where something may have been recorded, and the reason of an aborted signal.
 */
export async function call(request: ConsoleCall): Promise<unknown> {
  const { method, body, headers = {}, alsoExpected = [] } = request;
  if (page.hasEnded && !isAboutSession(request.path)) {
    throw new PayrunApiError(401, 'signed_out', 'the session has ended: sign in again');
  }
  const isForm = body instanceof FormData;
  const response = await reach(request, () =>
    fetch(addressOf(request), {
      method,
      credentials: 'same-origin',
      signal: withinPatience(request),
      headers: {
        accept: 'application/json',
        ...fromConsole(method, request.path),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    }),
  );
  if (!response.ok && !alsoExpected.includes(response.status)) throw await errorOf(response, request);
  return response.status === 204 ? null : await reach(request, () => response.json());
}

/** Their refusals may be about what was given, such as a wrong password. */
function isAboutSession(path: string): boolean {
  return path === '/session' || path.startsWith('/session/');
}

/** Of what changes the database: whoever waits for it is told in the end that no answer came. Uploads take their time. */
const PATIENCE_MS = 120_000;

function withinPatience({ method, body, signal }: ConsoleCall): AbortSignal | null {
  if (method === 'GET' || body instanceof FormData) return signal ?? null;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  return signal === undefined ? patience : AbortSignal.any([signal, patience]);
}

async function reach<T>(request: ConsoleCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    request.signal?.throwIfAborted();
    throw withoutAnswer(request, 'no answer', error);
  }
}

function withoutAnswer({ method }: ConsoleCall, reason: string, cause?: unknown): PayrunUnreachableError {
  const Kind = method === 'GET' ? PayrunUnreachableError : UnknownOutcomeError;
  return new Kind(window.location.origin, reason, { cause });
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: Record<string, unknown> };
}

async function errorOf(response: Response, request: ConsoleCall): Promise<Error> {
  const { error } = (await response.json().catch(() => ({}))) as ErrorBody;
  if (error?.code === undefined || error.message === undefined) {
    // A proxy that has lost the server behind it answers in a format of its own.
    return withoutAnswer(request, `a gateway answered ${response.status}`);
  }
  const isLost = error.code === 'signed_in_as_another' || (response.status === 401 && !isAboutSession(request.path));
  if (isLost) for (const listener of sessionListeners) listener();
  if (error.code === 'file_refused') {
    const { problems = [], problemCount = 0, sheetNames = [] } = error.details ?? {};
    return new FileRefusedError(
      error.message,
      problems as RowProblem[],
      problemCount as number,
      sheetNames as string[],
    );
  }
  return new PayrunApiError(response.status, error.code, error.message, error.details ?? null);
}
