import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyDueChanges, decideChangeAs, listChanges, proposeChangeAs } from '../../store/approvals/changes.ts';
import { stopPaymentsAs } from '../../store/approvals/stops.ts';
import { addUserAs, disableUserAs, limitUserAs, listUsers, removeRoleAs } from '../../store/users/users.ts';
import { liftInStore } from '../helpers/lifting-stops.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, anApprovedRun } from './a-stored-run.ts';
import { LimitedUsers, OTHER } from './limited-users.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

/** How users are limited to accounts, and when that is in force. */

let users: LimitedUsers;
let ada: TestUser;
let ben: TestUser;
let chris: TestUser;
let mia: TestUser;

/** A database for these tests, none of which changes the administrators; each test has its own Chris and Mia. */
function inOneDatabase(): void {
  let number = 0;
  beforeAll(create);
  beforeEach(() => {
    number += 1;
    return addUsers(` ${number}`);
  });
  afterAll(() => users.testDatabase.drop());
}

/** A database for each of these tests. */
function inDatabasesOfTheirOwn(): void {
  beforeEach(async () => {
    await create();
    await addUsers('');
  });
  afterEach(() => users.testDatabase.drop());
}

async function create(): Promise<void> {
  users = await LimitedUsers.create();
  ({ ada, ben } = users);
}

async function addUsers(number: string): Promise<void> {
  chris = await aUser(users.testDatabase, `Chris${number}`, 'checker');
  mia = await aUser(users.testDatabase, `Mia${number}`, 'maker');
}

const server = () => users.testDatabase.asServer;
const confirm = (by: TestUser, changeId: string | undefined) =>
  decideChangeAs(server(), by.tokenHash, changeId ?? '', true);

async function stateOf(changeId: string | undefined): Promise<string | undefined> {
  const changes = await listChanges(server(), { pendingOnly: false, limit: 100, accounts: null });
  return changes.find((change) => change.changeId === changeId)?.state;
}

describe('fewer accounts', () => {
  inOneDatabase();

  test('are in force at once, for any user who does not decide, and recorded', async () => {
    const vic = await aUser(users.testDatabase, 'Vic of fewer', 'auditor');
    for (const user of [vic, mia]) {
      expect(await users.accountsOf(user)).toBeNull();
      const added = await users.auditOf(() => users.limit(user, [OTHER, ACCOUNT, OTHER]));
      expect(added).toMatchObject([{ actor: ada.userId, kind: 'user_limited', detail: { user: user.userId } }]);
      expect(await users.accountsOf(user)).toEqual([ACCOUNT, OTHER]);
      expect(await users.limit(user, [OTHER])).toBeNull();
      expect(await users.accountsOf(user)).toEqual([OTHER]);
    }
    expect((await listUsers(server())).map(({ userId, accounts }) => [userId, accounts])).toContainEqual([
      mia.userId,
      [OTHER],
    ]);
  });

  test('of a user who decides take a second administrator, whatever delay the policy sets, and not the user', async () => {
    const change = await users.limit(chris, [OTHER]);
    expect(change).toMatchObject({ state: 'pending', takesEffectAt: null });
    expect(await users.accountsOf(chris)).toBeNull();
    await expect(confirm(ada, change?.changeId)).rejects.toMatchObject(refusedWith('not_allowed'));
    const objection = decideChangeAs(server(), chris.tokenHash, change?.changeId ?? '', false);
    await expect(objection).rejects.toMatchObject(refusedWith('not_allowed'));
    await confirm(ben, change?.changeId);
    expect(await users.accountsOf(chris)).toEqual([OTHER]);
    // The same once more takes nothing away.
    expect(await users.limit(chris, [OTHER])).toBeNull();
  });

  test('replace a pending change that would give more', async () => {
    await users.limit(mia, [ACCOUNT, OTHER]);
    await users.limit(mia, [OTHER]);
    const more = await users.limit(mia, null);
    const added = await users.auditOf(() => users.limit(mia, [OTHER]));
    expect(added).toMatchObject([
      { kind: 'change_replaced', detail: { why: 'accounts_limited' } },
      { kind: 'user_limited' },
    ]);
    expect(await stateOf(more?.changeId)).toBe('replaced');
    await expect(confirm(ben, more?.changeId)).rejects.toMatchObject(refusedWith('conflict'));
    expect(await users.accountsOf(mia)).toEqual([OTHER]);
  });
});

