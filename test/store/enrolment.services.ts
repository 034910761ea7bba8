import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { decideChangeAs, listChanges } from '../../store/approvals/changes.ts';
import type { Refused } from '../../store/database/call-as-user.ts';
import { inviteAdministrator } from '../../store/users/owner-users.ts';
import {
  addPasskeyAs,
  beginPasskeyAs,
  beginPasskeyStepUpAs,
  beginTotpAs,
  confirmTotpAs,
  type StoredSubject,
  stepUpWithTotpAs,
} from '../../store/users/second-factors.ts';
import { signInWithLink } from '../../store/users/sign-ins.ts';
import { redeemInvitation } from '../../store/users/tokens.ts';
import { newCode, newToken, storedHashOf, TokenHash } from '../../store/users/token-hash.ts';
import { inviteUserAs } from '../../store/users/users.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

/** A second factor that was added after a code of an administrator counts for decisions once another one has confirmed it. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let ada: TestUser;
let ben: TestUser;
let chris: TestUser;
let made = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  await anApprovedRun(testDatabase.database);
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  made += 1;
  await runs.follow({ secondFactor: { approvals: true, changes: false } });
  chris = await aUser(testDatabase, `Checker ${made}`, 'checker');
});

const step = () => Math.floor(Date.now() / 30_000);
const inADay = () => new Date(Date.now() + 86_400_000);

/** A code that Ada makes and Ben has confirmed. */
async function codeByAda(): Promise<string> {
  const { asServer } = testDatabase;
  const code = newCode();
  const invite = () =>
    inviteUserAs(asServer, ada.tokenHash, {
      ...{ userId: chris.userId, codeHash: storedHashOf(TokenHash.of(code)), expiresAt: inADay() },
    });
  const { change } = await invite();
  await decideChangeAs(asServer, ben.tokenHash, change?.changeId ?? '', true);
  await invite();
  return code;
}

async function redeemed(code: string): Promise<TokenHash> {
  const newTokenHash = TokenHash.of(newToken());
  await redeemInvitation(testDatabase.asServer, TokenHash.of(code), { newTokenHash, label: 'x', expiresAt: inADay() });
  return newTokenHash;
}

async function addApp(tokenHash: TokenHash): Promise<void> {
  await beginTotpAs(testDatabase.asServer, tokenHash, TEST_DATA_KEYS, Buffer.alloc(20));
  await confirmTotpAs(testDatabase.asServer, tokenHash, step() - 1, TokenHash.of(newToken()));
}

async function pendingFactor(): Promise<string> {
  const changes = await listChanges(testDatabase.asServer, { pendingOnly: true, limit: 50, accounts: null });
  const own = changes.filter(({ kind, user }) => kind === 'add_factor' && user?.userId === chris.userId);
  expect(own.length).toBeLessThanOrEqual(1);
  return own[0]?.changeId ?? '';
}

/** Shows a code of the app for the approval of a new run, and approves it. */
async function approves(tokenHash: TokenHash): Promise<void> {
  const { runId } = await runs.aRun();
  const by = { ...chris, tokenHash };
  const refused = await runs.decide(by, runId).then(
    () => null,
    (error: unknown) => error as Refused,
  );
  const subject = refused?.facts['subject'] as StoredSubject;
  await testDatabase.database.query('update totp_factors set last_step = 0');
  const shown = { step: step(), newTokenHash: TokenHash.of(newToken()) };
  await stepUpWithTotpAs(testDatabase.asServer, tokenHash, subject, shown);
  await runs.decide(by, runId);
}

test('whoever made the code cannot have their own second factor count, and another administrator confirms that of the user', async () => {
  const { asServer } = testDatabase;
  const tokenHash = await redeemed(await codeByAda());
  await addApp(tokenHash);
  await expect(approves(tokenHash)).rejects.toMatchObject(refusedWith('conflict'));
  const changeId = await pendingFactor();
  await expect(decideChangeAs(asServer, ada.tokenHash, changeId, true)).rejects.toMatchObject(
    refusedWith('not_allowed'),
  );
  await expect(approves(tokenHash)).rejects.toMatchObject(refusedWith('conflict'));
  await decideChangeAs(asServer, ben.tokenHash, changeId, true);
  await approves(tokenHash);
});

test('one that an administrator rejects is removed', async () => {
  const { asServer, database } = testDatabase;
  const tokenHash = await redeemed(await codeByAda());
  await addApp(tokenHash);
  await decideChangeAs(asServer, ada.tokenHash, await pendingFactor(), false);
  expect((await database.query('select from totp_factors where user_id = $1', [chris.userId])).rowCount).toBe(0);
});

