import { z } from 'zod';
import { checkedAnswer } from './checked-answer.ts';
import type { Call, HttpCaller } from './http-caller.ts';
import { jsonOf, unreachable } from './http-caller.ts';

/**
 * Sends a call and checks its answer against a schema, both within the time limit. Throws AnswerMismatchError beside
 * what the HttpCaller throws.
 */
export type JsonCaller = <Schema extends z.ZodType>(
  answer: Schema,
  call: Call,
  timeoutMs?: number,
) => Promise<z.output<Schema>>;

/** For calls that are answered without a body. */
export const NO_CONTENT = z.null();

export function jsonCaller(call: HttpCaller, url: string, defaultTimeoutMs: number): JsonCaller {
  return async (answer, request, timeoutMs = defaultTimeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await call({ ...request, signal });
    const body = response.status === 204 ? null : await unreachable(url, signal, () => jsonOf(response));
    return checkedAnswer(answer, body, response.status);
  };
}
