import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { scheduleHash } from '../../domain/treasury/scheduled-orders.ts';
import type { Schedule } from '../../domain/treasury/schedule.ts';
import { limitUserAs } from '../../store/users/users.ts';
import { listSchedules } from '../../store/treasury/schedule-views.ts';
import * as schedules from '../../store/treasury/schedules.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule, aProposedSchedule, confirmVersion } from './a-schedule.ts';
import { refusedWith } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let tina: TestUser;
let tom: TestUser;
let chris: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
  tom = await aUser(testDatabase, 'Tom', 'treasurer');
  chris = await aUser(testDatabase, 'Chris', 'checker');
});
afterAll(() => testDatabase.drop());

let made = 0;
/** Another one each time. */
const aSweep = (differences: object = {}): Schedule =>
  aSchedule(SWEEP, { name: `Sweep ${(made += 1)}`, ...differences });

async function read(scheduleId: string) {
  const [schedule] = await listSchedules(testDatabase.asServer, { accounts: null, scheduleId });
  if (schedule === undefined) throw new Error('there is no such schedule');
  return schedule;
}

const edit = (user: TestUser, scheduleId: string, schedule: Schedule) =>
  schedules.editScheduleAs(testDatabase.asServer, user.tokenHash, { scheduleId, definition: canonicalJson(schedule) });

async function confirmedDefinition(scheduleId: string): Promise<unknown> {
  const { rows } = await testDatabase.database.query<{ definition: unknown }>(
    'select confirmed_definition(schedule_id, version) as definition from schedules where schedule_id = $1',
    [scheduleId],
  );
  return rows[0]?.definition ?? null;
}

