import { Agent, request as secureRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** As its types say: a `fetch` may be asked with an address, text or a request. */
type Fetch = typeof globalThis.fetch;

/** Statuses whose answers have no body, which the platform's `Response` insists on. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A `fetch` for https alone that trusts servers by the given authorities (certificates in PEM), in place of the usual
 * ones: the platform's own can be given none. It follows no redirect. Rejects with TypeError for another address, and
 * with what the connection failed by.
 */
export function fetchTrusting(authorities: string): Fetch {
  const agent = new Agent({ ca: authorities });
  return async (input, init) => {
    // The platform writes the body and its headers, also of a form.
    const request = new Request(input, { ...init, ...(init?.body === undefined ? {} : { duplex: 'half' }) });
    if (!request.url.startsWith('https:')) throw new TypeError(`not an https address: ${request.url}`);
    const { method, signal } = request;
    const headers = Object.fromEntries(request.headers);
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const open = secureRequest(request.url, { method, headers, signal, agent }, resolve);
      open.on('error', reject);
      if (request.body === null) open.end();
      else bodyOf(request.body).on('error', reject).pipe(open);
    });
    const { statusCode: status = 0 } = message;
    if (status >= 300 && status < 400 && status !== 304) {
      message.destroy();
      throw new TypeError('redirected, which is not followed');
    }
    const body = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(message) as ReadableStream<Uint8Array>);
    return new Response(body, { status, headers: headersOf(message) });
  };
}

function bodyOf(body: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) => {
      const values = Array.isArray(value) ? value : [value ?? ''];
      return values.map((each): [string, string] => [name, each]);
    }),
  );
}
