import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporalScheduleId } from '../../domain/identifiers.ts';
import type { RunningSandbox } from '../../sandbox/server.ts';
import { FIXED_AMOUNT, SWEEP, TOP_UP } from '../domain/treasury-schedules.ts';
import { conversionsAt, setBalance } from '../helpers/sandbox-control.ts';
import { type MovableClock, movableClock, startMovableStack } from './clock/movable-clock.ts';
import type { FaultStack } from './fault-stack.ts';
import { sandboxOf, SWEEP_FLOOR, untilFollowed } from './treasury/treasury-account.ts';
import { deleteSchedules } from './treasury/treasury-acts.ts';
import { untilWithin } from './until-within.ts';

/**
 * Outages of a whole day, and the day after them. Nobody waits for a day: all clocks are moved while what fails is down. In an outage
 * of the workers, Temporal lives through every time of the schedules.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Times of day, by how long after the beginning of the outage they come. They come again a day later. */
const EARLY = 6 * HOUR_MS;
const LATE = 14 * HOUR_MS;
/** When the outage ends, this is just later than the window of ten minutes, and the next one is within it. */
const TOO_LATE = DAY_MS - 12 * MINUTE_MS;
const IN_TIME = DAY_MS - 3 * MINUTE_MS;
const TIMES = [EARLY, LATE, TOO_LATE, IN_TIME];

const FIXED = { ...FIXED_AMOUNT, amount: '400.00', max_order: '500.00' };
const PLANS: { about: string; file: object; times: number[] }[] = [
  { about: 'a fixed amount', file: { ...FIXED, buy: 'EUR' }, times: [EARLY] },
  { about: 'a fixed amount twice a day', file: { ...FIXED, buy: 'CHF' }, times: [EARLY, LATE] },
  { about: 'a sweep', file: { ...SWEEP, sell: 'NZD', buy: 'AUD', floor: SWEEP_FLOOR }, times: [LATE] },
  { about: 'a fixed amount just before the window', file: { ...FIXED, buy: 'HKD' }, times: [TOO_LATE] },
  {
    about: 'a fixed amount twice a day, then within the window',
    file: { ...FIXED, buy: 'GBP' },
    times: [EARLY, IN_TIME],
  },
  { about: 'a top-up within the window', file: { ...TOP_UP, buy: 'SGD', level: '1000.00' }, times: [IN_TIME] },
];
/** With which the sweep and the top-up have something to do. */
const BALANCES = { USD: '100000.00', NZD: '51000.00', SGD: '600.00' };

const WITHIN_MS = 400_000;
/** A start may be delayed at random by as much. */
const JITTER_MS = MINUTE_MS;
/** A server looks for what was missed 15 minutes after its time. */
const SAID_AFTER_MS = 20 * MINUTE_MS;

interface Outage {
  about: string;
  /** Plays it until a day after `beganMs`. */
  play: (began: { beganMs: number; scheduleIds: string[] }) => Promise<void>;
}

let stack: FaultStack;
let sandbox: RunningSandbox;
let clock: MovableClock;

beforeAll(async () => {
  stack = await startMovableStack();
  sandbox = await sandboxOf(stack, 1);
  await stack.setWorkerCount(1);
  clock = movableClock(stack, sandbox);
  for (const currency of Object.keys(BALANCES)) await setBalance(sandbox, currency, '1.00');
}, 3_600_000);
afterAll(() => stack.stop());

