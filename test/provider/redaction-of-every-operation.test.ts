import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { InvalidRequest } from '../../provider/calls/invalid-request.ts';
import { OPERATIONS, type Operation } from '../../provider/operations.ts';
import { safeError } from '../../server/request-log.ts';
import {
  failureOf,
  failuresOfInvalidTexts,
  MARK,
  MARKS,
  PASSWORD,
  SIGNATURE,
  VIRTUAL_ACCOUNT_PATH,
} from './call-every-operation.ts';
import { AUTHENTICATE, aClient, aLocalProvider, CREDENTIALS, type Reply, type Responder } from './local-provider.ts';

/** Values that must not be shown, also as byte dumps. */
const HIDDEN = [
  ...MARKS,
  ...Object.values(CREDENTIALS),
  'of-the-provider',
  ...[MARK, 'of-the-provider'].map((text) => [...Buffer.from(text)].join(',')),
  ...[MARK, 'of-the-provider'].map((text) => (Buffer.from(text).toString('hex').match(/../g) ?? []).join(' ')),
];

/** All texts that printing, logging or storing an error and its causes produces. */
function shown(error: unknown): string {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  expect(error).toBeInstanceOf(Error);
  for (let each = error; each instanceof Error; each = each.cause) {
    log.error(each);
    log.error({ err: each, error: safeError(each) });
    lines.push(inspect(each, { depth: 10 }), JSON.stringify(each), JSON.stringify(Object.entries(each)));
    lines.push(String(each), each.message, each.stack ?? '');
  }
  return lines.join('\n');
}

function expectNothingShown(operation: Operation, error: unknown): void {
  const everything = shown(error);
  for (const hidden of HIDDEN) expect(everything, `${operation} shows ${hidden}`).not.toContain(hidden);
}

/** The provider's message is kept for users and may name a beneficiary, but must not contain a secret that was sent. */
function expectWordsWithoutSecret(operation: Operation, error: unknown): void {
  if (!(error instanceof ProviderFailure)) return;
  const words = `${error.providerCode ?? ''} ${error.providerMessage ?? ''}`;
  for (const secret of [...Object.values(CREDENTIALS), 'of-the-provider', PASSWORD, SIGNATURE]) {
    expect(words, `${operation} keeps ${secret}`).not.toContain(secret);
  }
}

type Request = Parameters<Responder>[0];

/** The whole request, as careless servers quote it. */
const echo = ({ method, path, headers, body }: Request): string =>
  `${method} ${path} ${JSON.stringify(headers)} ${body}`;

const asJson =
  (status: number) =>
  (request: Request): Reply => ({
    status,
    body: {
      code: MARK,
      message: echo(request),
      errors: [{ field: MARK, message: echo(request) }],
      more: { [MARK]: MARK },
    },
  });
const asText =
  (status: number, text: (request: Request) => string) =>
  (request: Request): Reply => ({
    status,
    body: text(request),
  });
const page = (request: Request): string => `<html><title>${MARK}</title><p>${echo(request)}</p></html>`;

const onSocket =
  (act: (response: ServerResponse) => void) =>
  (_: Request, response: ServerResponse): undefined => {
    act(response);
  };

const FAILURES: [string, Responder][] = [
  ...[400, 401, 403, 404, 409, 422, 429, 500, 503].map((status): [string, Responder] => [
    `HTTP ${status} that quotes the request as JSON`,
    asJson(status),
  ]),
  ['HTTP 400 that quotes the request as text', asText(400, echo)],
  ['HTTP 400 of a JSON text', asText(400, (request) => JSON.stringify(echo(request)))],
  ['HTTP 502 of a page that quotes the request', asText(502, page)],
  ['HTTP 302 to an address that quotes it', ({ path }) => ({ status: 302, headers: { location: `/${MARK}${path}` } })],
  ['HTTP 200 of a page', asText(200, page)],
  ['HTTP 200 that breaks off', asText(200, (request) => `{"data":{"id":"${MARK}${echo(request)}`)],
  ['HTTP 200 of other fields', asText(200, () => `{"data":{"${MARK}":{"${MARK}":"${MARK}"},"id":["${MARK}"]}}`)],
  ['HTTP 200 of a list of other fields', asText(200, () => `[{"${MARK}":1,"id":{"${MARK}":1},"status":["${MARK}"]}]`)],
  ['a connection that is reset', onSocket((response) => response.socket?.resetAndDestroy())],
  ['a connection that ends inside the answer', onSocket((response) => response.write(MARK, () => response.destroy()))],
  ['an answer that is not HTTP', onSocket(({ socket }) => socket?.end(`${MARK} of-the-provider ${MARK}\r\n\r\n`))],
  [
    'an answer with malformed headers',
    onSocket(({ socket }) => socket?.end(`HTTP/1.1 200 OK\r\n${MARK} : \u0000${MARK}\r\nContent-Length: x\r\n\r\n`)),
  ],
];

describe('no error of any operation contains secrets or personal data', () => {
  test.each(FAILURES)('after %s', async (_, fail) => {
    let mayAuthenticate = true;
    const provider = await aLocalProvider((request, response) =>
      request.path === AUTHENTICATE && mayAuthenticate ? undefined : fail(request, response),
    );
    const warnings: string[] = [];
    const more = {
      virtualAccountRequestPath: VIRTUAL_ACCOUNT_PATH,
      onWarning: (warning: string) => void warnings.push(warning),
    };
    const client = aClient(provider, more);
    const failed: Operation[] = [];
    for (const operation of OPERATIONS) {
      mayAuthenticate = operation !== 'auth-authenticate';
      const error = await failureOf(mayAuthenticate ? client : aClient(provider, more), operation, provider.baseUrl);
      if (error === null) continue;
      failed.push(operation);
      expectNothingShown(operation, error);
      expectWordsWithoutSecret(operation, error);
    }
    // Calls that do not read the answer succeed with any 2xx.
    expect(failed.length).toBeGreaterThan(35);
    for (const hidden of HIDDEN) expect(warnings.join('\n')).not.toContain(hidden);
  });

  test('when the request is invalid', async () => {
    const provider = await aLocalProvider(() => ({ status: 400, body: {} }));
    const warnings: string[] = [];
    const more = {
      virtualAccountRequestPath: VIRTUAL_ACCOUNT_PATH,
      onWarning: (text: string) => void warnings.push(text),
    };
    const client = aClient(provider, more);
    let refused = 0;
    for (const operation of OPERATIONS) {
      for (const error of await failuresOfInvalidTexts(client, operation)) {
        if (error instanceof InvalidRequest) refused += 1;
        expectNothingShown(operation, error);
      }
    }
    expect(refused).toBeGreaterThan(200);
    for (const hidden of HIDDEN) expect(warnings.join('\n')).not.toContain(hidden);
  });
});
