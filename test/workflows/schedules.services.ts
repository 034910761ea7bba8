import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncSchedules } from '../../application/treasury/sync-schedules.ts';
import { FIXED_AMOUNT, FUND_RUN, SWEEP, TOP_UP } from '../domain/treasury-schedules.ts';
import { approveOrder, expectConvertedOnce, untilOrder } from '../helpers/conversions-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import {
  ALWAYS_OPEN,
  confirmedSchedule,
  detailOf,
  followAll,
  ordersOf,
  temporalSchedule,
  untilEnded,
} from '../helpers/schedules-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Schedules of conversions against the sandbox, with the schedules of a real Temporal. */

let payrun: PayrunUnderTest;
let tina: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    calendars: ALWAYS_OPEN,
    settings: { schedules: { calendars: ALWAYS_OPEN, catchUpMs: 600_000, orderLifetimeMs: 3_600_000 } },
  });
  tina = await aUser(payrun.testDatabase, 'Tina Treasurer', 'treasurer');
  await followAll(payrun, { USD: '200000.00', GBP: '60000.00', CAD: '500.00', AUD: '20000.00', NZD: '2.00' });
});
afterAll(() => payrun.stop());

const trigger = (scheduleId: string, key: string = randomUUID()) =>
  payrun.application.triggerSchedule(tina, scheduleId, key);

/** Starts the occurrence of a time of day as Temporal's schedule does at that time: `days` ago. */
async function startAt(scheduleId: string, days: number): Promise<{ date: string }> {
  const { schedule } = await detailOf(payrun, scheduleId);
  const [time = ''] = schedule.inForce?.schedule['times'] as string[];
  const isOfToday = Date.parse(`${new Date().toISOString().slice(0, 10)}T${time}:00Z`) <= Date.now();
  const date = new Date(Date.now() - (days + (isOfToday ? 0 : 1)) * 86_400_000).toISOString().slice(0, 10);
  const at = Date.parse(`${date}T${time}:00Z`);
  await temporalSchedule(payrun, scheduleId).backfill({ start: new Date(at - 1), end: new Date(at + 1) });
  return { date };
}