const OUTAGES: Outage[] = [
  {
    about: "Temporal's server alone",
    play: async ({ beganMs }) => {
      const end = stack.services.temporal.takeDown();
      await clock.moveWithoutTemporal(beganMs + DAY_MS);
      end();
    },
  },
  {
    about: 'the workers alone',
    play: async ({ beganMs, scheduleIds }) => {
      const ends = stack.workers.map((worker) => worker.takeDown());
      for (const time of TIMES) {
        await clock.moveTo(beganMs + time + JITTER_MS);
        await untilTemporalHasActed(scheduleIds);
      }
      await clock.moveTo(beganMs + DAY_MS);
      for (const end of ends) end();
    },
  },
  {
    about: "Temporal's server, payrun's server and the workers together",
    play: async ({ beganMs }) => {
      const { temporal, server } = stack.services;
      const ends = [temporal, server, ...stack.workers].map((service) => service.takeDown());
      await clock.moveWithoutTemporal(beganMs + DAY_MS);
      for (const end of ends) end();
    },
  },
];

describe('after an outage of 24 hours, what is late is missed and said, the rest is done once, and so is all of the day after, of', () => {
  test.for(OUTAGES)('$about', { timeout: 1_800_000 }, async ({ play }) => {
    await setMoney();
    const beganMs = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    const scheduleIds: string[] = [];
    for (const plan of PLANS) scheduleIds.push(await confirmedSchedule(plan, beganMs));
    await untilWithin(WITHIN_MS, 'Temporal has the schedules', () => isTrueOfAll(scheduleIds, () => true));
    const before = (await conversionsAt(sandbox)).map(({ id }) => id);

    await play({ beganMs, scheduleIds });
    await untilOccurred(scheduleIds, beganMs, (time) => time === IN_TIME);
    // Within the window of the last ones, the server could not yet know that those just before it were missed.
    await clock.moveTo(beganMs + TOO_LATE + SAID_AFTER_MS);
    await untilOccurred(scheduleIds, beganMs, () => true);
    const ofOutage = dayOf(beganMs, (time) => time === IN_TIME);
    expect(await Promise.all(scheduleIds.map(occurred))).toEqual(ofOutage);
    await untilWithin(WITHIN_MS, 'people are notified of all that was missed', async () => {
      const notified = await Promise.all(scheduleIds.map(notificationsOf));
      return PLANS.every(({ times }, index) => notified[index] === times.filter((time) => time !== IN_TIME).length);
    });

    await setMoney();
    for (const time of TIMES) {
      await clock.moveTo(beganMs + DAY_MS + time + JITTER_MS);
      await untilOccurred(scheduleIds, beganMs + DAY_MS, (due) => due <= time);
    }
    const dayAfter = dayOf(beganMs + DAY_MS, () => true);
    const bothDays = ofOutage.map((occurrences, index) => [...occurrences, ...(dayAfter[index] ?? [])]);
    expect(await Promise.all(scheduleIds.map(occurred))).toEqual(bothDays);
    const made = (await conversionsAt(sandbox)).filter(({ id }) => !before.includes(id));
    const done = bothDays.flat().filter(({ ended }) => ended === 'done');
    expect(made.map(({ timesFunded }) => timesFunded)).toEqual(done.map(() => 1));
    expect(sandbox.ledger()).toMatchObject({ fundedMoreThanOnce: [], createdMoreThanOnce: [], invariantHolds: true });
    await deleteSchedules(stack, scheduleIds);
  });
});

async function setMoney(): Promise<void> {
  for (const [currency, amount] of Object.entries(BALANCES)) await setBalance(sandbox, currency, amount);
  await untilFollowed(stack, sandbox, Object.keys(BALANCES));
}

/** Confirmed by another person. */
async function confirmedSchedule(plan: (typeof PLANS)[number], beganMs: number): Promise<string> {
  const { treasurer, checker } = stack;
  const times = plan.times.map((time) => new Date(beganMs + time).toISOString().slice(11, 16)).sort();
  const added = await treasurer.addSchedule({
    schedule: { ...plan.file, name: `${plan.about} ${randomUUID()}`, time_zone: 'UTC', times },
  });
  const scheduleId = added.scheduleId ?? '';
  const { proposed } = (await treasurer.getSchedule({ scheduleId })).schedule;
  const definitionHash = proposed?.definitionHash ?? '';
  await checker.decideSchedule({ scheduleId, version: 1, decision: 'confirmed', definitionHash });
  return scheduleId;
}