describe('more accounts', () => {
  inOneDatabase();

  test.each([
    ['all', null],
    ['one more', [ACCOUNT, OTHER]],
    ['another one', [ACCOUNT]],
  ])('(%s) for a user who decides take a second administrator', async (_what, accounts) => {
    await users.limited(chris, [OTHER]);
    const change = await users.limit(chris, accounts);
    expect(change?.state).toBe('pending');
    expect(await users.accountsOf(chris)).toEqual([OTHER]);
    await expect(confirm(ada, change?.changeId)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await users.accountsOf(chris)).toEqual([OTHER]);
    const added = await users.auditOf(() => confirm(ben, change?.changeId));
    expect(added).toMatchObject([
      { kind: 'tokens_ended', detail: { user: chris.userId, why: 'accounts_given' } },
      { kind: 'change_effective', detail: { kind: 'set_accounts', accounts } },
    ]);
    expect(await users.accountsOf(chris)).toEqual(accounts);
  });

  test('are given at once to a user who neither decides nor reads personal data', async () => {
    const vic = await aUser(users.testDatabase, 'Vic', 'auditor');
    await users.limit(vic, [OTHER]);
    expect(await users.limit(vic, null)).toBeNull();
    expect(await users.accountsOf(vic)).toBeNull();
    await users.limit(mia, [OTHER]);
    expect((await users.limit(mia, null))?.state).toBe('pending');
  });

  test('wait for a user who is about to decide', async () => {
    const vic = await aUser(users.testDatabase, 'Vic', 'auditor');
    await users.limit(vic, [OTHER]);
    expect(await users.limit(vic, [ACCOUNT, OTHER])).toBeNull();
    await users.limit(vic, [OTHER]);
    const grant = { kind: 'grant_roles' as const, userId: vic.userId, detail: { roles: ['checker'] } };
    await proposeChangeAs(server(), ada.tokenHash, grant);
    expect((await users.limit(vic, null))?.state).toBe('pending');
    expect(await users.accountsOf(vic)).toEqual([OTHER]);
  });

  test('are not given to a user who is disabled by then', async () => {
    await users.limited(chris, [OTHER]);
    const change = await users.limit(chris, null);
    await byTwo(users.testDatabase, disableUserAs(server(), ben.tokenHash, chris.userId));
    await users.testDatabase.database.query('update changes set takes_effect_at = now() where change_id = $1', [
      change?.changeId,
    ]);
    expect(await applyDueChanges(server())).toBe(0);
    expect(await stateOf(change?.changeId)).toBe('rejected');
  });

  test('replace what was pending before', async () => {
    await users.limited(chris, [OTHER]);
    const [first, second] = [await users.limit(chris, null), await users.limit(chris, [ACCOUNT, OTHER])];
    expect([await stateOf(first?.changeId), await stateOf(second?.changeId)]).toEqual(['replaced', 'pending']);
  });

  test('are given in no other way', async () => {
    await users.limited(chris, [OTHER]);
    const change = { kind: 'set_accounts' as 'enable_user', userId: chris.userId, detail: { accounts: null } };
    await expect(proposeChangeAs(server(), ada.tokenHash, change)).rejects.toMatchObject(refusedWith('invalid_input'));
    expect(await users.accountsOf(chris)).toEqual([OTHER]);
  });
});