describe('a schedule', () => {
  test('of a fixed amount places its order once for a date and time, however often it is started', async () => {
    const differences = { amount: '1000.00', max_order: '1100.00' };
    const scheduleId = await confirmedSchedule(payrun, tina, FIXED_AMOUNT, differences);
    const { date } = await startAt(scheduleId, 0);
    const [occurrence] = await untilEnded(payrun, scheduleId);
    expect(occurrence).toMatchObject({ cause: 'schedule', localDate: date, slot: 1, ended: 'done', reason: null });
    const [order] = await ordersOf(payrun, occurrence?.occurrenceId ?? '');
    await untilOrder(payrun, order?.orderId ?? '', 'settled');
    // Clocks that show a time twice start it twice.
    await startAt(scheduleId, 0);
    await until(async () => {
      const { info } = await temporalSchedule(payrun, scheduleId).describe();
      return info.numActionsTaken === 2 && info.runningActions.length === 0;
    });
    expect((await detailOf(payrun, scheduleId)).occurrences).toHaveLength(1);
    expectConvertedOnce(payrun);
  });

  test('that sweeps leaves its floor, with the fees', async () => {
    const scheduleId = await confirmedSchedule(payrun, tina, SWEEP, { sell: 'GBP', buy: 'SGD' });
    await trigger(scheduleId);
    const [occurrence] = await untilEnded(payrun, scheduleId);
    expect(occurrence).toMatchObject({ cause: 'trigger', ended: 'done' });
    const [order] = await ordersOf(payrun, occurrence?.occurrenceId ?? '');
    const { quote } = await untilOrder(payrun, order?.orderId ?? '', 'settled');
    const total = Number(quote?.totalAmount);
    expect([total <= 10_000, total > 9_999]).toEqual([true, true]);
    expect(Number(payrun.sandbox.ledger().balances['GBP'])).toBe(60_000 - total);
    await trigger(scheduleId);
    const [next] = await untilEnded(payrun, scheduleId, 2);
    expect(next?.ended).not.toBe('done');
  });

  test('that tops up buys what is missing, and nothing the next time', async () => {
    const scheduleId = await confirmedSchedule(payrun, tina, TOP_UP, { buy: 'CAD', level: '2000.00' });
    await trigger(scheduleId);
    const [occurrence] = await untilEnded(payrun, scheduleId);
    const [order] = await ordersOf(payrun, occurrence?.occurrenceId ?? '');
    expect(order?.amount).toBe('1500.00');
    await untilOrder(payrun, order?.orderId ?? '', 'settled');
    await trigger(scheduleId);
    const [next] = await untilEnded(payrun, scheduleId, 2);
    expect(next).toMatchObject({ ended: 'nothing_to_do', reason: 'nothing_to_convert' });
    expect(payrun.sandbox.ledger().balances['CAD']).toBe('2000.00');
  });

  test('that funds runs buys what an approved run lacks, and the run is paid with it', async () => {
    const rows = newRows(2, { sell_currency: 'NZD', amount: '3000.00' });
    const runId = await beginRun(payrun, rows);
    await until(async () => (await payrun.application.findRun(runId))?.rows.awaiting_funds === 2);
    const scheduleId = await confirmedSchedule(payrun, tina, FUND_RUN, {
      ...{ buy: ['NZD'], floors: {}, horizon_days: 3 },
      sources: [{ currency: 'USD', min_order: '1000.00', max_order: '50000.00' }],
    });
    const { today } = await payrun.application.nextOccurrences(scheduleId, 1);
    expect(today.reason).not.toBe('nothing_to_convert');
    await trigger(scheduleId);
    const [occurrence] = await untilEnded(payrun, scheduleId);
    const [order, second] = await ordersOf(payrun, occurrence?.occurrenceId ?? '');
    // What the rows take with their fees, and half a percent, less the one that is there.
    expect([Number(order?.amount) > 6_029, Number(order?.amount) < 6_100, second]).toEqual([true, true, undefined]);
    expect(occurrence).toMatchObject({ cause: 'trigger', ended: 'done' });
    await untilOrder(payrun, order?.orderId ?? '', 'settled');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await trigger(scheduleId);
    const [next] = await untilEnded(payrun, scheduleId, 2);
    expect(next).toMatchObject({ ended: 'nothing_to_do', reason: 'nothing_to_convert' });
    expectConvertedOnce(payrun);
  });

  test('is started once under one key, and two of one pair in the same second place one order', async () => {
    const pair = { sell: 'AUD', buy: 'CHF', floor: '0.00', max_order: '30000.00' };
    const [one, other] = [
      await confirmedSchedule(payrun, tina, SWEEP, pair),
      await confirmedSchedule(payrun, tina, SWEEP, pair),
    ];
    const started = await Promise.all([
      trigger(one, 'a'),
      trigger(one, 'a'),
      trigger(one, 'b'),
      trigger(other, 'a'),
      trigger(other, 'b'),
    ]);
    expect(new Set(started.map(({ occurrenceId }) => occurrenceId)).size).toBe(4);
    const ended = [...(await untilEnded(payrun, one, 2)), ...(await untilEnded(payrun, other, 2))];
    const orders = (await Promise.all(ended.map(({ occurrenceId }) => ordersOf(payrun, occurrenceId)))).flat();
    expect(orders.filter(({ state }) => state !== null && state !== 'skipped')).toHaveLength(1);
    expect(ended.filter((occurrence) => occurrence.ended === 'done')).toHaveLength(1);
    expectConvertedOnce(payrun);
  });

  test('that starts long after its time is missed, and a fixed amount is backfilled with an approval', async () => {
    const differences = { amount: '500.00', max_order: '600.00', buy: 'SGD' };
    const scheduleId = await confirmedSchedule(payrun, tina, FIXED_AMOUNT, differences);
    const { date } = await startAt(scheduleId, 1);
    const [missed] = await untilEnded(payrun, scheduleId);
    expect(missed).toMatchObject({ localDate: date, ended: 'missed', reason: 'started_too_late' });
    const { schedule } = await detailOf(payrun, scheduleId);
    const [time = ''] = schedule.inForce?.schedule['times'] as string[];
    const { occurrenceId } = await payrun.application.backfillSchedule(tina, scheduleId, { date, time });
    expect(occurrenceId).toBe(missed?.occurrenceId);
    await approveOrder(payrun, await until(async () => (await ordersOf(payrun, occurrenceId))[0]?.orderId ?? null));
    const [made] = await untilEnded(payrun, scheduleId);
    expect(made).toMatchObject({ cause: 'backfill', ended: 'done' });
    const again = payrun.application.backfillSchedule(
      await aUser(payrun.testDatabase, 'Tom', 'treasurer'),
      scheduleId,
      { date, time },
    );
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });

  test('of a level is not backfilled', async () => {
    const scheduleId = await confirmedSchedule(payrun, tina, SWEEP);
    const missed = payrun.application.backfillSchedule(tina, scheduleId, { date: '2026-01-05', time: null });
    await expect(missed).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is paused after three refusals of the guards, in the database and in Temporal, until somebody resumes it', async () => {
    const limit = { limit_price: { buy_per_sell_at_least: '100' }, buy: 'HKD', max_order: '500000.00' };
    const scheduleId = await confirmedSchedule(payrun, tina, SWEEP, limit);
    for (let count = 1; count <= 3; count++) {
      expect((await detailOf(payrun, scheduleId)).schedule.state).toBe('active');
      await trigger(scheduleId);
      const [occurrence] = await untilEnded(payrun, scheduleId, count);
      expect(occurrence).toMatchObject({ ended: 'refused_by_guard', reason: 'price_beyond_limit' });
    }
    expect((await detailOf(payrun, scheduleId)).schedule).toMatchObject({
      ...{ state: 'paused', stateReason: 'guards_refused', stateChangedBy: null },
    });
    await expect(trigger(scheduleId)).rejects.toMatchObject({ code: 'conflict' });
    await syncAll();
    expect((await temporalSchedule(payrun, scheduleId).describe()).state).toMatchObject({
      paused: true,
      note: expect.stringContaining('the guards refused its last 3 orders') as string,
    });
    // Tina has proposed it.
    await payrun.application.resumeSchedule(payrun.checker, scheduleId, 'the limit was right');
    expect((await temporalSchedule(payrun, scheduleId).describe()).state.paused).toBe(false);
  });
});

