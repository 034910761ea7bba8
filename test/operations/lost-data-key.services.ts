import { afterAll, beforeAll, expect, test } from 'vitest';
import { caseIdOf } from '../../domain/onboarding/case-id.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import { mailIndex } from '../../store/onboarding/case-content.ts';
import { addCasesAs } from '../../store/onboarding/case-decisions.ts';
import { DataKeyMissing } from '../../store/personal-data/key-wrapping.ts';
import { readPage } from '../docs/document-pages.ts';
import { aDataKey } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { anApplicant, CASE_ACCOUNT } from '../store/a-stored-case.ts';
import { refusedWith } from '../store/runs-in-approval.ts';
import { payrun } from './key-command-line.ts';

/** A data key is gone for good, and what is done then as docs/personal-data.md says. */

let testDatabase: TestDatabase;
let olivia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
});
afterAll(() => testDatabase.drop());

const [kept, lost] = [aDataKey('kept'), aDataKey('lost')];
const BOTH: DataKeys = { current: lost, all: [lost, kept] };
const KEPT: DataKeys = { current: kept, all: [kept] };

/** Adds a case with this mail address; its key is wrapped by the current data key. */
async function add(email: string, keys: DataKeys, read = keys): Promise<string> {
  const applicant = anApplicant({ email });
  const caseId = caseIdOf(CASE_ACCOUNT, applicant.applicantRef);
  const hmacOf = await mailIndex(testDatabase.asServer, read);
  const cases = [{ caseId, emailHmac: hmacOf(email), applicant, files: [] }];
  await addCasesAs(testDatabase.asServer, olivia.tokenHash, keys, { account: CASE_ACCOUNT, cases });
  return caseId;
}

const reindex = (...args: string[]) =>
  payrun(['keys', 'reindex', ...args], {
    cwd: temporaryFolder(),
    env: { PAYRUN_OWNER_DATABASE_URL: testDatabase.url, PAYRUN_DATA_KEY: Buffer.from(kept.bytes).toString('base64') },
  });

test('the command of the page makes the index of mail addresses again, of the cases that can be read', async () => {
  const page = readPage('docs/personal-data.md').split('### If it is lost')[1] ?? '';
  expect(page).toContain('\n    payrun keys reindex\n');
  // The secret is made under the lost key.
  await add('lost@example.com', BOTH);
  await add('kept@example.com', KEPT, BOTH);
  await expect(add('new@example.com', KEPT)).rejects.toThrow(DataKeyMissing);
  await testDatabase.database.query(`delete from data_secrets where name = 'mail-index'`);
  await expect(add('new@example.com', KEPT)).rejects.toThrow('payrun keys reindex');

  expect((await reindex()).stderr).toContain('--yes');
  const { code, stdout } = await reindex('--yes', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([0, { found: 1, lost: 1 }]);

  await expect(add('Kept@example.com', KEPT)).rejects.toMatchObject(refusedWith('conflict'));
  await add('lost@example.com', KEPT);
  await add('new@example.com', KEPT);
});

test('nothing is done while the secret can be read', async () => {
  await add('here@example.com', KEPT);
  const { code, stderr } = await reindex('--yes');
  expect([code, stderr]).toEqual([2, expect.stringContaining('can be read: nothing was done')]);
  await expect(add('here@example.com', KEPT)).rejects.toMatchObject(refusedWith('conflict'));
});

test('a secret that a lost key wraps is replaced as well', async () => {
  const other: DataKeys = { current: aDataKey('other'), all: [aDataKey('other')] };
  await testDatabase.database.query(`update data_secrets set wrapped_by = $1 where name = 'mail-index'`, [
    other.current.id,
  ]);
  expect((await reindex('--yes')).stdout).toContain('4 cases recognised by the mail address again');
  await expect(add('kept@example.com', KEPT)).rejects.toMatchObject(refusedWith('conflict'));
});
