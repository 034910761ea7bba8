import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../store/database/database.ts';
import { createProviderTokens, type ProviderToken, tokenKeyOf } from '../../store/rate-limiter/provider-tokens.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const HOUR_MS = 3_600_000;
const KEY = tokenKeyOf('the-secret-of-the-account');

let testDatabase: TestDatabase;
let otherProcess: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  otherProcess = openDatabase(testDatabase.url, {
    role: 'payrun_worker',
    maxConnections: 10,
    applicationName: 'another process',
  });
});
afterAll(async () => {
  await otherProcess.end();
  await testDatabase.drop();
});

/** The provider's authentication: each call returns another token, and is counted. */
function aProvider(): { renew: () => Promise<ProviderToken>; issued: () => number } {
  let issued = 0;
  return {
    renew: () => {
      issued += 1;
      return Promise.resolve({ token: `token-${issued}`, expiresAtMs: NOW_MS + HOUR_MS });
    },
    issued: () => issued,
  };
}

describe('the token of a provider account', () => {
  test('trap 33: is renewed once, however many callers and processes need it at the same time', async () => {
    const provider = aProvider();
    const processes = [testDatabase.database, otherProcess].map((database) =>
      createProviderTokens(database, KEY, () => NOW_MS),
    );
    const renewAll = (stale: string | null): Promise<ProviderToken[]> =>
      Promise.all(
        processes.flatMap((tokens) =>
          Array.from({ length: 6 }, () => tokens.renew('many-callers', stale, provider.renew)),
        ),
      );
    const first = await renewAll(null);
    expect(provider.issued()).toBe(1);
    expect(new Set(first.map(({ token }) => token))).toEqual(new Set(['token-1']));
    // All of them fail with it at the same time.
    const second = await renewAll('token-1');
    expect(provider.issued()).toBe(2);
    expect(new Set(second.map(({ token }) => token))).toEqual(new Set(['token-2']));
    expect(await processes[1]?.read('many-callers')).toEqual({ token: 'token-2', expiresAtMs: NOW_MS + HOUR_MS });
  });

  test('is requested by nobody else during a renewal', async () => {
    const provider = aProvider();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const slowly = (): Promise<ProviderToken> => {
      const token = provider.renew();
      return answered.then(() => token);
    };
    const [one, other] = [testDatabase.database, otherProcess].map((database) =>
      createProviderTokens(database, KEY, () => NOW_MS).renew('one-at-it', null, slowly),
    );
    await sleep(400);
    expect(provider.issued()).toBe(1);
    answer();
    expect([(await one)?.token, (await other)?.token]).toEqual(['token-1', 'token-1']);
  });

  test('is requested once when two have read the old one before a renewal', async () => {
    const provider = aProvider();
    const first = createProviderTokens(testDatabase.database, KEY, () => NOW_MS);
    let hasRenewed = false;
    const overtaken = {
      query: async (text: string, values: unknown[]) => {
        if (!hasRenewed && text.includes('insert into provider_token_turns')) {
          hasRenewed = true;
          await first.renew('overtaken', null, provider.renew);
        }
        return otherProcess.query(text, values);
      },
    } as unknown as Database;
    const second = await createProviderTokens(overtaken, KEY, () => NOW_MS).renew('overtaken', null, provider.renew);
    expect([second.token, provider.issued()]).toEqual(['token-1', 1]);
  });

  test('is renewed by another process if the renewing one has died', async () => {
    const provider = aProvider();
    await testDatabase.database.query(
      `insert into provider_token_turns (account, holder, held_until) values
         ('gone', gen_random_uuid(), now() - interval '1 second')`,
    );
    const tokens = createProviderTokens(testDatabase.database, KEY, () => NOW_MS);
    expect((await tokens.renew('gone', null, provider.renew)).token).toBe('token-1');
    const { rows } = await testDatabase.database.query(`select from provider_token_turns where account = 'gone'`);
    expect(rows).toEqual([]);
  });

  test('holds no connection while it waits for the provider', async () => {
    const provider = aProvider();
    const one = openDatabase(testDatabase.url, { role: 'payrun_worker', maxConnections: 1, applicationName: 'one' });
    let others: unknown = null;
    const renewed = await createProviderTokens(one, KEY, () => NOW_MS).renew('paused', null, async () => {
      others = (await one.query('select 1 as n')).rows;
      return provider.renew();
    });
    await one.end();
    expect([others, renewed.token]).toEqual([[{ n: 1 }], 'token-1']);
  });

  test('is requested again by the next caller after a failed renewal', async () => {
    const provider = aProvider();
    const tokens = createProviderTokens(testDatabase.database, KEY, () => NOW_MS);
    let failures = 0;
    const failsOnce = (): Promise<ProviderToken> => {
      if (failures > 0) return provider.renew();
      failures += 1;
      return Promise.reject(new Error('the provider is away'));
    };
    const outcomes = await Promise.allSettled([
      tokens.renew('fails', null, failsOnce),
      tokens.renew('fails', null, failsOnce),
      tokens.renew('fails', null, failsOnce),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(provider.issued()).toBe(1);
  });

  test('is renewed when the stored one has expired, although no request failed with it', async () => {
    const provider = aProvider();
    await createProviderTokens(testDatabase.database, KEY, () => NOW_MS).renew('over', null, provider.renew);
    const later = createProviderTokens(testDatabase.database, KEY, () => NOW_MS + 2 * HOUR_MS);
    expect((await later.renew('over', null, provider.renew)).token).toBe('token-2');
  });

  test('is deleted only while it is the stored one', async () => {
    const provider = aProvider();
    const tokens = createProviderTokens(testDatabase.database, KEY, () => NOW_MS);
    await tokens.renew('forgotten', null, provider.renew);
    await tokens.forget('forgotten', 'another-token');
    expect(await tokens.read('forgotten')).not.toBeNull();
    await tokens.forget('forgotten', 'token-1');
    expect(await tokens.read('forgotten')).toBeNull();
  });

  test('is in the database only encrypted, so that no dump has it', async () => {
    const provider = aProvider();
    await createProviderTokens(testDatabase.database, KEY, () => NOW_MS).renew('sealed', null, provider.renew);
    const { rows } = await testDatabase.database.query<{ row: string; bytes: Buffer }>(
      `select line::text as row, encrypted_token as bytes from provider_tokens as line where account = 'sealed'`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.bytes.toString('latin1')).not.toContain('token-1');
    expect(rows[0]?.row).not.toContain(Buffer.from('token-1').toString('hex'));
  });

  test('is requested again where the stored one is of another secret or another account, or damaged', async () => {
    const provider = aProvider();
    const tokens = createProviderTokens(testDatabase.database, KEY, () => NOW_MS);
    await tokens.renew('exchanged', null, provider.renew);
    const others = createProviderTokens(testDatabase.database, tokenKeyOf('another-secret'), () => NOW_MS);
    expect(await others.read('exchanged')).toBeNull();
    await others.forget('exchanged', 'token-1');
    await testDatabase.database.query(
      `insert into provider_tokens select 'copied', encrypted_token, expires_at from provider_tokens where account = 'exchanged'`,
    );
    expect(await tokens.read('copied')).toBeNull();
    expect((await tokens.renew('copied', null, provider.renew)).token).toBe('token-2');
    expect((await others.renew('exchanged', null, provider.renew)).token).toBe('token-3');
  });
});
