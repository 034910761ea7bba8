import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addUserAs, disableUserAs, inviteUserAs, listUsers, removeRoleAs } from '../../store/users/users.ts';
import {
  applyDueChanges,
  type BegunChange,
  decideChangeAs,
  listChanges,
  proposeChangeAs,
} from '../../store/approvals/changes.ts';
import { findTokenHolder, issueTokenAs, revokeTokenAs } from '../../store/users/tokens.ts';
import { storedHashOf, newCode, newToken, TokenHash } from '../../store/users/token-hash.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { setDelay } from './changes-after-a-delay.ts';
import { refusedWith } from './runs-in-approval.ts';

const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;
let chris: TestUser;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  chris = await aUser(testDatabase, 'Chris', 'checker');
});
afterEach(() => testDatabase.drop());

async function rolesOf(login: string): Promise<{ roles: string[]; pendingRoles: string[] }> {
  const user = (await listUsers(testDatabase.asServer)).find((candidate) => candidate.login === login);
  return { roles: user?.roles ?? [], pendingRoles: user?.pendingRoles ?? [] };
}

/** After this, no administrator may change deciding roles alone; a change takes effect after three days if nobody objects. */
async function afterTheFirstApproval(): Promise<void> {
  await anApprovedRun(testDatabase.database);
  await setDelay(testDatabase.database);
}

/** Adds Eve as a checker, in Ada's name. */
async function addEve(): Promise<{ userId: string; change: BegunChange }> {
  const { userId, change } = await addUserAs(testDatabase.asServer, ada.tokenHash, {
    login: 'eve',
    name: 'Eve',
    roles: ['checker', 'auditor'],
  });
  if (change === null) throw new Error('nothing was begun');
  return { userId, change };
}

async function passTime(changeId: string): Promise<void> {
  await testDatabase.database.query(`update changes set takes_effect_at = now() where change_id = $1`, [changeId]);
}

async function auditKinds(): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ kind: string }>(
    'select kind from audit_entries where run_id is null order by entry_id',
  );
  return rows.map(({ kind }) => kind);
}

