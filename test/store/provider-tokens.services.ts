import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../store/database/database.ts';
import { createProviderTokens, type ProviderToken } from '../../store/rate-limiter/provider-tokens.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const HOUR_MS = 3_600_000;

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
      createProviderTokens(database, () => NOW_MS),
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
      createProviderTokens(database, () => NOW_MS).renew('one-at-it', null, slowly),
    );
    await sleep(400);
    expect(provider.issued()).toBe(1);
    answer();
    expect([(await one)?.token, (await other)?.token]).toEqual(['token-1', 'token-1']);
  });

  test('is requested once when two have read the old one before a renewal', async () => {
    const provider = aProvider();
    const first = createProviderTokens(testDatabase.database, () => NOW_MS);
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
    const second = await createProviderTokens(overtaken, () => NOW_MS).renew('overtaken', null, provider.renew);
    expect([second.token, provider.issued()]).toEqual(['token-1', 1]);
  });

  test('is renewed by another process if the renewing one has died', async () => {
    const provider = aProvider();
    await testDatabase.database.query(
      `insert into provider_token_turns (account, holder, held_until) values
         ('gone', gen_random_uuid(), now() - interval '1 second')`,
    );
    const tokens = createProviderTokens(testDatabase.database, () => NOW_MS);
    expect((await tokens.renew('gone', null, provider.renew)).token).toBe('token-1');
    const { rows } = await testDatabase.database.query(`select from provider_token_turns where account = 'gone'`);
    expect(rows).toEqual([]);
  });

  test('holds no connection while it waits for the provider', async () => {
    const provider = aProvider();
    const one = openDatabase(testDatabase.url, { role: 'payrun_worker', maxConnections: 1, applicationName: 'one' });
    let others: unknown = null;
    const renewed = await createProviderTokens(one, () => NOW_MS).renew('paused', null, async () => {
      others = (await one.query('select 1 as n')).rows;
      return provider.renew();
    });
    await one.end();
    expect([others, renewed.token]).toEqual([[{ n: 1 }], 'token-1']);
  });

  test('is requested again by the next caller after a failed renewal', async () => {
    const provider = aProvider();
    const tokens = createProviderTokens(testDatabase.database, () => NOW_MS);
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
    await createProviderTokens(testDatabase.database, () => NOW_MS).renew('over', null, provider.renew);
    const later = createProviderTokens(testDatabase.database, () => NOW_MS + 2 * HOUR_MS);
    expect((await later.renew('over', null, provider.renew)).token).toBe('token-2');
  });

  test('is deleted only while it is the stored one', async () => {
    const provider = aProvider();
    const tokens = createProviderTokens(testDatabase.database, () => NOW_MS);
    await tokens.renew('forgotten', null, provider.renew);
    await tokens.forget('forgotten', 'another-token');
    expect(await tokens.read('forgotten')).not.toBeNull();
    await tokens.forget('forgotten', 'token-1');
    expect(await tokens.read('forgotten')).toBeNull();
  });
});
