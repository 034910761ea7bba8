import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addUserAs } from '../../store/users/users.ts';
import { withoutSecondFactors } from '../helpers/going-live.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { aScheduleToConfirm, aVirtualAccountToAskFor } from './before-live.ts';
import { refusedWith, RunsInApproval } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase({ provider: 'none' });
});
afterEach(() => testDatabase.drop());

/** What is done then outlives going live: the provider may be a real one. */
describe('before a worker has recorded the provider', () => {
  beforeEach(() => withoutSecondFactors(testDatabase.database));

  test('nothing is approved or asked for, and the refusal says why', async () => {
    const none = { ...refusedWith('conflict'), message: expect.stringContaining('no provider is recorded') as string };
    const runs = await RunsInApproval.of(testDatabase);
    await expect(runs.decide(runs.chris, (await runs.aRun()).runId)).rejects.toMatchObject(none);
    const ask = await aVirtualAccountToAskFor(testDatabase);
    await expect(ask()).rejects.toMatchObject(none);
    const confirmSchedule = await aScheduleToConfirm(testDatabase);
    await expect(confirmSchedule()).rejects.toMatchObject(none);
    await testDatabase.database.query(
      `insert into provider_accounts (account, api_address, access_key, is_sandbox) values ('default', 'x', 'k', true)`,
    );
    await confirmSchedule();
  });

  test('changes take a second factor, as with a real provider', async () => {
    await testDatabase.database.query(`insert into policies (policy) select current_policy() - 'secondFactor'`);
    const ada = await aUser(testDatabase, 'Ada', 'administrator');
    const added = { login: 'eve', name: 'Eve', roles: ['maker'] };
    const adding = addUserAs(testDatabase.asServer, ada.tokenHash, added);
    await expect(adding).rejects.toMatchObject(refusedWith('second_factor_needed'));
  });
});
