import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decideChangeAs, listChanges, proposeChangeAs } from '../../store/approvals/changes.ts';
import { inviteAdministrator } from '../../store/users/owner-users.ts';
import { newCode, newToken, storedHashOf, TokenHash } from '../../store/users/token-hash.ts';
import { findTokenHolder, redeemInvitation } from '../../store/users/tokens.ts';
import { addUserAs, disableUserAs, inviteUserAs, limitUserAs, removeRoleAs } from '../../store/users/users.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, anApprovedRun } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';

/** A confirmed invitation is no key that one administrator keeps: it serves once, soon, and for the roles that were confirmed with it. */

const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;
let bob: TestUser;
let number = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  await anApprovedRun(testDatabase.database);
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  number += 1;
  bob = await aUser(testDatabase, `Bob ${number}`, 'auditor');
});

function invite(userId = bob.userId, code = newCode()) {
  const invitation = { userId, codeHash: storedHashOf(TokenHash.of(code)), expiresAt: new Date(Date.now() + DAY_MS) };
  return inviteUserAs(testDatabase.asServer, ada.tokenHash, invitation);
}

const confirm = (changeId = '') => decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);

function propose(kind: 'grant_roles' | 'enable_user', roles?: string[]) {
  const detail = roles === undefined ? {} : { roles };
  return proposeChangeAs(testDatabase.asServer, ada.tokenHash, { kind, userId: bob.userId, detail });
}

const grant = async (...roles: string[]) => confirm((await propose('grant_roles', roles)).changeId);

/** An invitation of Bob that two administrators have agreed on, and by which nobody has made a code. */
async function anOpenInvitation(): Promise<string> {
  const { change } = await invite();
  await confirm(change?.changeId);
  return change?.changeId ?? '';
}

async function stateOf(changeId: string | undefined) {
  const changes = await listChanges(testDatabase.asServer, { pendingOnly: false, limit: 100, accounts: null });
  const found = changes.find((change) => change.changeId === changeId);
  return { state: found?.state, ended: found?.detail['ended'] };
}

test('an invitation that waits is the one that a further call answers', async () => {
  const [first, second] = [await invite(), await invite()];
  expect(first.change?.state).toBe('pending');
  expect(second.change).toEqual(first.change);
  const code = newCode();
  await confirm(first.change?.changeId);
  expect(await invite(bob.userId, code)).toEqual({ invited: true });
  const request = { newTokenHash: TokenHash.of(newToken()), label: 'x', expiresAt: new Date(Date.now() + DAY_MS) };
  await redeemInvitation(testDatabase.asServer, TokenHash.of(code), request);
  expect((await invite()).change?.state).toBe('pending');
});

test('a code that is made by an invitation is notified, with who has made it', async () => {
  const { database } = testDatabase;
  const changeId = await anOpenInvitation();
  await invite();
  const { rows } = await database.query<{ type: string; facts: object }>(
    'select type, change_facts($1) as facts from outbox where subject_id = $1::text order by position',
    [changeId],
  );
  expect(rows.map(({ type }) => type)).toEqual(['change.proposed', 'change.decided', 'change.code_made']);
  const facts = { kind: 'invite_again', state: 'effective', user: bob.name, decidedBy: 'Ben', usedBy: 'Ada' };
  expect(rows[0]?.facts).toMatchObject(facts);
});

test('one code ends every invitation that was in effect beside it', async () => {
  await anOpenInvitation();
  // Written by hand: a second one is not begun while one is open.
  await testDatabase.database.query(
    `insert into changes (kind, user_id, detail, proposed_by, decided_by, decided_at, state)
     values ('invite_again', $1, '{"forRoles": ["auditor"]}', $2, $3, clock_timestamp(), 'effective')`,
    [bob.userId, ada.userId, ben.userId],
  );
  expect(await invite()).toEqual({ invited: true });
  expect((await invite()).change?.state).toBe('pending');
});

test('an invitation is begun in no other way', async () => {
  const asked = proposeChangeAs(testDatabase.asServer, ada.tokenHash, {
    kind: 'invite_again' as 'enable_user',
    userId: bob.userId,
    detail: {},
  });
  await expect(asked).rejects.toMatchObject(refusedWith('invalid_input'));
});

test('an invitation that was confirmed serves for a code within 72 hours', async () => {
  const changeId = await anOpenInvitation();
  const decided = (hours: number) =>
    testDatabase.database.query(
      `update changes set decided_at = clock_timestamp() - $2 * interval '1 hour' where change_id = $1`,
      [changeId, hours],
    );
  await decided(72);
  const { change } = await invite();
  expect(change?.state).toBe('pending');
  expect(change?.changeId).not.toBe(changeId);
  await decided(71);
  expect(await invite()).toEqual({ invited: true });
});

