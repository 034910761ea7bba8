import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../store/database/database.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';
import { LedgerWorld } from './ledger-world.ts';

/** Two who want the same money at the same time. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const RACES = Number(process.env.LEDGER_RACES ?? 200);
/** Their currencies, so that several races go on at once. */
const CURRENCIES = ['EUR', 'USD', 'SGD', 'JPY'];

test('a run and a sweep race for the last cent: one of them gets it, never both, and nothing is overspent', async () => {
  const winners = { run: 0, sweep: 0 };
  await Promise.all(CURRENCIES.map((currency) => race(currency, winners)));
  expect(winners.run + winners.sweep).toBeGreaterThanOrEqual(RACES);
  expect(Math.min(winners.run, winners.sweep)).toBeGreaterThan(0);
});

test('who ends a payment waits for who funds another one, and neither has to give way', async () => {
  const world = new LedgerWorld(testDatabase, 'CHF');
  world.change(100);
  await world.readHistory();
  await world.approveRun([10, 10]);
  const [funded = '', ended = ''] = world.runs[0]?.paymentIds ?? [];
  for (const paymentId of [funded, ended]) await world.create(paymentId, 0, 'took_effect');
  const { database } = testDatabase;
  // So that its funding commits something.
  await bypassTriggers(database, 'update payments set total_amount = 11 where payment_id = $1', [funded]);
  let funding: Promise<string> | undefined;
  await inTransaction(database, async (sweep) => {
    await sweep.query('select from payments where payment_id = $1 for update', [funded]);
    funding = world.fund(funded, 'answered');
    await until(async () => {
      const { rows } = await database.query<{ waits: boolean }>(
        `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
      );
      return rows[0]?.waits === true;
    });
    // Its money is released, which takes the lock of the currency.
    await sweep.query(`update payments set state = 'failed', ended_at = now() where payment_id = $1`, [ended]);
  });
  expect(await funding).toBe('funded');
  expect(await world.ledger()).toMatchObject({ payment: 11, run: 9, free: 80 });
});

async function race(currency: string, winners: { run: number; sweep: number }): Promise<void> {
  const world = new LedgerWorld(testDatabase, currency);
  world.change(100);
  await world.readHistory();
  expect(await world.commitConversion('all-before', 100)).toBe(true);
  for (let round = 0; round < Math.ceil(RACES / CURRENCIES.length); round += 1) {
    // The row costs 10 with its fee, of which 9 are reserved.
    const isThere = round % 2 === 0;
    world.change(isThere ? 10 : 9);
    await world.readHistory();
    await world.approveRun([9]);
    const paymentId = world.runs.at(-1)?.paymentIds[0] ?? '';
    const sweep = () => world.commitConversion(`sweep-${world.currency}-${round}`, 1);
    const fund = () => world.fund(paymentId, 'answered');
    if (!isThere) {
      await world.create(paymentId, 1, 'took_effect');
      world.change(1);
    }
    // The last cent is there, or is seen just now.
    const contest = isThere
      ? [() => world.create(paymentId, 1, 'took_effect')]
      : [() => world.readHistory(), fund, sweep];
    const [swept, ...others] = await Promise.all([sweep(), ...contest.map((act) => act())]);
    const isSwept = swept || others.includes(true);
    const isFunded = others.includes('funded') || (await fund()) === 'funded';
    expect([isSwept, isFunded].filter(Boolean)).toHaveLength(1);
    winners[isSwept ? 'sweep' : 'run'] += 1;
    if (isSwept) {
      await world.fundConversion(`sweep-${world.currency}-${round}`, 1);
      expect(await world.stateOf(paymentId)).toBe('awaiting_funds');
      world.change(1);
      await world.readHistory();
      expect(await fund()).toBe('funded');
    }
    expect(world.balance).toBe(100);
    await world.end(paymentId, 'paid');
    await world.endRun(world.runs.at(-1)?.runId ?? '');
  }
  await world.readHistory();
  expect(await world.wrongBalances()).toEqual([]);
  expect(await world.ledger()).toEqual({ outside: -100, free: 0, run: 0, payment: 0, conversion: 100 });
}
