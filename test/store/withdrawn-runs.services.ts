import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withdrawRunAs } from '../../store/approvals/run-decisions.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { readRun } from '../../store/runs/runs.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApprovedRun, aStoredRun } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let mia: TestUser;
let max: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  mia = await aUser(testDatabase, 'Mia', 'maker');
  max = await aUser(testDatabase, 'Max', 'maker');
});
afterAll(() => testDatabase.drop());

/** As the owner: no user can change the maker of a run. */
async function madeByMax(runId: string): Promise<void> {
  await testDatabase.database.query('update runs set submitted_by = $2 where run_id = $1', [runId, max.userId]);
}

describe('a run is withdrawn', () => {
  test('by its maker', async () => {
    const { runId } = await aStoredRun(testDatabase.database);
    const withdrawn = (by: TestUser) => withdrawRunAs(testDatabase.asServer, by.tokenHash, runId, null);
    await expect(withdrawn(mia)).rejects.toMatchObject(refusedWith('not_allowed'));
    await madeByMax(runId);
    await withdrawn(max);
    expect((await readRun(testDatabase.database, runId))?.state).toBe('cancelled');
  });

  test('before it was decided on', async () => {
    const { runId, paymentIds } = await anApprovedRun(testDatabase.database);
    await madeByMax(runId);
    const late = withdrawRunAs(testDatabase.asServer, max.tokenHash, runId, null);
    await expect(late).rejects.toMatchObject(refusedWith('conflict'));
    expect((await readPayment(testDatabase.database, paymentIds[0] ?? '')).state).toBe('ready');
  });
});
