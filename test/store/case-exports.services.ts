import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteCaseExportAs } from '../../store/onboarding/case-decisions.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredCase } from './a-stored-case.ts';

let testDatabase: TestDatabase;
let olivia: TestUser;
let chris: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
  chris = await aUser(testDatabase, 'Chris', 'checker');
});
afterAll(() => testDatabase.drop());

describe('an export', () => {
  const entries = async (caseId: string) =>
    (
      await testDatabase.database.query<{ actor: string; detail: Record<string, unknown> }>(
        `select actor, detail from audit_entries where kind = 'case_exported' and detail ->> 'case' = $1`,
        [caseId],
      )
    ).rows;

  test('is in the audit trail: who has it, of which case, and nothing of the person', async () => {
    const caseId = await aStoredCase(testDatabase, olivia, 'approved');
    await noteCaseExportAs(testDatabase.asServer, olivia.tokenHash, caseId);
    const [entry, ...others] = await entries(caseId);
    expect(others).toEqual([]);
    expect(entry?.actor).toBe(olivia.userId);
    expect(Object.keys(entry?.detail ?? {}).sort()).toEqual(['case', 'token']);
  });

  test('of erased data, or by who may not read it, is refused', async () => {
    const caseId = await aStoredCase(testDatabase, olivia, 'erased');
    const erased = noteCaseExportAs(testDatabase.asServer, olivia.tokenHash, caseId);
    await expect(erased).rejects.toMatchObject({ code: 'conflict' });
    const open = await aStoredCase(testDatabase, olivia, 'approved');
    const byChecker = noteCaseExportAs(testDatabase.asServer, chris.tokenHash, open);
    await expect(byChecker).rejects.toMatchObject({ code: 'not_allowed' });
    expect([...(await entries(caseId)), ...(await entries(open))]).toEqual([]);
  });
});
