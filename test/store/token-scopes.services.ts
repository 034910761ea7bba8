import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TokenScope } from '../../domain/users/token-scope.ts';
import { Refused } from '../../store/database/call-as-user.ts';
import { newCode, newToken, storedHashOf, TokenHash } from '../../store/users/token-hash.ts';
import { findTokenHolder, issueTokenAs, redeemInvitation } from '../../store/users/tokens.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { RunsInApproval } from './runs-in-approval.ts';

/** What a token may be used for, and when it ends. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let chris: TestUser;
let count = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  chris = await aUser(testDatabase, 'Chris', 'checker');
});
afterAll(() => testDatabase.drop());

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

async function aSession(user: TestUser): Promise<TokenHash> {
  const tokenHash = TokenHash.of(newToken());
  await execute(`select open_session($1, 'link', $2, null, null)`, user.userId, tokenHash.bytes);
  return tokenHash;
}

async function madeWith(tokenHash: TokenHash, ...scopes: TokenScope[]) {
  const newTokenHash = TokenHash.of(newToken());
  const request = { newTokenHash, label: 'mine', expiresAt: new Date(Date.now() + 90 * DAY_MS), scopes };
  return { ...(await issueTokenAs(testDatabase.asServer, tokenHash, request)), tokenHash: newTokenHash };
}

const hoursOf = ({ expiresAt }: { expiresAt: Date }) => Math.round((expiresAt.getTime() - Date.now()) / HOUR_MS);

async function scopesOf(tokenHash: TokenHash) {
  const holder = await findTokenHolder(testDatabase.database, tokenHash);
  return holder === null || 'why' in holder ? null : [...holder.scopes].sort();
}

async function decide(tokenHash: TokenHash): Promise<{ refused?: string; message?: string }> {
  const { runId } = await runs.aRun(1);
  const { rows } = await execute('select run_content_hash($1) as hash', runId);
  const statement = `select decide_run($1, $2, 'rejected', $3, 'no') as answer`;
  const values = [tokenHash.bytes, runId, (rows[0] as { hash: string }).hash];
  const answered = await testDatabase.asServer.query<{ answer: { refused?: string } }>(statement, values);
  return answered.rows[0]?.answer ?? {};
}

describe('a token', () => {
  test('of a checker that was made to submit decides on no run, and the refusal is in the audit trail', async () => {
    const { tokenHash, tokenId } = await madeWith(await aSession(chris), 'submit');
    expect(await scopesOf(tokenHash)).toEqual(['read', 'submit']);
    expect(await decide(tokenHash)).toEqual({
      refused: 'not_allowed',
      message: 'your token does not have the scope decide',
    });
    const { rows } = await execute(
      `select detail ->> 'scope' as scope from audit_entries where kind = 'refused' and detail ->> 'token' = $1`,
      tokenId,
    );
    expect(rows).toEqual([{ scope: 'decide' }]);
    expect((await decide((await madeWith(await aSession(chris), 'decide')).tokenHash)).refused).toBeUndefined();
  });

  test('that decides ends within 24 hours, whatever end was asked for; others within what was asked for', async () => {
    const session = await aSession(chris);
    expect(hoursOf(await madeWith(session, 'submit', 'decide'))).toBe(24);
    expect(hoursOf(await madeWith(session, 'submit'))).toBe(90 * 24);
  });

  test('makes no token with scopes that it does not have', async () => {
    const { tokenHash } = await madeWith(await aSession(chris), 'read');
    await expect(madeWith(tokenHash, 'submit')).rejects.toBeInstanceOf(Refused);
    expect((await madeWith(tokenHash, 'read')).scopes).toEqual(['read']);
  });

  test('has no scope that there is not', async () => {
    const session = await aSession(chris);
    await expect(madeWith(session, 'everything' as TokenScope)).rejects.toThrow('known_scopes');
  });

  test('with which a checker submits does not lift a stop that another one has asked to lift', async () => {
    const other = await aUser(testDatabase, 'Another Checker', 'checker');
    const stopped = await testDatabase.asServer.query<{ answer: { stopId: string } }>(
      `select stop_payments($1, 'all', null, null, 'x') as answer`,
      [other.tokenHash.bytes],
    );
    const stopId = stopped.rows[0]?.answer.stopId;
    const lift = async (tokenHash: TokenHash, askedBy: string | null) => {
      const { rows } = await testDatabase.asServer.query<{ answer: { refused?: string; state?: string } }>(
        'select lift_stop($1, $2, $3) as answer',
        [tokenHash.bytes, stopId, askedBy],
      );
      return rows[0]?.answer;
    };
    const { tokenHash } = await madeWith(await aSession(chris), 'submit');
    expect(await lift(other.tokenHash, null)).toMatchObject({ state: 'asked' });
    const { rows } = await execute('select lift_asked_by from stops where stop_id = $1', stopId);
    const askedBy = (rows[0] as { lift_asked_by: string }).lift_asked_by;
    expect((await lift(tokenHash, askedBy))?.state).not.toBe('lifted');
    expect(await execute('select from stops where lifted_at is null')).toMatchObject({ rowCount: 1 });
  });
});

describe('the token for a code', () => {
  async function redeemed(...roles: Parameters<typeof aUser>[2][]) {
    count += 1;
    const user = await aUser(testDatabase, `Invited ${count}`, ...roles);
    const code = newCode();
    await execute(
      `insert into invitations (user_id, code_hash, expires_at) values ($1, $2, now() + interval '1 hour')`,
      user.userId,
      storedHashOf(TokenHash.of(code)),
    );
    const token = { newTokenHash: TokenHash.of(newToken()), label: 'x', expiresAt: new Date(Date.now() + 90 * DAY_MS) };
    return redeemInvitation(testDatabase.asServer, TokenHash.of(code), token);
  }

  test('of somebody who decides has all scopes and ends within 24 hours', async () => {
    for (const role of ['checker', 'treasurer', 'administrator'] as const) {
      const token = await redeemed(role);
      expect([role, [...token.scopes].sort(), hoursOf(token)]).toEqual([role, ['decide', 'read', 'submit'], 24]);
    }
  });

  test('of others does not decide, and lasts as long as was asked for', async () => {
    for (const role of ['maker', 'viewer', 'auditor'] as const) {
      const token = await redeemed(role);
      expect([role, [...token.scopes].sort(), hoursOf(token)]).toEqual([role, ['read', 'submit'], 90 * 24]);
    }
  });
});
