import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createRequestSlots,
  type DayShift,
  type RequestSlots,
  type SlotTicket,
} from '../../store/gate/request-slots.ts';
import type { SendingLimits } from '../../domain/runs/sending-limits.ts';
import { SlotHolder } from '../../store/gate/slot-holder.ts';
import { createSlotTable } from '../../store/gate/slot-table.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

const LIMIT: SendingLimits = { perSecond: 5, perDay: 432_000, reservedPerDay: 4_320 };
const BEGINS = { mayUseReserve: false };
const FINISHES = { mayUseReserve: true };
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ROUNDS = 10;

let testDatabase: TestDatabase;
/** A new account for each test, so that tests do not share slots. */
let account: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => {
  account = randomUUID();
});
afterAll(() => testDatabase.drop());

interface TestProcess extends RequestSlots {
  holder: SlotHolder;
}

/** The slots as one process sees them. Its heartbeats are manual and its clocks stopped, so its lease does not expire. */
async function aProcess(limits: SendingLimits = LIMIT, dayShift?: () => DayShift): Promise<TestProcess> {
  const table = createSlotTable(testDatabase.database);
  const holder = new SlotHolder(table, { steadyMs: () => 1_000, wallMs: () => 1_000 });
  await holder.heartbeat();
  const slots = createRequestSlots({ table, holder, limitsOf: () => limits, ...(dayShift && { dayShift }) });
  return { ...slots, holder };
}

async function taken(slots: RequestSlots): Promise<SlotTicket> {
  const answer = await slots.take(account, BEGINS);
  if ('ticket' in answer) return answer.ticket;
  throw new Error('there was no slot');
}

function ticketsIn(answers: Awaited<ReturnType<RequestSlots['take']>>[]): SlotTicket[] {
  return answers.flatMap((answer) => ('ticket' in answer ? [answer.ticket] : []));
}

async function fiveInTurn(slots: RequestSlots): Promise<Awaited<ReturnType<RequestSlots['take']>>[]> {
  const answers = [];
  for (let turn = 0; turn < 5; turn += 1) answers.push(await slots.take(account, BEGINS));
  return answers;
}

