import { expect } from 'vitest';
import { defaultAccount } from '../../../sandbox/config/accounts.ts';
import { Caller } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { withoutAdditionalFields } from '../additional-fields.ts';
import { limitedAccount } from '../open-sandbox.ts';

const TOKEN_LIFE_MS = 8 * 3_600_000;

/** Contract: account 4.1, 5, 7. */
const tokens: readonly ContractCase[] = [
  {
    name: 'a token has no envelope, is valid for eight hours, and is then renewed transparently',
    covers: ['auth-authenticate', 'currency-pairs'],
    calls: ['currencies.pairs'],
    run: async (context) => {
      const timesIssued = () => context.ledger().requests.byOperation['auth-authenticate'];
      const pairs = await context.client.currencies.pairs();
      await context.client.currencies.pairs();
      expect(timesIssued()).toBe(1);
      await context.advance(TOKEN_LIFE_MS);
      expect(await context.client.currencies.pairs()).toEqual(pairs);
      expect(timesIssued()).toBe(2);
      await context.ask('auth-authenticate', { body: defaultAccount });
    },
  },
  {
    name: 'a token that expired early is renewed once, and the call is sent again',
    covers: ['auth-authenticate', 'balance-find'],
    calls: ['balances.find'],
    run: async (context) => {
      await context.client.balances.find();
      // The sandbox forgets every token, and the client is not informed.
      await context.control('reset', {});
      expect((await context.client.balances.find()).length).toBeGreaterThan(0);
      expect(context.ledger().requests.byOperation).toMatchObject({ 'balance-find': 2, 'auth-authenticate': 1 });
    },
  },
  {
    name: 'a logout invalidates the current token only',
    covers: ['auth-logout'],
    calls: ['authentication.logout', 'balances.find'],
    run: async (context) => {
      const first = context.caller;
      await context.send('balance-find');
      const second = await new Caller(first.sandbox, first.apiKey).signIn();
      const out = await context.send('auth-logout');
      expect([out.status, withoutAdditionalFields(out.body)]).toEqual([200, {}]);
      await context.expectRawRefusal('balance-find', {}, { status: 401, code: 'authentication_failed' });
      expect((await context.send('balance-find', {}, second)).status).toBe(200);
      const timesIssued = () => context.ledger().requests.byOperation['auth-authenticate']!;
      await context.client.balances.find();
      const before = timesIssued();
      await context.client.authentication.logout();
      await context.client.balances.find();
      expect(timesIssued()).toBe(before + 1);
    },
  },
];

const refusals: readonly ContractCase[] = [
  {
    name: 'wrong and missing credentials are refused, and are not sent again',
    covers: ['auth-authenticate'],
    calls: [],
    run: async (context) => {
      for (const missing of ['accessKeyId', 'secretAccessKey'] as const) {
        const body = { ...defaultAccount, [missing]: undefined };
        await context.expectRawRefusal(
          'auth-authenticate',
          { body },
          { status: 400, code: 'validation_failed', field: missing },
        );
      }
      const before = context.ledger().requests.byOperation['auth-authenticate'] ?? 0;
      const wrong = context.anotherClient({ ...defaultAccount, secretAccessKey: 'a-guess' });
      const failed = { kind: 'unauthenticated', status: 401, code: 'authentication_failed' } as const;
      await context.expectRefused(wrong.balances.find(), failed);
      expect(context.ledger().requests.byOperation).toMatchObject({ 'auth-authenticate': before + 1 });
      const unknown = context.anotherClient({ ...defaultAccount, apiKey: 'an-unknown-key' });
      await context.expectRefused(unknown.balances.find(), { kind: 'unauthenticated', status: 403, code: 'forbidden' });
    },
  },
  {
    name: 'a missing key is 403, also without a token; a missing or prefixed token is 401',
    covers: ['balance-find'],
    calls: [],
    run: async (context) => {
      await context.send('balance-find');
      const { token } = context.caller;
      const status = async (headers: Record<string, string>): Promise<[number, unknown]> => {
        const answer = await context.caller.send('GET', '/balances/v1/find', undefined, headers);
        return [answer.status, answer.body['message']];
      };
      expect((await status({ 'x-api-key': '' }))[0]).toBe(403);
      expect((await status({ 'x-api-key': '', authorization: '' }))[0]).toBe(403);
      for (const authorization of ['', 'an-invented-token', `Bearer ${token}`]) {
        expect(await status({ authorization })).toEqual([401, 'authentication_failed']);
      }
    },
  },
  {
    name: 'a request over the limit is refused, and the client says when to try again',
    covers: ['currency-pairs'],
    calls: ['currencies.pairs'],
    run: async (context) => {
      await context.client.currencies.pairs();
      const limited = context.anotherClient(limitedAccount);
      // Its authentication uses up its only request of the day.
      const overLimit = limited.currencies.pairs();
      const status = Number(context.setting('limit-status'));
      // A gateway that answers 503 may have forwarded the request.
      const kind = status === 503 ? 'unknown_outcome' : 'rate_limited';
      await context.expectRefused(overLimit, { kind, status, code: 'rate_limited' });
      await expect(overLimit).rejects.toMatchObject({ retryAfterMs: MAX_PAUSE_MS });
    },
  },
];

/** Midnight is later than the client's longest pause. */
const MAX_PAUSE_MS = 5 * 60_000;

export const authentication: Area = {
  name: 'authentication',
  settings: ['limit-status'],
  cases: [...tokens, ...refusals],
};
