import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PoolClient } from 'pg';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { RunsInApproval } from './runs-in-approval.ts';

/** What happens when somebody's sign-in, their rights and their decisions change at the same moment. */

let testDatabase: TestDatabase;
let runs: RunsInApproval;
let ada: TestUser;
let count = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  runs = await RunsInApproval.of(testDatabase);
  ada = await aUser(testDatabase, 'Ada', 'administrator');
});
afterAll(() => testDatabase.drop());

const execute = (statement: string, ...values: unknown[]) => testDatabase.database.query(statement, values);

async function aSession(): Promise<{ user: TestUser; sessionId: string; tokenHash: Buffer }> {
  count += 1;
  const user = await aUser(testDatabase, `Chris ${count}`, 'checker');
  const tokenHash = TokenHash.of(newToken()).bytes;
  const { rows } = await execute(`select open_session($1, 'link', $2, null, null) as id`, user.userId, tokenHash);
  return { user, tokenHash, sessionId: (rows[0] as { id: string }).id };
}

interface Answer {
  refused?: string;
}

async function answerOf(connection: Pick<PoolClient, 'query'>, call: string, ...values: unknown[]): Promise<Answer> {
  const { rows } = await connection.query<{ answer: Answer }>(`select ${call} as answer`, values);
  return rows[0]?.answer ?? {};
}

/** Begins `second` while `first` is not committed, and commits once the second waits for it, or did not have to. */
async function whileOpen(
  first: (connection: PoolClient) => Promise<Answer>,
  second: (connection: PoolClient) => Promise<Answer>,
): Promise<[Answer, Answer]> {
  const [one, other] = await Promise.all([testDatabase.asServer.connect(), testDatabase.asServer.connect()]);
  try {
    await one.query('begin');
    const before = await first(one);
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    let isOver = false;
    const after = second(other).finally(() => (isOver = true));
    await until(async () => {
      if (isOver) return true;
      const { rows: waiting } = await execute('select cardinality(pg_blocking_pids($1)) as n', rows[0]?.pid);
      return (waiting[0] as { n: number }).n > 0;
    });
    await one.query('commit');
    return [before, await after];
  } finally {
    one.release();
    other.release();
  }
}

describe('a passkey', () => {
  const add = (connection: PoolClient, tokenHash: Buffer, challenge: Buffer) =>
    answerOf(connection, `add_passkey($1, $2, $2, 'key', 0, '{}', 'mine', $1)`, tokenHash, challenge);
  async function aChallenge(tokenHash: Buffer): Promise<Buffer> {
    const { challenge = '' } = (await answerOf(testDatabase.asServer, 'begin_passkey($1)', tokenHash)) as {
      challenge?: string;
    };
    return Buffer.from(challenge, 'hex');
  }

  test('is not added by a session that is ended at this moment', async () => {
    const { tokenHash, sessionId, user } = await aSession();
    const challenge = await aChallenge(tokenHash);
    const [ended, added] = await whileOpen(
      (connection) => answerOf(connection, 'end_session($1, $2)', ada.tokenHash.bytes, sessionId),
      (connection) => add(connection, tokenHash, challenge),
    );
    expect([ended.refused, added.refused]).toEqual([undefined, 'unauthenticated']);
    expect((await execute('select from passkeys where user_id = $1', user.userId)).rowCount).toBe(0);
  });

  test('is not added for a user who is disabled at this moment', async () => {
    const { tokenHash, user } = await aSession();
    const challenge = await aChallenge(tokenHash);
    const [disabled, added] = await whileOpen(
      (connection) => answerOf(connection, 'disable_user($1, $2)', ada.tokenHash.bytes, user.userId),
      (connection) => add(connection, tokenHash, challenge),
    );
    expect([disabled.refused, added.refused]).toEqual([undefined, 'unauthenticated']);
    expect((await execute('select from passkeys where user_id = $1', user.userId)).rowCount).toBe(0);
  });
});

describe('the last use of a session', () => {
  test('is moved by its token hash alone, and not after it has ended', async () => {
    const { tokenHash, sessionId } = await aSession();
    const lastUse = async () => {
      const { rows } = await execute('select last_used_at from api_tokens where token_id = $1', sessionId);
      return (rows[0] as { last_used_at: Date | null }).last_used_at;
    };
    const direct = testDatabase.asServer.query('update api_tokens set last_used_at = now() where token_id = $1', [
      sessionId,
    ]);
    await expect(direct).rejects.toThrow('permission denied');
    await testDatabase.asServer.query('select note_use($1)', [TokenHash.of(newToken()).bytes]);
    expect(await lastUse()).toBeNull();
    await testDatabase.asServer.query('select note_use($1)', [tokenHash]);
    expect(await lastUse()).not.toBeNull();
    await execute(`update api_tokens set last_used_at = now() - interval '31 minutes' where token_id = $1`, sessionId);
    const idle = await lastUse();
    await testDatabase.asServer.query('select note_use($1)', [tokenHash]);
    expect(await lastUse()).toEqual(idle);
  });
});

