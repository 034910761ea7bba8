import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApprovalPolicy } from '../../domain/approvals/approval-policy.ts';
import { type PolicyStep, readStepStates } from '../../store/approvals/approval-steps.ts';
import { explainRule } from '../../store/approvals/policy-explanation.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { beneficiaryAt, putInto } from './a-stored-run.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let chris: TestUser;
let sam: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ({ chris, sam } = runs);
});
afterAll(() => testDatabase.drop());

async function stepsOf(runId: string, steps: PolicyStep[]) {
  const database = testDatabase.asServer;
  const { rows } = await database.query<{ hash: string }>('select run_content_hash($1) as hash', [runId]);
  return readStepStates(database, { runId, contentHash: rows[0]?.hash ?? '', steps });
}

describe('a policy of several steps', () => {
  test('needs a different person for each step, all approving the content that the first one saw', async () => {
    await runs.follow({ rules: [{ name: 'two', when: {}, steps: [{ role: 'checker' }, { role: 'checker' }] }] });
    const { runId, paymentIds } = await runs.aRun(2);
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 1, steps: 2, isLast: false });
    expect([await runs.stateOf(runId), await runs.frozenRows(runId)]).toEqual(['in_approval', 0]);
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('conflict'));
    await putInto(testDatabase.database, paymentIds[1] ?? '', 'held');
    // Nobody has approved other content.
    expect(await runs.decide(sam, runId)).toMatchObject({ stepsTaken: 1, steps: 2, isLast: false });
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 2, steps: 2, isLast: true });
    expect([await runs.stateOf(runId), await runs.frozenRows(runId)]).toEqual(['running', 1]);
  });

  test('ends the run when anyone rejects it at any step', async () => {
    await runs.follow({ rules: [{ name: 'two', when: {}, steps: [{ role: 'checker' }, { role: 'checker' }] }] });
    const { runId } = await runs.aRun();
    await runs.decide(chris, runId);
    await runs.decide(sam, runId, 'rejected', 'not this month');
    expect(await runs.stateOf(runId)).toBe('rejected');
  });

  test('may name who approves a step', async () => {
    await runs.follow({ rules: [{ name: 'named', when: {}, steps: [{ role: 'checker' }, { logins: ['sam'] }] }] });
    const { runId } = await runs.aRun();
    const third = await aUser(testDatabase, 'Third', 'checker');
    await runs.decide(chris, runId);
    await expect(runs.decide(third, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await runs.refusalsOf(runId)).toMatchObject([{ why: 'not_this_step' }]);
    expect(await runs.decide(sam, runId)).toMatchObject({ isLast: true });
  });

  test('counts an approval for the step that only its user can take, whichever was the next one when it was given', async () => {
    await runs.follow({ rules: [{ name: 'named', when: {}, steps: [{ role: 'checker' }, { logins: ['sam'] }] }] });
    const { runId } = await runs.aRun();
    const third = await aUser(testDatabase, 'Second', 'checker');
    expect(await runs.decide(sam, runId)).toMatchObject({ stepsTaken: 1, isLast: false });
    expect(await runs.decide(third, runId)).toMatchObject({ stepsTaken: 2, isLast: true });
  });

  test('is finished by anybody whose approval lets the others move to the steps that name them', async () => {
    const both = { logins: ['sam', 'chris'] };
    await runs.follow({ rules: [{ name: 'named', when: {}, steps: [{ role: 'checker' }, both, both] }] });
    const { runId } = await runs.aRun();
    expect(await runs.decide(sam, runId)).toMatchObject({ stepsTaken: 1, isLast: false });
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 2, isLast: false });
    const another = await aUser(testDatabase, 'Another', 'checker');
    expect(await stepsOf(runId, [{ role: 'checker' }, both, both])).toMatchObject([
      { takenBy: { name: 'Sam' } },
      { takenBy: { name: 'Chris' } },
      { takenBy: null, people: expect.arrayContaining([{ userId: another.userId, name: 'Another' }]) as unknown },
    ]);
    expect(await runs.decide(another, runId)).toMatchObject({ stepsTaken: 3, isLast: true });
  });

  test('whose steps change their order with the hour or by a new policy keeps what was given', async () => {
    const steps = [{ role: 'checker' as const }, { logins: ['sam'] }, { logins: ['chris'] }];
    await runs.follow({ rules: [{ name: 'by day', when: {}, steps }] });
    const { runId } = await runs.aRun();
    const fourth = await aUser(testDatabase, 'Fourth', 'checker');
    expect(await runs.decide(fourth, runId)).toMatchObject({ stepsTaken: 1 });
    expect(await runs.decide(sam, runId)).toMatchObject({ stepsTaken: 2 });
    await runs.follow({ rules: [{ name: 'by night', when: {}, steps: steps.toReversed() }] });
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 3, isLast: true });
  });

  test('does not count users who may no longer decide', async () => {
    await runs.follow({ rules: [{ name: 'two', when: {}, steps: [{ role: 'checker' }, { role: 'checker' }] }] });
    const { runId } = await runs.aRun();
    const gone = await aUser(testDatabase, 'Gone', 'checker');
    await runs.decide(gone, runId);
    await testDatabase.database.query('update users set disabled_at = now() where user_id = $1', [gone.userId]);
    expect(await runs.decide(sam, runId)).toMatchObject({ stepsTaken: 1, steps: 2, isLast: false });
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 2, steps: 2, isLast: true });
  });

  test('that was changed to require somebody else is not satisfied by earlier approvals', async () => {
    await runs.follow({ rules: [{ name: 'two', when: {}, steps: [{ role: 'checker' }, { role: 'checker' }] }] });
    const { runId } = await runs.aRun();
    const third = await aUser(testDatabase, 'Third', 'checker');
    await runs.decide(chris, runId);
    await runs.follow({ rules: [{ name: 'sam', when: {}, steps: [{ logins: ['sam'] }, { role: 'checker' }] }] });
    await expect(runs.decide(third, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await runs.decide(sam, runId)).toMatchObject({ stepsTaken: 2, steps: 2, isLast: true });
  });

  test('that was changed to require less is satisfied by earlier approvals after one more decision', async () => {
    const step = { role: 'checker' as const };
    await runs.follow({ rules: [{ name: 'three', when: {}, steps: [step, step, step] }] });
    const { runId } = await runs.aRun();
    await runs.decide(chris, runId);
    await runs.follow({ rules: [{ name: 'one', when: {}, steps: [step] }] });
    expect(await runs.decide(sam, runId)).toMatchObject({ steps: 1, isLast: true });
  });

  const one = [{ role: 'checker' as const }];
  const two = [...one, ...one];
  test.each([
    ['the sum of a currency', { totalAtLeast: '303.00' }, [{ amount: '151.50' }, { amount: '151.49' }], 1],
    ['the sum of a currency reached', { totalAtLeast: '303.00' }, [{ amount: '151.50' }, { amount: '151.50' }], 2],
    ['its largest row', { largestAtLeast: '200.00' }, [{ amount: '199.99' }, { amount: '200.00' }], 2],
    ['the currency, of the side that is fixed', { currencies: ['GBP'] }, [{ amountSide: 'buy' as const }], 2],
    ['another currency', { currencies: ['GBP'] }, [{ amountSide: 'sell' as const }], 1],
    ['the account of the provider', { accounts: ['other'] }, [{}], 1],
    ['an account that was never paid', { newBeneficiary: true as const }, [beneficiaryAt('new-1')], 2],
  ])('requires more steps for %s', async (_what, when, rows, steps) => {
    await runs.follow({
      rules: [
        { name: 'more', when, steps: two },
        { name: 'rest', when: {}, steps: one },
      ],
    });
    const { runId } = await runs.aRun(rows.length, (n) => rows[n - 1] ?? {});
    expect((await runs.decide(chris, runId)).steps).toBe(steps);
  });

  test('is explained before it is in force, for a run that is thought of', async () => {
    await runs.follow({ rules: [{ name: 'in force', when: {}, steps: one }] });
    const proposed = {
      rules: [
        { name: 'large', when: { totalAtLeast: '50000.00' }, steps: two },
        { name: 'sam', when: {}, steps: [{ logins: ['sam'] }] },
      ],
    };
    const run = {
      ...{ account: 'default', currency: 'EUR', total: '100.00', largest: '100.00', hasNewBeneficiary: false },
      ...{ countries: ['DE'], makerId: null },
    };
    expect(await explainRule(testDatabase.asServer, run, proposed)).toMatchObject({
      rule: 'sam',
      skippedRules: [{ rule: 'large', unmetConditions: ['totalAtLeast'] }],
      steps: [{ people: [{ userId: sam.userId }] }],
    });
    expect(await explainRule(testDatabase.asServer, run, null)).toMatchObject({ rule: 'in force' });
  });

  test('knows an account that was paid before', async () => {
    await runs.follow({
      rules: [
        { name: 'new', when: { newBeneficiary: true }, steps: two },
        { name: 'rest', when: {}, steps: one },
      ],
    });
    const before = await runs.aRun(1, () => beneficiaryAt('known-1'));
    await putInto(testDatabase.database, before.paymentIds[0] ?? '', 'paid');
    const { runId } = await runs.aRun(1, () => beneficiaryAt('known-1'));
    expect((await runs.decide(chris, runId)).steps).toBe(1);
  });

  test.each([
    ['holder', { bankAccountHolderName: 'Somebody Else' }],
    ['bank', { bicSwift: 'OTHRGB2L' }],
  ])('does not know an account that was paid by another %s', async (_what, parts) => {
    await runs.follow({
      rules: [
        { name: 'new', when: { newBeneficiary: true }, steps: two },
        { name: 'rest', when: {}, steps: one },
      ],
    });
    const code = { sortCode: '112233' };
    const before = await runs.aRun(1, () => beneficiaryAt('12345678', code));
    await putInto(testDatabase.database, before.paymentIds[0] ?? '', 'paid');
    const same = await runs.aRun(1, () => beneficiaryAt('1234 5678', code));
    expect((await runs.decide(chris, same.runId)).steps).toBe(1);
    const { runId } = await runs.aRun(1, () => beneficiaryAt('12345678', { ...code, ...parts }));
    expect((await runs.decide(chris, runId)).steps).toBe(2);
  });

  test('applies to every currency of a run; a currency without a rule is not approved', async () => {
    await runs.follow({ rules: [{ name: 'USD', when: { currencies: ['USD'] }, steps: one }] });
    const { runId } = await runs.aRun(2, (n) => (n === 1 ? {} : { sellCurrency: 'EUR' }));
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await runs.refusalsOf(runId)).toMatchObject([{ why: 'no_rule' }]);
    await runs.follow({
      rules: [
        { name: 'USD', when: { currencies: ['USD'] }, steps: one },
        { name: 'EUR', when: { currencies: ['EUR'] }, steps: two },
      ],
    });
    expect((await runs.decide(chris, runId)).steps).toBe(2);
  });

  test.each([
    ['USD', 'EUR'],
    ['EUR', 'USD'],
  ])('requires a step as often as the strictest currency of the run, whether that is %s or %s', async (more, less) => {
    await runs.follow({
      rules: [
        { name: 'more', when: { currencies: [more] }, steps: two },
        { name: 'less', when: { currencies: [less] }, steps: one },
      ],
    });
    const { runId } = await runs.aRun(2, (n) => ({ sellCurrency: n === 1 ? more : less }));
    expect((await runs.decide(chris, runId)).steps).toBe(2);
  });

  const aUsdRunWith = (...others: string[]) =>
    runs.aRun(1 + others.length, (n) =>
      n === 1 ? { amount: '1000000.00' } : { amount: '1.00', sellCurrency: others[n - 2] ?? 'USD' },
    );
  const largeIn = (steps: ApprovalPolicy['rules'][number]['steps'], rest: typeof steps) => ({
    rules: [
      { name: 'large', when: { currencies: ['USD'], totalAtLeast: '100000' }, steps },
      { name: 'rest', when: {}, steps: rest },
    ],
  });

  test.each(['AUD', 'ZAR'])('cannot be avoided with a small row in another currency (%s)', async (other) => {
    const cfo = await aUser(testDatabase, 'Cfo', 'checker');
    await runs.follow(largeIn([{ logins: ['cfo'] }], one));
    const { runId } = await aUsdRunWith(other);
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await runs.decide(cfo, runId)).toMatchObject({ stepsTaken: 1, steps: 2, isLast: false });
    expect(await runs.stateOf(runId)).toBe('in_approval');
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 2, steps: 2, isLast: true });
  });

  test('requires the steps of each currency, and does not count users who may no longer decide', async () => {
    const cfo = await aUser(testDatabase, 'Cfo', 'checker');
    const leaver = await aUser(testDatabase, 'Leaver', 'checker');
    await runs.follow(largeIn([...one, { logins: ['cfo'] }], two));
    const { runId } = await aUsdRunWith('AUD', 'EUR');
    expect(await runs.decide(cfo, runId)).toMatchObject({ stepsTaken: 1, steps: 3 });
    expect(await runs.decide(leaver, runId)).toMatchObject({ stepsTaken: 2, steps: 3 });
    await testDatabase.database.query('delete from user_roles where user_id = $1', [leaver.userId]);
    expect(await runs.decide(chris, runId)).toMatchObject({ stepsTaken: 2, isLast: false });
    expect(await runs.decide(sam, runId)).toMatchObject({ stepsTaken: 3, isLast: true });
  });

  test.each<[what: string, lists: unknown[][], merged: unknown[]]>([
    ['one list as it is', [['c', 'x']], ['c', 'x']],
    [
      'the same list once',
      [
        ['c', 'x'],
        ['c', 'x'],
      ],
      ['c', 'x'],
    ],
    ['the named first', [['c'], ['x']], ['x', 'c']],
    ['fewer names before more', [['xy', 'c'], ['x']], ['x', 'xy', 'c']],
    [
      'the largest number of each',
      [
        ['c', 'x', 'c'],
        ['c', 'c', 'c'],
        ['x', 'x'],
      ],
      ['x', 'x', 'c', 'c', 'c'],
    ],
  ])('merges %s', async (_what, lists, merged) => {
    const known: Record<string, object> = { c: { role: 'checker' }, x: { logins: ['x'] }, xy: { logins: ['x', 'y'] } };
    const stepsOf = (names: unknown[]) => names.map((name) => known[String(name)]);
    const { rows } = await testDatabase.database.query('select merge_steps($1) as steps', [
      JSON.stringify(lists.map(stepsOf)),
    ]);
    expect(rows).toEqual([{ steps: stepsOf(merged) }]);
  });

  test('counts a step only for users with its role', async () => {
    const { database } = testDatabase;
    await runs.follow({ rules: [{ name: 'role', when: {}, steps: one }] });
    await database.query(
      `insert into policies (policy) select jsonb_set(policy, '{rules,0,steps,0,role}', '"treasurer"')
       from policies order by policy_id desc limit 1`,
    );
    const { runId } = await runs.aRun();
    await expect(runs.decide(chris, runId)).rejects.toMatchObject(refusedWith('not_allowed'));
    const both = await aUser(testDatabase, 'Both', 'checker', 'treasurer');
    expect(await runs.decide(both, runId)).toMatchObject({ isLast: true });
  });
});
