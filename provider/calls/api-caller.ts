import type { z } from 'zod';
import { type ApiCall, type CallOptions, readAnswer } from './api-call.ts';
import { writeJson } from './exact-json.ts';
import { ProviderFailure } from './failure.ts';
import { finishesWhatIsBegun, type Operation } from '../operations.ts';
import { failureOfAnswer, type HttpAnswer, isSuccess, pauseAskedFor } from './refusal.ts';
import { GateRefusal, type RequestGate } from '../gate/request-gate.ts';
import { NoAnswer, type Transport } from './transport.ts';

/** Limits on every exchange. Times in milliseconds. */
export interface ExchangeLimits {
  timeoutMs: number;
  connectTimeoutMs: number;
  uploadTimeoutMs: number;
  largestAnswerBytes: number;
}

export interface ApiCallerOptions {
  baseUrl: string;
  apiKey: string;
  /** Blanked out of whatever the provider says. */
  secrets: readonly string[];
  gate: RequestGate;
  transport: Transport;
  limits: ExchangeLimits;
  now: () => number;
}

/** Sends requests to the API, each once and through the gate, with the API key. Contract: account 5, 8. */
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
    send: async (call, token, callOptions) => {
      const answer = await throughGate(options, call, token, callOptions);
      if (isSuccess(answer)) return readAnswer(call, answer);
      const secrets = [...options.secrets, ...(call.secrets ?? []), ...(token === null ? [] : [token])];
      throw failureOfAnswer(call.operation, answer, { nowMs: options.now(), secrets });
    },
  };
}

async function throughGate(
  { baseUrl, apiKey, gate, transport, limits, now }: ApiCallerOptions,
  call: ApiCall<z.ZodType>,
  token: string | null,
  callOptions: CallOptions,
): Promise<HttpAnswer> {
  const headers: Record<string, string> = { 'X-Api-Key': apiKey, Accept: 'application/json' };
  if (token !== null) headers.Authorization = token;
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  const url = new URL(baseUrl + call.path);
  const body = call.body === undefined ? {} : { body: writeJson(call.body) };
  return answerOf(call.operation, callOptions, (exchange) =>
    gate.run(
      async (signal, slot) => {
        const answer = await exchange(
          () => transport.exchange({ method: call.method, url, headers, ...body, signal, ...limits }),
          slot.recheck,
        );
        slot.answered(answer.roundTripMs);
        const pause = pauseAskedFor(answer, now());
        if (pause !== null) slot.pause(pause.forMs);
        return answer;
      },
      { signal: callOptions.signal, mayUseReserve: finishesWhatIsBegun(call.operation) },
    ),
  );
}

/**
 * Runs one exchange with the caller's hooks, and says of a failed one whether it can have had an effect. `recheck` throws
 * when the request may no longer be sent: the hook before it may have taken its time.
 */
export async function answerOf(
  operation: Operation,
  callOptions: CallOptions,
  run: (
    exchange: (send: () => Promise<HttpAnswer>, recheck?: () => void) => Promise<HttpAnswer>,
  ) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  let begun = false;
  try {
    const answer = await run(async (send, recheck) => {
      if (callOptions.beforeSend !== undefined) {
        await callOptions.beforeSend();
        recheck?.();
      }
      begun = true;
      return send();
    });
    noteAnswer(callOptions, answer);
    return answer;
  } catch (error) {
    const sent = error instanceof NoAnswer ? error.sent : begun;
    const what = error instanceof Error ? error.message : 'it failed';
    // Only our own errors are quoted: others may hold anything.
    const refusal = error instanceof GateRefusal ? error : null;
    const reason = error instanceof NoAnswer ? what : sent ? 'it failed' : (refusal?.message ?? 'not admitted');
    throw new ProviderFailure({
      operation,
      kind: sent ? 'unknown_outcome' : 'not_sent',
      reason: sent ? `the outcome is unknown: ${reason}` : `not sent: ${reason}`,
      retryAfterMs: refusal?.retryInMs ?? null,
      cause: error,
    });
  }
}

function noteAnswer(callOptions: CallOptions, answer: HttpAnswer): void {
  try {
    callOptions.onAnswer?.({ httpStatus: answer.status, roundTripMs: answer.roundTripMs });
  } catch {
    // A listener's fault must not turn an answer about money into an unknown outcome.
  }
}
