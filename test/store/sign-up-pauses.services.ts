import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { REPEATED_REFUSALS } from '../../domain/repeated-refusals.ts';
import { inTransaction } from '../../store/database/database.ts';
import { beginCaseRequest, recordCaseAnswer, recordSignUp } from '../../store/onboarding/case-requests.ts';
import { lockCase, readCase } from '../../store/onboarding/cases.ts';
import {
  areSignUpsPaused,
  listSignUpPauses,
  pauseAfterRepeatedRefusals,
  remindOfPauseIfDue,
  resumeSignUpsAs,
  retryCaseAs,
} from '../../store/onboarding/sign-up-pauses.ts';
import { emptyTables } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredCase, CASE_ACCOUNT } from './a-stored-case.ts';

let testDatabase: TestDatabase;
let olivia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
});
beforeEach(() => emptyTables(testDatabase, 'cases', 'sign_up_pauses', 'audit_entries'));
afterAll(() => testDatabase.drop());

const isPaused = () => areSignUpsPaused(testDatabase.asWorker, CASE_ACCOUNT);
const stateOf = async (caseId: string) => (await readCase(testDatabase.asWorker, caseId)).state;
const begin = (caseId: string) =>
  beginCaseRequest(testDatabase.asWorker, { caseId, operation: 'sign_up', whileIn: ['draft', 'signing_up'] });
const resume = (retry = false) =>
  resumeSignUpsAs(testDatabase.asServer, olivia.tokenHash, { account: CASE_ACCOUNT, retry });

/** As the activity records it. */
async function refuse(caseId: string, answer: string, httpStatus = 422): Promise<void> {
  const requestId = (await begin(caseId))?.requestId ?? '';
  const answerDigest = Buffer.from(answer);
  await inTransaction(testDatabase.asWorker, async (transaction) => {
    await lockCase(transaction, caseId);
    const signUp = { requestId, caseId, outcome: 'refused', answer: 'refused', httpStatus, userId: null } as const;
    await recordSignUp(transaction, { ...signUp, answerDigest });
    await pauseAfterRepeatedRefusals(transaction, CASE_ACCOUNT);
  });
}

async function refused(count: number, answer = 'no contract'): Promise<string[]> {
  const cases: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const caseId = await aStoredCase(testDatabase, olivia);
    await refuse(caseId, answer);
    cases.push(caseId);
  }
  return cases;
}

async function signedUp(): Promise<void> {
  const caseId = await aStoredCase(testDatabase, olivia);
  const requestId = (await begin(caseId))?.requestId ?? '';
  const signUp = { requestId, caseId, outcome: 'took_effect', answer: 'as_asked', httpStatus: 200 } as const;
  await recordSignUp(testDatabase.asWorker, { ...signUp, userId: `user-${caseId}` });
}

async function kinds(kind: string): Promise<Record<string, unknown>[]> {
  const { rows } = await testDatabase.database.query<{ detail: Record<string, unknown> }>(
    'select detail from audit_entries where kind = $1 order by entry_id',
    [kind],
  );
  return rows.map(({ detail }) => detail);
}

describe('sign-ups of an account', () => {
  test('are paused when so many in a row are refused with the same answer, and not before', async () => {
    await refused(REPEATED_REFUSALS - 1);
    expect(await isPaused()).toBe(false);
    await refused(1);
    expect(await isPaused()).toBe(true);
    const waiting = await aStoredCase(testDatabase, olivia);
    expect(await listSignUpPauses(testDatabase.asServer, [CASE_ACCOUNT])).toEqual([
      {
        ...{ account: CASE_ACCOUNT, pausedAt: expect.any(Date) as Date, httpStatus: 422 },
        ...{ refusals: REPEATED_REFUSALS, waiting: 1 },
      },
    ]);
    expect(await listSignUpPauses(testDatabase.asServer, ['other'])).toEqual([]);
    expect(await stateOf(waiting)).toBe('draft');
    expect(await kinds('sign_ups_paused')).toMatchObject([{ account: CASE_ACCOUNT, refusals: REPEATED_REFUSALS }]);
    expect(await areSignUpsPaused(testDatabase.asWorker, 'other')).toBe(false);
  });

  test.each([
    ['one that took effect', signedUp],
    ['one that was refused with another answer', () => refused(1, 'another')],
    [
      'one whose outcome is unknown',
      async () => {
        const caseId = await aStoredCase(testDatabase, olivia);
        const requestId = (await begin(caseId))?.requestId ?? '';
        const signUp = { requestId, caseId, outcome: null, answer: 'unknown_outcome', httpStatus: 500 } as const;
        await recordSignUp(testDatabase.asWorker, { ...signUp, userId: null });
      },
    ],
  ])('are not paused when %s is between them', async (_, other) => {
    await refused(REPEATED_REFUSALS - 1);
    await other();
    await refused(REPEATED_REFUSALS - 1);
    expect(await isPaused()).toBe(false);
  });

  test('are paused although one between them was never sent', async () => {
    await refused(REPEATED_REFUSALS - 1);
    const requestId = (await begin(await aStoredCase(testDatabase, olivia)))?.requestId ?? '';
    const answer = { outcome: 'not_sent', answer: 'not_sent', httpStatus: null } as const;
    await recordCaseAnswer(testDatabase.asWorker, { requestId, ...answer });
    await refused(1);
    expect(await isPaused()).toBe(true);
  });

  test('are paused also by refusals that arrive at the same moment', async () => {
    const cases = await Promise.all(Array.from({ length: REPEATED_REFUSALS }, () => aStoredCase(testDatabase, olivia)));
    await Promise.all(cases.map((caseId) => refuse(caseId, 'no contract')));
    expect(await isPaused()).toBe(true);
  });

  test('that are paused are reminded of, as often as is due', async () => {
    await refused(REPEATED_REFUSALS);
    await remindOfPauseIfDue(testDatabase.asWorker, CASE_ACCOUNT, 60_000);
    expect(await kinds('sign_ups_pause_reminded')).toEqual([]);
    await testDatabase.database.query(`update sign_up_pauses set paused_at = now() - interval '2 minutes'`);
    await aStoredCase(testDatabase, olivia);
    await remindOfPauseIfDue(testDatabase.asWorker, CASE_ACCOUNT, 60_000);
    await remindOfPauseIfDue(testDatabase.asWorker, CASE_ACCOUNT, 60_000);
    expect(await kinds('sign_ups_pause_reminded')).toMatchObject([{ account: CASE_ACCOUNT, reminders: 1, waiting: 1 }]);
  });
});

