import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError } from '../../config/configuration-error.ts';
import { watchAccounts } from '../../config/watch-accounts.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

interface Account {
  name: string;
  limit: number;
}

/** A watched file of accounts, and everything that was said and added. */
function watched(first: Account[]) {
  const path = join(temporaryFolder(), 'accounts');
  // Whole, as an editor or an orchestrator replaces a file.
  const write = (accounts: Account[]): void => {
    writeFileSync(`${path}.new`, JSON.stringify(accounts));
    renameSync(`${path}.new`, path);
  };
  write(first);
  const world = {
    accounts: [...first],
    added: [] as string[],
    said: [] as string[],
    problem: null as Error | null,
    write,
  };
  let contents = first;
  const stop = watchAccounts<Account>({
    path,
    accounts: world.accounts,
    read: () => {
      if (world.problem !== null) throw world.problem;
      return contents;
    },
    add: ({ name }) => {
      world.added.push(name);
      return Promise.resolve();
    },
    info: (message) => world.said.push(message),
    warn: (message) => world.said.push(message.replace(path, 'FILE')),
    lookEveryMs: 5,
  });
  onTestFinished(stop);
  return {
    ...world,
    fail: (error: Error | null) => {
      world.problem = error;
    },
    change: (accounts: Account[]) => {
      contents = accounts;
      write(accounts);
    },
  };
}

test('an account that is added to the file is taken up, and in the list from then on', async () => {
  const file = watched([{ name: 'one', limit: 5 }]);
  file.change([
    { name: 'one', limit: 5 },
    { name: 'two', limit: 5 },
  ]);
  await vi.waitFor(() => expect(file.accounts.map(({ name }) => name)).toEqual(['one', 'two']));
  expect(file.added).toEqual(['two']);
  expect(file.said).toEqual(['account two was added']);
});

test('what was changed or removed stays in force until the next start, which is said', async () => {
  const file = watched([
    { name: 'one', limit: 5 },
    { name: 'two', limit: 5 },
  ]);
  file.change([{ name: 'one', limit: 50 }]);
  await vi.waitFor(() =>
    expect(file.said).toEqual([
      'account one was changed in FILE: start payrun again for it to take effect',
      'account two was removed from FILE: it is used until payrun is started again',
    ]),
  );
  expect(file.accounts).toEqual([
    { name: 'one', limit: 5 },
    { name: 'two', limit: 5 },
  ]);
});

test('a file that is wrong changes nothing, is said once, and is read again until it is right', async () => {
  const file = watched([{ name: 'one', limit: 5 }]);
  file.fail(new ConfigurationError('accounts:3: there is no such key'));
  file.change([
    { name: 'one', limit: 5 },
    { name: 'two', limit: 5 },
  ]);
  const complaint =
    'the accounts file was changed, and not all of it can be taken up: accounts:3: there is no such key';
  await vi.waitFor(() => expect(file.said).toEqual([complaint]));
  file.fail(null);
  await vi.waitFor(() => expect(file.added).toEqual(['two']));
  expect(file.said).toEqual([complaint, 'account two was added']);
});