describe('request slots', () => {
  test('trap 33: however many processes ask at the same time, each slot of the limit is taken by one of them', async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => aProcess()));
    // The race is decided within microseconds: one round could miss a slot that is taken twice.
    for (let round = 0; round < ROUNDS; round += 1) {
      account = randomUUID();
      const answers = await Promise.all(
        processes.flatMap((slots) => Array.from({ length: 4 }, () => slots.take(account, BEGINS))),
      );
      const slots = ticketsIn(answers).map(({ slot }) => slot);
      expect(new Set(slots).size).toBe(slots.length);
      expect(slots.length).toBeLessThanOrEqual(LIMIT.perSecond);
      expect(slots.length).toBeGreaterThan(0);
    }
  });

  test('a freed slot has a cooldown of more than a second from the answer, whoever takes it', async () => {
    const [one, other] = [await aProcess({ ...LIMIT, perSecond: 1 }), await aProcess({ ...LIMIT, perSecond: 1 })];
    const first = await taken(one);
    expect(first.waitMs).toBe(0);
    await one.release(account, first, { sinceAnswerMs: 300 });
    const second = await taken(one);
    expect(second.waitMs).toBe(701);
    await one.release(account, second, { sinceAnswerMs: 0 });
    expect((await taken(other)).waitMs).toBe(1_001);
  });

  test('the slots of an expired holder are free after a grace period, and its late release is ignored', async () => {
    const [dying, living] = [await aProcess(), await aProcess()];
    const lost = ticketsIn(await fiveInTurn(dying));
    expect(lost).toHaveLength(5);
    expect(await living.take(account, BEGINS)).toHaveProperty('retryInMs');
    await createSlotTable(testDatabase.database).deregister(dying.holder.lastId);
    const won = ticketsIn(await fiveInTurn(living));
    expect(won.map(({ waitMs }) => waitMs)).toEqual([3_001, 3_001, 3_001, 3_001, 3_001]);

    for (const ticket of lost) await dying.release(account, ticket, { sinceAnswerMs: 0 });
    expect(await living.take(account, BEGINS)).toHaveProperty('retryInMs');
  });

  test('a process that was taken for dead has lost its slots, and continues under another id', async () => {
    const [dying, living] = [await aProcess(), await aProcess()];
    const ticket = await taken(dying);
    expect(dying.stillHolds(ticket)).toBe(true);
    const table = createSlotTable(testDatabase.database);
    const { holders } = await table.heartbeat(living.holder.lastId, 0, []);
    await table.heartbeat(
      living.holder.lastId,
      0,
      holders.filter(({ holder }) => holder === ticket.holder),
    );
    await dying.holder.heartbeat();
    expect(dying.stillHolds(ticket)).toBe(false);
    expect(await dying.take(account, BEGINS)).toHaveProperty('retryInMs');
    await dying.holder.heartbeat();
    expect((await taken(dying)).holder).not.toBe(ticket.holder);
    expect(dying.stillHolds(ticket)).toBe(false);
  });

  test('a pause applies to everyone, and a later shorter one does not end it', async () => {
    const slots = await aProcess();
    await taken(slots);
    await slots.pause(account, 10 * MINUTE_MS);
    await (await aProcess()).pause(account, MINUTE_MS);
    const { waitMs } = await taken(slots);
    expect(waitMs).toBeGreaterThan(5 * MINUTE_MS);
    expect(waitMs).toBeLessThanOrEqual(10 * MINUTE_MS);
  });

  test('an account without a daily limit has no budget to use up', async () => {
    const answers = await fiveInTurn(await aProcess({ perSecond: 5, perDay: 0, reservedPerDay: 4 }));
    expect(ticketsIn(answers)).toHaveLength(5);
  });

  test('the last requests of a day are reserved for finishing, and then no slots are given', async () => {
    const slots = await aProcess({ perSecond: 5, perDay: 4, reservedPerDay: 2 });
    expect(ticketsIn([await slots.take(account, BEGINS), await slots.take(account, BEGINS)])).toHaveLength(2);
    expect(await slots.take(account, BEGINS)).toHaveProperty('exhaustedForMs');
    expect(ticketsIn([await slots.take(account, FINISHES), await slots.take(account, FINISHES)])).toHaveLength(2);
    const answer = await slots.take(account, FINISHES);
    expect('exhaustedForMs' in answer && answer.exhaustedForMs > 0 && answer.exhaustedForMs <= HOUR_MS).toBe(true);
  });

  test('processes that ask at the same time do not exceed the daily limit', async () => {
    const limits = { perSecond: 100, perDay: 7, reservedPerDay: 0 };
    const processes = await Promise.all(Array.from({ length: 4 }, () => aProcess(limits)));
    // For the first request of a day there is no row to lock.
    await taken(processes[0]!);
    const answers = await Promise.all(
      processes.flatMap((slots) => Array.from({ length: 10 }, () => slots.take(account, BEGINS))),
    );
    const atOnce = ticketsIn(answers).length;
    expect(atOnce).toBeLessThanOrEqual(6);
    for (let more = atOnce; more < 6; more += 1) await taken(processes[0]!);
    expect(await processes[0]!.take(account, BEGINS)).toHaveProperty('exhaustedForMs');
  });

  test('a new day has its whole budget', async () => {
    const shift = { days: 0, maxWaitMs: 50 };
    const slots = await aProcess({ perSecond: 5, perDay: 1, reservedPerDay: 0 }, () => shift);
    await taken(slots);
    expect(await slots.take(account, BEGINS)).toEqual({ exhaustedForMs: 50 });
    shift.days = 1;
    await taken(slots);
  });

  test('a lowered limit applies at once, and accounts do not share slots', async () => {
    const first = await aProcess();
    await first.release(account, await taken(first), { sinceAnswerMs: 0 });
    const lowered = await aProcess({ ...LIMIT, perSecond: 2 });
    expect(ticketsIn(await fiveInTurn(lowered))).toHaveLength(2);
    expect(await lowered.take(`${account}/other`, BEGINS)).toHaveProperty('ticket');
  });
});
