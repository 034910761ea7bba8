import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readErrorBody } from '../../provider/calls/error-body.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { AUTHENTICATE, aClient, aLocalProvider, CREDENTIALS } from './local-provider.ts';

const SECRETS = [...Object.values(CREDENTIALS), 'token-1-of-the-provider', 'token-2-of-the-provider'];

/** All texts that printing, logging or storing a value produces. */
function shown(value: object): string {
  const causes: string[] = [];
  for (let cause = (value as Error).cause; cause !== undefined; cause = (cause as Error).cause)
    causes.push(inspect(cause));
  return [inspect(value, { depth: 10 }), JSON.stringify(value), JSON.stringify({ ...value }), ...causes].join('\n');
}

describe('secrets', () => {
  test('a client that holds credentials and a token shows neither', async () => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { body: [] }));
    const client = aClient(provider);
    await client.currencies.pairs();
    for (const secret of SECRETS) expect(shown(client)).not.toContain(secret);
  });

  test.each([400, 401, 403, 409, 429, 500])(
    'a failure with HTTP %i that echoes the request shows no secret',
    async (status) => {
      const provider = await aLocalProvider(({ path, headers, body }) =>
        path === AUTHENTICATE ? undefined : { status, body: { message: JSON.stringify({ headers, body }) } },
      );
      const failure = await aClient(provider)
        .simplePayments.fund({ simplePaymentId: 'p-1' })
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ProviderFailure);
      const everything = `${shown(failure as ProviderFailure)}\n${(failure as ProviderFailure).providerMessage ?? ''}`;
      expect(everything).toContain(String(status));
      for (const secret of SECRETS) expect(everything).not.toContain(secret);
    },
  );

  test('the provider’s message is kept, but neither printed nor logged', async () => {
    const provider = await aLocalProvider(({ path }) =>
      path === AUTHENTICATE
        ? undefined
        : { status: 400, body: { code: 'name_mismatch', message: 'Jane Doe is unknown' } },
    );
    const failure = await aClient(provider)
      .simplePayments.fund({ simplePaymentId: 'p-1' })
      .catch((error: unknown) => error as ProviderFailure);
    expect(failure).toMatchObject({ providerCode: 'name_mismatch', providerMessage: 'Jane Doe is unknown' });
    expect(shown(failure)).not.toContain('Jane');
  });

  test.each([
    ['baseUrl', { baseUrl: 'ftp://provider.invalid' }],
    ['baseUrl', { baseUrl: 'https://user:password@provider.invalid' }],
    ['secretAccessKey', { credentials: { ...CREDENTIALS, secretAccessKey: 'the-access-key\n' } }],
    ['storagePrefix', { storagePrefix: 'x-password' }],
    ['apiKey', { credentials: { ...CREDENTIALS, apiKey: '' } }],
  ])('an error about an invalid %s does not contain its value', (name, wrong) => {
    const make = () => aClient({ baseUrl: 'https://provider.invalid' }, wrong);
    expect(make).toThrow(`account default: ${name}: give`);
    expect(make).not.toThrow(/password|the-access-key/);
  });
});

describe('error bodies', () => {
  test.each<[string, string, string | null, string | null]>([
    ['code and message', '{"code":"quote_used","message":"Used"}', 'quote_used', 'Used'],
    ['a JSON string', '"Not today"', null, 'Not today'],
    ['error as text', '{"error":"Not today"}', null, 'Not today'],
    ['error as object', '{"error":{"code":17,"message":"Not today"}}', '17', 'Not today'],
    ['a list', '{"errors":[{"field":"amount","message":"low"},"odd"]}', null, 'amount: low; odd'],
    ['by field', '{"errors":{"amount":["too low","odd"]}}', null, 'amount: too low; odd'],
    ['messages', '{"message":["one","two"],"error":"Bad Request"}', null, 'one; two; Bad Request'],
    ['plain text', 'upstream\n  timed out', null, 'upstream timed out'],
    ['HTML', '<html><style>b{}</style><h1>502</h1> Bad Gateway</html>', null, '502 Bad Gateway'],
    ['nothing', '', null, null],
    ['an empty object', '{}', null, null],
    ['a number', '7', null, '7'],
    ['a web token', '{"message":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2ln is old"}', null, '[redacted] is old'],
  ])('%s', (_, body, code, message) => {
    expect(readErrorBody(body, [])).toEqual({ code, message });
  });

  test('a long message is truncated', () => {
    expect(readErrorBody('long '.repeat(1_000), []).message).toHaveLength(300);
  });
});
