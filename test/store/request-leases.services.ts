import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createRequestLeases,
  type DayShift,
  type RequestLeases,
  type Lease,
} from '../../store/rate-limiter/request-leases.ts';
import type { SendingLimits } from '../../domain/runs/sending-limits.ts';
import { LeaseHolder } from '../../store/rate-limiter/lease-holder.ts';
import { createLeaseTable } from '../../store/rate-limiter/lease-table.ts';
import { readSendingState } from '../../store/payments/request-days.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';

const LIMIT: SendingLimits = { perSecond: 5, perDay: 432_000, reservedPerDay: 4_320 };
const BEGINS = { mayUseReserve: false };
const FINISHES = { mayUseReserve: true };
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ROUNDS = 10;

let testDatabase: TestDatabase;
/** A new account for each test, so that tests do not share leases. */
let account: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => {
  account = randomUUID();
});
afterAll(() => testDatabase.drop());

interface TestProcess extends RequestLeases {
  holder: LeaseHolder;
}

/** The leases as one process sees them. Its heartbeats are manual and its clocks stopped, so its registration does not expire. */
async function aProcess(limits: SendingLimits = LIMIT, dayShift?: () => DayShift): Promise<TestProcess> {
  const table = createLeaseTable(testDatabase.database);
  const holder = new LeaseHolder(table, { steadyMs: () => 1_000, wallMs: () => 1_000 });
  await holder.heartbeat();
  const leases = createRequestLeases({ table, holder, limitsOf: () => limits, ...(dayShift && { dayShift }) });
  return { ...leases, holder };
}

async function taken(leases: RequestLeases): Promise<Lease> {
  const answer = await leases.take(account, BEGINS);
  if ('lease' in answer) return answer.lease;
  throw new Error('there was no lease');
}

function leasesIn(answers: Awaited<ReturnType<RequestLeases['take']>>[]): Lease[] {
  return answers.flatMap((answer) => ('lease' in answer ? [answer.lease] : []));
}

async function fiveInTurn(leases: RequestLeases): Promise<Awaited<ReturnType<RequestLeases['take']>>[]> {
  const answers = [];
  for (let turn = 0; turn < 5; turn += 1) answers.push(await leases.take(account, BEGINS));
  return answers;
}

