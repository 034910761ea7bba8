import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { scheduleHash } from '../../domain/treasury/scheduled-orders.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import { proposeVirtualAccountAs, requestVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import { beginVirtualAccountRequest, giveUpVirtualAccountRequest } from '../../store/accounts/virtual-accounts.ts';
import { deleteScheduleAs, editScheduleAs, pauseScheduleAs } from '../../store/treasury/schedules.ts';
import { aSchedule, FIXED_AMOUNT, SWEEP } from '../domain/treasury-schedules.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule, aProposedSchedule } from './a-schedule.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { askedFor, contentOfTables, done } from './asked-actions.ts';
import { OTHER } from './limited-users.ts';

/** What a user may do with a schedule or a virtual account. */

let testDatabase: TestDatabase;
let tina: TestUser;
let tom: TestUser;
let chris: TestUser;
let stranger: TestUser;
let everybody: TestUser[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
  tom = await aUser(testDatabase, 'Tom', 'treasurer');
  chris = await aUser(testDatabase, 'Chris', 'checker');
  stranger = await aUser(testDatabase, 'Lea Limited', 'treasurer');
  await limitTo(testDatabase.database, stranger, OTHER);
  const viewer = await aUser(testDatabase, 'Vic Viewer', 'viewer');
  const maker = await aUser(testDatabase, 'Mia Maker', 'maker');
  const admin = await aUser(testDatabase, 'Ada Admin', 'administrator');
  everybody = [tina, tom, chris, viewer, maker, admin];
});
afterAll(() => testDatabase.drop());

let made = 0;

describe('what a user may do with a schedule', () => {
  let schedule: Schedule;
  let changed: Schedule;

  beforeEach(() => {
    made += 1;
    schedule = aSchedule(SWEEP, { name: `Sweep ${made}` });
    changed = { ...schedule, floor: '60000.00' } as Schedule;
  });

  const asked = (user: TestUser, id: string) => askedFor(testDatabase, user, { kind: 'schedule', id });
  const active = () => aConfirmedSchedule(testDatabase, [tina, chris], schedule);
  const edit = (scheduleId: string) =>
    editScheduleAs(testDatabase.asServer, tina.tokenHash, { scheduleId, definition: canonicalJson(changed) });

  /** `proposed`: the version that waits. */
  async function doneTo(user: TestUser, id: string, proposed: { version: number; hash: string } | null) {
    const answer = (statement: string, ...values: unknown[]) => done(testDatabase, user, statement, id, ...values);
    const { version, hash } = proposed ?? { version: null, hash: null };
    const another = { ...schedule, floor: '70000.00' } as Schedule;
    return {
      confirm: await answer(`decide_schedule($1, $2, $3, 'confirmed', $4, null)`, version, hash),
      reject: await answer(`decide_schedule($1, $2, $3, 'rejected', $4, null)`, version, hash),
      edit: await answer('edit_schedule($1, $2, $3)', canonicalJson(another)),
      pause: await answer('pause_schedule($1, $2, null)'),
      resume: await answer('resume_schedule($1, $2, null)'),
      delete: await answer('delete_schedule($1, $2, null)'),
      trigger: await answer(`start_occurrence($1, $2, $3, current_date, 0, '{}', 1)`, randomUUID()),
      backfill: await answer(`start_occurrence($1, $2, $3, '2026-01-05', 1, '{}', 1)`, randomUUID()),
    };
  }

  const STATES: Record<string, () => Promise<string>> = {
    'its first version waits': () => aProposedSchedule(testDatabase, tina, schedule),
    active: () => active(),
    'of a fixed amount': () => {
      schedule = aSchedule(FIXED_AMOUNT, { name: `Fixed ${made}` });
      return active();
    },
    'active, with a proposal': async () => {
      const scheduleId = await active();
      await edit(scheduleId);
      return scheduleId;
    },
    paused: async () => {
      const scheduleId = await active();
      await pauseScheduleAs(testDatabase.asServer, chris.tokenHash, scheduleId, null);
      return scheduleId;
    },
    deleted: async () => {
      const scheduleId = await active();
      await deleteScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
      return scheduleId;
    },
  };

  test.each(Object.entries(STATES))('is what happens when they do it: %s', async (state, make) => {
    const id = await make();
    const proposed =
      state === 'its first version waits'
        ? { version: 1, hash: scheduleHash(schedule) }
        : state === 'active, with a proposal'
          ? { version: 2, hash: scheduleHash(changed) }
          : null;
    for (const user of everybody) {
      expect([user.name, await asked(user, id)]).toEqual([user.name, await doneTo(user, id, proposed)]);
    }
  });

  test('is what its roles allow, and nobody confirms their own version', async () => {
    const id = await active();
    await edit(id);
    expect(await asked(tina, id)).toEqual({
      ...{ confirm: 'not_allowed', reject: null, edit: null, pause: null, resume: 'conflict', delete: null },
      ...{ trigger: null, backfill: 'conflict' },
    });
    expect(await asked(chris, id)).toEqual({
      ...{ confirm: null, reject: null, edit: 'not_allowed', pause: null, resume: 'conflict' },
      ...{ delete: 'not_allowed', trigger: 'not_allowed', backfill: 'not_allowed' },
    });
  });

  test('is backfilling only of a fixed amount', async () => {
    schedule = aSchedule(FIXED_AMOUNT, { name: `Fixed ${made}` });
    expect(await asked(tina, await active())).toMatchObject({ trigger: null, backfill: null });
  });

  test('is nothing once it is deleted, for anybody', async () => {
    const id = await active();
    await deleteScheduleAs(testDatabase.asServer, tina.tokenHash, id, null);
    for (const user of everybody) {
      expect(Object.values((await asked(user, id)) ?? { none: null })).not.toContain(null);
    }
  });

  test('is not told of one of another account', async () => {
    expect(await asked(stranger, await active())).toBeNull();
  });
});

