import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { occurrenceId as idOf } from '../../domain/treasury/conversion-identity.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import { recordingMissedOccurrences } from '../../application/treasury/missed-occurrences.ts';
import { planDeliveries } from '../../store/notifications/plan-deliveries.ts';
import { recordShortages } from '../../store/treasury/cash-situation.ts';
import { recordMissedOccurrence } from '../../store/treasury/missed-occurrences.ts';
import * as occurrences from '../../store/treasury/occurrences.ts';
import { pauseScheduleAs, resumeScheduleAs } from '../../store/treasury/schedules.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { ALWAYS_OPEN } from '../helpers/schedules-under-test.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anEndpoint } from './an-endpoint.ts';
import { aConfirmedSchedule, aProposedSchedule } from './a-schedule.ts';

/** What people are notified of schedules and of the money to come, and what is recorded of occurrences that nothing has started. */

const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let tina: TestUser;
let tom: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await anEndpoint(testDatabase, await aUser(testDatabase, 'Ada', 'administrator'));
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
  tom = await aUser(testDatabase, 'Tom', 'treasurer');
});
afterAll(() => testDatabase.drop());

/** What is sent since the last call: types with what they say. */
async function notified(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  while ((await planDeliveries(testDatabase.asWorker, { gatherMs: 0, quietMs: 0, publicUrl: null })) > 0);
  const { rows } = await testDatabase.database.query<{ body: string }>(
    `with taken as (delete from deliveries returning notification_id)
     select body from outbox join taken using (notification_id) order by position`,
  );
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
}

let schedules = 0;

function everyDay(differences: object = {}): Schedule {
  schedules += 1;
  const daily = { time_zone: 'UTC', times: ['09:00'], on: { every: 'day' }, convention: 'skip' };
  return aSchedule(SWEEP, { name: `Schedule ${schedules}`, ...daily, ...differences });
}

/** It has been active for so many days. */
async function confirmedBefore(days: number, schedule: Schedule): Promise<string> {
  const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], schedule);
  await testDatabase.database.query(
    'update schedules set state_changed_at = state_changed_at - make_interval(days => $2) where schedule_id = $1',
    [scheduleId, days],
  );
  await testDatabase.database.query('alter table schedule_decisions disable trigger schedule_decisions_are_kept');
  await testDatabase.database.query(
    'update schedule_decisions set decided_at = decided_at - make_interval(days => $2) where schedule_id = $1',
    [scheduleId, days],
  );
  await testDatabase.database.query('alter table schedule_decisions enable trigger schedule_decisions_are_kept');
  return scheduleId;
}

interface Ended {
  date: string;
  ended: string | null;
  reason: string | null;
}

async function occurrencesOf(scheduleId: string): Promise<Ended[]> {
  const { rows } = await testDatabase.database.query<Ended>(
    `select local_date::text as date, ended, reason from schedule_occurrences where schedule_id = $1 order by scheduled_at`,
    [scheduleId],
  );
  return rows;
}

/** As a server does every minute. */
const recordMissed = (nowMs: number) =>
  recordingMissedOccurrences()({ database: testDatabase.asServer, calendars: ALWAYS_OPEN, now: () => nowMs });

