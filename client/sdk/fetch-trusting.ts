import { Agent, request as secureRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

type Fetch = typeof globalThis.fetch;

/** The platform's `Response` rejects a body with these statuses. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A `fetch` for https only that trusts the given certificate authorities (PEM) instead of the default ones, which the
 * platform's own `fetch` cannot. It follows no redirect. Rejects with TypeError for another protocol and for redirects,
 * and with the error of a failed connection.
 */
export function fetchTrusting(authorities: string): Fetch {
  const agent = new Agent({ ca: authorities });
  return async (input, init) => {
    // `Request` encodes the body and its headers, also for a form.
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
