import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import { MONEY_LEFT_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { localTimeOf } from '../../domain/treasury/local-time.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { beginRequest } from '../../store/payments/payment-requests.ts';
import { readNextPayDay } from '../../store/runs/payable-rows.ts';
import { listFundedExchanges, listFundedOfRun } from '../../store/treasury/costs.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

/** Days are those of the account: 25 hours lie between the clocks of the first of these zones and of the last one. */
const FIRST = 'Pacific/Kiritimati';
const LAST = 'Pacific/Pago_Pago';

/** Of some of them the clocks change at midnight, or by half an hour. */
const ZONES = [
  ...[
    'Africa/Cairo',
    'America/Havana',
    'America/Asuncion',
    'Asia/Beirut',
    'Asia/Gaza',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
  ],
  ...['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Pacific/Apia', FIRST, LAST],
];

let testDatabase: TestDatabase;
let runs: RunsInApproval;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
});
afterAll(() => testDatabase.drop());

describe('a row is due on a day of its account', () => {
  const begins = async (paymentId: string): Promise<boolean> => {
    const { asWorker } = testDatabase;
    const request = { paymentId, operation: 'quote', whileIn: ['ready'] } as const;
    return (await beginRequest(asWorker, { ...request, at: new Date(), dataKeys: TEST_KEY_IDS })).requestId !== null;
  };
  const zones: [string, Partial<ApprovalPolicy>, Partial<ApprovalPolicy>][] = [
    ['the installation', { timeZone: LAST }, { timeZone: FIRST }],
    ['the account', { timeZone: FIRST, accountTimeZones: { default: LAST } }, { accountTimeZones: { default: FIRST } }],
    ['the account, not another one', { timeZone: LAST, accountTimeZones: { other: FIRST } }, { timeZone: FIRST }],
  ];

  test.each(zones)('by the time zone of %s', async (_what, before, after) => {
    const payOn = localTimeOf(Date.now(), FIRST).date;
    const { paymentIds } = await anApprovedRun(testDatabase.database, 1, () => ({ payOn }));
    await runs.follow(before);
    expect(await begins(paymentIds[0] ?? '')).toBe(false);
    await runs.follow(after);
    expect(await begins(paymentIds[0] ?? '')).toBe(true);
  });

  test('which begins when its clocks say so', async () => {
    await runs.follow({ timeZone: 'Europe/Berlin' });
    const { runId } = await anApprovedRun(testDatabase.database, 1, () => ({ payOn: '2026-03-30' }));
    expect(await readNextPayDay(testDatabase.asWorker, runId, '2026-03-29')).toEqual({
      day: '2026-03-30',
      // Clocks were put forward the night before.
      beginsAtMs: Date.parse('2026-03-29T22:00:00Z'),
      rows: 1,
    });
  });
});

describe('what was paid has cost something on a day of its account', () => {
  test.each([
    ['UTC', '2026-03-29', '2026-03-30'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29'],
  ])('by the clocks of %s', async (timeZone, day, otherDay) => {
    const { runId } = await anApprovedRun(testDatabase.database, 1);
    await bypassTriggers(
      testDatabase.database,
      `update payments set state = $2, sell_amount = 10, buy_amount = 9, funded_at = '2026-03-29T22:30Z' where run_id = $1`,
      [runId, MONEY_LEFT_PAYMENT_STATES[0]],
    );
    await runs.follow({ timeZone });
    const costsOn = async (on: string): Promise<unknown[]> =>
      (await listFundedExchanges(testDatabase.database, { accounts: ['default'], from: on, to: on }))
        .filter((funded) => funded.runId === runId)
        .map((funded) => [funded.day, funded.count]);
    expect([await costsOn(day), await costsOn(otherDay)]).toEqual([[[day, 1]], []]);
    expect(await listFundedOfRun(testDatabase.database, runId)).toMatchObject([{ day }]);
  });
});

test('a zone that only the program knows is refused, at the proposal and when a policy gets in force', async () => {
  const unknown = 'America/Nowhere';
  await expect(runs.follow({ timeZone: unknown })).rejects.toThrow(`does not know the time zone ${unknown}`);
  await expect(runs.follow({ accountTimeZones: { default: unknown } })).rejects.toThrow('does not know the time zone');
  const proposed = { rules: [], changes: { delayHours: null }, timeZone: unknown };
  await expect(
    testDatabase.database.query(`select begin_change(null, null, 'set_policy', null, $1)`, [
      JSON.stringify({ policy: proposed }),
    ]),
  ).rejects.toThrow(`does not know the time zone ${unknown}`);
});

describe('the day of an account', () => {
  test('is the one that its clocks show', async () => {
    await runs.follow({ timeZone: 'America/New_York' });
    const at = Date.parse('2026-11-28T04:30:00Z');
    expect(await readLocalDay(testDatabase.asServer, 'default', at)).toBe('2026-11-27');
    await runs.follow({});
    expect(await readLocalDay(testDatabase.asServer, 'default', at)).toBe('2026-11-28');
  });

  test('begins on that day, also where clocks skip midnight or show it twice', async () => {
    for (const name of ZONES) {
      await runs.follow({ timeZone: name });
      const { rows } = await testDatabase.database.query<{ day: string }>(
        `select day::text from (select day::date from generate_series('2025-12-28'::date, '2027-01-03', '1 day') as days (day)) as days
         cross join lateral (select day_begins_at('default', day::text) as begins) as moment
         where local_day('default', begins) <> day::text or local_day('default', begins - interval '61 minutes') >= day::text`,
      );
      expect({ name, rows }).toEqual({ name, rows: [] });
    }
  });
});
