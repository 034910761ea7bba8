import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withdrawCaseAs } from '../../store/onboarding/case-decisions.ts';
import { beginCaseRequest, recordCaseAnswer, recordSignUp } from '../../store/onboarding/case-requests.ts';
import { recordUnreadable } from '../../store/onboarding/case-transition.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import { hasUnreadableUser, listOnboardingHolds } from '../../store/onboarding/onboarding-holds.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredCase, CASE_ACCOUNT } from './a-stored-case.ts';

/** The provider does not let new users be read: one of them holds nobody for long. */

let testDatabase: TestDatabase;
let olivia: TestUser;
let waiting: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  await bypassTriggers(
    testDatabase.database,
    `update cases set state = 'withdrawn', ended_at = now() where ended_at is null`,
  );
  waiting = await aStoredCase(testDatabase, olivia);
});

/** Signed up so many minutes ago; nobody has read the user yet. */
async function signedUp(minutesAgo: number): Promise<string> {
  const caseId = await aStoredCase(testDatabase, olivia);
  const begun = await beginCaseRequest(testDatabase.asWorker, { caseId, operation: 'sign_up', whileIn: ['draft'] });
  if (begun === null) throw new Error('the sign-up was not begun');
  const answer = { outcome: 'took_effect', answer: 'as_asked', httpStatus: 200, userId: caseId } as const;
  await recordSignUp(testDatabase.asWorker, { ...begun, caseId, ...answer });
  await bypassTriggers(
    testDatabase.database,
    'update case_requests set begun_at = begun_at - make_interval(mins => $2) where case_id = $1',
    [caseId, minutesAgo],
  );
  return caseId;
}

async function unreadable(minutesAgo: number): Promise<void> {
  await recordUnreadable(testDatabase.asWorker, await signedUp(minutesAgo));
}

const isHeld = () => hasUnreadableUser(testDatabase.asWorker, CASE_ACCOUNT, waiting);
const holds = async () =>
  (await listOnboardingHolds(testDatabase.asServer, [CASE_ACCOUNT], 0)).filter(({ kind }) => kind === 'unreadable');

test('a new user that cannot be read holds the others for an hour', async () => {
  await unreadable(59);
  expect(await isHeld()).toBe(true);
  const [hold] = await holds();
  expect(Math.round(((hold?.until?.getTime() ?? 0) - Date.now()) / 60_000)).toBe(1);
});

test('one that could not be read for longer holds nobody', async () => {
  await unreadable(61);
  expect(await isHeld()).toBe(false);
  expect(await holds()).toEqual([]);
});

test('after it one is signed up at a time, until its user is read', async () => {
  await unreadable(600);
  const next = await signedUp(1);
  expect(await isHeld()).toBe(true);
  await bypassTriggers(testDatabase.database, `update cases set provider_status = 'pending' where case_id = $1`, [
    next,
  ]);
  expect(await isHeld()).toBe(false);
});

test('nobody waits for a user that is just being read while all others can be', async () => {
  await signedUp(1);
  expect(await isHeld()).toBe(false);
});

test('a case that waits to be signed up is withdrawn, and is not signed up then', async () => {
  const { asWorker, asServer } = testDatabase;
  const begin = () =>
    beginCaseRequest(asWorker, { caseId: waiting, operation: 'sign_up', whileIn: ['draft', 'signing_up'] });
  const begun = await begin();
  if (begun === null) throw new Error('the sign-up was not begun');
  await recordCaseAnswer(asWorker, { ...begun, outcome: 'not_sent', answer: 'not_sent', httpStatus: null });
  expect((await readCase(asWorker, waiting)).state).toBe('signing_up');
  await withdrawCaseAs(asServer, olivia.tokenHash, waiting, null);
  expect((await readCase(asWorker, waiting)).state).toBe('withdrawn');
  expect(await begin()).toBeNull();
});
