import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TokenScope } from '../../domain/users/token-scope.ts';
import { applyDueChanges, listChanges } from '../../store/approvals/changes.ts';
import { endSessionAs } from '../../store/users/sessions.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { issueTokenAs, revokeTokenAs } from '../../store/users/tokens.ts';
import { addUserAs } from '../../store/users/users.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { setDelay } from './changes-after-a-delay.ts';
import { refusedWith } from './runs-in-approval.ts';

/** Nobody keeps others out, or silences who could object, by ending what they sign in by. */

let testDatabase: TestDatabase;
let ada: TestUser;
let chris: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await anApprovedRun(testDatabase.database);
  await setDelay(testDatabase.database);
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  await execute(`update users set disabled_at = now() where disabled_at is null`);
  await execute(`update changes set state = 'rejected' where state = 'pending'`);
  ada = await aUser(testDatabase, `Ada ${randomUUID()}`, 'administrator');
  chris = await aUser(testDatabase, `Chris ${randomUUID()}`, 'checker');
});

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

async function aSessionOf({ userId }: TestUser): Promise<{ sessionId: string; tokenHash: TokenHash }> {
  const tokenHash = TokenHash.of(newToken());
  const { rows } = await testDatabase.database.query<{ id: string }>(
    `select open_session($1, 'password', $2, null, null) as id`,
    [userId, tokenHash.bytes],
  );
  return { tokenHash, sessionId: rows[0]?.id ?? '' };
}

async function aTokenOf(user: TestUser, ...scopes: TokenScope[]): Promise<{ tokenId: string; tokenHash: TokenHash }> {
  const newTokenHash = TokenHash.of(newToken());
  const asked = { newTokenHash, label: 'program', scopes, expiresAt: new Date(Date.now() + 3_600_000) };
  const { tokenId } = await issueTokenAs(testDatabase.asServer, user.tokenHash, asked);
  return { tokenId, tokenHash: newTokenHash };
}

/** The state of a change of Ada's once its time is over, and whether it waits for a second administrator. */
async function stateOf(changeId: string): Promise<[state: string | undefined, waits: boolean]> {
  await execute(
    'update changes set takes_effect_at = clock_timestamp() where change_id = $1 and takes_effect_at is not null',
    changeId,
  );
  await applyDueChanges(testDatabase.asServer);
  const changes = await listChanges(testDatabase.asServer, { pendingOnly: false, limit: 100, accounts: null });
  const change = changes.find((candidate) => candidate.changeId === changeId);
  return [change?.state, change?.takesEffectAt === null];
}

async function aChecker(): Promise<string> {
  const user = { login: `own-${randomUUID()}`, name: randomUUID(), roles: ['checker'] };
  const { change } = await addUserAs(testDatabase.asServer, ada.tokenHash, user);
  return change?.changeId ?? '';
}

describe('an administrator who ends a session of somebody else', () => {
  test('has their own changes wait for a second one, if that user could object', async () => {
    const vic = await aUser(testDatabase, `Vic ${randomUUID()}`, 'viewer');
    const [one, other] = [await aChecker(), await aChecker()];
    await endSessionAs(testDatabase.asServer, ada.tokenHash, (await aSessionOf(vic)).sessionId);
    expect((await stateOf(one))[0]).toBe('effective');
    await endSessionAs(testDatabase.asServer, ada.tokenHash, (await aSessionOf(chris)).sessionId);
    expect(await stateOf(other)).toEqual(['pending', true]);
  });

  test('does not so without end, nor with tokens', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { sessionId } = await aSessionOf(chris);
      await endSessionAs(testDatabase.asServer, ada.tokenHash, sessionId);
    }
    const refused = refusedWith('too_many');
    const { sessionId, tokenHash } = await aSessionOf(chris);
    await expect(endSessionAs(testDatabase.asServer, ada.tokenHash, sessionId)).rejects.toMatchObject(refused);
    await expect(revokeTokenAs(testDatabase.asServer, ada.tokenHash, chris.tokenId)).rejects.toMatchObject(refused);
    await endSessionAs(testDatabase.asServer, tokenHash, sessionId);
  });

  test('shows a second factor where changes take one', async () => {
    await execute(`insert into policies (policy) select current_policy() || '{"secondFactor": {"changes": true}}'`);
    const { sessionId } = await aSessionOf(chris);
    const refused = refusedWith('second_factor_needed');
    await expect(endSessionAs(testDatabase.asServer, ada.tokenHash, sessionId)).rejects.toMatchObject(refused);
    await expect(revokeTokenAs(testDatabase.asServer, ada.tokenHash, chris.tokenId)).rejects.toMatchObject(refused);
    await endSessionAs(testDatabase.asServer, ada.tokenHash, (await aSessionOf(ada)).sessionId);
    await execute(`insert into policies (policy) select current_policy() - 'secondFactor'`);
  });
});

describe('a token', () => {
  test('ends itself, and those of its user that may do no more', async () => {
    const { asServer } = testDatabase;
    const reading = await aTokenOf(chris);
    const submitting = await aTokenOf(chris, 'submit');
    const { sessionId } = await aSessionOf(chris);
    const refused = refusedWith('not_allowed');
    await expect(endSessionAs(asServer, reading.tokenHash, sessionId)).rejects.toMatchObject(refused);
    for (const tokenId of [submitting.tokenId, chris.tokenId]) {
      await expect(revokeTokenAs(asServer, reading.tokenHash, tokenId)).rejects.toMatchObject(refused);
    }
    await revokeTokenAs(asServer, submitting.tokenHash, (await aTokenOf(chris)).tokenId);
    await revokeTokenAs(asServer, reading.tokenHash, reading.tokenId);
    await endSessionAs(asServer, chris.tokenHash, sessionId);
  });
});

test('who has a password and lacks the second factor that a sign-in takes, cannot object to a change', async () => {
  await execute(`insert into passwords (user_id, salt, verifier) values ($1, $2, $2)`, chris.userId, randomBytes(16));
  await execute(`update passwords set since = now() - interval '1 day' where user_id = $1`, chris.userId);
  await execute(`update api_tokens set revoked_at = now() where user_id = $1`, chris.userId);
  const [one, other] = [await aChecker(), await aChecker()];
  const signIn = (takesFactor: boolean) =>
    execute(`insert into policies (policy) select current_policy() || $1::jsonb`, {
      secondFactor: { signIn: takesFactor },
    });
  await signIn(true);
  expect(await stateOf(one)).toEqual(['pending', true]);
  await execute(
    `insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by, confirmed_at) values ($1, $2, $3, '', 'x', now())`,
    ...[randomUUID(), chris.userId, chris.tokenId],
  );
  expect((await stateOf(other))[0]).toBe('effective');
  await signIn(false);
});
