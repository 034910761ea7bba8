import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginCaseRequest, recordSignUp } from '../../store/onboarding/case-requests.ts';
import { msSinceUnanswered } from '../../store/onboarding/onboarding-holds.ts';
import { listDueCases } from '../../store/onboarding/case-poll.ts';
import { moveCase, recordTried } from '../../store/onboarding/case-transition.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredCase, CASE_ACCOUNT } from './a-stored-case.ts';

const MINUTE_MS = 60_000;
const POLL_INTERVALS = { firstMs: 15 * MINUTE_MS, maxMs: 6 * 60 * MINUTE_MS };

let testDatabase: TestDatabase;
let olivia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
});
afterAll(() => testDatabase.drop());

test('a user who cannot be read for a minute is read again after the first pause, not after hours', async () => {
  const caseId = await aStoredCase(testDatabase, olivia, 'signing_up');
  const { asWorker } = testDatabase;
  await moveCase(asWorker, caseId, 'preparing', { userId: 'user-1' });
  await moveCase(asWorker, caseId, 'ready');
  await moveCase(asWorker, caseId, 'screening');
  // As many attempts as an activity makes in a minute.
  for (let attempt = 0; attempt < 6; attempt += 1) await recordTried(asWorker, caseId);
  const { nextInMs } = await listDueCases(asWorker, CASE_ACCOUNT, POLL_INTERVALS);
  expect(nextInMs).toBeLessThanOrEqual(POLL_INTERVALS.firstMs);
});

test.each([
  ['without an answer', 'unknown_outcome', true],
  ['whose answer has no user id', 'as_asked', false],
] as const)('a sign-up %s holds others back: %s', async (_, answer, holds) => {
  const { asWorker } = testDatabase;
  const caseId = await aStoredCase(testDatabase, olivia);
  const begun = await beginCaseRequest(asWorker, { caseId, operation: 'sign_up', whileIn: ['draft'] });
  const requestId = begun?.requestId ?? '';
  await recordSignUp(asWorker, { requestId, caseId, outcome: null, answer, httpStatus: null, userId: null });
  const sinceMs = await msSinceUnanswered(asWorker, CASE_ACCOUNT);
  expect(sinceMs !== null && sinceMs < MINUTE_MS).toBe(holds);
  await asWorker.query(`update case_requests set answered_at = now() - interval '1 hour' where request_id = $1`, [
    requestId,
  ]);
});