describe('a limit', () => {
  inOneDatabase();

  test('names known accounts, at least one, of a known user other than oneself', async () => {
    await expect(users.limit(mia, [OTHER, 'Default'])).rejects.toMatchObject(refusedWith('not_found'));
    await expect(users.limit(mia, [])).rejects.toMatchObject(refusedWith('invalid_input'));
    await expect(users.limit(ada, [OTHER])).rejects.toMatchObject(refusedWith('conflict'));
    const nobody = limitUserAs(server(), ada.tokenHash, randomUUID(), [OTHER]);
    await expect(nobody).rejects.toMatchObject(refusedWith('not_found'));
    expect(await users.accountsOf(mia)).toBeNull();
    expect(await users.accountsOf(ada)).toBeNull();
  });

  test('is never to no account, which would give all', async () => {
    await users.limited(chris, [OTHER]);
    for (const accounts of ['[]', null]) {
      const emptied = users.testDatabase.database.query('select set_accounts($1, $2)', [chris.userId, accounts]);
      await expect(emptied).rejects.toThrow('at least one account');
    }
    expect(await users.accountsOf(chris)).toEqual([OTHER]);
  });

  test('is set only by users who manage users', async () => {
    await expect(users.limit(mia, [OTHER], chris)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect(await users.accountsOf(mia)).toBeNull();
  });
});

describe('an administrator who is limited', () => {
  inDatabasesOfTheirOwn();

  test('manages no users and confirms no changes, since these concern all accounts', async () => {
    await users.limited(chris, [OTHER]);
    const change = await users.limit(chris, null);
    await users.limited(ben, [OTHER]);
    const refused = refusedWith('not_allowed');
    const viewer = { login: 'vic', name: 'Vic', roles: ['viewer'] };
    await expect(addUserAs(server(), ben.tokenHash, viewer)).rejects.toMatchObject(refused);
    await expect(users.limit(mia, [OTHER], ben)).rejects.toMatchObject(refused);
    await expect(removeRoleAs(server(), ben.tokenHash, mia.userId, 'maker')).rejects.toMatchObject(refused);
    await expect(confirm(ben, change?.changeId)).rejects.toMatchObject(refused);
    expect((await decideChangeAs(server(), ben.tokenHash, change?.changeId ?? '', false)).state).toBe('rejected');
  });

  test('loses their proposals', async () => {
    const grant = { kind: 'grant_roles' as const, userId: mia.userId, detail: { roles: ['checker'] } };
    const { changeId } = await proposeChangeAs(server(), ben.tokenHash, grant);
    await users.limited(ben, [OTHER]);
    expect(await stateOf(changeId)).toBe('rejected');
  });
});

describe('what a user did before they were limited to another account', () => {
  inDatabasesOfTheirOwn();

  test('does not count as an approval', async () => {
    const runs = await RunsInApproval.of(users.testDatabase);
    await runs.follow({ rules: [{ name: 'two', when: {}, steps: [{ role: 'checker' }, { role: 'checker' }] }] });
    const { runId } = await runs.aRun();
    expect(await runs.decide(runs.chris, runId)).toMatchObject({ stepsTaken: 1, isLast: false });
    await users.limited(runs.chris, [OTHER]);
    expect(await runs.decide(runs.sam, runId)).toMatchObject({ stepsTaken: 1, isLast: false });
    expect(await runs.frozenRows(runId)).toBe(0);
  });

  test.each(['run', 'account', 'all'] as const)('does not count as a request to lift a stop (%s)', async (scope) => {
    const sam = await aUser(users.testDatabase, 'Sam', 'checker');
    const { runId } = await anApprovedRun(users.testDatabase.database);
    const of = { run: { scope: 'run', runId }, account: { scope: 'account', account: ACCOUNT }, all: { scope: 'all' } }[
      scope
    ] as Parameters<typeof stopPaymentsAs>[2];
    const { stopId } = await stopPaymentsAs(server(), ada.tokenHash, of, null);
    const lift = async (by: TestUser) => (await liftInStore(users.testDatabase, by, stopId)).state;
    expect(await lift(mia)).toBe('lift_requested');
    await users.limit(mia, [OTHER]);
    expect(await lift(sam)).toBe('lift_requested');
    expect(await lift(chris)).toBe('lifted');
  });
});

describe('a policy that names people', () => {
  inDatabasesOfTheirOwn();

  test('asks nobody to wait for a step that another person may no longer take', async () => {
    const runs = await RunsInApproval.of(users.testDatabase);
    await runs.follow({
      rules: [{ name: 'named', when: {}, steps: [{ role: 'checker' }, { logins: ['chris', 'sam'] }] }],
    });
    const { runId } = await runs.aRun();
    await users.limited(runs.chris, [OTHER]);
    // Only Sam is left for the second step: Sam's approval is for that one, and anybody else's for the first.
    await expect(runs.decide(runs.sam, runId)).resolves.toMatchObject({ isLast: false });
    await expect(runs.decide(runs.chris, runId)).rejects.toMatchObject(refusedWith('not_found'));
    const third = await aUser(users.testDatabase, 'Third', 'checker');
    await expect(runs.decide(third, runId)).resolves.toMatchObject({ isLast: true });
  });
});
