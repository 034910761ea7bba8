import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCaseStageActivity } from '../../activities/onboarding/read-case-stage.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { CASE_STATES, stageOfCase, type CaseState } from '../../domain/onboarding/case-state.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredCase } from './a-stored-case.ts';

const DAY_MS = 86_400_000;
const LIMITS = {
  reminderMs: 3 * DAY_MS,
  providerReminderMs: 7 * DAY_MS,
  undecidedMs: 30 * DAY_MS,
  ageLimitMs: 90 * DAY_MS,
};

let testDatabase: TestDatabase;
let olivia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
});
afterAll(() => testDatabase.drop());

/** A case that has waited in the state for so many days. */
async function waiting(state: CaseState, days: number): Promise<string> {
  const caseId = await aStoredCase(testDatabase, olivia, state);
  await passed(caseId, days);
  return caseId;
}

const passed = (caseId: string, days: number) =>
  bypassTriggers(
    testDatabase.database,
    `update cases set waiting_since = coalesce(waiting_since, now()) - make_interval(days => $2),
       reminded_at = reminded_at - make_interval(days => $2) where case_id = $1`,
    [caseId, days],
  );

/** What its workflow does whenever it looks at the case. */
async function look(caseId: string): Promise<CaseState> {
  const settings = { onboarding: LIMITS } as ActivityDependencies['settings'];
  const dependencies = { database: testDatabase.asWorker, settings } as ActivityDependencies;
  return (await readCaseStageActivity(dependencies)({ caseId })).state;
}

async function reminders(caseId: string): Promise<unknown[]> {
  const { rows } = await testDatabase.database.query<{ state: string }>(
    `select detail ->> 'state' as state from audit_entries where kind = 'case_reminded' and detail ->> 'case' = $1`,
    [caseId],
  );
  return rows.map(({ state }) => state);
}

const ofStage = (stage: string) => CASE_STATES.filter((state) => stageOfCase(state) === stage);

describe('a case on which the provider acts', () => {
  test.each(ofStage('provider'))('is reminded of every week while it is %s', async (state) => {
    const caseId = await waiting(state, 6);
    await look(caseId);
    expect(await reminders(caseId)).toEqual([]);
    await passed(caseId, 2);
    await look(caseId);
    await look(caseId);
    expect(await reminders(caseId)).toEqual([state]);
    await passed(caseId, 8);
    expect(await look(caseId)).toBe(state);
    expect(await reminders(caseId)).toEqual([state, state]);
  });

  test.each(ofStage('provider'))('that is %s for a month waits for an onboarder, and has an end', async (state) => {
    const caseId = await waiting(state, 31);
    expect(await look(caseId)).toBe('needs_provider');
    expect((await readCase(testDatabase.asWorker, caseId)).stateReason).toBe('undecided');
    await passed(caseId, 4);
    await look(caseId);
    expect(await reminders(caseId)).toEqual(['needs_provider']);
    await passed(caseId, 87);
    expect(await look(caseId)).toBe('expired');
  });
});

describe('a case that waits for an onboarder', () => {
  test.each(ofStage('onboarder'))('is reminded of every three days while it is %s', async (state) => {
    const caseId = await waiting(state, 2);
    await look(caseId);
    expect(await reminders(caseId)).toEqual([]);
    await passed(caseId, 2);
    await look(caseId);
    expect(await reminders(caseId)).toEqual([state]);
  });
});

test.each([...ofStage('working'), ...ofStage('ended')])('a case that is %s reminds nobody', async (state) => {
  const caseId = await waiting(state, 100);
  expect(await look(caseId)).toBe(state);
  expect(await reminders(caseId)).toEqual([]);
});