test('one that nobody has confirmed is not shown for a change of the sign-in beside one that counts', async () => {
  const { asServer, database } = testDatabase;
  const tokenHash = TokenHash.of(newToken());
  await signInWithLink(asServer, TokenHash.of(await codeByAda()), tokenHash, { browser: null, address: null });
  await addApp(tokenHash);
  await decideChangeAs(asServer, ben.tokenHash, await pendingFactor(), true);
  const asBefore = () =>
    database.query('update api_tokens set stored_hash = $2 where user_id = $1 and revoked_at is null', [
      chris.userId,
      storedHashOf(tokenHash),
    ]);
  await asBefore();
  const challenge = await beginPasskeyAs(asServer, tokenHash);
  const passkey = { challenge, credentialId: randomBytes(16), publicKey: randomBytes(8), counter: 0, transports: [] };
  await addPasskeyAs(asServer, tokenHash, { ...passkey, label: 'key' }, TokenHash.of(newToken()));
  expect(await pendingFactor()).not.toBe('');
  await asBefore();
  const subject: StoredSubject = { kind: 'sign_in', id: chris.userId, contentHash: '', decision: 'changed' };
  await expect(beginPasskeyStepUpAs(asServer, tokenHash, subject)).rejects.toMatchObject(refusedWith('conflict'));
  await database.query('delete from totp_factors where user_id = $1', [chris.userId]);
  await expect(beginPasskeyStepUpAs(asServer, tokenHash, subject)).resolves.toBeDefined();
});

test('a passkey waits as well, and the proposal of an earlier factor is replaced', async () => {
  const { asServer } = testDatabase;
  const code = await codeByAda();
  const tokenHash = TokenHash.of(newToken());
  await signInWithLink(asServer, TokenHash.of(code), tokenHash, { browser: null, address: null });
  await addApp(tokenHash);
  const ofApp = await pendingFactor();
  // The session has another token hash since.
  const { rows } = await testDatabase.database.query(
    `update api_tokens set stored_hash = $2 where user_id = $1 and revoked_at is null returning token_id`,
    [chris.userId, storedHashOf(tokenHash)],
  );
  expect(rows).toHaveLength(1);
  const challenge = await beginPasskeyAs(asServer, tokenHash);
  const passkey = { challenge, credentialId: randomBytes(16), publicKey: randomBytes(8), counter: 0, transports: [] };
  const now = TokenHash.of(newToken());
  await addPasskeyAs(asServer, tokenHash, { ...passkey, label: 'key' }, now);
  expect(await pendingFactor()).not.toBe(ofApp);
  // Nobody has confirmed the app: it is gone, so that it cannot be shown for adding another factor.
  const apps = await testDatabase.database.query('select from totp_factors where user_id = $1', [chris.userId]);
  expect(apps.rowCount).toBe(0);
  const { runId } = await runs.aRun();
  const subject: StoredSubject = { kind: 'run', id: runId, contentHash: 'a'.repeat(64), decision: 'approved' };
  await expect(beginPasskeyStepUpAs(asServer, now, subject)).rejects.toMatchObject(refusedWith('conflict'));
  await decideChangeAs(asServer, ben.tokenHash, await pendingFactor(), true);
  await beginPasskeyStepUpAs(asServer, now, subject);
});

test('one that was added after a code of the owner of the database counts at once', async () => {
  const dora = { login: `dora-${made}`, name: `Dora ${made}`, recover: true };
  const { code } = await inviteAdministrator(testDatabase.url, dora, Date.now);
  const tokenHash = await redeemed(code);
  await addApp(tokenHash);
  const { rows } = await testDatabase.database.query(
    'select counts_at is not null as counts from totp_factors join users using (user_id) where login = $1',
    [dora.login],
  );
  expect(rows).toEqual([{ counts: true }]);
});

/** A session of somebody who has given their password just now. */
async function withPassword(): Promise<TokenHash> {
  const tokenHash = TokenHash.of(newToken());
  await testDatabase.database.query(`select open_session($1, 'password', $2, 'browser', 'address')`, [
    chris.userId,
    tokenHash.bytes,
  ]);
  return tokenHash;
}

test('an app or a passkey that was begun before the policy asked for any is not added without a link', async () => {
  const { asServer, database } = testDatabase;
  await runs.follow({ secondFactor: { approvals: false, changes: false } });
  const tokenHash = await withPassword();
  await beginTotpAs(asServer, tokenHash, TEST_DATA_KEYS, Buffer.alloc(20));
  const challenge = await beginPasskeyAs(asServer, tokenHash);
  await runs.follow({ secondFactor: { approvals: true, changes: false } });
  const confirming = confirmTotpAs(asServer, tokenHash, step() - 1, TokenHash.of(newToken()));
  await expect(confirming).rejects.toMatchObject(refusedWith('not_allowed'));
  const adding = addPasskeyAs(
    asServer,
    tokenHash,
    {
      ...{
        challenge,
        credentialId: randomBytes(16),
        publicKey: randomBytes(16),
        counter: 0,
        transports: [],
        label: 'x',
      },
    },
    TokenHash.of(newToken()),
  );
  await expect(adding).rejects.toMatchObject(refusedWith('not_allowed'));
  const { rows } = await database.query(
    `select 1 from totp_factors where user_id = $1 and confirmed_at is not null union all select 1 from passkeys where user_id = $1`,
    [chris.userId],
  );
  expect(rows).toEqual([]);
});