const lastNine = (): number => {
  const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T09:00:00Z`);
  return today < Date.now() - 3_600_000 ? today : today - DAY_MS;
};

describe('what nothing has started', () => {
  test('in an outage of three days is missed, once each, and people are notified of it together', async () => {
    const scheduleId = await confirmedBefore(30, everyDay());
    const nowMs = Date.now();
    // All but the last three were begun.
    for (let days = 31; days >= 3; days--) {
      const at = lastNine() - days * DAY_MS;
      const localDate = new Date(at).toISOString().slice(0, 10);
      await occurrences.beginOccurrence(testDatabase.asWorker, {
        ...{ occurrenceId: idOf(scheduleId, localDate, 1), scheduleId, localDate, slot: 1, movedFrom: [] },
        ...{ scheduledAt: new Date(at).toISOString(), calendarVersion: 1 },
      });
    }
    await notified();
    await Promise.all([recordMissed(nowMs), recordMissed(nowMs)]);
    await recordMissed(nowMs);
    const missed = (await occurrencesOf(scheduleId)).filter(({ ended }) => ended !== null);
    expect(missed).toEqual(
      [2, 1, 0].map((days) => ({
        date: new Date(lastNine() - days * DAY_MS).toISOString().slice(0, 10),
        ...{ ended: 'missed', reason: 'not_started' },
      })),
    );
    const notifications = await notified();
    expect(notifications.map(({ type }) => type)).toEqual(['schedule.missed']);
    expect(notifications[0]?.data).toMatchObject({ scheduleId, state: 'active', missedOfWeek: 3 });
  });

  test('is not missed before its catch-up window is over, nor of a time before the schedule was active', async () => {
    const young = await confirmedBefore(0, everyDay());
    await recordMissed(Date.now());
    expect(await occurrencesOf(young)).toEqual([]);
    const missedOf = (scheduleId: string, at: number) => {
      const localDate = new Date(at).toISOString().slice(0, 10);
      return recordMissedOccurrence(testDatabase.asServer, {
        ...{ scheduleId, occurrenceId: idOf(scheduleId, localDate, 1), localDate, slot: 1, movedFrom: [] },
        ...{ at: new Date(at).toISOString(), calendarVersion: 1 },
      });
    };
    const before = await missedOf(young, lastNine());
    const justNow = Date.now() - 60_000;
    const times = [new Date(justNow).toISOString().slice(11, 16)];
    const tooSoon = await missedOf(await confirmedBefore(2, everyDay({ times })), justNow);
    expect([before, tooSoon]).toEqual([false, false]);
  });

  test('is not begun any more by a worker that comes back late', async () => {
    const scheduleId = await confirmedBefore(2, everyDay());
    await recordMissed(Date.now());
    const missed = (await occurrencesOf(scheduleId)).at(-1);
    const begun = await occurrences.beginOccurrence(testDatabase.asWorker, {
      ...{ occurrenceId: idOf(scheduleId, missed?.date ?? '', 1), scheduleId, localDate: missed?.date ?? '', slot: 1 },
      ...{ scheduledAt: new Date(lastNine()).toISOString(), movedFrom: [], calendarVersion: 1 },
    });
    expect([missed?.ended, begun]).toEqual(['missed', false]);
  });
});

test('an occurrence is begun only at a time of its schedule', async () => {
  const scheduleId = await confirmedBefore(2, everyDay());
  const at = lastNine();
  const localDate = new Date(at).toISOString().slice(0, 10);
  const begin = (differences: { localDate?: string; slot?: number; scheduledAt?: string }) =>
    occurrences.beginOccurrence(testDatabase.asWorker, {
      ...{ occurrenceId: idOf(scheduleId, localDate, 1), scheduleId, localDate, slot: 1, movedFrom: [] },
      ...{ scheduledAt: new Date(at).toISOString(), calendarVersion: 1, ...differences },
    });
  await expect(begin({ slot: 2 })).rejects.toThrow('has no such time');
  await expect(begin({ localDate: '2020-01-01' })).rejects.toThrow('has no such time');
  await expect(begin({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })).rejects.toThrow('no such time');
  expect(await begin({})).toBe(true);
});

describe('people are notified', () => {
  test('of a schedule that waits for a second person, and not once it is confirmed', async () => {
    await notified();
    const scheduleId = await aProposedSchedule(testDatabase, tina, everyDay());
    expect(await notified()).toMatchObject([
      { type: 'schedule.approval_needed', data: { scheduleId, isProposed: true } },
    ]);
    await aConfirmedSchedule(testDatabase, [tina, tom], everyDay());
    expect(await notified()).toEqual([]);
  });

  test('of a pause, by whom ever, and not of one that is over', async () => {
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], everyDay());
    await notified();
    await pauseScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    expect(await notified()).toMatchObject([
      { type: 'schedule.paused', data: { state: 'paused', reason: 'by_person' } },
    ]);
    await resumeScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    await pauseScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    await resumeScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    expect(await notified()).toEqual([]);
  });

  test('of a shortage ahead of time once, again when it is earlier, and when it comes back', async () => {
    const found = async (firstDays: Record<string, string>) => {
      await recordShortages(testDatabase.asServer, 'default', firstDays);
      return (await notified()).map(({ type, data }) => [type, data['currency'], data['shortOn']]);
    };
    await notified();
    expect(await found({ EUR: '2026-12-10' })).toEqual([['cash.shortage_expected', 'EUR', '2026-12-10']]);
    expect(await found({ EUR: '2026-12-10' })).toEqual([]);
    expect(await found({ EUR: '2026-12-11' })).toEqual([]);
    expect(await found({ EUR: '2026-12-09', USD: '2026-12-20' })).toEqual([
      ['cash.shortage_expected', 'EUR', '2026-12-09'],
      ['cash.shortage_expected', 'USD', '2026-12-20'],
    ]);
    expect(await found({ USD: '2026-12-20' })).toEqual([]);
    expect(await found({ EUR: '2026-12-09', USD: '2026-12-20' })).toEqual([
      ['cash.shortage_expected', 'EUR', '2026-12-09'],
    ]);
    expect(await found({})).toEqual([]);
  });
});

test('people are notified of an occurrence that was carried out in part', async () => {
  const scheduleId = await confirmedBefore(30, everyDay());
  const at = lastNine();
  const localDate = new Date(at).toISOString().slice(0, 10);
  const occurrenceId = idOf(scheduleId, localDate, 1);
  await occurrences.beginOccurrence(testDatabase.asWorker, {
    ...{ occurrenceId, scheduleId, localDate, slot: 1, movedFrom: [] },
    ...{ scheduledAt: new Date(at).toISOString(), calendarVersion: 1 },
  });
  await notified();
  const end = { ended: 'partly_missed', reason: 'order_expired', pause: null } as const;
  expect(await occurrences.endOccurrence(testDatabase.asWorker, occurrenceId, end)).toBe(true);
  const notifications = await notified();
  expect(notifications.map(({ type }) => type)).toEqual(['schedule.missed']);
  expect(notifications[0]?.data).toMatchObject({ scheduleId, missedOn: localDate, missedOfWeek: 1 });
});
