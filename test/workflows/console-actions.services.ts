import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionsAnswer, createPayrunClient, type PayrunClient } from '../../client/sdk/index.ts';
import { aSchedule, SWEEP } from '../domain/treasury-schedules.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { addAccountWithBooks, FIRST_DAY, NEXT_DAY } from '../store/an-account-with-books.ts';

/** What the console reads of what one may do with schedules, virtual accounts, receipts and days, through HTTP. */

let payrun: PayrunUnderTest;
let checker: PayrunClient;
let treasurer: PayrunClient;

const clientOf = (user: TestUser): PayrunClient => createPayrunClient({ url: payrun.serverUrl, token: user.token });

beforeAll(async () => {
  payrun = await startPayrun();
  checker = clientOf(payrun.checker);
  treasurer = clientOf(await aUser(payrun.testDatabase, 'Tess Treasurer', 'treasurer'));
});
afterAll(() => payrun.stop());

type Actions = ActionsAnswer['actions'][string];
const allowed = (actions: Actions | undefined): string[] =>
  (actions ?? []).filter(({ isAllowed }) => isAllowed).map(({ action }) => action);

test('a schedule and a virtual account say it themselves, as /actions does', async () => {
  const added = await treasurer.addSchedule({ schedule: aSchedule(SWEEP, { name: 'Asked about' }) });
  const scheduleId = added.scheduleId ?? '';
  const ofTreasurer = (await treasurer.getSchedule({ scheduleId })).allowedActions;
  expect(allowed(ofTreasurer)).toEqual(['reject', 'edit', 'delete']);
  expect(ofTreasurer[0]).toMatchObject({ action: 'confirm', code: 'not_allowed' });
  expect(allowed((await checker.getSchedule({ scheduleId })).allowedActions)).toEqual(['confirm', 'reject']);
  const { virtualAccountId } = await treasurer.requestVirtualAccount({
    ...{ account: 'default', name: 'Sales', provider: 'code 1', currency: 'USD', description: 'customers' },
    type: 'open',
  });
  const target = `virtual_account:${virtualAccountId}`;
  const { actions } = await treasurer.listActions({ of: [target, `schedule:${scheduleId}`] });
  expect(actions[`schedule:${scheduleId}`]).toEqual(ofTreasurer);
  expect(actions[target]?.map(({ action }) => action)).toEqual([
    ...['proposeManualOutcome', 'confirmManualOutcome', 'rejectManualOutcome'],
  ]);
});

test('a receipt and a day of the books are asked for by their names, whatever characters these have', async () => {
  const entryId = 'a/b, c:d %2F #1';
  await addAccountWithBooks(payrun.testDatabase, 'books', { entryId });
  const receipt = `receipt:books/USD/${encodeURIComponent(entryId)}`;
  const [first, next] = [`day:books/${FIRST_DAY}`, `day:books/${NEXT_DAY}`];
  const of = [receipt, first, 'day:nowhere/2026-03-02'];
  const { actions: ofTreasurer } = await treasurer.listActions({ of });
  expect(Object.keys(ofTreasurer)).toEqual([receipt, first]);
  expect(allowed(ofTreasurer[receipt])).toEqual(['assign']);
  expect(ofTreasurer[first]).toMatchObject([{ action: 'sign', isAllowed: false, code: 'not_allowed' }]);
  const { actions: ofChecker } = await checker.listActions({ of: [receipt, first, next] });
  expect(ofChecker).toMatchObject({
    [receipt]: [{ action: 'assign', code: 'not_allowed' }],
    [first]: [{ action: 'sign', isAllowed: true, code: null, reason: null }],
    [next]: [{ code: 'conflict', reason: expect.stringContaining('days are signed in their order') as string }],
  });
});

test.each(['day:books/2026-02-30', 'receipt:books/USD', 'receipt:books/USD/%ff', 'receipt:books/USD/%00', 'day:1'])(
  'what names nothing is refused: %s',
  async (text) => {
    await expect(checker.listActions({ of: [text] })).rejects.toMatchObject({ status: 400 });
  },
);