/** In every schedule of Temporal; false when Temporal does not answer, or does not have one. */
async function isTrueOfAll(scheduleIds: readonly string[], of: (nextMs: number) => boolean): Promise<boolean> {
  const found = scheduleIds.map(async (scheduleId) => {
    const { info } = await stack.temporal.schedule.getHandle(temporalScheduleId(scheduleId)).describe();
    return of(info.nextActionTimes[0]?.getTime() ?? 0);
  });
  return Promise.all(found).then(
    (all) => all.every(Boolean),
    () => false,
  );
}

/** Has started what is due, or put it off, as an earlier start of the schedule is not over. */
async function untilTemporalHasActed(scheduleIds: readonly string[]): Promise<void> {
  await untilWithin(WITHIN_MS, 'Temporal has started what is due', () =>
    isTrueOfAll(scheduleIds, (nextMs) => nextMs > clock.now()),
  );
}

/** Waits until the occurrences of these times of the day are recorded and have ended, and their orders are settled. */
async function untilOccurred(
  scheduleIds: readonly string[],
  dayMs: number,
  isMeant: (time: number) => boolean,
): Promise<void> {
  const remaining = new Set<string>();
  await untilWithin(WITHIN_MS, 'all occurrences have ended', async () => {
    remaining.clear();
    for (const [index, { about, times }] of PLANS.entries()) {
      const occurrences = await occurrencesOf(scheduleIds[index] ?? '');
      for (const time of times.filter(isMeant)) {
        const found = occurrences.find(({ scheduledAt }) => Date.parse(scheduledAt) === dayMs + time);
        const isOver = (found?.ended ?? null) !== null && found?.orders.every(({ state }) => state === 'settled');
        if (!isOver) remaining.add(`${about} ${JSON.stringify(found)}`);
      }
    }
    return remaining.size === 0;
  }).catch((error: unknown) => {
    throw new Error([...remaining].join('\n'), { cause: error });
  });
}

/** In the order of their times. */
async function occurrencesOf(scheduleId: string) {
  const detail = await stack.treasurer.getSchedule({ scheduleId }).catch(() => null);
  return (detail?.occurrences ?? []).sort((one, other) => Date.parse(one.scheduledAt) - Date.parse(other.scheduledAt));
}

interface Occurred {
  at: string;
  ended: string | null;
  /** By its reason, nobody was there at its time; else something else went wrong. */
  isLate: boolean;
  orders: number;
}

const LATE_REASONS: readonly (string | null)[] = ['not_started', 'started_too_late'];

async function occurred(scheduleId: string): Promise<Occurred[]> {
  const occurrences = await occurrencesOf(scheduleId);
  return occurrences.map(({ scheduledAt, ended, reason, orders }) => ({
    ...{ at: scheduledAt, ended, isLate: LATE_REASONS.includes(reason), orders: orders.length },
  }));
}

/** What each schedule is to have done in a day. */
const dayOf = (dayMs: number, isDone: (time: number) => boolean): Occurred[][] =>
  PLANS.map(({ times }) =>
    times.map((time) => ({
      at: new Date(dayMs + time).toISOString(),
      ...(isDone(time) ? { ended: 'done', isLate: false, orders: 1 } : { ended: 'missed', isLate: true, orders: 0 }),
    })),
  );

/** Of how many missed occurrences of the week the newest notification tells. */
async function notificationsOf(scheduleId: string): Promise<number> {
  const { rows } = await stack.database.query<{ body: string }>(
    `select body from outbox where type = 'schedule.missed' and subject_id = $1 and body is not null
     order by position desc limit 1`,
    [scheduleId],
  );
  const { data } = JSON.parse(rows[0]?.body ?? '{"data":{"missedOfWeek":0}}') as { data: { missedOfWeek: number } };
  return data.missedOfWeek;
}
