import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Permission, ROLES, type Role, roleMay } from '../../domain/users/role.ts';
import { scopeOf, TOKEN_SCOPES } from '../../domain/users/token-scope.ts';
import { newToken, TokenHash } from '../../store/users/token-hash.ts';
import { tableUnder } from '../helpers/document-tables.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Every function that changes something in a user's name, called with any arguments, as a compromised server could. */

const NOWHERE = '00000000-0000-4000-8000-000000000000';

interface Call {
  /** The test's name, starting with the function's name. */
  what: string;
  /** Null: every signed-in user. */
  permission: Permission | null;
  statement: string;
  values: (tokenHash: Buffer) => unknown[];
}

/** $1 is the token hash. The other arguments name nothing that exists, so a permitted caller is refused only for that. */
function aCall(what: string, permission: Permission | null, parameters: string, ...others: unknown[]): Call {
  const [name = ''] = what.split(' ');
  const statement = `select ${name}($1${parameters === '' ? '' : `, ${parameters}`}) as answer`;
  return { what, permission, statement, values: (tokenHash) => [tokenHash, ...others] };
}

const CALLS: readonly Call[] = [
  aCall('add_beneficiary_accounts', 'edit_beneficiaries', `'default', 'by_hand', '[]'`),
  aCall('add_cases', 'onboard', `'default', '[]'`),
  aCall('add_case_document', 'onboard', `$2, 'passport', 'passport', 'application/pdf', 1, 'x', 'x', 'x'`, NOWHERE),
  aCall(
    'add_endpoint',
    'manage_users',
    `$2, 'new', 'mail', null, '{a@example.com}', null, 'x', null, null, null`,
    randomUUID(),
  ),
  aCall('add_passkey', null, `'x', 'x', 'x', 0, '{}', 'mine', 'x'`),
  aCall('add_run', 'submit_run', `$2, 'default', 'f.csv', 'x', '{}', 0, 'x', 'x', '1 day', false`, randomUUID()),
  aCall('add_schedule', 'convert', `$2, '{"account": "default", "name": "new"}'`, randomUUID()),
  aCall('add_user', 'manage_users', `'new', 'New', '{viewer}', null, 'x', now() + interval '1 day', false`),
  aCall('allowed_actions', null, `'run', $2, '{approve}', null`, NOWHERE),
  aCall('assign_break', 'propose_manual_outcome', '$2, $2', NOWHERE),
  aCall('assign_receipt', 'assign_receipt', `'default', 'XXX', 'nothing', null, 'x'`),
  aCall('begin_identity_link', null, `'x'`),
  aCall('begin_passkey', null, ''),
  aCall('begin_passkey_step_up', null, `'run', $2, 'x', 'approved'`, NOWHERE),
  aCall('begin_password_change', null, ''),
  aCall('begin_totp', null, `$2, 'x', 'x'`, NOWHERE),
  aCall('begin_totp_try', null, 'false'),
  aCall('cancel_run', 'lift_stop', '$2, null', NOWHERE),
  aCall('close_break', 'decide_run', '$2, $2', NOWHERE),
  aCall(
    'confirm_beneficiary_accounts',
    'decide_run',
    `'default', $2, false`,
    JSON.stringify([{ id: NOWHERE, hash: 'x' }]),
  ),
  aCall('confirm_case_manual_outcome', 'confirm_case', '$2', NOWHERE),
  aCall('confirm_conversion_manual_outcome', 'decide_conversion', '$2', NOWHERE),
  aCall('confirm_manual_outcome', 'decide_run', '$2', NOWHERE),
  aCall('confirm_virtual_account', 'confirm_virtual_account', '$2', NOWHERE),
  aCall('confirm_totp', null, `1, 'x'`),
  aCall('decide_change to confirm', 'confirm_change', '$2, true', NOWHERE),
  aCall('decide_change to object', 'object_to_change', '$2, false', NOWHERE),
  aCall('decide_conversion', 'decide_conversion', `$2, 'approved', 'x', null`, NOWHERE),
  aCall('decide_conversion to withdraw', 'convert', `$2, 'withdrawn', 'x', null`, NOWHERE),
  aCall('decide_run', 'decide_run', `$2, 'approved', 'x', null`, NOWHERE),
  aCall('decide_schedule', 'decide_conversion', `$2, 1, 'confirmed', 'x', null`, NOWHERE),
  aCall('delete_schedule', 'convert', '$2, null', NOWHERE),
  aCall('reject_case_manual_outcome', 'confirm_case', '$2, null', NOWHERE),
  aCall('reject_conversion_manual_outcome', 'decide_conversion', '$2, null', NOWHERE),
  aCall('reject_manual_outcome', 'propose_manual_outcome', '$2, null', NOWHERE),
  aCall('reject_virtual_account', 'confirm_virtual_account', '$2, null', NOWHERE),
  aCall('disable_user', 'manage_users', '$2', NOWHERE),
  aCall('edit_schedule', 'convert', `$2, '{}'`, NOWHERE),
  aCall('enable_endpoint', 'manage_users', '$2', NOWHERE),
  aCall('end_beneficiary_accounts', 'edit_beneficiaries', `'default', '{${NOWHERE}}', null`),
  aCall('end_session', 'manage_users', '$2', NOWHERE),
  aCall('erase_case', 'erase_case', '$2', NOWHERE),
  aCall('erase_run', 'erase_run', '$2', NOWHERE),
  aCall('erase_remark', 'erase_remark', '$2', NOWHERE),
  aCall('explain_break', 'propose_manual_outcome', `$2, 'x'`, NOWHERE),
  aCall('invite_user', 'manage_users', `$2, 'x', now() + interval '1 day', false`, NOWHERE),
  aCall('issue_token', null, `'x', 'mine', now() + interval '1 day', '{read}'`),
  aCall('lift_stop', 'lift_stop', '$2, null', NOWHERE),
  aCall('limit_user', 'manage_users', `$2, '{default}'`, NOWHERE),
  aCall('note_case_export', 'read_applicants', '$2', NOWHERE),
  aCall('note_read of applicants', 'read_applicants', `'read_applicants', 'x', '{}', 'x'`),
  aCall('note_read of instructions', 'read_instructions', `'read_instructions', 'x', '{}', 'x'`),
  aCall('note_use', null, ''),
  aCall('note_refused_file', 'submit_run', `'x', '{}'`),
  aCall('pause_schedule', 'decide_conversion', '$2, null', NOWHERE),
  aCall('place_conversion', 'convert', `$2, 'default', '{"expiresAt": "2000-01-01"}', 'x', 1`, randomUUID()),
  aCall('propose_case_manual_outcome', 'onboard', `$2, 'never_created', null, 'x'`, NOWHERE),
  aCall('propose_change', 'manage_users', `'enable_user', $2, '{}', null`, NOWHERE),
  aCall('propose_conversion_manual_outcome', 'convert', `$2, 'funded', 'x'`, NOWHERE),
  aCall('propose_manual_outcome', 'propose_manual_outcome', `$2, 'paid', null, 'x', 'x'`, NOWHERE),
  aCall('propose_virtual_account', 'request_virtual_account', `$2, 'cancelled', null, null, 'x'`, NOWHERE),
  aCall('release_rows', 'decide_run', `$2, '{}', 'x', 'x'`, NOWHERE),
  aCall('propose_end_of_endpoint', 'manage_users', '$2, true', NOWHERE),
  aCall('remove_identity', null, ''),
  aCall('remove_passkey', null, '$2', NOWHERE),
  aCall('remove_role', 'manage_users', `$2, 'viewer'`, NOWHERE),
  aCall('remove_totp', null, ''),
  aCall('reopen_break', 'propose_manual_outcome', '$2, null', NOWHERE),
  aCall('request_virtual_account', 'request_virtual_account', `$2, 'default', 'T', '{}'`, randomUUID()),
  aCall('resume_schedule', 'decide_conversion', '$2, null', NOWHERE),
  aCall('resume_sign_ups', 'onboard', `'nowhere', true`),
  aCall('retry_case', 'onboard', '$2', NOWHERE),
  aCall('retry_delivery', 'manage_users', '$2', NOWHERE),
  aCall('revoke_token', 'manage_users', '$2', NOWHERE),
  aCall('rotate_endpoint_secret', 'manage_users', `$2, $3, 'x', 'x'`, NOWHERE, randomUUID()),
  aCall('set_password', null, `null, null, 'x', 'x', 'x'`),
  aCall('sign_book_day', 'decide_run', `'nowhere', '2026-01-01', 'x'`),
  aCall('sign_opening', 'decide_run', `'nowhere', 'EUR', 1`),
  aCall('start_occurrence', 'convert', `$2, $3, '2026-01-05', 0, '{}', 1`, NOWHERE, randomUUID()),
  aCall('step_up_with_passkey', null, `'x', 'x', 1, 'x', 'x', 'x', 'x'`),
  aCall('step_up_with_totp', null, `'run', $2, 'x', 'approved', 1, 'x'`, NOWHERE),
  aCall('stop_payments', 'stop_payments', `'run', $2, null, null`, NOWHERE),
  aCall('supply_case', 'onboard', `$2, 1, 'x'`, NOWHERE),
  aCall('test_endpoint', 'manage_users', '$2', NOWHERE),
  aCall('use_daily', null, `'upload', 1, null, null`),
  aCall('withdraw_case', 'onboard', '$2, null', NOWHERE),
  aCall('send_run', 'submit_run', `$2, 'x'`, NOWHERE),
  aCall('withdraw_run', 'submit_run', '$2, null', NOWHERE),
];

