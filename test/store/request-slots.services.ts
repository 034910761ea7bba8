import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createRequestSlots,
  type RequestLimits,
  type RequestSlots,
  type SlotTicket,
} from '../../store/request-slots.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

const LIMIT: RequestLimits = { perSecond: 5, perDay: 432_000 };
const MINUTE_MS = 60_000;
const ROUNDS = 10;

let testDatabase: TestDatabase;
/** Another one for each test, so that none finds the slots of the last. */
let account: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => {
  account = randomUUID();
});
afterAll(() => testDatabase.drop());

/** The slots as one process sees them. */
function aProcess(limits: RequestLimits = LIMIT): RequestSlots {
  return createRequestSlots(testDatabase.database, () => limits);
}

/** A holder whose lease is far from its end. */
async function aHolder(): Promise<string> {
  const holder = randomUUID();
  await testDatabase.database.query(`insert into slot_holders values ($1, now() + interval '1 hour')`, [holder]);
  return holder;
}

/** Lets the holder's lease be over for long. */
async function die(holder: string): Promise<void> {
  await testDatabase.database.query(
    `update slot_holders set alive_until = now() - interval '1 minute' where holder = $1`,
    [holder],
  );
}

async function taken(slots: RequestSlots, holder: string): Promise<SlotTicket> {
  const answer = await slots.take(account, holder);
  if ('ticket' in answer) return answer.ticket;
  throw new Error('there was no slot');
}

function ticketsIn(answers: Awaited<ReturnType<RequestSlots['take']>>[]): SlotTicket[] {
  return answers.flatMap((answer) => ('ticket' in answer ? [answer.ticket] : []));
}

async function fiveInTurn(slots: RequestSlots, holder: string): Promise<Awaited<ReturnType<RequestSlots['take']>>[]> {
  const answers = [];
  for (let turn = 0; turn < 5; turn += 1) answers.push(await slots.take(account, holder));
  return answers;
}

describe('request slots', () => {
  test('however many processes ask at once, no more are out than the limit allows, each to one of them', async () => {
    const holders = await Promise.all(Array.from({ length: 4 }, aHolder));
    // Who wins is a matter of microseconds: one round would miss a slot that is given out twice.
    for (let round = 0; round < ROUNDS; round += 1) {
      account = randomUUID();
      const answers = await Promise.all(
        holders.flatMap((holder) => {
          const slots = aProcess();
          return Array.from({ length: 4 }, () => slots.take(account, holder));
        }),
      );
      const slots = ticketsIn(answers).map(({ slot }) => slot);
      expect(new Set(slots).size).toBe(slots.length);
      expect(slots.length).toBeLessThanOrEqual(LIMIT.perSecond);
      expect(slots.length).toBeGreaterThan(0);
    }
  });

  test('a slot given back rests for more than a second from the moment of the answer', async () => {
    const slots = aProcess({ ...LIMIT, perSecond: 1 });
    const holder = await aHolder();
    const ticket = await taken(slots, holder);
    const { rows: before } = await testDatabase.database.query<{ at: Date }>('select clock_timestamp() as at');
    await slots.release(account, ticket);
    const { rows } = await testDatabase.database.query<{ free_at: Date }>(
      'select free_at from request_slots where account = $1',
      [account],
    );
    expect(Number(rows[0]?.free_at) - Number(before[0]?.at)).toBeGreaterThan(1_000);
    const next = await taken(slots, holder);
    expect(next.slot).toBe(ticket.slot);
    expect(next.lease).not.toBe(ticket.lease);
  });

  test("a dead holder's slots come back after its lease, and its late word about them is not heard", async () => {
    const [dying, living] = [await aHolder(), await aHolder()];
    const slots = aProcess();
    const lost = ticketsIn(await fiveInTurn(slots, dying));
    expect(lost).toHaveLength(5);
    expect(await slots.take(account, living)).toHaveProperty('retryInMs');
    await die(dying);
    const won = ticketsIn(await fiveInTurn(slots, living));
    expect(won).toHaveLength(5);

    for (const ticket of lost) await slots.release(account, ticket);
    expect(await slots.take(account, living)).toHaveProperty('retryInMs');
  });

  test('a pause holds everyone, and a shorter one after it does not end it', async () => {
    const slots = aProcess();
    await slots.pause(account, 10 * MINUTE_MS);
    await aProcess().pause(account, MINUTE_MS);
    const { waitMs } = await taken(slots, await aHolder());
    expect(waitMs).toBeGreaterThan(5 * MINUTE_MS);
    expect(waitMs).toBeLessThanOrEqual(10 * MINUTE_MS);
  });

  test('an account without a daily limit is never used up', async () => {
    const answers = await fiveInTurn(aProcess({ perSecond: 5, perDay: 0 }), await aHolder());
    expect(ticketsIn(answers)).toHaveLength(5);
  });

  test('when the day is used up nothing more is given out, whoever asks', async () => {
    const limits = { perSecond: 5, perDay: 3 };
    const holder = await aHolder();
    const first = [await taken(aProcess(limits), holder), await taken(aProcess(limits), holder)];
    const last = await taken(aProcess(limits), holder);
    for (const ticket of [...first, last]) await aProcess(limits).release(account, ticket);
    const answer = await aProcess(limits).take(account, holder);
    expect(answer).toHaveProperty('retryInMs');
    expect('retryInMs' in answer && answer.retryInMs > 0 && answer.retryInMs <= MINUTE_MS).toBe(true);
  });

  test('a limit that was lowered holds at once, and accounts do not share their slots', async () => {
    const holder = await aHolder();
    const ticket = await taken(aProcess(), holder);
    await aProcess().release(account, ticket);
    const lowered = aProcess({ ...LIMIT, perSecond: 2 });
    const answers = await fiveInTurn(lowered, holder);
    expect(ticketsIn(answers)).toHaveLength(2);
    expect(await lowered.take(`${account}/other`, holder)).toHaveProperty('ticket');
  });
});
