import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addUserAs, disableUserAs, removeRoleAs } from '../../store/users/users.ts';
import { applyDueChanges, decideChangeAs, listChanges, proposeChangeAs } from '../../store/approvals/changes.ts';
import { revokeTokenAs } from '../../store/users/tokens.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { setDelay } from './changes-after-a-delay.ts';

/** A change takes effect after its delay only if somebody who could object was active since its proposal. */

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;
let chris: TestUser;
let added = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await anApprovedRun(testDatabase.database);
  await setDelay(testDatabase.database);
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  const { database } = testDatabase;
  await database.query(`update users set disabled_at = now() where disabled_at is null`);
  await database.query(`update changes set state = 'rejected' where state = 'pending'`);
  [ada, ben, chris] = [
    await aUser(testDatabase, 'Ada', 'administrator'),
    await aUser(testDatabase, 'Ben', 'administrator'),
    await aUser(testDatabase, 'Chris', 'checker'),
  ];
});

/** Proposes a new checker, to take effect in three days. */
async function proposeChecker(by = ada): Promise<{ userId: string; changeId: string }> {
  added += 1;
  const user = { login: `own-${added}`, name: `Own ${added}`, roles: ['checker'] };
  const { userId, change } = await addUserAs(testDatabase.asServer, by.tokenHash, user);
  return { userId, changeId: change?.changeId ?? '' };
}

async function stateAfterItsTime(
  changeId: string,
): Promise<[state: string | undefined, waitsForConfirmation: boolean]> {
  await testDatabase.database.query(
    'update changes set takes_effect_at = clock_timestamp() where change_id = $1 and takes_effect_at is not null',
    [changeId],
  );
  await applyDueChanges(testDatabase.asServer);
  const changes = await listChanges(testDatabase.asServer, { pendingOnly: false, limit: 100, accounts: null });
  const change = changes.find((candidate) => candidate.changeId === changeId);
  return [change?.state, change?.takesEffectAt === null];
}

async function auditOf(changeId: string): Promise<[kind: string, why: unknown][]> {
  const { rows } = await testDatabase.database.query<{ kind: string; why: unknown }>(
    `select kind, detail -> 'why' as why from audit_entries where detail ->> 'change' = $1 order by entry_id`,
    [changeId],
  );
  return rows.map(({ kind, why }) => [kind, why]);
}

const disabledBySql = (user: TestUser) =>
  testDatabase.database.query('update users set disabled_at = now() where user_id = $1', [user.userId]);

describe('a change takes effect after its delay', () => {
  test('if a user who may object is active all the time', async () => {
    await disabledBySql(ben);
    const { changeId } = await proposeChecker();
    expect(await stateAfterItsTime(changeId)).toEqual(['effective', false]);
  });

  const silence: [who: string, how: () => Promise<unknown>][] = [
    ['is disabled', () => disabledBySql(chris)],
    [
      'has no role by which to object',
      () => testDatabase.database.query(`delete from user_roles where user_id = $1`, [chris.userId]),
    ],
    [
      'has had another role since',
      () => testDatabase.database.query(`update user_roles set role = 'maker' where user_id = $1`, [chris.userId]),
    ],
    [
      'has another token than before',
      async () => {
        await testDatabase.database.query('update api_tokens set revoked_at = now() where user_id = $1', [
          chris.userId,
        ]);
        chris = await aUser(testDatabase, 'Chris', 'checker');
      },
    ],
    [
      'has had the role for less time',
      () =>
        testDatabase.database.query('update user_roles set granted_at = clock_timestamp() where user_id = $1', [
          chris.userId,
        ]),
    ],
    [
      'has a token that only reads',
      () => testDatabase.database.query(`update api_tokens set scopes = '{read}' where user_id = $1`, [chris.userId]),
    ],
    [
      'has a token that expired',
      () => testDatabase.database.query('update api_tokens set expires_at = now() where user_id = $1', [chris.userId]),
    ],
  ];
  test.each(silence)('never, if the only user who may object %s', async (_who, how) => {
    await disabledBySql(ben);
    const { changeId } = await proposeChecker();
    await how();
    expect(await stateAfterItsTime(changeId)).toEqual(['pending', true]);
    expect((await auditOf(changeId)).at(-1)).toEqual(['change_waits', 'nobody_to_object']);
    ben = await aUser(testDatabase, 'Ben', 'administrator');
    expect((await decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true)).state).toBe('effective');
  });

  test('never, if only its proposer and the user who benefits could object', async () => {
    await disabledBySql(ben);
    const detail = { roles: ['viewer'] };
    const gain = { kind: 'grant_roles' as const, userId: chris.userId, detail };
    const { changeId } = await proposeChangeAs(testDatabase.asServer, ada.tokenHash, gain);
    expect(await stateAfterItsTime(changeId)).toEqual(['pending', true]);
  });

  test('not for a user who is disabled by then', async () => {
    const { userId, changeId } = await proposeChecker();
    await testDatabase.database.query('update users set disabled_at = now() where user_id = $1', [userId]);
    expect((await stateAfterItsTime(changeId))[0]).toBe('rejected');
  });

  test('not if its proposer may no longer propose it', async () => {
    const { changeId } = await proposeChecker();
    await disabledBySql(ada);
    expect((await stateAfterItsTime(changeId))[0]).toBe('rejected');
  });
});

