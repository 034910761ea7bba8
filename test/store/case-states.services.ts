import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASE_STATES, type CaseState, mayTransitionCase } from '../../domain/onboarding/case-state.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import { beginCaseRequest, recordCaseAnswer, recordSignUp } from '../../store/onboarding/case-requests.ts';
import { markReady, moveCase } from '../../store/onboarding/case-transition.ts';
import {
  confirmCaseManualOutcomeAs,
  eraseCaseAs,
  proposeCaseManualOutcomeAs,
  supplyCaseAs,
  withdrawCaseAs,
} from '../../store/onboarding/case-decisions.ts';
import { readCaseCipher } from '../../store/onboarding/case-content.ts';
import { listCaseManualOutcomes } from '../../store/onboarding/case-views.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { anApplicant, aStoredCase } from './a-stored-case.ts';

let testDatabase: TestDatabase;
let olivia: TestUser;
let omar: TestUser;
let chris: TestUser;
let ada: TestUser;
let mia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
  omar = await aUser(testDatabase, 'Omar', 'onboarder');
  chris = await aUser(testDatabase, 'Chris', 'checker');
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  mia = await aUser(testDatabase, 'Mia', 'maker');
});
afterAll(() => testDatabase.drop());

const stored = (state?: CaseState) => aStoredCase(testDatabase, olivia, state);
const stateOf = async (caseId: string) => (await readCase(testDatabase.asWorker, caseId)).state;

/** States that only people move a case to, whatever a worker's login writes. */
const BY_PEOPLE: readonly CaseState[] = ['withdrawn', 'erased', 'never_created', 'draft'];

describe('a worker moves a case', () => {
  test.each(CASE_STATES)('from %s to every state that the table names, and to no other', async (from) => {
    for (const to of CASE_STATES.filter((state) => state !== from)) {
      const caseId = await stored(from);
      const moved = await testDatabase.asWorker
        .query('update cases set state = $2 where case_id = $1', [caseId, to])
        .then(() => true)
        .catch(() => false);
      expect([from, to, moved]).toEqual([from, to, mayTransitionCase(from, to) && !BY_PEOPLE.includes(to)]);
      expect(await stateOf(caseId)).toBe(moved ? to : from);
    }
  });

  test('not at all when another worker was faster', async () => {
    const caseId = await stored('preparing');
    const both = await Promise.all([
      moveCase(testDatabase.asWorker, caseId, 'ready'),
      moveCase(testDatabase.asWorker, caseId, 'ready'),
    ]);
    expect(both.sort()).toEqual([false, true]);
  });

  test('to no other user of the provider', async () => {
    const caseId = await stored('signing_up');
    await moveCase(testDatabase.asWorker, caseId, 'preparing', { userId: 'user-1' });
    const other = testDatabase.asWorker.query(`update cases set user_id = 'user-2' where case_id = $1`, [caseId]);
    await expect(other).rejects.toThrow('a case keeps its user');
  });
});

describe('a sign-up', () => {
  const begin = (caseId: string) =>
    beginCaseRequest(testDatabase.asWorker, { caseId, operation: 'sign_up', whileIn: ['draft', 'signing_up'] });

  test('begins once, however many workers try', async () => {
    const caseId = await stored();
    const begun = await Promise.all([begin(caseId), begin(caseId), begin(caseId)]);
    expect(begun.filter((request) => request !== null)).toHaveLength(1);
    expect(await stateOf(caseId)).toBe('signing_up');
  });

  test.each(['took_effect', 'refused', null] as const)('is never sent again after %s', async (outcome) => {
    const caseId = await stored();
    const request = await begin(caseId);
    const answer = {
      requestId: request?.requestId ?? '',
      outcome,
      answer: 'unknown_outcome',
      httpStatus: null,
    } as const;
    await recordCaseAnswer(testDatabase.asWorker, answer);
    expect(await begin(caseId)).toBeNull();
    // Nor by a statement that leaves the check out.
    const forced = testDatabase.asWorker.query(
      `insert into case_requests (case_id, operation, revision) values ($1, 'sign_up', 1)`,
      [caseId],
    );
    await expect(forced).rejects.toThrow('one_sign_up');
  });

  test('is sent again only when it provably never reached the provider', async () => {
    const caseId = await stored();
    const request = await begin(caseId);
    const answer = { outcome: 'not_sent', answer: 'not_sent', httpStatus: null } as const;
    await recordCaseAnswer(testDatabase.asWorker, { requestId: request?.requestId ?? '', ...answer });
    expect(await begin(caseId)).not.toBeNull();
  });
});

