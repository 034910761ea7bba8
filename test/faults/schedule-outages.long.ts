import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporalScheduleId } from '../../domain/identifiers.ts';
import { FIXED_AMOUNT } from '../domain/treasury-schedules.ts';
import { confirmedScheduleOverHttp } from '../helpers/confirmed-schedule.ts';
import { type FaultStack, startFaultStack } from './fault-stack.ts';
import type { RestartingService } from './restarting-service.ts';
import { sandboxOf, setMoney } from './treasury/treasury-account.ts';
import { untilWithin } from './until-within.ts';

/**
 * Outages that are longer than the window of ten minutes in which a missed start is caught up, at their real length. What is longer
 * still, a day, changes nothing: an occurrence is within the window or it is not.
 */

const MINUTE_MS = 60_000;
const OUTAGE_MS = 16 * MINUTE_MS;
/** Until the server has looked for what was missed, 15 minutes after its time. */
const SAID_WITHIN_MS = 12 * MINUTE_MS;

interface Outage {
  about: string;
  /** What is killed and not started again until the outage ends. */
  of: (stack: FaultStack) => RestartingService[];
}

const OUTAGES: Outage[] = [
  { about: "Temporal's server alone", of: ({ services }) => [services.temporal] },
  { about: 'the workers alone', of: ({ workers }) => workers },
  {
    about: "Temporal's server, payrun's server and the workers together",
    of: ({ services, workers }) => [services.temporal, services.server, ...workers],
  },
];

const stacks = new Map<string, FaultStack>();
beforeAll(async () => {
  // One after the other: stacks that start together can slow each other down until a start times out.
  for (const { about } of OUTAGES) {
    const stack = await startFaultStack();
    stacks.set(about, stack);
    const sandbox = await sandboxOf(stack, 1);
    await stack.setWorkerCount(1);
    await setMoney(stack, sandbox, null);
  }
}, 600_000);
afterAll(() => Promise.all([...stacks.values()].map((stack) => stack.stop())));

describe.concurrent('after an outage beyond the window, what is late is missed and said, and the rest is done, of', () => {
  test.for(OUTAGES)('$about', { timeout: 40 * MINUTE_MS }, async ({ about, of }) => {
    const stack = stacks.get(about);
    if (stack === undefined) throw new Error('its stack was not started');
    const beganMs = Date.now();
    const outside = await dailySchedule(stack, 'EUR', beganMs + 3 * MINUTE_MS);
    const within = await dailySchedule(stack, 'CHF', beganMs + 10 * MINUTE_MS);
    // Their starts are with Temporal before it goes down.
    await untilWithin(30_000, 'Temporal has both schedules', async () => {
      return (await isAtTemporal(stack, outside)) && (await isAtTemporal(stack, within));
    });
    const ends = of(stack).map((service) => service.takeDown());
    await sleep(beganMs + OUTAGE_MS - Date.now());
    for (const end of ends) end();

    await untilWithin(SAID_WITHIN_MS, 'both occurrences are on record and have ended', async () => {
      const all = [...(await occurrencesOf(stack, outside)), ...(await occurrencesOf(stack, within))];
      const orders = all.flatMap((occurrence) => occurrence.orders);
      return all.length === 2 && all.every(({ ended }) => ended !== null) && orders.every(isSettled);
    });
    expect(await occurrencesOf(stack, outside)).toMatchObject([{ ended: 'missed', orders: [] }]);
    expect(await occurrencesOf(stack, within)).toMatchObject([{ ended: 'done', orders: [{ state: 'settled' }] }]);
    const sandbox = await sandboxOf(stack, 1);
    expect(sandbox.ledger()).toMatchObject({ fundedMoreThanOnce: [], createdMoreThanOnce: [] });
    expect(sandbox.ledger().requests.byOperation['conversion-create']).toBe(1);
  });
});

/** Sells 400 USD every day at the whole minute after `atMs`; confirmed by another person. */
async function dailySchedule(stack: FaultStack, buy: string, atMs: number): Promise<string> {
  const time = new Date(Math.ceil(atMs / MINUTE_MS) * MINUTE_MS).toISOString().slice(11, 16);
  return confirmedScheduleOverHttp(stack, {
    ...{ ...FIXED_AMOUNT, name: `Schedule ${randomUUID()}`, buy, amount: '400.00', max_order: '500.00' },
    ...{ time_zone: 'UTC', times: [time] },
  });
}

async function isAtTemporal({ temporal }: FaultStack, scheduleId: string): Promise<boolean> {
  const handle = temporal.schedule.getHandle(temporalScheduleId(scheduleId));
  return handle.describe().then(
    () => true,
    () => false,
  );
}

const isSettled = ({ state }: { state: string | null }): boolean => state === 'settled';

async function occurrencesOf({ treasurer }: FaultStack, scheduleId: string) {
  const detail = await treasurer.schedules.get(scheduleId).catch(() => null);
  return detail?.occurrences ?? [];
}
