import { z } from 'zod';
import type { Endpoint } from '../../api/endpoint.ts';
import { type FileCalls, type JsonCalls, requestOf } from '../../api/endpoint-call.ts';
import { ENDPOINTS } from '../../api/endpoints.ts';
import { type Call, checkedAnswer, type HttpCaller, jsonOf, unreachable } from './http-caller.ts';

interface CallOptions {
  headers?: Readonly<Record<string, string>>;
}

/** A function for each endpoint, by its operation id: what goes into path, query or body is given together. */
export interface EndpointCalls
  extends JsonCalls<typeof ENDPOINTS, CallOptions>,
    FileCalls<typeof ENDPOINTS, CallOptions> {}

export function endpointCalls(http: HttpCaller, url: string, defaultTimeoutMs: number): EndpointCalls {
  const calls = Object.entries<Endpoint>(ENDPOINTS).map(([id, endpoint]) => {
    const answer = contentOf(endpoint);
    return [
      id,
      (input: object = {}, options: CallOptions = {}) => {
        const request = { ...requestOf(endpoint, input), ...options };
        if (answer === null || answer.mediaType === 'application/json') {
          return answerOf(answer?.schema ?? null, request, endpoint.timeoutMs);
        }
        return answer.schema.meta()?.format === 'binary' ? bytesOf(http, url, request) : textOf(http, url, request);
      },
    ] as const;
  });
  return Object.fromEntries(calls) as unknown as EndpointCalls;

  /** The answer, checked, within the time limit. */
  async function answerOf(schema: z.ZodType | null, request: Call, timeoutMs = defaultTimeoutMs): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await http({ ...request, signal });
    const body = response.status === 204 ? null : await unreachable(url, signal, () => jsonOf(response));
    return schema === null ? undefined : checkedAnswer(schema, body, response.status);
  }
}

/** What a success has; null: no body. */
function contentOf({ answers }: Endpoint): { mediaType: string; schema: z.ZodType } | null {
  const [answer] = Object.values(answers);
  if (answer === undefined || answer instanceof z.ZodType) return null;
  const [content] = Object.entries<{ schema: z.ZodType }>(answer.content);
  return content === undefined ? null : { mediaType: content[0], schema: content[1].schema };
}

/** The content of a file. A stream that breaks throws: the pieces so far are then not the whole file. */
async function* bytesOf(http: HttpCaller, url: string, call: Call): AsyncGenerator<Uint8Array> {
  const { body } = await http({ accept: '*/*', ...call });
  if (body === null) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await unreachable(url, undefined, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* textOf(http: HttpCaller, url: string, call: Call): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of bytesOf(http, url, call)) yield decoder.decode(piece, { stream: true });
}