describe('an administrator who disables others', () => {
  const removals: [what: string, remove: () => Promise<unknown>][] = [
    [
      'disables an administrator',
      () => byTwo(testDatabase, disableUserAs(testDatabase.asServer, ada.tokenHash, ben.userId)),
    ],
    [
      'disables a checker',
      () => byTwo(testDatabase, disableUserAs(testDatabase.asServer, ada.tokenHash, chris.userId)),
    ],
    [
      'takes the role of one away',
      () => byTwo(testDatabase, removeRoleAs(testDatabase.asServer, ada.tokenHash, chris.userId, 'checker')),
    ],
    ['revokes the token of one', () => revokeTokenAs(testDatabase.asServer, ada.tokenHash, chris.tokenId)],
  ];
  test.each(removals)('needs a second administrator for their own changes: %s', async (_what, remove) => {
    const { changeId } = await proposeChecker();
    await remove();
    expect(await stateAfterItsTime(changeId)).toEqual(['pending', true]);
    expect((await auditOf(changeId)).at(-1)).toEqual(['change_waits', 'proposer_removed_others']);
  });

  test('needs no second administrator if the others had no deciding role, or the change is somebody else’s', async () => {
    const vic = await aUser(testDatabase, 'Vic', 'viewer');
    const mine = await proposeChecker();
    const other = await proposeChecker(ben);
    await byTwo(testDatabase, disableUserAs(testDatabase.asServer, ada.tokenHash, vic.userId));
    expect((await stateAfterItsTime(mine.changeId))[0]).toBe('effective');
    await byTwo(testDatabase, disableUserAs(testDatabase.asServer, ada.tokenHash, chris.userId));
    expect((await stateAfterItsTime(other.changeId))[0]).toBe('effective');
  });

  const losses: [what: string, lose: () => Promise<unknown>][] = [
    ['is disabled', () => byTwo(testDatabase, disableUserAs(testDatabase.asServer, ben.tokenHash, ada.userId))],
    [
      'is administrator no longer',
      () => byTwo(testDatabase, removeRoleAs(testDatabase.asServer, ben.tokenHash, ada.userId, 'administrator')),
    ],
  ];
  test.each(losses)('ends the proposals of an administrator who %s', async (_what, lose) => {
    const { changeId } = await proposeChecker();
    await lose();
    expect((await auditOf(changeId)).at(-1)).toEqual(['change_rejected', 'proposer_gone']);
    const late = decideChangeAs(testDatabase.asServer, ben.tokenHash, changeId, true);
    await expect(late).rejects.toMatchObject({ name: 'Refused', code: 'conflict' });
  });
});
