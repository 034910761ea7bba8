import { Command } from 'commander';
import { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandIo } from '../../client/cli/command-io.ts';
import { WrongInput } from '../../client/cli/exit-code.ts';
import { readSignIns } from '../../config/sign-ins.ts';
import { isSandboxDatabase } from '../../store/users/owner-users.ts';
import { recordProvider } from '../../store/accounts/provider-accounts.ts';
import { listUsers } from '../../store/users/users.ts';
import { addOwnerCommands } from '../../operations/user-commands.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Example users, whose tokens are saved in a folder, are only for the sandbox: elsewhere they could pay real money. */

let testDatabase: TestDatabase;

beforeEach(async () => {
  testDatabase = await createTestDatabase({ provider: 'none' });
});
afterEach(() => testDatabase.drop());

async function isRecorded(account: string, isSandbox: boolean): Promise<void> {
  const provider = { account, apiAddress: `https://${account}.example`, accessKey: 'x', isSandbox };
  if ((await recordProvider(testDatabase.asWorker, provider)) !== null) return;
  // Workers record no sandbox beside a real provider: whoever writes to the table may.
  await testDatabase.database.query(
    'insert into provider_accounts (account, api_address, access_key, is_sandbox) values ($1, $2, $3, $4)',
    [account, provider.apiAddress, provider.accessKey, isSandbox],
  );
}

/** Runs `payrun users examples`. Returns how it ended and whom it signed in. */
async function addExamples(): Promise<{ ended: unknown; signedIn: string[] }> {
  const home = temporaryFolder();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const env = { PAYRUN_OWNER_DATABASE_URL: testDatabase.url, PAYRUN_HOME: home, PAYRUN_URL: 'http://127.0.0.1:1' };
  const io: CommandIo = { stdin: Readable.from(['']), stdout: nowhere, stderr: nowhere, env, cwd: home, isTty: false };
  const program = new Command();
  program.command('users');
  addOwnerCommands(program, io);
  const ended: unknown = await program
    .parseAsync(['users', 'examples'], { from: 'user' })
    .then(() => 'done')
    .catch((error: unknown) => error);
  return { ended, signedIn: readSignIns(home).map(({ login }) => login) };
}

describe('users for an evaluation', () => {
  test('are added to the database of a sandbox', async () => {
    await isRecorded('default', true);
    expect(await addExamples()).toEqual({ ended: 'done', signedIn: ['mia', 'chris', 'tina', 'olivia', 'ada'] });
  });

  test.each([
    ['of a real provider', [false]],
    ['of a sandbox and a real provider', [true, false]],
    ['that no worker has seen', []],
  ])('are not added to the database %s', async (_what, accounts) => {
    for (const [index, isSandbox] of accounts.entries()) await isRecorded(`account-${index}`, isSandbox);
    expect(await isSandboxDatabase(testDatabase.url)).toBe(false);
    const { ended, signedIn } = await addExamples();
    expect([ended, signedIn]).toEqual([expect.any(WrongInput), []]);
    expect(await listUsers(testDatabase.database)).toEqual([]);
  });
});
