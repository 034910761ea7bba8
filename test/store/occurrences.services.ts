import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  occurrenceAttemptId,
  occurrenceId as idOf,
  triggeredOccurrenceId,
} from '../../domain/treasury/conversion-identity.ts';
import { type ConversionOrder, conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import { localTimeOf } from '../../domain/treasury/local-time.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import * as occurrences from '../../store/treasury/occurrences.ts';
import { pauseScheduleAs } from '../../store/treasury/schedules.ts';
import { aSchedule, FIXED_AMOUNT, SWEEP } from '../domain/treasury-schedules.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from './a-schedule.ts';
import { refusedWith } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let tina: TestUser;
let tom: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
  tom = await aUser(testDatabase, 'Tom', 'treasurer');
});
afterAll(() => testDatabase.drop());

/** Other currencies each time: one order of a pair is open. */
let pairs = 0;

async function aScheduleOf(file: object): Promise<{ scheduleId: string; schedule: Schedule }> {
  pairs += 1;
  const buy = `E${String.fromCharCode(65 + Math.floor(pairs / 26), 65 + (pairs % 26))}`;
  const schedule = aSchedule(file, { name: `Schedule ${pairs}`, buy, times: ['09:00', '14:00'] });
  return { scheduleId: await aConfirmedSchedule(testDatabase, [tina, tom], schedule), schedule };
}

const DATE = '2026-11-20';
const TODAY = localTimeOf(Date.now(), 'Europe/Berlin').date;

/** Begins the occurrence of a date as a worker does. */
async function begun(scheduleId: string, slot = 1): Promise<string> {
  const occurrenceId = idOf(scheduleId, DATE, slot);
  // 09:00 and 14:00 in Berlin.
  const at = `${DATE}T${slot === 1 ? '08' : '13'}:00:00Z`;
  const isNew = await occurrences.beginOccurrence(testDatabase.asWorker, {
    ...{ occurrenceId, scheduleId, localDate: DATE, slot, scheduledAt: at, movedFrom: [], calendarVersion: 1 },
  });
  expect(isNew).toBe(true);
  return occurrenceId;
}

function termsOf(schedule: Schedule, orderId: string, differences: Partial<ConversionOrder> = {}): ConversionOrder {
  if (schedule.kind === 'fund_run') throw new Error('it has several pairs');
  return {
    ...{ orderId, account: 'default', sellCurrency: schedule.sell, buyCurrency: schedule.buy, fixedSide: 'sell' },
    ...{ amount: '10000.00', limitPrice: null, maxCostBps: null, cap: '12000.00' },
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    ...differences,
  };
}

function place(occurrenceId: string, terms: ConversionOrder): Promise<string | null> {
  const orderHash = conversionOrderHash(terms);
  return occurrences.placeScheduledOrder(testDatabase.asWorker, occurrenceId, { terms, orderHash });
}

async function stateOf(orderId: string): Promise<string | undefined> {
  const { rows } = await testDatabase.database.query<{ state: string }>(
    'select state from conversion_orders where order_id = $1',
    [orderId],
  );
  return rows[0]?.state;
}

async function isAuthorized(orderId: string, total: string): Promise<boolean> {
  const { rows } = await testDatabase.database.query<{ may: boolean }>(
    'select conversion_is_authorized(orders, $2::numeric) as may from conversion_orders orders where order_id = $1',
    [orderId, total],
  );
  return rows[0]?.may === true;
}

