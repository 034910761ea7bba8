import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CaseState } from '../../domain/onboarding/case-state.ts';
import { decideChangeAs, proposeChangeAs } from '../../store/approvals/changes.ts';
import { readCaseCipher } from '../../store/onboarding/case-content.ts';
import { eraseCaseAs } from '../../store/onboarding/case-decisions.ts';
import { readCase } from '../../store/onboarding/cases.ts';
import { retryCaseAs } from '../../store/onboarding/sign-up-pauses.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredCase } from './a-stored-case.ts';

let testDatabase: TestDatabase;
let olivia: TestUser;
let ada: TestUser;
let ben: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
});
afterAll(() => testDatabase.drop());

const stored = (state?: CaseState) => aStoredCase(testDatabase, olivia, state);
const stateOf = async (caseId: string) => (await readCase(testDatabase.asWorker, caseId)).state;

describe('the data of a case', () => {
  const endedAgo = (caseId: string, state: CaseState, days: number) =>
    bypassTriggers(
      testDatabase.database,
      'update cases set state = $2, ended_at = now() - make_interval(days => $3) where case_id = $1',
      [caseId, state, days],
    );

  const propose = (caseId: string) => eraseCaseAs(testDatabase.asServer, ada.tokenHash, caseId);
  const confirm = (by: TestUser, changeId: string) =>
    decideChangeAs(testDatabase.asServer, by.tokenHash, changeId, true);

  test('is erased by two administrators, with its key, after its retention, and while payrun is being set up, too', async () => {
    const caseId = await stored();
    await endedAgo(caseId, 'approved', 1_828);
    const { change } = await propose(caseId);
    expect(change).toMatchObject({ state: 'pending', takesEffectAt: null });
    expect((await propose(caseId)).change?.changeId).toBe(change?.changeId);
    await expect(confirm(ada, change?.changeId ?? '')).rejects.toMatchObject({ code: 'not_allowed' });
    expect(await readCaseCipher(testDatabase.asServer, TEST_DATA_KEYS, caseId)).not.toBeNull();
    expect(await stateOf(caseId)).toBe('approved');
    await confirm(ben, change?.changeId ?? '');
    expect(await readCaseCipher(testDatabase.asServer, TEST_DATA_KEYS, caseId)).toBeNull();
    expect(await stateOf(caseId)).toBe('erased');
    const { rows } = await testDatabase.database.query(
      'select from case_revisions where case_id = $1 and encrypted is not null',
      [caseId],
    );
    expect(rows).toEqual([]);
  });

  test('is kept until then', async () => {
    const caseId = await stored();
    await endedAgo(caseId, 'rejected', 1_826);
    await expect(propose(caseId)).rejects.toThrow('is to be kept until');
    const open = await stored('screening');
    await expect(propose(open)).rejects.toThrow('only the data of an ended case');
  });

  test('is kept while somebody tries its sign-up again, whatever was proposed before', async () => {
    const caseId = await stored();
    await endedAgo(caseId, 'refused', 1_828);
    await bypassTriggers(
      testDatabase.database,
      `update cases set state_reason = 'sign_up_refused' where case_id = $1`,
      [caseId],
    );
    const { change } = await propose(caseId);
    await retryCaseAs(testDatabase.asServer, olivia.tokenHash, caseId);
    await expect(confirm(ben, change?.changeId ?? '')).rejects.toThrow('it is replaced: propose it again');
    expect(await readCaseCipher(testDatabase.asServer, TEST_DATA_KEYS, caseId)).not.toBeNull();
  });

  test('is not erased by a change that only names the case', async () => {
    const detail = { case: await stored() };
    await expect(
      proposeChangeAs(testDatabase.asServer, ada.tokenHash, { kind: 'erase_case', userId: null, detail } as never),
    ).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