const NO_LONGER_VALID = {
  expired: `update api_tokens set expires_at = now() where user_id = $1`,
  revoked: `update api_tokens set revoked_at = now() where user_id = $1`,
  disabled: `update users set disabled_at = now() where user_id = $1`,
} as const;

let testDatabase: TestDatabase;
let byRole: Map<Role, TestUser>;
/** Invalid token hashes of users who have every permission. */
let worthless: [why: string, tokenHash: Buffer][];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  byRole = new Map(
    await Promise.all(ROLES.map(async (role) => [role, await aUser(testDatabase, role, role)] as const)),
  );
  worthless = [['guessed', TokenHash.of(newToken()).bytes]];
  for (const [why, statement] of Object.entries(NO_LONGER_VALID)) {
    for (const roles of [['maker', 'checker'], ['administrator']] as const) {
      const user = await aUser(testDatabase, `${why} ${roles[0]}`, ...roles);
      await database.query(statement, [user.userId]);
      worthless.push([`${why} ${roles[0]}`, user.tokenHash.bytes]);
    }
  }
  // What is stored of a token hash is in every backup.
  const { rows } = await database.query<{ stored_hash: Buffer }>('select stored_hash from api_tokens');
  for (const { stored_hash } of rows) worthless.push(['kept hash', stored_hash]);
});
afterAll(() => testDatabase.drop());