describe('a schedule', () => {
  test('takes effect when a second person confirms what they saw', async () => {
    const sweep = aSweep();
    const scheduleId = await aProposedSchedule(testDatabase, tina, sweep);
    expect(await read(scheduleId)).toMatchObject({ state: 'pending', inForce: null, proposed: { version: 1 } });
    expect(await confirmedDefinition(scheduleId)).toBeNull();
    const version = { scheduleId, version: 1, schedule: sweep };
    await expect(confirmVersion(testDatabase, tina, version)).rejects.toMatchObject(refusedWith('not_allowed'));
    const changed = { ...version, schedule: { ...sweep, floor: '0.00' } as Schedule };
    await expect(confirmVersion(testDatabase, tom, changed)).rejects.toMatchObject(refusedWith('conflict'));
    await confirmVersion(testDatabase, chris, version);
    expect(await read(scheduleId)).toMatchObject({
      state: 'active',
      inForce: {
        version: 1,
        definitionHash: scheduleHash(sweep),
        proposedBy: { name: 'Tina' },
        decidedBy: { name: 'Chris' },
      },
      proposed: null,
    });
    expect(await confirmedDefinition(scheduleId)).toEqual(sweep);
  });

  test('keeps the version in force until another person confirms the new one', async () => {
    const sweep = aSweep();
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], sweep);
    const other = { ...sweep, floor: '60000.00' } as Schedule;
    await edit(tom, scheduleId, other);
    expect(await confirmedDefinition(scheduleId)).toEqual(sweep);
    await expect(confirmVersion(testDatabase, tom, { scheduleId, version: 2, schedule: other })).rejects.toMatchObject(
      refusedWith('not_allowed'),
    );
    await confirmVersion(testDatabase, tina, { scheduleId, version: 2, schedule: other });
    expect(await confirmedDefinition(scheduleId)).toEqual(other);
  });

  test('has one version that waits for a decision: a later one supersedes it', async () => {
    const sweep = aSweep();
    const scheduleId = await aProposedSchedule(testDatabase, tina, sweep);
    const other = { ...sweep, floor: '60000.00' } as Schedule;
    await edit(tom, scheduleId, other);
    const first = { scheduleId, version: 1, schedule: sweep };
    await expect(confirmVersion(testDatabase, chris, first)).rejects.toMatchObject(refusedWith('conflict'));
    expect((await read(scheduleId)).proposed).toMatchObject({ version: 2, proposedBy: { name: 'Tom' } });
  });

  test('is rejected by anyone who decides, also by who proposed it', async () => {
    const sweep = aSweep();
    const scheduleId = await aProposedSchedule(testDatabase, tina, sweep);
    const decision = {
      version: 1,
      decision: 'rejected',
      definitionHash: scheduleHash(sweep),
      comment: 'not now',
    } as const;
    await schedules.decideScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, decision);
    expect(await read(scheduleId)).toMatchObject({ state: 'pending', inForce: null, proposed: null });
  });

  test('keeps its account and its name, of which there is one', async () => {
    const sweep = aSweep();
    const scheduleId = await aProposedSchedule(testDatabase, tina, sweep);
    await expect(aProposedSchedule(testDatabase, tom, sweep)).rejects.toMatchObject(refusedWith('conflict'));
    await expect(edit(tina, scheduleId, { ...sweep, name: 'Other' })).rejects.toMatchObject(refusedWith('conflict'));
    await expect(edit(tina, scheduleId, { ...sweep, account: 'other' })).rejects.toMatchObject(refusedWith('conflict'));
    await schedules.deleteScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    await aProposedSchedule(testDatabase, tom, sweep);
  });

  test('is paused with a reason, resumed and deleted', async () => {
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], aSweep());
    await schedules.pauseScheduleAs(testDatabase.asServer, chris.tokenHash, scheduleId, 'rates are wild');
    expect(await read(scheduleId)).toMatchObject({
      ...{ state: 'paused', stateReason: 'by_person', remark: 'rates are wild', stateChangedBy: { name: 'Chris' } },
    });
    const again = schedules.pauseScheduleAs(testDatabase.asServer, chris.tokenHash, scheduleId, null);
    await expect(again).rejects.toMatchObject(refusedWith('conflict'));
    // Tina has proposed it, and Chris had a reason.
    const alone = schedules.resumeScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    await expect(alone).rejects.toMatchObject(refusedWith('not_allowed'));
    await schedules.resumeScheduleAs(testDatabase.asServer, tom.tokenHash, scheduleId, null);
    expect(await read(scheduleId)).toMatchObject({ state: 'active', stateReason: null });
    await schedules.pauseScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    await schedules.resumeScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    await schedules.deleteScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, 'no longer needed');
    expect(await read(scheduleId)).toMatchObject({ state: 'deleted', remark: 'no longer needed' });
    const resumed = schedules.resumeScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    await expect(resumed).rejects.toMatchObject(refusedWith('not_found'));
  });

  test('of an account that a user may not use does not exist for them', async () => {
    const limited = await aUser(testDatabase, 'Lim', 'treasurer');
    const ada = await aUser(testDatabase, 'Ada', 'administrator');
    await testDatabase.database.query(`insert into provider_accounts (account, api_address, access_key, is_sandbox)
      values ('default', 'x', 'x', true), ('asia', 'x', 'x', true) on conflict do nothing`);
    await byTwo(testDatabase, limitUserAs(testDatabase.asServer, ada.tokenHash, limited.userId, ['asia']));
    await expect(aProposedSchedule(testDatabase, limited, aSweep())).rejects.toMatchObject(refusedWith('not_allowed'));
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], aSweep());
    const paused = schedules.pauseScheduleAs(testDatabase.asServer, limited.tokenHash, scheduleId, null);
    await expect(paused).rejects.toMatchObject(refusedWith('not_found'));
  });

  test('is not confirmed if its text was changed afterwards', async () => {
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], aSweep());
    const change = `update schedule_versions set definition = replace(definition, '50000.00', '0.00') where schedule_id = $1`;
    await expect(testDatabase.database.query(change, [scheduleId])).rejects.toThrow('kept as it was proposed');
    await testDatabase.database.query('alter table schedule_versions disable trigger user');
    await testDatabase.database.query(change, [scheduleId]);
    await testDatabase.database.query('alter table schedule_versions enable trigger user');
    expect(await confirmedDefinition(scheduleId)).toBeNull();
  });

  test('leaves a trace of everything', async () => {
    const scheduleId = await aConfirmedSchedule(testDatabase, [tina, tom], aSweep());
    await schedules.pauseScheduleAs(testDatabase.asServer, tina.tokenHash, scheduleId, null);
    const { rows } = await testDatabase.database.query<{ kind: string; actor: string }>(
      `select kind, actor from audit_entries where detail ->> 'schedule' = $1 order by entry_id`,
      [scheduleId],
    );
    expect(rows).toEqual([
      { kind: 'schedule_added', actor: tina.userId },
      { kind: 'schedule_confirmed', actor: tom.userId },
      { kind: 'schedule_paused', actor: tina.userId },
    ]);
  });
});
