import { z } from 'zod';
import type { Endpoint } from '../../api/endpoint.ts';
import { type FileCalls, type JsonCalls, requestOf } from '../../api/endpoint-call.ts';
import { ENDPOINTS } from '../../api/endpoints.ts';
import { bytesOf, textOf } from './file-pieces.ts';
import type { HttpCaller } from './http-caller.ts';
import { type JsonCaller, NO_CONTENT } from './json-caller.ts';

interface CallOptions {
  headers?: Readonly<Record<string, string>>;
}

/** A function for each endpoint, by its operation id: what goes into path, query or body is given together. */
export interface EndpointCalls
  extends JsonCalls<typeof ENDPOINTS, CallOptions>,
    FileCalls<typeof ENDPOINTS, CallOptions> {}

export function endpointCalls(http: HttpCaller, json: JsonCaller, url: string): EndpointCalls {
  const calls = Object.entries<Endpoint>(ENDPOINTS).map(([id, endpoint]) => {
    const { answers, timeoutMs } = endpoint;
    const answer = contentOf(endpoint);
    return [
      id,
      (input: object = {}, options: CallOptions = {}) => {
        const request = { ...requestOf(endpoint, input), alsoExpected: Object.keys(answers).map(Number), ...options };
        if (answer === null) return json(NO_CONTENT, request, timeoutMs).then(() => undefined);
        if (answer.mediaType === 'application/json') return json(answer.schema, request, timeoutMs);
        return answer.schema.meta()?.format === 'binary' ? bytesOf(http, url, request) : textOf(http, url, request);
      },
    ] as const;
  });
  return Object.fromEntries(calls) as unknown as EndpointCalls;
}

/** What a success has; null: no body. */
function contentOf({ answers }: Endpoint): { mediaType: string; schema: z.ZodType } | null {
  const [answer] = Object.values(answers);
  if (answer === undefined || answer instanceof z.ZodType) return null;
  const [content] = Object.entries<{ schema: z.ZodType }>(answer.content);
  return content === undefined ? null : { mediaType: content[0], schema: content[1].schema };
}