describe('what a user may do with a virtual account', () => {
  const asked = (user: TestUser, id: string) => askedFor(testDatabase, user, { kind: 'virtual_account', id });

  async function anUnknownOne(): Promise<string> {
    const id = await anAskedOne();
    await beginVirtualAccountRequest(testDatabase.asWorker, id);
    await giveUpVirtualAccountRequest(testDatabase.asWorker, id);
    return id;
  }

  async function anAskedOne(): Promise<string> {
    const virtualAccountId = randomUUID();
    await requestVirtualAccountAs(testDatabase.asServer, tina.tokenHash, ACCOUNT, {
      ...{ virtualAccountId, name: 'Sales', tag: virtualAccountId.slice(0, 8), provider: 'code 1', currency: 'USD' },
      ...{ description: 'customers', type: 'open', amount: null, expiryDuration: null, approveAsync: true },
    });
    return virtualAccountId;
  }

  const propose = (id: string) =>
    proposeVirtualAccountAs(testDatabase.asServer, tina.tokenHash, id, {
      ...{ outcome: 'rejected', requestId: null, number: null, reason: 'told by the provider' },
    });

  async function openProposal(id: string): Promise<string | null> {
    const { rows } = await testDatabase.database.query<{ id: string }>(
      `select manual_outcome_id as id from virtual_account_manual_outcomes where virtual_account_id = $1 and state = 'proposed'`,
      [id],
    );
    return rows[0]?.id ?? null;
  }

  test.each(['asked', 'unknown', 'proposed'])('is what happens when they do it: %s', async (state) => {
    const id = state === 'asked' ? await anAskedOne() : await anUnknownOne();
    if (state === 'proposed') await propose(id);
    const open = await openProposal(id);
    for (const user of everybody) {
      const proposal = `propose_virtual_account($1, $2, 'cancelled', null, null, 'x')`;
      expect([user.name, await asked(user, id)]).toEqual([
        user.name,
        {
          proposeManualOutcome: await done(testDatabase, user, proposal, id),
          confirmManualOutcome: await done(testDatabase, user, 'confirm_virtual_account($1, $2)', open),
          rejectManualOutcome: await done(testDatabase, user, 'reject_virtual_account($1, $2, null)', open),
        },
      ]);
    }
  });

  test('is said by one person, and confirmed by another', async () => {
    const id = await anUnknownOne();
    expect(await asked(tina, id)).toMatchObject({ proposeManualOutcome: null, confirmManualOutcome: 'not_found' });
    expect(await asked(chris, id)).toMatchObject({ proposeManualOutcome: 'not_allowed' });
    await propose(id);
    expect(await asked(tina, id)).toEqual({
      ...{ proposeManualOutcome: 'conflict', confirmManualOutcome: 'not_allowed', rejectManualOutcome: null },
    });
    expect(await asked(chris, id)).toMatchObject({ confirmManualOutcome: null, rejectManualOutcome: null });
  });

  test('is nothing before its request was sent, for anybody', async () => {
    const id = await anAskedOne();
    for (const user of everybody) {
      expect(Object.values((await asked(user, id)) ?? { none: null })).not.toContain(null);
    }
  });

  test('is not told of one of another account', async () => {
    expect(await asked(stranger, await anUnknownOne())).toBeNull();
  });

  test('asking leaves nothing behind, not even in the audit trail', async () => {
    const unknown = await anUnknownOne();
    const proposed = await anUnknownOne();
    await propose(proposed);
    const schedule = aSchedule(FIXED_AMOUNT, { name: 'Asked about' });
    const active = await aConfirmedSchedule(testDatabase, [tina, chris], schedule);
    const waiting = await aProposedSchedule(testDatabase, tina, { ...schedule, name: 'Waits' });
    const before = await contentOfTables(testDatabase);
    for (const user of [...everybody, stranger]) {
      for (const id of [unknown, proposed]) await asked(user, id);
      for (const id of [active, waiting]) await askedFor(testDatabase, user, { kind: 'schedule', id });
    }
    expect(await contentOfTables(testDatabase)).toEqual(before);
  });
});
