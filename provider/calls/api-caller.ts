import type { z } from 'zod';
import { type ApiCall, type CallOptions, readAnswer } from './api-call.ts';
import { writeJson } from './exact-json.ts';
import { ProviderFailure } from './failure.ts';
import { mayUseReserve, type Operation } from '../operations.ts';
import { failureOfAnswer, type HttpAnswer, isSuccess, requestedPause } from './http-answer.ts';
import { RateLimiterRefusal, type RateLimiter } from '../rate-limiter/rate-limiter.ts';
import { observed, type RequestObserver } from './request-observer.ts';
import { NoAnswer, type Transport } from './transport.ts';

/** Limits on every exchange. Times in milliseconds. */
export interface ExchangeLimits {
  timeoutMs: number;
  connectTimeoutMs: number;
  uploadTimeoutMs: number;
  maxAnswerBytes: number;
}

export interface ApiCallerOptions {
  baseUrl: string;
  apiKey: string;
  /** Redacted from the provider's error messages. */
  secrets: readonly string[];
  rateLimiter: RateLimiter;
  transport: Transport;
  limits: ExchangeLimits;
  now: () => number;
  observer?: RequestObserver | undefined;
}

/** Sends requests to the API, each once and through the rate limiter, with the API key. Contract: account 5, 8. */
export interface ApiCaller {
  /** With the token, or without one (null) for the call that issues it. Throws `ProviderFailure`. */
  send<Schema extends z.ZodType>(
    call: ApiCall<Schema>,
    token: string | null,
    options: CallOptions,
  ): Promise<z.output<Schema>>;
}

export function createApiCaller(options: ApiCallerOptions): ApiCaller {
  return {
    send: (call, token, callOptions) =>
      observed(options.observer, call.operation, async (sent) => {
        const answer = await sendThroughRateLimiter(options, call, token, { ...callOptions, sent });
        if (isSuccess(answer)) return readAnswer(call, answer);
        const secrets = [...options.secrets, ...(call.secrets ?? []), ...(token === null ? [] : [token])];
        throw failureOfAnswer(call.operation, answer, { nowMs: options.now(), secrets });
      }),
  };
}

async function sendThroughRateLimiter(
  { baseUrl, apiKey, rateLimiter, transport, limits, now }: ApiCallerOptions,
  call: ApiCall<z.ZodType>,
  token: string | null,
  callOptions: ExchangeOptions,
): Promise<HttpAnswer> {
  const headers: Record<string, string> = { 'X-Api-Key': apiKey, Accept: 'application/json' };
  if (token !== null) headers.Authorization = token;
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  const url = new URL(baseUrl + call.path);
  const body = call.body === undefined ? {} : { body: writeJson(call.body) };
  return runExchange(call.operation, callOptions, (exchange) =>
    // guard: token-is-counted
    rateLimiter.run(
      async (signal, lease) => {
        const answer = await exchange(
          () => transport.exchange({ method: call.method, url, headers, ...body, signal, ...limits }),
          lease.recheck,
        );
        lease.answered(answer.roundTripMs);
        const pause = requestedPause(answer, now());
        // guard: pause-when-asked
        if (pause !== null) lease.pause(pause.forMs);
        return answer;
      },
      { signal: callOptions.signal, mayUseReserve: mayUseReserve(call.operation) },
    ),
  );
}

/** The caller's hooks, and one that is called as the request is sent. */
interface ExchangeOptions extends CallOptions {
  sent: () => void;
}

/**
 * Runs one exchange with the caller's hooks. @throws ProviderFailure when it fails: `not_sent` if it cannot have had an
 * effect, else `unknown_outcome`. `recheck` throws when the request may no longer be sent, since `beforeSend` may have
 * taken long.
 */
export async function runExchange(
  operation: Operation,
  callOptions: ExchangeOptions,
  run: (
    exchange: (send: () => Promise<HttpAnswer>, recheck?: () => void) => Promise<HttpAnswer>,
  ) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  let isStarted = false;
  try {
    const answer = await run(async (send, recheck) => {
      if (callOptions.beforeSend !== undefined) {
        // guard: asked-before-leaving
        await callOptions.beforeSend();
        recheck?.();
      }
      isStarted = true;
      callOptions.sent();
      return send();
    });
    callOnAnswer(callOptions, answer);
    return answer;
  } catch (error) {
    const sent = error instanceof NoAnswer ? error.sent : isStarted;
    const message = error instanceof Error ? error.message : 'it failed';
    // Only the messages of our own errors are safe for logs.
    const rateLimiterRefusal = error instanceof RateLimiterRefusal ? error : null;
    const reason =
      error instanceof NoAnswer ? message : sent ? 'it failed' : (rateLimiterRefusal?.message ?? 'not admitted');
    throw new ProviderFailure({
      operation,
      kind: sent ? 'unknown_outcome' : 'not_sent',
      reason: sent ? `the outcome is unknown: ${reason}` : `not sent: ${reason}`,
      retryAfterMs: rateLimiterRefusal?.retryInMs ?? null,
      cause: error,
    });
  }
}

function callOnAnswer(callOptions: CallOptions, answer: HttpAnswer): void {
  // guard: answer-outlives-its-listener (5 lines)
  try {
    callOptions.onAnswer?.({ httpStatus: answer.status, roundTripMs: answer.roundTripMs });
  } catch {
    // An error in a listener must not turn an answer about money into an unknown outcome.
  }
}
