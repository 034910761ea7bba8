import { MockActivityEnvironment } from '@temporalio/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { readCandidateActivity, resolveCaseActivity } from '../../activities/onboarding/find-signed-up.ts';
import { type FailureKind } from '../../domain/payments/request-result.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import {
  confirmCaseManualOutcomeAs,
  proposeCaseManualOutcomeAs,
  withdrawCaseAs,
} from '../../store/onboarding/case-decisions.ts';
import { listCandidates } from '../../store/onboarding/case-poll.ts';
import { beginCaseRequest, recordSignUp } from '../../store/onboarding/case-requests.ts';
import { moveCase } from '../../store/onboarding/case-transition.ts';
import { listCaseManualOutcomes } from '../../store/onboarding/case-views.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import { storeWebhook } from '../../store/webhooks/webhook-inbox.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApplicant, aStoredCase, CASE_ACCOUNT } from '../store/a-stored-case.ts';

/** A sign-up got no answer. Events named users since: each is read before anybody says that there is none. */

let testDatabase: TestDatabase;
let olivia: TestUser;
let chris: TestUser;
let caseId: string;
let email: string;
/** By user id: what the provider shows. Absent: it answers 404. */
let users: Map<string, { email: string } | { fails: number }>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
  chris = await aUser(testDatabase, 'Chris', 'checker');
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  const { database, asWorker } = testDatabase;
  users = new Map();
  await bypassTriggers(database, 'truncate webhook_inbox, case_candidates');
  await bypassTriggers(
    database,
    `update cases set state = 'withdrawn', ended_at = clock_timestamp() where ended_at is null`,
  );
  ({ email } = anApplicant());
  caseId = await aStoredCase(testDatabase, olivia, 'draft', { email });
  const begun = await beginCaseRequest(asWorker, { caseId, operation: 'sign_up', whileIn: ['draft'] });
  if (begun === null) throw new Error('the sign-up was not begun');
  const lost = { outcome: null, answer: 'unknown_outcome', httpStatus: null, userId: null } as const;
  await recordSignUp(asWorker, { ...begun, caseId, ...lost });
});

const KINDS: Readonly<Record<number, FailureKind>> = { 404: 'refused', 403: 'unauthenticated', 500: 'unknown_outcome' };

function get(userId: string): Promise<unknown> {
  const shown = users.get(userId) ?? { fails: 404 };
  if (!('fails' in shown)) {
    const names = { firstName: 'Anna', lastName: 'Example' };
    return Promise.resolve({ id: userId, status: 'pending', accountId: 'a-1', remarks: null, ...names, ...shown });
  }
  const kind = KINDS[shown.fails] ?? 'unknown_outcome';
  const failure = { operation: 'user-get', kind, reason: 'as ordered', httpStatus: shown.fails } as const;
  return Promise.reject(new ProviderFailure(failure));
}

function dependencies(): ActivityDependencies {
  return {
    database: testDatabase.asWorker,
    provider: () => ({ users: { get } }),
    settings: { visibilityDelayMs: 0 },
    dataKeys: TEST_DATA_KEYS,
  } as unknown as ActivityDependencies;
}

/** After the first attempts, in which a new user may not be visible yet. */
const inTemporal = () => new MockActivityEnvironment({ attempt: 4 });
/** Users are read first, and the workflow asks again. */
async function resolve(): Promise<void> {
  for (let times = 0; times < 2; times += 1) await inTemporal().run(resolveCaseActivity(dependencies()), { caseId });
}
const readCandidate = (userId: string) =>
  inTemporal().run(readCandidateActivity(dependencies()), { account: CASE_ACCOUNT, userId });

async function named(userId = randomUUID()): Promise<string> {
  const body = randomUUID();
  const event = { account: CASE_ACCOUNT, bodySha256: body, body, kind: 'user', resourceId: userId, saysEnded: false };
  await storeWebhook(testDatabase.asServer, event);
  return userId;
}

async function saysNeverCreated(): Promise<void> {
  const proposal = { caseId, outcome: 'never_created', userId: null, reason: 'the provider says so' };
  await proposeCaseManualOutcomeAs(testDatabase.asServer, olivia.tokenHash, proposal);
  const proposed = await outcomes();
  const open = proposed.find(({ state }) => state === 'proposed');
  await confirmCaseManualOutcomeAs(testDatabase.asServer, chris.tokenHash, open?.manualOutcomeId ?? '');
}

const outcomes = () => listCaseManualOutcomes(testDatabase.asServer, caseId);
const state = async () => (await readCase(testDatabase.asWorker, caseId)).state;

describe('that a sign-up never took effect', () => {
  test('is not believed of one whose user could not be read when its event came, and is there now', async () => {
    const userId = await named();
    await readCandidate(userId);
    expect(await state()).toBe('unknown');
    users.set(userId, { email });
    await saysNeverCreated();
    await resolve();
    expect(await readCase(testDatabase.asWorker, caseId)).toMatchObject({ state: 'preparing', userId });
    expect((await outcomes()).map((one) => one.state)).toEqual(['contradicted']);
  });

  test('is believed once every user that was named is somebody else, or is not there', async () => {
    const other = await named();
    users.set(other, { email: 'somebody.else@example.com' });
    await named();
    await saysNeverCreated();
    await resolve();
    expect(await state()).toBe('never_created');
  });

  test('is refused while the provider does not let one of them be read', async () => {
    const userId = await named();
    users.set(userId, { fails: 403 });
    await saysNeverCreated();
    await resolve();
    expect(await state()).toBe('unknown');
    expect(await outcomes()).toMatchObject([
      { state: 'contradicted', closingReason: expect.stringContaining(userId) as string },
    ]);
  });

  test('waits while the provider does not answer, and is refused after a day of it', async () => {
    users.set(await named(), { fails: 500 });
    await saysNeverCreated();
    await expect(resolve()).rejects.toThrow();
    expect(await outcomes()).toMatchObject([{ state: 'proposed' }]);
    await bypassTriggers(
      testDatabase.database,
      `update case_manual_outcomes set confirmed_at = confirmed_at - interval '25 hours' where case_id = $1`,
      [caseId],
    );
    await resolve();
    expect(await state()).toBe('unknown');
    expect(await outcomes()).toMatchObject([{ state: 'contradicted' }]);
  });

  test('is not written by whoever writes it while a user was not read', async () => {
    await saysNeverCreated();
    await named();
    await expect(moveCase(testDatabase.asWorker, caseId, 'never_created')).rejects.toThrow('are read first');
  });
});

test('a user that could not be read is read again: without an answer from the provider that it is there, a day later', async () => {
  const [hidden, absent] = [await named(), await named()];
  users.set(hidden, { fails: 403 });
  await readCandidate(hidden);
  await readCandidate(absent);
  const candidates = () => listCandidates(testDatabase.asWorker, CASE_ACCOUNT);
  expect(await candidates()).toEqual([]);
  const ago = (interval: string) =>
    bypassTriggers(testDatabase.database, `update case_candidates set read_at = read_at - $1::interval`, [interval]);
  await ago('2 hours');
  expect(await candidates()).toEqual([hidden]);
  await ago('1 day');
  expect((await candidates()).sort()).toEqual([absent, hidden].sort());
});

test('a case whose sign-up may have been sent is not withdrawn', async () => {
  await bypassTriggers(testDatabase.database, `update cases set state = 'signing_up' where case_id = $1`, [caseId]);
  await expect(withdrawCaseAs(testDatabase.asServer, olivia.tokenHash, caseId, null)).rejects.toMatchObject({
    code: 'conflict',
  });
});
