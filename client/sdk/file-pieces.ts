import { type Call, type HttpCaller, unreachable } from './http-caller.ts';

/** The content of a file. A stream that breaks throws: the pieces so far are then not the whole file. */
export async function* bytesOf(http: HttpCaller, url: string, call: Call): AsyncGenerator<Uint8Array> {
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

export async function* textOf(http: HttpCaller, url: string, call: Call): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of bytesOf(http, url, call)) yield decoder.decode(piece, { stream: true });
}
