import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApplicationDependencies } from '../../application/application-dependencies.ts';
import { createWebhookReceiver, forgetOldWebhooks } from '../../application/webhooks/receive-webhook.ts';
import { requireWebhookSecrets } from '../../operations/webhook-secrets.ts';
import { recordProvider } from '../../store/accounts/provider-accounts.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ provider: 'none' });
});
afterAll(() => testDatabase.drop());

const DAY = Date.UTC(2026, 0, 5);

/** A server with this quota, and a clock. */
function aServer(webhookBytesPerDay: number | null) {
  let now = DAY;
  const receive = createWebhookReceiver({
    ...{ database: testDatabase.asServer, now: () => now, settings: { webhookBytesPerDay } },
  } as unknown as ApplicationDependencies);
  const send = (account: string, n: number) =>
    receive({ account, rawBody: `{"n":${n}}`, kind: 'unknown', resourceId: null, saysEnded: false });
  return { send, later: (ms: number) => (now += ms) };
}

async function dayOf(account: string): Promise<object[]> {
  const { rows } = await testDatabase.database.query<object>(
    `select day::text, bytes::int, refused, refused_bytes::int as "refusedBytes" from webhook_days where account = $1 order by day`,
    [account],
  );
  return rows;
}

const stored = async (account: string) =>
  (await testDatabase.database.query('select from webhook_inbox where account = $1', [account])).rowCount;

test('what the webhooks of an account take in a day is limited, by all servers, and what is refused is counted', async () => {
  const [one, other] = [aServer(20), aServer(20)];
  expect(await one.send('full', 1)).toBe('accepted');
  expect(await one.send('full', 2)).toBe('accepted');
  expect(await one.send('full', 3)).toBe('over_quota');
  expect(await one.send('elsewhere', 3)).toBe('accepted');
  one.later(10_000);
  expect(await one.send('full', 3)).toBe('over_quota');
  // The other server learns of it.
  expect(await other.send('full', 4)).toBe('over_quota');
  expect(await stored('full')).toBe(2);
  one.later(10_000);
  expect(await one.send('full', 3)).toBe('over_quota');
  expect(await dayOf('full')).toMatchObject([{ day: '2026-01-05', bytes: 14, refused: 2, refusedBytes: 14 }]);
  one.later(86_400_000);
  expect(await one.send('full', 3)).toBe('accepted');
});

test('a webhook that is stored already takes nothing, and no limit is none', async () => {
  const limited = aServer(14);
  expect(await limited.send('again', 1)).toBe('accepted');
  for (let times = 0; times < 5; times += 1) expect(await limited.send('again', 1)).toBe('duplicate');
  expect(await limited.send('again', 2)).toBe('accepted');
  const unlimited = aServer(null);
  expect(await unlimited.send('again', 3)).toBe('accepted');
});

test('days are removed with their webhooks', async () => {
  await testDatabase.database.query(`insert into webhook_days values ('old', current_date - 91, 1, 0, 0)`);
  await forgetOldWebhooks({ database: testDatabase.asServer } as unknown as ApplicationDependencies);
  expect(await dayOf('old')).toEqual([]);
});

describe('secrets of webhooks', () => {
  const none = { webhookTokens: undefined, webhookHeaders: {} };
  const atStart = { unrecorded: 'goes_on' } as const;

  test('are required of an account that is added to a running server, until its provider is known to be a sandbox', async () => {
    const added = [{ name: 'added', ...none }];
    await expect(requireWebhookSecrets(testDatabase.asServer, added, { unrecorded: 'waits' })).rejects.toThrow(
      'the webhooks of added have no secret that is configured',
    );
  });

  test('are required with a provider that is no sandbox', async () => {
    const account = { name: 'real', ...none };
    await requireWebhookSecrets(testDatabase.asServer, [account], atStart);
    const provider = { account: 'real', apiAddress: 'https://api.example.com', accessKey: 'x' };
    await recordProvider(testDatabase.asWorker, { ...provider, isSandbox: false });
    await expect(requireWebhookSecrets(testDatabase.asServer, [account], atStart)).rejects.toThrow(
      'the webhooks of real have no secret that is configured: set PAYRUN_WEBHOOK_TOKEN_FILE',
    );
    await requireWebhookSecrets(
      testDatabase.asServer,
      [{ ...account, webhookTokens: ['a-token-that-is-set'] }],
      atStart,
    );
    await requireWebhookSecrets(testDatabase.asServer, [{ ...account, webhookHeaders: { 'x-secret': 'y' } }], atStart);
  });

  test('are made by themselves with the sandbox', async () => {
    const sandboxes = await createTestDatabase({ provider: 'none' });
    try {
      const provider = { account: 'default', apiAddress: 'http://127.0.0.1:1', accessKey: 'x' };
      await recordProvider(sandboxes.asWorker, { ...provider, isSandbox: true });
      await requireWebhookSecrets(sandboxes.asServer, [{ name: 'default', ...none }], atStart);
      await requireWebhookSecrets(sandboxes.asServer, [{ name: 'default', ...none }], { unrecorded: 'waits' });
    } finally {
      await sandboxes.drop();
    }
  });
});
