import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import {
  anOrderToFundAgain,
  aSignUpNeverCreated,
  aVirtualAccountWithNumber,
  type StoredProposal,
} from '../store/stored-proposals.ts';
import { aConsoleServer } from './console-browser.ts';

/** What is decided on is the proposal of what the address names. */

let testDatabase: TestDatabase;
let app: FastifyInstance;
let chris: TestUser;
let olivia: TestUser;
let tina: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  app = aConsoleServer(testDatabase);
  chris = await aUser(testDatabase, 'Chris', 'checker');
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
  tina = await aUser(testDatabase, 'Tina', 'treasurer');
});
afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});

const OF: [what: string, path: string, table: string, make: () => Promise<StoredProposal>][] = [
  ['an order', '/treasury/orders', 'conversion_manual_outcomes', () => anOrderToFundAgain(testDatabase, tina)],
  ['a case', '/cases', 'case_manual_outcomes', () => aSignUpNeverCreated(testDatabase, olivia)],
  [
    'a virtual account',
    '/accounts/virtual',
    'virtual_account_manual_outcomes',
    () => aVirtualAccountWithNumber(testDatabase, tina),
  ],
];

function decide(path: string, subjectId: string, verb: 'confirm' | 'reject', manualOutcomeId: string) {
  return app.inject({
    method: 'POST',
    url: `/api/v1${path}/${subjectId}/manual-outcome/${verb}`,
    headers: { authorization: `Bearer ${chris.token}` },
    payload: { manualOutcomeId },
  });
}

test.each(OF)('a proposal of another one is not decided on at the address of %s', async (_what, path, table, make) => {
  const [addressed, other] = [await make(), await make()];
  for (const verb of ['confirm', 'reject'] as const) {
    const { statusCode } = await decide(path, addressed.subjectId, verb, other.manualOutcomeId);
    expect([verb, statusCode]).toEqual([verb, 404]);
  }
  const { rows } = await testDatabase.database.query(
    `select state, ${table === 'virtual_account_manual_outcomes' ? 'closed_by' : 'confirmed_by'} as by from ${table}
     where manual_outcome_id = any($1)`,
    [[addressed.manualOutcomeId, other.manualOutcomeId]],
  );
  expect(rows).toEqual([
    { state: 'proposed', by: null },
    { state: 'proposed', by: null },
  ]);
  expect((await decide(path, other.subjectId, 'reject', other.manualOutcomeId)).statusCode).toBe(200);
});