describe('a token', () => {
  test('has an end in the database, within two years', async () => {
    const issue = (end: string) =>
      answerOf(
        testDatabase.asServer,
        `issue_token($1, $2, 'mine', ${end}, '{read}')`,
        ada.tokenHash.bytes,
        Buffer.from(end),
      );
    expect((await issue('null')).refused).toBe('invalid_input');
    expect((await issue(`now() + interval '3 years'`)).refused).toBe('invalid_input');
    expect((await issue(`now() + interval '730 days'`)).refused).toBeUndefined();
  });

  /** A token that was made with this token hash, for two years. */
  async function madeWith(tokenHash: Buffer): Promise<{ tokenId: string; tokenHash: Buffer; expiresAt: string }> {
    const made = TokenHash.of(newToken()).bytes;
    const call = `issue_token($1, $2, 'mine', now() + interval '730 days', '{read}')`;
    const answer = await answerOf(testDatabase.asServer, call, tokenHash, made);
    return { ...(answer as { tokenId: string; expiresAt: string }), tokenHash: made };
  }

  async function isValid(tokenHash: Buffer): Promise<boolean> {
    const { rows } = await execute('select user_id is not null as valid from session_of($1)', tokenHash);
    return (rows[0] as { valid: boolean }).valid;
  }

  test('that is made with a token ends with it', async () => {
    const { user } = await aSession();
    const soon = await execute(
      `update api_tokens set expires_at = now() + interval '5 minutes' where token_id = $1 returning expires_at as "end"`,
      user.tokenId,
    );
    const { end } = soon.rows[0] as { end: Date };
    const child = await madeWith(user.tokenHash.bytes);
    expect(new Date(child.expiresAt)).toEqual(end);
    expect(new Date((await madeWith(child.tokenHash)).expiresAt)).toEqual(end);
  });

  test('that is made in a session outlives it', async () => {
    const { tokenHash } = await aSession();
    expect(new Date((await madeWith(tokenHash)).expiresAt).getTime()).toBeGreaterThan(Date.now() + 700 * 86_400_000);
  });

  test('that is revoked takes all with it that were made with it, and no others', async () => {
    const { user, tokenHash } = await aSession();
    const child = await madeWith(user.tokenHash.bytes);
    const grandchild = await madeWith(child.tokenHash);
    const other = await madeWith(tokenHash);
    const revoked = await answerOf(testDatabase.asServer, 'revoke_token($1, $2)', ada.tokenHash.bytes, user.tokenId);
    expect(revoked.refused).toBeUndefined();
    expect(await Promise.all([user.tokenHash.bytes, child.tokenHash, grandchild.tokenHash].map(isValid))).toEqual([
      false,
      false,
      false,
    ]);
    expect(await Promise.all([tokenHash, other.tokenHash].map(isValid))).toEqual([true, true]);
    const { rows } = await execute(
      `select detail -> 'madeWithIt' as made from audit_entries where kind = 'token_revoked' and detail ->> 'token' = $1`,
      user.tokenId,
    );
    expect((rows as { made: string[] }[]).map(({ made }) => made.sort())).toEqual([
      [child.tokenId, grandchild.tokenId].sort(),
    ]);
  });

  test('is not made with one that is revoked at this moment', async () => {
    const { user } = await aSession();
    const [revoked, made] = await whileOpen(
      (connection) => answerOf(connection, 'revoke_token($1, $2)', ada.tokenHash.bytes, user.tokenId),
      (connection) =>
        answerOf(
          connection,
          `issue_token($1, $2, 'mine', now() + interval '1 day', '{read}')`,
          user.tokenHash.bytes,
          Buffer.from('x'),
        ),
    );
    expect([revoked.refused, made.refused]).toEqual([undefined, 'unauthenticated']);
  });
});

describe('a decision', () => {
  test('and the end of a user wait for each other in one order, whichever comes first', async () => {
    for (let n = 0; n < 3; n += 1) {
      const { user } = await aSession();
      const { runId } = await runs.aRun(1);
      const due = await aSession();
      await execute(
        `insert into changes (kind, user_id, detail, proposed_by, takes_effect_at)
         values ('grant_roles', $1, '{"roles": ["viewer"]}', $2, clock_timestamp())`,
        due.user.userId,
        ada.userId,
      );
      const calls = [
        ['decide_run($1, $2, $3, $4, null)', user.tokenHash.bytes, runId, 'rejected', 'x'],
        ['disable_user($1, $2)', ada.tokenHash.bytes, due.user.userId],
        ['disable_user($1, $2)', ada.tokenHash.bytes, user.userId],
      ] as const;
      // A deadlock would be an error of one of them.
      await Promise.all(calls.map(([call, ...values]) => answerOf(testDatabase.asServer as never, call, ...values)));
    }
  });

  test('is not kept waiting by the end of the user who takes it, nor the reverse', async () => {
    const { user } = await aSession();
    const { runId } = await runs.aRun(1);
    const one = await testDatabase.asServer.connect();
    try {
      await one.query('begin');
      // Has the run's lock and refers to the user.
      const { rows } = await execute('select run_content_hash($1) as hash', runId);
      const { hash } = rows[0] as { hash: string };
      await answerOf(one, `decide_run($1, $2, 'rejected', $3, 'no')`, user.tokenHash.bytes, runId, hash);
      // Would wait for ever if it needed more of the user than the decision leaves.
      const disabled = await answerOf(testDatabase.asServer, 'disable_user($1, $2)', ada.tokenHash.bytes, user.userId);
      expect(disabled.refused).toBeUndefined();
      await one.query('commit');
    } finally {
      one.release();
    }
    expect(await runs.stateOf(runId)).toBe('rejected');
  });
});