describe('a role that may decide', () => {
  test('is granted at once until the first run is approved', async () => {
    expect((await addEve()).change.state).toBe('effective');
    expect(await rolesOf('eve')).toEqual({ roles: ['auditor', 'checker'], pendingRoles: [] });
  });

  test('then needs a second administrator, who is neither the proposer nor the user who benefits', async () => {
    await afterTheFirstApproval();
    const { change } = await addEve();
    expect(change.state).toBe('pending');
    expect(await rolesOf('eve')).toEqual({ roles: ['auditor'], pendingRoles: ['checker'] });
    const { asServer } = testDatabase;
    const confirm = (by: TestUser) => decideChangeAs(asServer, by.tokenHash, change.changeId, true);
    await expect(confirm(ada)).rejects.toMatchObject(refusedWith('not_allowed'));
    await expect(confirm(chris)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect((await confirm(ben)).state).toBe('effective');
    expect(await rolesOf('eve')).toEqual({ roles: ['auditor', 'checker'], pendingRoles: [] });
    await expect(confirm(ben)).rejects.toMatchObject(refusedWith('conflict'));
    expect((await auditKinds()).filter((kind) => kind === 'refused')).toHaveLength(2);
  });

  test.each(['viewer', 'maker', 'onboarder'])(
    'needs a second administrator as well when it reads personal data or instructions, as a %s does',
    async (role) => {
      await afterTheFirstApproval();
      const { asServer } = testDatabase;
      const user = { login: 'val', name: 'Val', roles: [role, 'auditor'] };
      const { userId, change } = await addUserAs(asServer, ada.tokenHash, user);
      expect(change?.state).toBe('pending');
      expect(await rolesOf('val')).toEqual({ roles: ['auditor'], pendingRoles: [role] });
      // Nor does the code of such a user come from one administrator alone.
      const code = {
        userId,
        codeHash: storedHashOf(TokenHash.of(newCode())),
        expiresAt: new Date(Date.now() + DAY_MS),
      };
      expect((await inviteUserAs(asServer, ada.tokenHash, code)).change?.state).toBe('pending');
      await decideChangeAs(asServer, ben.tokenHash, change?.changeId ?? '', true);
      expect((await rolesOf('val')).roles).toEqual(['auditor', role].sort());
      expect((await inviteUserAs(asServer, ada.tokenHash, code)).change?.state).toBe('pending');
    },
  );

  test('never takes effect by waiting, unless the policy sets a delay', async () => {
    await anApprovedRun(testDatabase.database);
    const { change } = await addEve();
    expect(change).toMatchObject({ state: 'pending', takesEffectAt: null });
    await setDelay(testDatabase.database);
    expect(await applyDueChanges(testDatabase.asServer)).toBe(0);
    expect((await rolesOf('eve')).pendingRoles).toEqual(['checker']);
  });

  test('is granted after the delay if nobody objected, and not before', async () => {
    await afterTheFirstApproval();
    const { change } = await addEve();
    expect(await applyDueChanges(testDatabase.asServer)).toBe(0);
    expect(new Date(change.takesEffectAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 2.9 * DAY_MS);
    await passTime(change.changeId);
    expect(await applyDueChanges(testDatabase.asServer)).toBe(1);
    expect((await rolesOf('eve')).roles).toContain('checker');
  });

  test('is not granted after a checker has objected, however much time passes', async () => {
    await afterTheFirstApproval();
    const { change } = await addEve();
    expect((await decideChangeAs(testDatabase.asServer, chris.tokenHash, change.changeId, false)).state).toBe(
      'rejected',
    );
    await passTime(change.changeId);
    expect(await applyDueChanges(testDatabase.asServer)).toBe(0);
    expect((await rolesOf('eve')).roles).toEqual(['auditor']);
  });

  test('is removed by two administrators, and every other role at once', async () => {
    await afterTheFirstApproval();
    const { asServer } = testDatabase;
    const { change } = await removeRoleAs(asServer, ada.tokenHash, chris.userId, 'checker');
    expect(change).toMatchObject({ state: 'pending', takesEffectAt: null });
    expect(await removeRoleAs(asServer, ada.tokenHash, chris.userId, 'checker')).toEqual({ change });
    expect((await rolesOf('chris')).roles).toEqual(['checker']);
    const decided = (by: TestUser, isConfirmed: boolean) =>
      decideChangeAs(asServer, by.tokenHash, change?.changeId ?? '', isConfirmed);
    await expect(decided(ada, true)).rejects.toMatchObject(refusedWith('not_allowed'));
    // Nor does who is to be removed keep their role alone.
    await expect(decided(chris, false)).rejects.toMatchObject(refusedWith('not_allowed'));
    expect((await decided(ben, true)).state).toBe('effective');
    expect((await rolesOf('chris')).roles).toEqual([]);
    const vic = await aUser(testDatabase, 'Vic', 'viewer');
    expect(await removeRoleAs(asServer, ada.tokenHash, vic.userId, 'viewer')).toEqual({ change: null });
    expect((await rolesOf('vic')).roles).toEqual([]);
    await expect(
      removeRoleAs(testDatabase.asServer, chris.tokenHash, ada.userId, 'administrator'),
    ).rejects.toMatchObject(refusedWith('not_allowed'));
  });

  test('is never combined with the role of an administrator', async () => {
    const { asServer } = testDatabase;
    const both = { login: 'eve', name: 'Eve', roles: ['administrator', 'maker'] };
    await expect(addUserAs(asServer, ada.tokenHash, both)).rejects.toMatchObject({ name: 'Refused' });
    expect((await listUsers(asServer)).map(({ login }) => login)).not.toContain('eve');
    const grant = { kind: 'grant_roles' as const, userId: ben.userId, detail: { roles: ['checker'] } };
    await expect(proposeChangeAs(asServer, ada.tokenHash, grant)).rejects.toMatchObject(refusedWith('conflict'));
    expect((await rolesOf('ben')).roles).toEqual(['administrator']);
    // Nor when an earlier change takes effect.
    await afterTheFirstApproval();
    await expect(proposeChangeAs(asServer, ada.tokenHash, grant)).rejects.toMatchObject(refusedWith('conflict'));
    await expect(addUserAs(asServer, ada.tokenHash, both)).rejects.toMatchObject({ name: 'Refused' });
    const { userId } = await aUser(testDatabase, 'Nora');
    const { changeId } = await proposeChangeAs(asServer, ada.tokenHash, { ...grant, userId });
    const rise = { ...grant, userId, detail: { roles: ['administrator'] } };
    await decideChangeAs(
      asServer,
      ben.tokenHash,
      (await proposeChangeAs(asServer, ada.tokenHash, rise)).changeId,
      true,
    );
    await passTime(changeId);
    expect(await applyDueChanges(asServer)).toBe(0);
    expect((await rolesOf('nora')).roles).toEqual(['administrator']);
  });
});

describe('a user', () => {
  test('who is disabled can do nothing, and is enabled again by a change', async () => {
    await afterTheFirstApproval();
    const { asServer } = testDatabase;
    const { change } = await disableUserAs(asServer, ada.tokenHash, chris.userId);
    expect(change).toMatchObject({ state: 'pending', takesEffectAt: null });
    expect(await findTokenHolder(asServer, chris.tokenHash)).toMatchObject({ login: 'chris', roles: ['checker'] });
    await decideChangeAs(asServer, ben.tokenHash, change?.changeId ?? '', true);
    expect(await findTokenHolder(asServer, chris.tokenHash)).toMatchObject({ userId: chris.userId, why: 'revoked' });
    const token = {
      newTokenHash: TokenHash.of(newToken()),
      label: 'x',
      expiresAt: new Date(Date.now() + DAY_MS),
      scopes: [],
    };
    await expect(issueTokenAs(asServer, chris.tokenHash, token)).rejects.toMatchObject(refusedWith('unauthenticated'));
    const enable = { kind: 'enable_user' as const, userId: chris.userId, detail: {} };
    expect((await proposeChangeAs(asServer, ada.tokenHash, enable)).state).toBe('pending');
    await expect(disableUserAs(asServer, ada.tokenHash, ada.userId)).rejects.toMatchObject(refusedWith('conflict'));
  });

  test('issues tokens only for themselves, which expire and can be revoked', async () => {
    const { asServer, database } = testDatabase;
    const token = newToken();
    const expiresAt = new Date(Date.now() + DAY_MS);
    const tokenHash = TokenHash.of(token);
    const { tokenId } = await issueTokenAs(asServer, chris.tokenHash, {
      newTokenHash: tokenHash,
      label: 'laptop',
      scopes: [],
      expiresAt,
    });
    expect(await findTokenHolder(asServer, tokenHash)).toMatchObject({ login: 'chris', roles: ['checker'] });
    await database.query('update api_tokens set expires_at = now() where token_id = $1', [tokenId]);
    expect(await findTokenHolder(asServer, tokenHash)).toMatchObject({ why: 'expired' });
    await expect(revokeTokenAs(asServer, chris.tokenHash, ada.tokenId)).rejects.toMatchObject(
      refusedWith('not_allowed'),
    );
    await revokeTokenAs(asServer, ada.tokenHash, chris.tokenId);
    expect(await findTokenHolder(asServer, chris.tokenHash)).toMatchObject({ why: 'revoked' });
    const { rows } = await database.query<{ kept: string }>('select api_tokens::text as kept from api_tokens');
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(tokenHash.bytes.toString('hex'));
  });
});

test('a change that waits is found by itself, however many were decided since', async () => {
  await afterTheFirstApproval();
  const { change: waiting } = await addEve();
  const grant = { kind: 'grant_roles' as const, userId: chris.userId, detail: { roles: ['treasurer'] } };
  const decided = await proposeChangeAs(testDatabase.asServer, ada.tokenHash, grant);
  await decideChangeAs(testDatabase.asServer, ben.tokenHash, decided.changeId, false);
  const newest = async (pendingOnly: boolean) =>
    (await listChanges(testDatabase.asServer, { pendingOnly, limit: 1, accounts: null })).map(
      ({ changeId }) => changeId,
    );
  expect(await newest(false)).toEqual([decided.changeId]);
  expect(await newest(true)).toEqual([waiting.changeId]);
});