describe('an invitation that was confirmed before', () => {
  test('a deciding role is granted gives no code afterwards', async () => {
    const changeId = await anOpenInvitation();
    await grant('checker');
    expect(await stateOf(changeId)).toEqual({ state: 'effective', ended: 'roles_granted' });
    const { change } = await invite();
    expect(change?.state).toBe('pending');
    await confirm(change?.changeId);
    expect(await invite()).toEqual({ invited: true });
  });

  test('a role that decides on nothing is granted gives no code afterwards', async () => {
    await anOpenInvitation();
    await grant('maker');
    expect((await invite()).change?.state).toBe('pending');
  });

  test('a role is proposed again that was rejected then gives no code afterwards', async () => {
    const { changeId } = await propose('grant_roles', ['checker']);
    await anOpenInvitation();
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, false);
    await grant('checker');
    expect((await invite()).change?.state).toBe('pending');
  });

  test('the owner of the database makes the user an administrator gives no code afterwards', async () => {
    bob = await aUser(testDatabase, `Nobody ${number}`);
    await anOpenInvitation();
    await inviteAdministrator(testDatabase.url, { login: bob.login, name: bob.name, recover: true }, Date.now);
    expect((await invite()).change?.state).toBe('pending');
  });

  test('a role is removed gives no code afterwards', async () => {
    await grant('maker');
    const changeId = await anOpenInvitation();
    await removeRoleAs(testDatabase.asServer, ada.tokenHash, bob.userId, 'maker');
    expect(await stateOf(changeId)).toEqual({ state: 'effective', ended: 'role_removed' });
    expect((await invite()).change?.state).toBe('pending');
  });

  test('the user is disabled gives no code once they are enabled again', async () => {
    const changeId = await anOpenInvitation();
    await disableUserAs(testDatabase.asServer, ada.tokenHash, bob.userId);
    expect(await stateOf(changeId)).toEqual({ state: 'effective', ended: 'user_disabled' });
    await confirm((await propose('enable_user')).changeId);
    expect((await invite()).change?.state).toBe('pending');
  });

  test('the user gets more accounts gives no code afterwards, and one after they got fewer does', async () => {
    const { asServer, database } = testDatabase;
    await limitTo(database, bob, ACCOUNT);
    await anOpenInvitation();
    await limitUserAs(asServer, ada.tokenHash, bob.userId, null);
    const { change } = await invite();
    expect(change?.state).toBe('pending');
    await confirm(change?.changeId);
    await limitUserAs(asServer, ada.tokenHash, bob.userId, [ACCOUNT]);
    expect(await invite()).toEqual({ invited: true });
  });

  test('two administrators give a user who decides more accounts gives no code afterwards', async () => {
    await grant('checker');
    await limitTo(testDatabase.database, bob, ACCOUNT);
    const changeId = await anOpenInvitation();
    const { change } = await limitUserAs(testDatabase.asServer, ada.tokenHash, bob.userId, null);
    await confirm(change?.changeId);
    expect(await stateOf(changeId)).toEqual({ state: 'effective', ended: 'accounts_given' });
    expect((await invite()).change?.state).toBe('pending');
  });
});

test('an invitation that waits is rejected by a role that was proposed after it, and stays with one that was proposed before', async () => {
  const { change } = await invite();
  await grant('checker');
  expect((await stateOf(change?.changeId)).state).toBe('rejected');
  const added = { login: `eve-${number}`, name: `Eve ${number}`, roles: ['checker'] };
  const eve = await addUserAs(testDatabase.asServer, ada.tokenHash, added);
  const invited = await invite(eve.userId);
  await confirm(eve.change?.changeId);
  expect((await stateOf(invited.change?.changeId)).state).toBe('pending');
  await confirm(invited.change?.changeId);
  expect(await invite(eve.userId)).toEqual({ invited: true });
});

test('what a user signs in by stays when a change enables them whom the owner has enabled since', async () => {
  const { asServer } = testDatabase;
  await disableUserAs(asServer, ada.tokenHash, bob.userId);
  const { changeId } = await propose('enable_user');
  const again = await aUser(testDatabase, `Bob ${number}`, 'auditor');
  await confirm(changeId);
  expect(await findTokenHolder(asServer, again.tokenHash)).toMatchObject({ userId: bob.userId, roles: ['auditor'] });
});
