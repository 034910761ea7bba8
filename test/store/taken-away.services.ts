import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyDueChanges, decideChangeAs, listChanges, proposeChangeAs } from '../../store/approvals/changes.ts';
import { disableUserAs, limitUserAs, listUsers, removeRoleAs } from '../../store/users/users.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, byTwo, limitTo, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, anApprovedRun } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';

/** What is taken from a user at once does not come back by a change that was proposed before. */

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;
let xenia: TestUser;
let number = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  await aUser(testDatabase, 'Chris', 'checker');
  await anApprovedRun(testDatabase.database);
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  number += 1;
  xenia = await aUser(testDatabase, `Xenia ${number}`, 'treasurer', 'checker');
});

function propose(kind: 'grant_roles' | 'enable_user', roles?: string[]) {
  const detail = roles === undefined ? {} : { roles };
  return proposeChangeAs(testDatabase.asServer, ada.tokenHash, { kind, userId: xenia.userId, detail });
}

const confirm = (changeId: string) => decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);

/** Writes a change as versions before may have left it. */
async function leftFromBefore(kind: string, detail: object): Promise<string> {
  const { rows } = await testDatabase.database.query<{ change_id: string }>(
    `insert into changes (kind, user_id, detail, proposed_by, takes_effect_at)
     values ($1, $2, $3, $4, clock_timestamp() + interval '3 days') returning change_id`,
    [kind, xenia.userId, detail, ada.userId],
  );
  return rows[0]?.change_id ?? '';
}

async function afterItsTime(changeId: string): Promise<string | undefined> {
  await testDatabase.database.query(`update changes set takes_effect_at = now() where change_id = $1`, [changeId]);
  await applyDueChanges(testDatabase.asServer);
  const changes = await listChanges(testDatabase.asServer, { pendingOnly: false, limit: 100, accounts: null });
  return changes.find((change) => change.changeId === changeId)?.state;
}

async function whyRejected(changeId: string): Promise<unknown> {
  const { rows } = await testDatabase.database.query<{ why: unknown; actor: string }>(
    `select actor, detail ->> 'why' as why from audit_entries where kind = 'change_rejected' and detail ->> 'change' = $1`,
    [changeId],
  );
  return rows;
}

async function present() {
  const found = (await listUsers(testDatabase.asServer)).find(({ userId }) => userId === xenia.userId);
  return { roles: found?.roles, isDisabled: found?.disabledAt !== null };
}

describe('a role that is removed', () => {
  test('does not come back by a change that was proposed before, alone or with other roles', async () => {
    for (const roles of [['checker'], ['onboarder', 'checker']]) {
      const changeId = await leftFromBefore('grant_roles', { roles });
      await byTwo(testDatabase, removeRoleAs(testDatabase.asServer, ben.tokenHash, xenia.userId, 'checker'));
      expect(await afterItsTime(changeId)).toBe('rejected');
      expect(await present()).toEqual({ roles: ['treasurer'], isDisabled: false });
      expect(await whyRejected(changeId)).toEqual([{ actor: ben.userId, why: 'role_removed' }]);
      await confirm((await propose('grant_roles', ['checker'])).changeId);
    }
  });

  test('leaves other roles that are pending', async () => {
    const { changeId } = await propose('grant_roles', ['onboarder']);
    await byTwo(testDatabase, removeRoleAs(testDatabase.asServer, ben.tokenHash, xenia.userId, 'checker'));
    expect(await afterItsTime(changeId)).toBe('effective');
    expect((await present()).roles).toEqual(['onboarder', 'treasurer']);
  });
});

describe('a user who is disabled', () => {
  test('is not enabled by a change that was proposed before', async () => {
    const changeId = await leftFromBefore('enable_user', {});
    await byTwo(testDatabase, disableUserAs(testDatabase.asServer, ben.tokenHash, xenia.userId));
    expect(await afterItsTime(changeId)).toBe('rejected');
    expect((await present()).isDisabled).toBe(true);
    expect(await whyRejected(changeId)).toEqual([{ actor: ben.userId, why: 'user_disabled' }]);
  });

  test('gets no role and no account by a change that was proposed before, once they are enabled', async () => {
    await limitTo(testDatabase.database, xenia, ACCOUNT);
    const role = await propose('grant_roles', ['onboarder']);
    const { change: accounts } = await limitUserAs(testDatabase.asServer, ada.tokenHash, xenia.userId, null);
    await byTwo(testDatabase, disableUserAs(testDatabase.asServer, ben.tokenHash, xenia.userId));
    await confirm((await propose('enable_user')).changeId);
    expect([await afterItsTime(role.changeId), await afterItsTime(accounts?.changeId ?? '')]).toEqual([
      'rejected',
      'rejected',
    ]);
    expect(await present()).toEqual({ roles: ['checker', 'treasurer'], isDisabled: false });
  });
});

describe('a change that looks like nothing is refused:', () => {
  test('to enable a user who is not disabled', async () => {
    await expect(propose('enable_user')).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('to enable a user a second time', async () => {
    await byTwo(testDatabase, disableUserAs(testDatabase.asServer, ben.tokenHash, xenia.userId));
    await propose('enable_user');
    await expect(propose('enable_user')).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('to grant roles that the user has', async () => {
    await expect(propose('grant_roles', ['checker'])).rejects.toMatchObject(refusedWith('conflict'));
    await expect(propose('grant_roles', ['checker', 'treasurer'])).rejects.toMatchObject(refusedWith('conflict'));
    await expect(propose('grant_roles', [])).rejects.toMatchObject(refusedWith('conflict'));
    expect((await propose('grant_roles', ['checker', 'onboarder'])).state).toBe('pending');
  });
});