describe('request leases', () => {
  test('know how long the latest answers took, those of any lease and process', async () => {
    const [one, other] = [await aProcess({ ...LIMIT, perSecond: 2 }), await aProcess({ ...LIMIT, perSecond: 2 })];
    const measured = async () => (await readSendingState(testDatabase.asServer, account)).roundTripMs;
    const answer = async (leases: RequestLeases, roundTripMs: number | null) =>
      leases.release(account, await taken(leases), { sinceAnswerMs: 0, roundTripMs });
    expect(await measured()).toBeNull();
    await answer(one, null);
    expect(await measured()).toBeNull();
    await answer(one, 100);
    await answer(other, 200);
    expect(await measured()).toBe(150);
    for (let times = 0; times < 120; times += 1) await answer(one, 50);
    expect(await measured()).toBe(50);
    // One that was given up says nothing.
    await answer(other, null);
    expect(await measured()).toBe(50);
  });

  test('trap 33: however many processes ask at the same time, each lease of the limit is taken by one of them', async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => aProcess()));
    // The race is decided within microseconds: one round could miss a lease that is taken twice.
    for (let round = 0; round < ROUNDS; round += 1) {
      account = randomUUID();
      const answers = await Promise.all(
        processes.flatMap((leases) => Array.from({ length: 4 }, () => leases.take(account, BEGINS))),
      );
      const numbers = leasesIn(answers).map(({ number }) => number);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.length).toBeLessThanOrEqual(LIMIT.perSecond);
      expect(numbers.length).toBeGreaterThan(0);
    }
  });

  test('a freed lease has a cooldown of more than a second from the answer, whoever takes it', async () => {
    const [one, other] = [await aProcess({ ...LIMIT, perSecond: 1 }), await aProcess({ ...LIMIT, perSecond: 1 })];
    const first = await taken(one);
    expect(first.waitMs).toBe(0);
    await one.release(account, first, { sinceAnswerMs: 300 });
    const second = await taken(one);
    expect(second.waitMs).toBe(701);
    await one.release(account, second, { sinceAnswerMs: 0 });
    expect((await taken(other)).waitMs).toBe(1_001);
  });

  test('the leases of an expired holder are free after a grace period, and its late release is ignored', async () => {
    const [dying, living] = [await aProcess(), await aProcess()];
    const lost = leasesIn(await fiveInTurn(dying));
    expect(lost).toHaveLength(5);
    expect(await living.take(account, BEGINS)).toHaveProperty('retryInMs');
    await createLeaseTable(testDatabase.database).deregister(dying.holder.lastId);
    const won = leasesIn(await fiveInTurn(living));
    expect(won.map(({ waitMs }) => waitMs)).toEqual([3_001, 3_001, 3_001, 3_001, 3_001]);

    for (const lease of lost) await dying.release(account, lease, { sinceAnswerMs: 0 });
    expect(await living.take(account, BEGINS)).toHaveProperty('retryInMs');
  });

  test('a process that was taken for dead has lost its leases, and continues under another id', async () => {
    const [dying, living] = [await aProcess(), await aProcess()];
    const lease = await taken(dying);
    expect(dying.stillHolds(lease)).toBe(true);
    const table = createLeaseTable(testDatabase.database);
    const { holders } = await table.heartbeat(living.holder.lastId, 0, []);
    await table.heartbeat(
      living.holder.lastId,
      0,
      holders.filter(({ holder }) => holder === lease.holder),
    );
    await dying.holder.heartbeat();
    expect(dying.stillHolds(lease)).toBe(false);
    expect(await dying.take(account, BEGINS)).toHaveProperty('retryInMs');
    await dying.holder.heartbeat();
    expect((await taken(dying)).holder).not.toBe(lease.holder);
    expect(dying.stillHolds(lease)).toBe(false);
  });

  test('a pause applies to everyone, and a later shorter one does not end it', async () => {
    const leases = await aProcess();
    await taken(leases);
    await leases.pause(account, 10 * MINUTE_MS);
    await (await aProcess()).pause(account, MINUTE_MS);
    const { waitMs } = await taken(leases);
    expect(waitMs).toBeGreaterThan(5 * MINUTE_MS);
    expect(waitMs).toBeLessThanOrEqual(10 * MINUTE_MS);
  });

  test('an account without a daily limit has no budget to use up', async () => {
    const answers = await fiveInTurn(await aProcess({ perSecond: 5, perDay: 0, reservedPerDay: 4 }));
    expect(leasesIn(answers)).toHaveLength(5);
  });

  test('the last requests of a day are reserved for finishing, and then no leases are given', async () => {
    const leases = await aProcess({ perSecond: 5, perDay: 4, reservedPerDay: 2 });
    expect(leasesIn([await leases.take(account, BEGINS), await leases.take(account, BEGINS)])).toHaveLength(2);
    expect(await leases.take(account, BEGINS)).toHaveProperty('exhaustedForMs');
    expect(leasesIn([await leases.take(account, FINISHES), await leases.take(account, FINISHES)])).toHaveLength(2);
    const answer = await leases.take(account, FINISHES);
    expect('exhaustedForMs' in answer && answer.exhaustedForMs > 0 && answer.exhaustedForMs <= HOUR_MS).toBe(true);
  });

  test('processes that ask at the same time do not exceed the daily limit', async () => {
    const limits = { perSecond: 100, perDay: 7, reservedPerDay: 0 };
    const processes = await Promise.all(Array.from({ length: 4 }, () => aProcess(limits)));
    // For the first request of a day there is no row to lock.
    await taken(processes[0]!);
    const client = await testDatabase.database.connect();
    let asked: ReturnType<RequestLeases['take']>[];
    try {
      await client.query('begin');
      await client.query('select from request_days where account = $1 for update', [account]);
      asked = processes.flatMap((leases) => Array.from({ length: 2 }, () => leases.take(account, BEGINS)));
      // More than are left have read what was used, if they read it before it is their turn.
      await until(async () => {
        const { rows } = await testDatabase.database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length === asked.length;
      });
      await client.query('commit');
    } finally {
      client.release();
    }
    const atOnce = leasesIn(await Promise.all(asked)).length;
    expect(atOnce).toBeLessThanOrEqual(6);
    for (let more = atOnce; more < 6; more += 1) await taken(processes[0]!);
    expect(await processes[0]!.take(account, BEGINS)).toHaveProperty('exhaustedForMs');
  });

  test('a new day has its whole budget', async () => {
    const shift = { days: 0, maxWaitMs: 50 };
    const leases = await aProcess({ perSecond: 5, perDay: 1, reservedPerDay: 0 }, () => shift);
    await taken(leases);
    expect(await leases.take(account, BEGINS)).toEqual({ exhaustedForMs: 50 });
    shift.days = 1;
    await taken(leases);
  });

  test('a lowered limit applies at once, and accounts do not share leases', async () => {
    const first = await aProcess();
    await first.release(account, await taken(first), { sinceAnswerMs: 0 });
    const lowered = await aProcess({ ...LIMIT, perSecond: 2 });
    expect(leasesIn(await fiveInTurn(lowered))).toHaveLength(2);
    expect(await lowered.take(`${account}/other`, BEGINS)).toHaveProperty('lease');
  });
});
