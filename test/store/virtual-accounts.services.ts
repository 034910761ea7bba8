import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestVirtualAccountAs } from '../../store/accounts/virtual-account-decisions.ts';
import { listVirtualAccounts } from '../../store/accounts/virtual-account-views.ts';
import {
  beginVirtualAccountRequest,
  giveUpVirtualAccountRequest,
  nextVirtualAccountStep,
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
  await requestVirtualAccountAs(testDatabase.asServer, treasurer.tokenHash, ACCOUNT, {
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

test('one whose request has no effect is sent again after pauses that grow, and others have their turn', async () => {
  const account = 'refusing';
  const [first, second] = [await asked(), await asked()];
  await testDatabase.database.query('update virtual_accounts set account = $1 where virtual_account_id = any($2)', [
    account,
    [first, second],
  ]);
  const next = async () =>
    (await nextVirtualAccountStep(testDatabase.asWorker, account, { canRead: false, readEveryMs: 1_000 })).toSend;
  const refuse = async (id: string) => {
    const begun = await beginVirtualAccountRequest(testDatabase.asWorker, id);
    const forbidden = { outcome: 'not_sent', answer: 'forbidden', httpStatus: 403, shown: null } as const;
    await recordVirtualAccountAnswer(testDatabase.asWorker, id, { requestId: begun?.requestId ?? '', ...forbidden });
  };
  expect(await next()).toBe(first);
  await refuse(first);
  expect(await next()).toBe(second);
  await refuse(second);
  expect(await next()).toBeNull();
  const later = (seconds: number) =>
    testDatabase.database.query('update virtual_account_requests set answered_at = now() - make_interval(secs => $1)', [
      seconds,
    ]);
  await later(21);
  expect(await next()).not.toBeNull();
  await refuse(first);
  await later(21);
  expect(await next()).toBe(second);
  await later(41);
  expect(await next()).toBe(first);
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

describe('the number that is shown', () => {
  const read = (requestId: string, state: 'pending' | 'approved', number: string | null) =>
    recordVirtualAccountRead(testDatabase.asWorker, ACCOUNT, {
      ...{ requestId, virtualAccountId: null, state, number, name: null },
    });
  const answered = async (id: string, answer: ReturnType<typeof shown>): Promise<() => Promise<void>> => {
    const begun = await beginVirtualAccountRequest(testDatabase.asWorker, id);
    const requestId = begun?.requestId ?? '';
    return () =>
      recordVirtualAccountAnswer(testDatabase.asWorker, id, {
        ...{ requestId, outcome: 'took_effect', answer: 'as_asked', httpStatus: 200, shown: answer },
      });
  };

  test('is that of the approval, not one that the provider showed before', async () => {
    const id = await asked();
    const first = shown('pending', '77');
    await (await answered(id, first))();
    await read(first.requestId, 'approved', '88');
    expect(await stateOf(id)).toEqual({ state: 'approved', number: '88', requestId: first.requestId });
  });

  test('is none while the approved one has none yet, whatever was shown before or is shown late', async () => {
    const id = await asked();
    const first = shown('pending', '77');
    await (await answered(id, first))();
    await read(first.requestId, 'approved', null);
    expect(await stateOf(id)).toMatchObject({ state: 'approved', number: null });
    await read(first.requestId, 'pending', '77');
    expect(await stateOf(id)).toMatchObject({ state: 'approved', number: null });
    await read(first.requestId, 'approved', '88');
    expect(await stateOf(id)).toMatchObject({ state: 'approved', number: '88' });
  });

  test('is not that of an answer that comes after a read', async () => {
    const tag = 'PRLATE';
    const id = await asked(tag);
    const late = await answered(id, shown('pending', '77'));
    await recordVirtualAccountRead(testDatabase.asWorker, ACCOUNT, {
      ...{ requestId: randomUUID(), virtualAccountId: null, state: 'approved', number: null, name: `Sales ${tag}` },
    });
    await late().catch(() => undefined);
    expect(await stateOf(id)).toMatchObject({ state: 'approved', number: null });
  });
});
