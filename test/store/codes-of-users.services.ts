import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addUserAs, inviteUserAs } from '../../store/users/users.ts';
import { decideChangeAs } from '../../store/approvals/changes.ts';
import { findTokenHolder, redeemInvitation } from '../../store/users/tokens.ts';
import { signInWithLink } from '../../store/users/sign-ins.ts';
import { installLink, inviteAdministrator } from '../../store/users/owner-users.ts';
import { storedHashOf, newCode, newToken, TokenHash } from '../../store/users/token-hash.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun } from './a-stored-run.ts';
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

/** After this, no administrator may change deciding roles alone. */
async function afterTheFirstApproval(): Promise<void> {
  await anApprovedRun(testDatabase.database);
}

async function auditKinds(): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ kind: string }>(
    'select kind from audit_entries where run_id is null order by entry_id',
  );
  return rows.map(({ kind }) => kind);
}

describe('an invitation', () => {
  const redeem = (code: string, token = newToken()) =>
    redeemInvitation(testDatabase.asServer, TokenHash.of(code), {
      newTokenHash: TokenHash.of(token),
      label: 'sign-in',
      expiresAt: new Date(Date.now() + DAY_MS),
    });
  const invite = async (by: TestUser, userId: string, code: string, expiresAt = new Date(Date.now() + DAY_MS)) =>
    inviteUserAs(testDatabase.asServer, by.tokenHash, {
      userId,
      codeHash: storedHashOf(TokenHash.of(code)),
      expiresAt,
    });

  async function anAuditor(): Promise<string> {
    const user = { login: 'vic', name: 'Vic', roles: ['auditor'] };
    return (await addUserAs(testDatabase.asServer, ada.tokenHash, user)).userId;
  }

  test('works once, until it expires or a newer one replaces it', async () => {
    await afterTheFirstApproval();
    const userId = await anAuditor();
    const [first, second, late] = [newCode(), newCode(), newCode()];
    await invite(ada, userId, first);
    await invite(ada, userId, second);
    await expect(redeem(first)).rejects.toMatchObject(refusedWith('unauthenticated'));
    const token = newToken();
    expect((await redeem(second, token)).userId).toBe(userId);
    expect(await findTokenHolder(testDatabase.asServer, TokenHash.of(token))).toMatchObject({ login: 'vic' });
    await expect(redeem(second)).rejects.toMatchObject(refusedWith('unauthenticated'));
    const other = (
      await addUserAs(testDatabase.asServer, ada.tokenHash, { login: 'wil', name: 'Wil', roles: ['auditor'] })
    ).userId;
    await invite(ada, other, late, new Date(Date.now() - 1));
    await expect(redeem(late)).rejects.toMatchObject(refusedWith('unauthenticated'));
  });

  test('works once, too, where it ends no other sign-in', async () => {
    const code = await installLink(testDatabase.url, 'ada', Date.now);
    await redeem(code);
    await expect(redeem(code)).rejects.toMatchObject(refusedWith('unauthenticated'));
  });

  test('of a user who may decide, or has signed in before, needs a second administrator each time', async () => {
    await afterTheFirstApproval();
    for (const userId of [chris.userId, ben.userId]) {
      const confirmer = userId === ben.userId ? await aUser(testDatabase, 'Third', 'administrator') : ben;
      const stolen = newCode();
      const { change } = await invite(ada, userId, stolen);
      expect(change?.state).toBe('pending');
      await expect(redeem(stolen)).rejects.toMatchObject(refusedWith('unauthenticated'));
      await decideChangeAs(testDatabase.asServer, confirmer.tokenHash, change?.changeId ?? '', true);
      const code = newCode();
      expect(await invite(ada, userId, code)).toEqual({ invited: true });
      expect((await redeem(code)).userId).toBe(userId);
      // The confirmation is valid only once.
      expect((await invite(ada, userId, newCode())).change?.state).toBe('pending');
    }
  });
});

test.each(['exchanged for a token', 'used as a link'])(
  'a code that is %s ends all by which its user could sign in before',
  async (how) => {
    const { asServer, database } = testDatabase;
    const code = newCode();
    const expiresAt = new Date(Date.now() + DAY_MS);
    await inviteUserAs(asServer, ada.tokenHash, {
      userId: chris.userId,
      codeHash: storedHashOf(TokenHash.of(code)),
      expiresAt,
    });
    await database.query(
      `insert into passwords (user_id, salt, verifier) values ($1, '\\x${'00'.repeat(16)}', '\\x00')`,
      [chris.userId],
    );
    await database.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, label) values ($1, '\\x00', '\\x00', 0, 'old')`,
      [chris.userId],
    );
    await database.query(`insert into user_identities (issuer, subject, user_id) values ('i', 's', $1)`, [
      chris.userId,
    ]);
    const newTokenHash = TokenHash.of(newToken());
    await (how === 'used as a link'
      ? signInWithLink(asServer, TokenHash.of(code), newTokenHash, { browser: null, address: null })
      : redeemInvitation(asServer, TokenHash.of(code), { newTokenHash, label: 'sign-in', expiresAt }));
    expect(await findTokenHolder(asServer, chris.tokenHash)).toMatchObject({ why: 'revoked' });
    for (const table of ['passwords', 'passkeys', 'user_identities']) {
      const { rows } = await database.query(`select from ${table} where user_id = $1`, [chris.userId]);
      expect(rows, table).toEqual([]);
    }
    const { rows } = await database.query('select from api_tokens where user_id = $1 and revoked_at is null', [
      chris.userId,
    ]);
    expect(rows).toHaveLength(1);
  },
);

describe('the first administrator', () => {
  const invited = (recover: boolean) =>
    inviteAdministrator(testDatabase.url, { login: 'zoe', name: 'Zoe', recover }, Date.now);

  test('is not created again while one can sign in, unless requested, and everyone can see it', async () => {
    await expect(invited(false)).rejects.toMatchObject(refusedWith('conflict'));
    const { expiresAt } = await invited(true);
    expect(expiresAt.getTime() - Date.now()).toBeLessThan(DAY_MS / 24);
    expect(await auditKinds()).toContain('administrator_recovered');
  });

  test('is created when no other administrator is left', async () => {
    await testDatabase.database.query(`update users set disabled_at = now() where login in ('ada', 'ben')`);
    const { code } = await invited(false);
    const token = newToken();
    const expiresAt = new Date(Date.now() + DAY_MS);
    await redeemInvitation(testDatabase.asServer, TokenHash.of(code), {
      newTokenHash: TokenHash.of(token),
      label: 'x',
      expiresAt,
    });
    expect(await findTokenHolder(testDatabase.asServer, TokenHash.of(token))).toMatchObject({
      roles: ['administrator'],
    });
  });
});