/** The function's answer; its changes are rolled back. */
async function answerTo({ statement, values }: Call, tokenHash: Buffer): Promise<string> {
  const connection = await testDatabase.asServer.connect();
  try {
    await connection.query('begin');
    const { rows } = await connection.query<{ answer: { refused?: string } }>(statement, values(tokenHash));
    return rows[0]?.answer.refused ?? 'done';
  } catch (error) {
    return `failed: ${String(error)}`;
  } finally {
    await connection.query('rollback');
    connection.release();
  }
}

async function setScopes(tokenHash: TokenHash, scopes: readonly string[]): Promise<void> {
  const statement = 'update api_tokens set scopes = $2 where stored_hash = sha256($1)';
  await testDatabase.database.query(statement, [tokenHash.bytes, scopes]);
}

const NAMED = CALLS.map((call) => [call.what, call] as const);

test.each(NAMED)('%s requires a valid token', async (_what, call) => {
  for (const [why, tokenHash] of worthless)
    expect([why, await answerTo(call, tokenHash)]).toEqual([why, 'unauthenticated']);
});

test.each(NAMED)('%s requires the permission', async (_what, call) => {
  for (const [role, { tokenHash }] of byRole) {
    const isAllowed = call.permission === null || roleMay(role, call.permission);
    const answer = await answerTo(call, tokenHash.bytes);
    expect([role, answer !== 'not_allowed']).toEqual([role, isAllowed]);
    expect(answer).not.toMatch(/^failed|unauthenticated/);
  }
});

test.each(NAMED.filter(([, { permission }]) => permission !== null && scopeOf(permission) !== 'read'))(
  '%s requires a token with the scope of the permission',
  async (_what, call) => {
    const holders = [...byRole].filter(([role]) => call.permission !== null && roleMay(role, call.permission));
    const scope = scopeOf(call.permission ?? 'read_runs');
    for (const [role, { tokenHash }] of holders) {
      for (const scopes of [['read'], ['read', 'submit'], ['read', 'decide']]) {
        await setScopes(tokenHash, scopes);
        const answer = await answerTo(call, tokenHash.bytes);
        expect([role, scopes, answer !== 'not_allowed']).toEqual([role, scopes, scopes.includes(scope)]);
      }
      await setScopes(tokenHash, TOKEN_SCOPES);
    }
  },
);

test('every function that requires a token hash by the document is tested here', () => {
  const documented = tableUnder('database-functions.md', 'Called by processes').filter(
    (row) => row['asks for a token hash'] === 'yes',
  );
  const tried = new Set(CALLS.map(({ what }) => what.split(' ')[0]));
  expect(documented.map((row) => row['function']).sort()).toEqual([...tried].sort());
});

test('a disabled user has no role, whoever asks', async () => {
  const { database } = testDatabase;
  const gone = await aUser(testDatabase, 'Gone Checker', 'checker');
  const may = async () =>
    (await database.query<{ may: boolean }>(`select user_may($1, 'decide_run') as may`, [gone.userId])).rows[0]?.may;
  expect(await may()).toBe(true);
  await database.query(NO_LONGER_VALID.disabled, [gone.userId]);
  expect(await may()).toBe(false);
});