describe('a pause', () => {
  test('is lifted by an onboarder alone', async () => {
    await refused(REPEATED_REFUSALS);
    const carol = await aUser(testDatabase, 'Carol', 'checker');
    const lifted = resumeSignUpsAs(testDatabase.asServer, carol.tokenHash, { account: CASE_ACCOUNT, retry: false });
    await expect(lifted).rejects.toThrow('none of your roles');
    const forged = testDatabase.asWorker.query('update sign_up_pauses set lifted_at = now()');
    await expect(forged).rejects.toThrow('permission denied');
    expect(await isPaused()).toBe(true);
    expect(await resume()).toEqual({ retried: 0, notRetried: 0 });
    expect(await isPaused()).toBe(false);
    await expect(resume()).rejects.toThrow('are not paused');
  });

  test('begins again only after as many further refusals', async () => {
    await refused(REPEATED_REFUSALS);
    await resume();
    await refused(REPEATED_REFUSALS - 1);
    expect(await isPaused()).toBe(false);
    await refused(1);
    expect(await isPaused()).toBe(true);
  });

  test('that is lifted has what was refused tried again on request, and nothing that was refused otherwise', async () => {
    const [other = ''] = await refused(1, 'the applicant');
    const cases = await refused(REPEATED_REFUSALS);
    expect(await resume(true)).toEqual({ retried: REPEATED_REFUSALS, notRetried: 0 });
    expect(await Promise.all(cases.map(stateOf))).toEqual(cases.map(() => 'draft'));
    expect(await stateOf(other)).toBe('refused');
    for (const caseId of cases) expect(await begin(caseId)).not.toBeNull();
    expect(await begin(other)).toBeNull();
    expect(await kinds('case_retried')).toHaveLength(REPEATED_REFUSALS);
    expect(await kinds('sign_ups_resumed')).toMatchObject([{ account: CASE_ACCOUNT, retried: REPEATED_REFUSALS }]);
  });

  test('that is lifted leaves a case whose mail address another one has by now', async () => {
    const [first = ''] = await refused(1);
    const { rows } = await testDatabase.database.query<{ email_hmac: Buffer }>(
      'select email_hmac from cases where case_id = $1',
      [first],
    );
    const again = await aStoredCase(testDatabase, olivia);
    await testDatabase.database.query('update cases set email_hmac = $2 where case_id = $1', [
      again,
      rows[0]?.email_hmac,
    ]);
    await refused(REPEATED_REFUSALS - 1);
    expect(await resume(true)).toEqual({ retried: REPEATED_REFUSALS - 1, notRetried: 1 });
    expect(await stateOf(first)).toBe('refused');
    await expect(retryCaseAs(testDatabase.asServer, olivia.tokenHash, first)).rejects.toThrow(
      'same mail address by now',
    );
  });
});

describe('a refused sign-up', () => {
  test('is tried again when an onboarder says so, and by nobody else', async () => {
    const [caseId = ''] = await refused(1);
    const byWorker = testDatabase.asWorker.query(`update cases set state = 'draft' where case_id = $1`, [caseId]);
    await expect(byWorker).rejects.toThrow('only people end or reopen a case so');
    const marked = testDatabase.asWorker.query('update case_requests set retried_by = $1', [olivia.userId]);
    await expect(marked).rejects.toThrow('permission denied');
    await retryCaseAs(testDatabase.asServer, olivia.tokenHash, caseId);
    await expect(retryCaseAs(testDatabase.asServer, olivia.tokenHash, caseId)).rejects.toThrow(
      'only a case whose sign-up',
    );
    expect(await begin(caseId)).not.toBeNull();
    expect(await begin(caseId)).toBeNull();
  });
});
