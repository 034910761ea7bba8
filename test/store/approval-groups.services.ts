import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import { explainRun } from '../../store/approvals/policy-explanation.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

type Steps = ApprovalPolicy['rules'][number]['steps'];
type Deputy = NonNullable<ApprovalPolicy['deputies']>[number];

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let chris: TestUser;
let sam: TestUser;
let dana: TestUser;
let outsider: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ({ chris, sam } = runs);
  dana = await aUser(testDatabase, 'Dana', 'checker');
  outsider = await aUser(testDatabase, 'Outsider', 'checker');
});
afterAll(() => testDatabase.drop());

const GROUPS = { finance: ['chris', 'sam'] };
const follow = (steps: Steps, parts: Partial<ApprovalPolicy> = {}) =>
  runs.follow({ rules: [{ name: 'grouped', when: {}, steps }], groups: GROUPS, ...parts });

describe('a step of a group', () => {
  test('is for its members, as many of them as it asks for', async () => {
    await follow([{ group: 'finance', approvals: 2 }]);
    const { runId } = await runs.aRun();
    await expect(runs.decide(outsider, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(runs.decide(chris, runId)).resolves.toMatchObject({ stepsTaken: 1, steps: 2, isLast: false });
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('conflict'));
    await expect(runs.decide(outsider, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(runs.decide(sam, runId)).resolves.toMatchObject({ stepsTaken: 2, isLast: true });
  });

  test('is for nobody where the policy has no such group', async () => {
    await follow([{ group: 'nowhere' }]);
    const { runId } = await runs.aRun();
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
  });

  test('follows the group: an approval of somebody who is no longer in it does not count', async () => {
    await follow([{ group: 'finance', approvals: 2 }]);
    const { runId } = await runs.aRun();
    await runs.decide(chris, runId);
    await follow([{ group: 'finance', approvals: 2 }], { groups: { finance: ['sam', 'dana'] } });
    await expect(runs.decide(sam, runId)).resolves.toMatchObject({ stepsTaken: 1, isLast: false });
    await expect(runs.decide(dana, runId)).resolves.toMatchObject({ isLast: true });
  });

  test('of a role may ask for several as well', async () => {
    await follow([{ role: 'checker', approvals: 3 }]);
    const { runId } = await runs.aRun();
    await expect(runs.decide(chris, runId)).resolves.toMatchObject({ steps: 3 });
  });
});

describe('a deputy', () => {
  const day = async (offset: number): Promise<string> => {
    const { rows } = await testDatabase.database.query<{ day: string }>(
      `select ((now() at time zone 'UTC')::date + $1::integer)::text as day`,
      [offset],
    );
    return rows[0]?.day ?? '';
  };
  const danaForSam = async (from: number, until: number): Promise<Deputy> => ({
    ...{ deputy: 'dana', for: 'sam', from: await day(from), until: await day(until) },
  });
  const onlySam: Steps = [{ logins: ['sam'] }];

  test.each([
    ['on the first day', 0, 3, true],
    ['on the last day', -3, 0, true],
    ['before', 1, 3, false],
    ['after', -3, -1, false],
  ])('acts for a user %s', async (_when, from, until, mayDecide) => {
    await follow(onlySam, { deputies: [await danaForSam(from, until)] });
    const { runId } = await runs.aRun();
    const decided = runs.decide(dana, runId);
    if (mayDecide) await expect(decided).resolves.toMatchObject({ isLast: true });
    else await expect(decided).rejects.toMatchObject(refusedWith('not_allowed'));
  });

  test('is named in the audit trail with whom they act for, and the user may still decide', async () => {
    await follow(onlySam, { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    await runs.decide(dana, runId);
    const { rows } = await testDatabase.database.query<{ for: string }>(
      `select detail ->> 'for' as "for" from audit_entries where run_id = $1 and kind = 'decision_approved'`,
      [runId],
    );
    expect(rows).toEqual([{ for: sam.userId }]);
    await expect(runs.decide(sam, (await runs.aRun()).runId)).resolves.toMatchObject({ isLast: true });
  });

  test('does not act for the maker of the run', async () => {
    await follow([{ logins: ['sam', 'chris'] }], { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    await bypassTriggers(testDatabase.database, 'update runs set submitted_by = $2 where run_id = $1', [
      runId,
      sam.userId,
    ]);
    await expect(runs.decide(dana, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(runs.decide(chris, runId)).resolves.toMatchObject({ isLast: true });
  });

  test('never decides on their own run', async () => {
    await follow(onlySam, { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    await bypassTriggers(testDatabase.database, 'update runs set submitted_by = $2 where run_id = $1', [
      runId,
      dana.userId,
    ]);
    await expect(runs.decide(dana, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
  });

  test.each([
    ['deputy', 'user'],
    ['user', 'deputy'],
  ])('and the user count as one: the %s approved, then the %s', async (first) => {
    await follow([{ group: 'finance', approvals: 2 }], { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    const [one, other] = first === 'deputy' ? [dana, sam] : [sam, dana];
    await expect(runs.decide(one, runId)).resolves.toMatchObject({ stepsTaken: 1, isLast: false });
    const again = runs.decide(other, runId);
    await expect(again).rejects.toMatchObject({ message: expect.stringContaining('count as one') as string });
    await expect(runs.decide(chris, runId)).resolves.toMatchObject({ isLast: true });
  });

  test('acts for nobody who may not decide themselves', async () => {
    const leaver = await aUser(testDatabase, 'Leaver', 'checker');
    const deputies = [{ ...(await danaForSam(0, 1)), for: 'leaver' }];
    await follow([{ logins: ['leaver', 'chris'] }], { deputies });
    const { runId } = await runs.aRun();
    await testDatabase.database.query('update users set disabled_at = now() where user_id = $1', [leaver.userId]);
    await expect(runs.decide(dana, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
  });

  test('acts for nobody who may not use the account', async () => {
    const elsewhere = await aUser(testDatabase, 'Elsewhere', 'checker');
    await limitTo(testDatabase.database, elsewhere, 'elsewhere');
    const deputies = [{ ...(await danaForSam(0, 1)), for: 'elsewhere' }];
    await follow([{ logins: ['elsewhere', 'chris'] }], { deputies });
    const { runId } = await runs.aRun();
    await expect(runs.decide(dana, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
  });

  test('whose approval counts no longer does not keep the user from approving, and both never count as two', async () => {
    const rita = await aUser(testDatabase, 'Rita', 'checker');
    const deputies = [{ ...(await danaForSam(0, 1)), deputy: 'rita' }];
    await follow([{ group: 'finance', approvals: 2 }], { deputies });
    const { runId } = await runs.aRun();
    await runs.decide(rita, runId);
    await expect(runs.decide(sam, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    await testDatabase.database.query('delete from user_roles where user_id = $1', [rita.userId]);
    await expect(runs.decide(sam, runId)).resolves.toMatchObject({ stepsTaken: 1, isLast: false });
    await testDatabase.database.query('select grant_role($1, $2)', [rita.userId, 'checker']);
    const { rows } = await testDatabase.database.query(
      'select open_steps(taken_steps($1, run_content_hash($1), steps_for($1, current_policy()))) as open',
      [runId],
    );
    expect(rows).toEqual([{ open: [2] }]);
    await expect(runs.decide(chris, runId)).resolves.toMatchObject({ stepsTaken: 2, isLast: true });
  });

  test('has decided for good, also when the last day is over or another deputy takes the place', async () => {
    const steps: Steps = [...onlySam, { logins: ['chris'] }];
    await follow(steps, { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    await runs.decide(dana, runId);
    await follow(steps, { deputies: [{ ...(await danaForSam(0, 1)), deputy: 'outsider' }] });
    await expect(runs.decide(chris, runId)).resolves.toMatchObject({ stepsTaken: 2, isLast: true });
  });

  test('may act for a user who took an earlier step, where that approval can be of another one', async () => {
    await follow([{ role: 'checker' }, ...onlySam], { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    await runs.decide(sam, runId);
    await expect(runs.decide(dana, runId)).resolves.toMatchObject({ isLast: true });
  });

  test('acts for nobody where a step names them: they would lack for that one', async () => {
    await follow([...onlySam, { logins: ['dana'] }], { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    await expect(runs.decide(dana, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(runs.decide(sam, runId)).resolves.toMatchObject({ stepsTaken: 1, isLast: false });
    await expect(runs.decide(dana, runId)).resolves.toMatchObject({ isLast: true });
  });

  test('has approved for themselves as well, where a later policy names them', async () => {
    await follow([...onlySam, { logins: ['chris'] }], { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    await runs.decide(dana, runId);
    await follow([{ logins: ['chris'] }, { logins: ['dana'] }]);
    await expect(runs.decide(chris, runId)).resolves.toMatchObject({ stepsTaken: 2, isLast: true });
  });

  test('whose approval counts no longer, because the user may not decide, is asked again of others', async () => {
    const leaver = await aUser(testDatabase, 'Quitter', 'checker');
    const steps: Steps = [{ logins: ['quitter', 'sam'] }, { logins: ['chris'] }];
    await follow(steps, { deputies: [{ ...(await danaForSam(0, 1)), for: 'quitter' }] });
    const { runId } = await runs.aRun();
    await runs.decide(dana, runId);
    await testDatabase.database.query('update users set disabled_at = now() where user_id = $1', [leaver.userId]);
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(runs.decide(sam, runId)).resolves.toMatchObject({ stepsTaken: 1, isLast: false });
    await expect(runs.decide(chris, runId)).resolves.toMatchObject({ isLast: true });
  });

  test('is among the people who could take the step', async () => {
    await follow(onlySam, { deputies: [await danaForSam(0, 1)] });
    const { runId } = await runs.aRun();
    const found = await explainRun(testDatabase.asServer, runId, null);
    expect(found?.steps.map(({ people }) => people.map(({ name }) => name))).toEqual([['Dana', 'Sam']]);
  });
});