/** As a server does every minute. */
async function syncAll(): Promise<void> {
  const { testDatabase, temporal } = payrun;
  await syncSchedules({ database: testDatabase.asServer, temporal, settings: {} } as never);
}

describe("Temporal's schedule follows the database", () => {
  test('when it was deleted, paused or changed there, and when a server died before it told Temporal', async () => {
    const scheduleId = await confirmedSchedule(payrun, tina, SWEEP);
    const handle = temporalSchedule(payrun, scheduleId);
    const description = await handle.describe();
    expect(description.policies).toMatchObject({ overlap: 'BUFFER_ALL', catchupWindow: 600_000, pauseOnFailure: true });
    expect(description.spec.timezone).toBe('UTC');
    const forgotten = `update schedules set compared_at = null where schedule_id = $1`;

    await handle.delete();
    await payrun.database.query(forgotten, [scheduleId]);
    await syncAll();
    expect((await handle.describe()).spec.jitter).toBe(60_000);
    await handle.pause('by hand');
    await payrun.database.query(forgotten, [scheduleId]);
    await syncAll();
    expect((await handle.describe()).state.paused).toBe(false);

    await payrun.database.query(
      `update schedules set state = 'paused', state_reason = 'by_person', changes = changes + 1 where schedule_id = $1`,
      [scheduleId],
    );
    await syncAll();
    expect((await handle.describe()).state.paused).toBe(true);

    await payrun.application.deleteSchedule(tina, scheduleId, null);
    await expect(handle.describe()).rejects.toThrow();
  });

  test('and what it starts for a paused schedule does nothing', async () => {
    const scheduleId = await confirmedSchedule(payrun, tina, SWEEP);
    await payrun.database.query(`update schedules set state = 'paused' where schedule_id = $1`, [scheduleId]);
    await startAt(scheduleId, 0);
    await until(async () => {
      const { info } = await temporalSchedule(payrun, scheduleId).describe();
      return info.numActionsTaken === 1 && info.runningActions.length === 0;
    });
    expect((await detailOf(payrun, scheduleId)).occurrences).toEqual([]);
  });
});