describe('what is recorded of a request', () => {
  const begin = (caseId: string, operation: 'sign_up' | 'details', revision?: number) =>
    beginCaseRequest(testDatabase.asWorker, {
      ...{ caseId, operation, whileIn: ['draft', 'signing_up', 'preparing'] },
      ...(revision === undefined ? {} : { revision }),
    });

  test('is written once: taking it back would allow a second sign-up', async () => {
    const caseId = await stored();
    const requestId = (await begin(caseId, 'sign_up'))?.requestId ?? '';
    const answer = { requestId, outcome: 'took_effect', answer: 'as_asked', httpStatus: 200 } as const;
    await recordCaseAnswer(testDatabase.asWorker, answer);
    const taken = testDatabase.asWorker.query(`update case_requests set outcome = 'not_sent' where request_id = $1`, [
      requestId,
    ]);
    await expect(taken).rejects.toThrow('written once');
  });

  test('of a sign-up keeps the user, also when the case was ended meanwhile', async () => {
    const caseId = await stored();
    const requestId = (await begin(caseId, 'sign_up'))?.requestId ?? '';
    await bypassTriggers(
      testDatabase.database,
      `update cases set state = 'withdrawn', ended_at = now() where case_id = $1`,
      [caseId],
    );
    const late = {
      requestId,
      outcome: 'took_effect',
      answer: 'as_asked',
      httpStatus: 200,
      userId: 'late-user',
    } as const;
    await recordSignUp(testDatabase.asWorker, { ...late, caseId });
    expect(await readCase(testDatabase.asWorker, caseId)).toMatchObject({ state: 'withdrawn', userId: 'late-user' });
    await recordSignUp(testDatabase.asWorker, { ...late, caseId, userId: 'another-user' });
    expect(await readCase(testDatabase.asWorker, caseId)).toMatchObject({ userId: 'late-user' });
  });

  test('begins only for the revision that was read, and only its answer makes the case ready', async () => {
    const caseId = await stored('preparing');
    expect(await begin(caseId, 'details', 2)).toBeNull();
    const ready = { caseId, revision: 1, isCompanySent: false };
    expect(await markReady(testDatabase.asWorker, ready)).toBe(false);
    const requestId = (await begin(caseId, 'details', 1))?.requestId ?? '';
    const answer = { requestId, outcome: 'took_effect', answer: 'as_asked', httpStatus: 200 } as const;
    await recordCaseAnswer(testDatabase.asWorker, answer);
    expect(await markReady(testDatabase.asWorker, { ...ready, revision: 2 })).toBe(false);
    expect(await markReady(testDatabase.asWorker, ready)).toBe(true);
  });

  test('is not begun for a case that is being withdrawn at the same moment', async () => {
    const caseId = await stored();
    const connection = await testDatabase.database.connect();
    try {
      await connection.query('begin');
      await connection.query(`update cases set state = 'withdrawn', ended_at = now() where case_id = $1`, [caseId]);
      const begun = begin(caseId, 'sign_up');
      await untilWaiting(testDatabase.database);
      await connection.query('commit');
      expect(await begun).toBeNull();
    } finally {
      connection.release();
    }
  });
});

describe('people', () => {
  test.each(CASE_STATES)('withdraw a case that is %s only if the table says so', async (state) => {
    const caseId = await stored(state);
    const withdrawn = await withdrawCaseAs(testDatabase.asServer, olivia.tokenHash, caseId, null)
      .then(() => true)
      .catch(() => false);
    expect(withdrawn).toBe(mayTransitionCase(state, 'withdrawn'));
  });

  test('without the permission do nothing with a case', async () => {
    const caseId = await stored('unknown');
    const cipher = await readCaseCipher(testDatabase.asServer, TEST_DATA_KEYS, caseId);
    if (cipher === null) throw new Error('the case has no key');
    const asServer = testDatabase.asServer;
    const proposal = { caseId, outcome: 'never_created', userId: null, reason: 'x' };
    const supplied = { caseId, seenRevision: 1, applicant: anApplicant(), files: [] };
    for (const user of [mia, ada]) {
      await expect(withdrawCaseAs(asServer, user.tokenHash, caseId, null)).rejects.toMatchObject({
        code: 'not_allowed',
      });
      await expect(proposeCaseManualOutcomeAs(asServer, user.tokenHash, proposal)).rejects.toMatchObject({
        code: 'not_allowed',
      });
      await expect(supplyCaseAs(asServer, user.tokenHash, cipher, supplied)).rejects.toMatchObject({
        code: 'not_allowed',
      });
    }
    await expect(eraseCaseAs(asServer, olivia.tokenHash, caseId)).rejects.toMatchObject({ code: 'not_allowed' });
  });

  test('two of them say that a sign-up never took effect', async () => {
    const caseId = await stored('unknown');
    const asServer = testDatabase.asServer;
    await expect(moveCase(testDatabase.asWorker, caseId, 'never_created')).rejects.toThrow('two people');
    const proposal = { caseId, outcome: 'never_created', userId: null, reason: 'the provider says so' };
    await proposeCaseManualOutcomeAs(asServer, olivia.tokenHash, proposal);
    const manualOutcomeId = (await listCaseManualOutcomes(asServer, caseId))[0]?.manualOutcomeId ?? '';
    await expect(confirmCaseManualOutcomeAs(asServer, olivia.tokenHash, manualOutcomeId)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    await expect(moveCase(testDatabase.asWorker, caseId, 'never_created')).rejects.toThrow('two people');
    await confirmCaseManualOutcomeAs(asServer, chris.tokenHash, manualOutcomeId);
    expect(await moveCase(testDatabase.asWorker, caseId, 'never_created')).toBe(true);
  });

  test('supply what they have seen, and not what somebody else has changed meanwhile', async () => {
    const caseId = await stored('incomplete');
    const cipher = await readCaseCipher(testDatabase.asServer, TEST_DATA_KEYS, caseId);
    if (cipher === null) throw new Error('the case has no key');
    const supplied = { caseId, seenRevision: 1, applicant: anApplicant(), files: [] };
    expect(await supplyCaseAs(testDatabase.asServer, olivia.tokenHash, cipher, supplied)).toBe(2);
    await bypassTriggers(testDatabase.database, `update cases set state = 'incomplete' where case_id = $1`, [caseId]);
    await expect(supplyCaseAs(testDatabase.asServer, omar.tokenHash, cipher, supplied)).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

describe('cases', () => {
  test('of another account do not exist for a limited user', async () => {
    const caseId = await stored('incomplete');
    const limited = await aUser(testDatabase, 'Lena Limited', 'onboarder');
    await limitTo(testDatabase.database, limited, 'other');
    const withdrawn = withdrawCaseAs(testDatabase.asServer, limited.tokenHash, caseId, null);
    await expect(withdrawn).rejects.toMatchObject({ code: 'not_found' });
    expect(await stateOf(caseId)).toBe('incomplete');
  });
});
