import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actingRequest, withinRequest } from '../../store/audit/acting-request.ts';
import { chainAudit } from '../../store/audit/audit-chaining.ts';
import { verifyAudit } from '../../store/audit/audit-verification.ts';
import { callAsUser } from '../../store/database/call-as-user.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

let testDatabase: TestDatabase;
let administrator: TestUser;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  administrator = await aUser(testDatabase, 'Ada Administrator', 'administrator');
});
afterAll(() => testDatabase.drop());

async function requestsOf(login: string): Promise<unknown[]> {
  const { rows } = await testDatabase.database.query<{ request: string | null }>(
    `select detail ->> 'httpRequest' as request from audit_entries
     where kind = 'user_added' and detail ->> 'user' = (select user_id::text from users where login = $1)`,
    [login],
  );
  return rows.map(({ request }) => request);
}

const add = (login: string, database: Queryable = testDatabase.asServer) =>
  callAsUser(database, 'add_user($1, $2, $3, $4, null, null, null, false)', [
    administrator.tokenHash.bytes,
    login,
    login,
    ['viewer'],
  ]);

test('what somebody does within a request has its id in the audit trail, and what comes after it has not', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  await withinRequest(one, () => add('in-one'));
  await add('outside');
  await withinRequest(two, () => inTransaction(testDatabase.asServer, (transaction) => add('in-two', transaction)));
  await add('outside-again');
  expect(await requestsOf('in-one')).toEqual([one]);
  expect(await requestsOf('outside')).toEqual([null]);
  expect(await requestsOf('in-two')).toEqual([two]);
  expect(await requestsOf('outside-again')).toEqual([null]);
});

test('requests at the same time do not mix, whatever connection they get', async () => {
  const ids = Array.from({ length: 40 }, () => randomUUID());
  await Promise.all(ids.map((id, index) => withinRequest(id, () => add(`together-${index}`))));
  for (const [index, id] of ids.entries()) expect(await requestsOf(`together-${index}`)).toEqual([id]);
});

test('the chain covers the id', async () => {
  await withinRequest(randomUUID(), () => add('chained'));
  await chainAudit(testDatabase.asWorker, 1_000);
  expect((await verifyAudit(testDatabase.database, null)).broken).toBeNull();
});

test('an id that is none cannot become part of a statement', () => {
  expect(() => withinRequest("'; drop table runs; --", () => actingRequest())).toThrow(RangeError);
  expect(actingRequest()).toBeNull();
});
