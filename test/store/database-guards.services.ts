import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendAudit } from '../../store/audit/audit.ts';
import { chainAudit } from '../../store/audit/audit-chaining.ts';
import { beginRequest } from '../../store/payments/payment-requests.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { anApprovedRun, aStoredRun, putInto } from './a-stored-run.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

const TODAY = '2026-01-31';

/** What the tables refuse even if every check before them fails. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

describe('the tables enforce:', () => {
  test('nobody approves the same content of a run twice', async () => {
    const { runId } = await aStoredRun(testDatabase.database);
    const chris = await aUser(testDatabase, 'Chris', 'checker');
    const approve = `insert into approvals (run_id, decision, content_hash, user_id, role, token_id)
      select $1, 'approved', 'hash', user_id, 'checker', token_id from api_tokens where user_id = $2`;
    await testDatabase.database.query(approve, [runId, chris.userId]);
    const twice = testDatabase.database.query(approve, [runId, chris.userId]);
    await expect(twice).rejects.toThrow('one_person_counts_once');
  });

  test('nobody confirms their own change', async () => {
    const ada = await aUser(testDatabase, 'Ada', 'administrator');
    const own = testDatabase.database.query(
      `insert into changes (kind, user_id, proposed_by, decided_by, state) values ('enable_user', null, $1, $1, 'effective')`,
      [ada.userId],
    );
    await expect(own).rejects.toThrow('confirmed_by_another');
  });

  test('a change that was rejected never takes effect', async () => {
    const { database } = testDatabase;
    const vic = await aUser(testDatabase, 'Vic', 'viewer');
    const { rows } = await database.query<{ change_id: string }>(
      `insert into changes (kind, user_id, detail, state) values ('grant_roles', $1, '{"roles": ["checker"]}', 'rejected')
       returning change_id`,
      [vic.userId],
    );
    await database.query('select make_effective($1, null)', [rows[0]?.change_id]);
    const { rows: roles } = await database.query('select role from user_roles where user_id = $1', [vic.userId]);
    expect(roles).toEqual([{ role: 'viewer' }]);
  });

  test.each([
    ['paid', 'ready'],
    ['held', 'created'],
    ['cancelled', 'quoted'],
    ['rejected', 'funded'],
  ] as const)('a row that is %s does not become %s', async (from, to) => {
    const { paymentIds } = await anApprovedRun(testDatabase.database);
    await putInto(testDatabase.database, paymentIds[0] ?? '', from);
    const moved = testDatabase.asWorker.query('update payments set state = $2 where payment_id = $1', [
      paymentIds[0],
      to,
    ]);
    await expect(moved).rejects.toThrow(`a row that is ${from} cannot become ${to}`);
  });

  test.each([
    ['rejected', 'running'],
    ['cancelled', 'in_approval'],
    ['expired', 'running'],
    ['validating', 'running'],
  ])('a run that is %s does not become %s', async (from, to) => {
    const { runId } = await aStoredRun(testDatabase.database);
    await bypassTriggers(testDatabase.database, 'update runs set state = $2 where run_id = $1', [runId, from]);
    const moved = testDatabase.asWorker.query('update runs set state = $2 where run_id = $1', [runId, to]);
    await expect(moved).rejects.toThrow(`a run that is ${from} cannot become ${to}`);
  });

  test('the outcome of a request is recorded once', async () => {
    const { paymentIds } = await anApprovedRun(testDatabase.database);
    const paymentId = paymentIds[0] ?? '';
    await putInto(testDatabase.database, paymentId, 'created');
    const { requestId } = await beginRequest(testDatabase.asWorker, {
      paymentId,
      operation: 'fund',
      whileIn: ['created'],
      at: new Date(TODAY),
      dataKeys: TEST_KEY_IDS,
    });
    const answer = `update provider_requests set outcome = $2 where request_id = $1`;
    await testDatabase.asWorker.query(answer, [requestId, 'took_effect']);
    const otherwise = testDatabase.asWorker.query(answer, [requestId, 'not_seen']);
    await expect(otherwise).rejects.toThrow('is written once');
    expect(
      (
        await beginRequest(testDatabase.asWorker, {
          paymentId,
          operation: 'fund',
          whileIn: ['created'],
          at: new Date(TODAY),
          dataKeys: TEST_KEY_IDS,
        })
      ).requestId,
    ).toBe(null);
  });

  test.each(['audit_entries', 'audit_chain'])(
    'nothing of %s is changed or taken away, by the owner either',
    async (table) => {
      const { database } = testDatabase;
      await appendAudit(database, { actor: 'worker', kind: 'first' });
      await chainAudit(database);
      const column = table === 'audit_chain' ? 'hash' : 'kind';
      for (const statement of [
        `delete from ${table}`,
        `truncate ${table} cascade`,
        `update ${table} set ${column} = ''`,
      ]) {
        await expect(database.query(statement)).rejects.toThrow('append-only');
      }
    },
  );
});
