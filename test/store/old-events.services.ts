import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_OPEN_DEPOSITS, reportDeposit } from '../../store/accounts/deposits.ts';
import { noteFundingAsked } from '../../store/accounts/fundings.ts';
import { noteRange, readKnownHistory } from '../../store/accounts/history-ranges.ts';
import { noteRefundAsked } from '../../store/accounts/refunds.ts';
import { noteVirtualAccountAsked } from '../../store/accounts/virtual-accounts.ts';
import { INBOX_DAYS } from '../../application/webhooks/receive-webhook.ts';
import { forgetOldEvents } from '../../store/webhooks/webhook-inbox.ts';
import { MAX_OPEN_DELIVERIES } from '../../store/notifications/plan-deliveries.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/** What events from outside leave has an age or a cap. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const report = (account: string, maxOpen?: number) =>
  reportDeposit(
    testDatabase.asServer,
    account,
    { transactionId: randomUUID(), amount: '5', status: 'completed', virtualAccountId: null, accountNumber: null },
    maxOpen,
  );

async function countOf(table: string, account: string): Promise<number> {
  const { rows } = await testDatabase.database.query<{ n: number }>(
    `select count(*)::int as n from ${table} where account = $1`,
    [account],
  );
  return rows[0]?.n ?? 0;
}

async function readsHistory(account: string, days: number): Promise<void> {
  const readAt = await beginReading(testDatabase.asWorker);
  const toMs = Date.now() - days * 86_400_000;
  const counts = { entries: 0, added: 0, unreadable: 0, conflicting: 0 };
  await noteRange(testDatabase.asWorker, { account, fromMs: toMs - 1_000, toMs, isGap: false, readAt, ...counts });
  await testDatabase.database.query(
    `update history_ranges set read_at = to_timestamp($2::float8 / 1000) where account = $1 and to_at = to_timestamp($2::float8 / 1000)`,
    [account, toMs],
  );
}

const TABLES = ['deposits', 'refunds', 'fundings', 'virtual_account_candidates'] as const;

async function leaves(account: string): Promise<void> {
  await report(account);
  await noteRefundAsked(testDatabase.asWorker, account, 'named');
  await noteFundingAsked(testDatabase.asWorker, account, 'named');
  await noteVirtualAccountAsked(testDatabase.asWorker, account, 'named');
}

test('what nothing has confirmed for ninety days is removed, and nothing younger', async () => {
  await leaves('old');
  await leaves('new');
  await testDatabase.database.query(
    `update deposits set last_reported_at = now() - interval '91 days' where account = 'old'`,
  );
  for (const table of ['refunds', 'fundings']) {
    await testDatabase.database.query(
      `update ${table} set first_seen_at = now() - interval '91 days' where account = 'old'`,
    );
  }
  await testDatabase.database.query(
    `update virtual_account_candidates set read_at = now() - interval '91 days' where account = 'old'`,
  );
  expect(await forgetOldEvents(testDatabase.asServer)).toBe(TABLES.length);
  expect(await forgetOldEvents(testDatabase.asServer)).toBe(0);
  for (const table of TABLES) {
    expect([table, await countOf(table, 'old'), await countOf(table, 'new')]).toEqual([table, 0, 1]);
  }
});

test('reads of the history are removed after thirty days, but never the last one', async () => {
  for (const days of [50, 40, 1]) await readsHistory('reading', days);
  for (const days of [50, 40]) await readsHistory('stopped', days);
  const before = await readKnownHistory(testDatabase.asWorker, 'stopped');
  await forgetOldEvents(testDatabase.asServer);
  expect([await countOf('history_ranges', 'reading'), await countOf('history_ranges', 'stopped')]).toEqual([1, 1]);
  expect(await readKnownHistory(testDatabase.asWorker, 'stopped')).toEqual(before);
});

test('only so many reports of deposits wait for their money', async () => {
  for (let times = 0; times < 5; times += 1) await report('flooded', 3);
  expect(await countOf('deposits', 'flooded')).toBe(3);
});

test('each age and cap is in the documentation', async () => {
  const [page, sql] = await Promise.all(
    ['../../docs/capacity.md', '../../store/webhooks/old-events.sql'].map((path) =>
      readFile(new URL(path, import.meta.url), 'utf8'),
    ),
  );
  const ages = [...(sql ?? '').matchAll(/delete from (\w+)[^;]*?interval '(\d+) days'/gu)].map(([, table, days]) => [
    table,
    `${days} days`,
  ]);
  expect(ages.map(([table]) => table)).toEqual([
    ...[...TABLES, 'virtual_account_requests', 'deliveries', 'outbox', 'history_ranges'],
  ]);
  for (const [table, age] of [...ages, ['webhook_inbox', `${INBOX_DAYS} days`]]) {
    expect(page).toMatch(new RegExp(`\\| \`${table}\` \\|[^\\n]*\\b${age}\\b`, 'u'));
  }
  expect(page).toContain(`${MAX_OPEN_DEPOSITS.toLocaleString('en')} reports`);
  expect(page).toContain(`${MAX_OPEN_DELIVERIES.toLocaleString('en')} wait for an endpoint`);
});
