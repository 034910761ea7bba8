import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import { listVirtualAccounts } from '../../store/accounts/virtual-account-views.ts';
import {
  beginVirtualAccountRequest,
  giveUpVirtualAccountRequest,
  recordVirtualAccountAnswer,
  recordVirtualAccountRead,
} from '../../store/accounts/virtual-accounts.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';

let testDatabase: TestDatabase;
let treasurer: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurer = await aUser(testDatabase, 'Tess Treasurer', 'treasurer');
});
afterAll(() => testDatabase.drop());

async function asked(tag = randomUUID().slice(0, 8)): Promise<string> {
  const virtualAccountId = randomUUID();
  await requestVirtualAccountAs(testDatabase.asServer, treasurer.proof, ACCOUNT, {
    ...{ virtualAccountId, name: 'Sales', tag, provider: 'code 1', currency: 'USD', description: 'customers' },
    ...{ type: 'open', amount: null, expiryDuration: null, approveAsync: true },
  });
  return virtualAccountId;
}

const stateOf = async (virtualAccountId: string) => {
  const [one] = await listVirtualAccounts(testDatabase.asServer, { accounts: null, virtualAccountId, limit: 1 });
  return { state: one?.state, number: one?.number, requestId: one?.requestId };
};
const shown = (state: 'pending' | 'approved' | 'rejected' | null, number: string | null = null) => ({
  ...{ requestId: randomUUID(), state, virtualAccountId: null, number },
});

test('no second request is begun, by however many workers; an answer that comes late still counts', async () => {
  const id = await asked();
  const begun = await Promise.all([1, 2, 3].map(() => beginVirtualAccountRequest(testDatabase.asWorker, id)));
  const sent = begun.filter((one) => one !== null);
  expect(sent).toHaveLength(1);
  await giveUpVirtualAccountRequest(testDatabase.asWorker, id);
  expect(await stateOf(id)).toMatchObject({ state: 'unknown' });
  const answer = {
    outcome: 'took_effect',
    answer: 'as_asked',
    httpStatus: 200,
    shown: shown('pending', '77'),
  } as const;
  await recordVirtualAccountAnswer(testDatabase.asWorker, id, { requestId: sent[0]?.requestId ?? '', ...answer });
  expect(await stateOf(id)).toEqual({ state: 'pending', number: null, requestId: answer.shown.requestId });
});

test('a read moves one forward, never back, and a status that is not documented changes nothing', async () => {
  const tag = 'PRTAG1';
  const id = await asked(tag);
  await beginVirtualAccountRequest(testDatabase.asWorker, id);
  await giveUpVirtualAccountRequest(testDatabase.asWorker, id);
  const of = { requestId: randomUUID(), virtualAccountId: null };
  const read = (state: 'pending' | 'approved' | null, name: string, number: string | null = null) =>
    recordVirtualAccountRead(testDatabase.asWorker, ACCOUNT, { ...of, state, name, number });
  await read('approved', 'Somebody else', '99');
  expect(await stateOf(id)).toMatchObject({ state: 'unknown', requestId: null });
  await read(null, `Sales ${tag}`);
  expect(await stateOf(id)).toEqual({ state: 'pending', number: null, requestId: of.requestId });
  await read('approved', `Sales ${tag}`, '88');
  await read('pending', `Sales ${tag}`);
  expect(await stateOf(id)).toEqual({ state: 'approved', number: '88', requestId: of.requestId });
  await expect(
    testDatabase.asWorker.query(`update virtual_accounts set account_number = '1' where virtual_account_id = $1`, [id]),
  ).rejects.toThrow('keeps its request and its number');
  await expect(
    testDatabase.asWorker.query(`update virtual_accounts set state = 'rejected' where virtual_account_id = $1`, [id]),
  ).rejects.toThrow('cannot become');
});