describe('an occurrence', () => {
  test('places only what the confirmed version allows', async () => {
    const { scheduleId, schedule } = await aScheduleOf(FIXED_AMOUNT);
    const occurrenceId = await begun(scheduleId);
    const wrong: Partial<ConversionOrder>[] = [
      { amount: '10000.01' },
      { cap: '12000.01' },
      { fixedSide: 'buy' },
      { sellCurrency: 'GBP' },
      { buyCurrency: 'GBP' },
      { maxCostBps: '1000' },
      { limitPrice: { buyPerSellAtLeast: '0.1' } },
    ];
    for (const difference of wrong) {
      const placed = place(occurrenceId, termsOf(schedule, randomUUID(), difference));
      await expect(placed).rejects.toThrow('does not allow this order');
    }
    expect(await place(occurrenceId, termsOf(schedule, occurrenceId))).toBeNull();
    expect(await stateOf(occurrenceId)).toBe('approved');
    expect([await isAuthorized(occurrenceId, '12000.00'), await isAuthorized(occurrenceId, '12000.01')]).toEqual([
      true,
      false,
    ]);
  });

  test('places an order once, and none while one of the pair is open', async () => {
    const { scheduleId, schedule } = await aScheduleOf(SWEEP);
    const occurrenceId = await begun(scheduleId);
    const placed = await Promise.all([1, 2].map(() => place(occurrenceId, termsOf(schedule, occurrenceId))));
    expect(placed).toEqual([null, null]);
    const next = await begun(scheduleId, 2);
    expect(await place(next, termsOf(schedule, next))).toBe('pair_has_open_order');
    expect(await stateOf(next)).toBeUndefined();
    const orders = await occurrences.readOccurrenceOrders(testDatabase.asWorker, next);
    expect(orders).toEqual([{ orderId: next, state: null, reason: 'pair_has_open_order' }]);
  });

  test('places one order of a pair, whatever its id, even after the first one has ended', async () => {
    const { scheduleId, schedule } = await aScheduleOf(SWEEP);
    const occurrenceId = await begun(scheduleId);
    expect(await place(occurrenceId, termsOf(schedule, occurrenceId))).toBeNull();
    await testDatabase.database.query(`update conversion_orders set state = 'skipped' where order_id = $1`, [
      occurrenceId,
    ]);
    const again = place(occurrenceId, termsOf(schedule, randomUUID()));
    await expect(again).rejects.toThrow('has placed an order of this pair');
  });

  test('of a schedule that was paused meanwhile needs an approval of its own', async () => {
    const { scheduleId, schedule } = await aScheduleOf(SWEEP);
    const [occurrenceId, next] = [await begun(scheduleId), await begun(scheduleId, 2)];
    await place(occurrenceId, termsOf(schedule, occurrenceId));
    expect(await isAuthorized(occurrenceId, '1.00')).toBe(true);
    await pauseScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    expect(await isAuthorized(occurrenceId, '1.00')).toBe(false);
    expect(await place(next, termsOf(schedule, next))).toBe('schedule_not_active');
  });

  test('by hand of a fixed amount waits for an approval', async () => {
    const { scheduleId, schedule } = await aScheduleOf(FIXED_AMOUNT);
    const occurrenceId = triggeredOccurrenceId(scheduleId, 'key');
    const of = { scheduleId, occurrenceId, localDate: TODAY, slot: 0, movedFrom: [], calendarVersion: 1 };
    const start = (user: TestUser) => occurrences.startOccurrenceAs(testDatabase.asServer, user.tokenHash, of);
    expect([await start(tina), await start(tina)]).toEqual([true, false]);
    await expect(start(tom)).rejects.toMatchObject(refusedWith('conflict'));
    await place(occurrenceId, termsOf(schedule, occurrenceId));
    expect([await stateOf(occurrenceId), await isAuthorized(occurrenceId, '1.00')]).toEqual(['proposed', false]);
  });

  test('of a level is not backfilled', async () => {
    const { scheduleId } = await aScheduleOf(SWEEP);
    const of = {
      scheduleId,
      occurrenceId: idOf(scheduleId, DATE, 1),
      localDate: DATE,
      slot: 1,
      movedFrom: [],
      calendarVersion: 1,
    };
    const started = occurrences.startOccurrenceAs(testDatabase.asServer, tina.tokenHash, of);
    await expect(started).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('whose order is unknown pauses its schedule', async () => {
    const { scheduleId, schedule } = await aScheduleOf(SWEEP);
    const occurrenceId = await begun(scheduleId);
    await place(occurrenceId, termsOf(schedule, occurrenceId));
    for (const state of ['quoted', 'committed', 'unknown']) {
      await testDatabase.database.query('update conversion_orders set state = $2 where order_id = $1', [
        occurrenceId,
        state,
      ]);
    }
    expect(await occurrences.readScheduleInForce(testDatabase.asWorker, scheduleId)).toMatchObject({ state: 'paused' });
  });
});

describe('an occurrence of a fixed amount that was missed as its order expired', () => {
  const missed = { ended: 'missed', reason: 'order_expired', pause: null } as const;
  let scheduleId: string;
  let schedule: Schedule;
  let occurrenceId: string;

  const backfill = (user: TestUser): Promise<boolean> =>
    occurrences.startOccurrenceAs(testDatabase.asServer, user.tokenHash, {
      ...{ scheduleId, occurrenceId, localDate: DATE, slot: 1, movedFrom: [], calendarVersion: 1 },
    });
  const expire = (orderId: string) =>
    testDatabase.database.query(`update conversion_orders set state = 'expired' where order_id = $1`, [orderId]);
  const attemptOf = async () => (await occurrences.readOccurrence(testDatabase.asWorker, occurrenceId)).attempt;

  beforeEach(async () => {
    ({ scheduleId, schedule } = await aScheduleOf(FIXED_AMOUNT));
    occurrenceId = await begun(scheduleId);
    await place(occurrenceId, termsOf(schedule, occurrenceId));
    await occurrences.endOccurrence(testDatabase.asWorker, occurrenceId, missed);
  });

  test('is made up for with another order, as often as it was missed', async () => {
    await expire(occurrenceId);
    for (const attempt of [2, 3]) {
      expect(await backfill(tina)).toBe(true);
      expect(await backfill(tina)).toBe(false);
      expect(await attemptOf()).toBe(attempt);
      expect(await occurrences.readOccurrenceOrders(testDatabase.asWorker, occurrenceId)).toEqual([]);
      const orderId = occurrenceAttemptId(occurrenceId, attempt);
      expect(await place(occurrenceId, termsOf(schedule, orderId))).toBeNull();
      await expect(place(occurrenceId, termsOf(schedule, randomUUID()))).rejects.toThrow('has placed an order');
      // By hand it waits for another person.
      expect([await stateOf(occurrenceId), await stateOf(orderId)]).toEqual(['expired', 'proposed']);
      await expire(orderId);
      await occurrences.endOccurrence(testDatabase.asWorker, occurrenceId, missed);
    }
  });

  test('is not made up for while its order may still be carried out', async () => {
    await expect(backfill(tina)).rejects.toMatchObject(refusedWith('conflict'));
    await expire(occurrenceId);
    expect(await backfill(tina)).toBe(true);
  });
});

test('an occurrence that was started under a key is the same one, also after it was missed', async () => {
  const { scheduleId } = await aScheduleOf(SWEEP);
  const occurrenceId = triggeredOccurrenceId(scheduleId, 'missed');
  const of = { scheduleId, occurrenceId, localDate: TODAY, slot: 0, movedFrom: [], calendarVersion: 1 };
  const start = () => occurrences.startOccurrenceAs(testDatabase.asServer, tina.tokenHash, of);
  expect(await start()).toBe(true);
  await occurrences.endOccurrence(testDatabase.asWorker, occurrenceId, {
    ...{ ended: 'missed', reason: 'no_quote', pause: null },
  });
  expect(await start()).toBe(false);
});

test('the refusals in a row are found behind any number of occurrences that had nothing to do', async () => {
  const { scheduleId } = await aScheduleOf(SWEEP);
  const insert = (ended: string, count: number, hours: number) =>
    testDatabase.database.query(
      `insert into schedule_occurrences (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, calendar_version,
         asked_by, ended, ended_at)
       select gen_random_uuid(), $1, 1, 'trigger', current_date, 0, now() - make_interval(hours => $4) - n * interval '1 minute', 1,
         $5, $2, now() + interval '1 second' from generate_series(1, $3::integer) as n`,
      [scheduleId, ended, count, hours, tina.userId],
    );
  await insert('nothing_to_do', 100, 1);
  await insert('refused_by_guard', 2, 10);
  await insert('done', 5, 20);
  const ends = await occurrences.readEarlierEnds(testDatabase.asWorker, { scheduleId, occurrenceId: randomUUID() });
  expect(ends).toEqual(['refused_by_guard', 'refused_by_guard']);
});
