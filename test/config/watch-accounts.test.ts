import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../config/configuration-error.ts';
import { watchAccounts } from '../../config/watch-accounts.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { eventually } from '../helpers/until.ts';

interface Account {
  name: string;
  limit: number;
}

/** A watched file of accounts, and everything that was said and added. */
function watched(first: Account[], options: { versionOf?: () => Promise<string> } = {}) {
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
    /** By the name of an account that cannot be added. */
    refused: new Map<string, string>(),
    /** Called before each reading of the file. */
    beforeRead: (): void => undefined,
    write,
  };
  let contents = first;
  const stop = watchAccounts<Account>({
    path,
    accounts: world.accounts,
    read: () => {
      const read = contents;
      world.beforeRead();
      if (world.problem !== null) throw world.problem;
      return read;
    },
    add: ({ name }) => {
      const refusal = world.refused.get(name);
      if (refusal !== undefined) return Promise.reject(new Error(refusal));
      world.added.push(name);
      return Promise.resolve();
    },
    info: (message) => world.said.push(message),
    warn: (message) => world.said.push(message.replace(path, 'FILE')),
    lookEveryMs: 5,
    ...options,
  });
  onTestFinished(stop);
  return {
    ...world,
    fail: (error: Error | null) => {
      world.problem = error;
    },
    onRead: (action: () => void) => {
      world.beforeRead = action;
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
  await eventually(() => expect(file.accounts.map(({ name }) => name)).toEqual(['one', 'two']));
  expect(file.added).toEqual(['two']);
  expect(file.said).toEqual(['account two was added']);
});

test('what was changed or removed stays in force until the next start, which is said', async () => {
  const file = watched([
    { name: 'one', limit: 5 },
    { name: 'two', limit: 5 },
  ]);
  file.change([{ name: 'one', limit: 50 }]);
  await eventually(() =>
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
  const complaint = 'the accounts file was changed, and cannot be used: accounts:3: there is no such key';
  await eventually(() => expect(file.said).toEqual([complaint]));
  file.fail(null);
  await eventually(() => expect(file.added).toEqual(['two']));
  expect(file.said).toEqual([complaint, 'account two was added']);
});

const ONE = { name: 'one', limit: 5 };
const TWO = { name: 'two', limit: 5 };
const THREE = { name: 'three', limit: 5 };

test('a file is not read before two looks in succession have found the same version of it', async () => {
  // Written in pieces, and missing for a moment.
  const versions = ['1', '2', '3', null, '3', '4', '4', '4'];
  const looks: (string | null)[] = [];
  const readAfter: number[] = [];
  const file = watched([ONE], {
    versionOf: () => {
      const version = versions[looks.length] ?? null;
      looks.push(version);
      return version === null ? Promise.reject(new Error('there is no file')) : Promise.resolve(version);
    },
  });
  file.onRead(() => readAfter.push(looks.length));
  file.change([ONE, TWO]);
  await eventually(() => expect(file.added).toEqual(['two']));
  expect(readAfter).toEqual([7]);
});

test('what was read is not used if the file was changed meanwhile, and is not complained of', async () => {
  const file = watched([ONE]);
  const pieces = [
    () => {
      file.change([ONE, TWO]);
    },
    () => {
      file.change([ONE, TWO, THREE]);
      file.fail(new ConfigurationError('accounts:3: this is not YAML'));
    },
    () => {
      file.fail(null);
    },
  ];
  file.onRead(() => pieces.shift()?.());
  file.change([ONE, { name: 'half-written', limit: 5 }]);
  await eventually(() => expect(file.added).toEqual(['two', 'three']));
  expect(file.said).toEqual(['account two was added', 'account three was added']);
});

test('an account that cannot be added keeps no other one from being added, and is tried until it can', async () => {
  const file = watched([ONE]);
  file.refused.set('two', 'the database cannot be reached');
  file.change([{ ...ONE, limit: 50 }, TWO, THREE]);
  await eventually(() => expect(file.accounts.map(({ name }) => name)).toEqual(['one', 'three']));
  let reads = 0;
  file.onRead(() => (reads += 1));
  await eventually(() => expect(reads).toBeGreaterThan(3));
  const said = [
    'account two cannot be added: the database cannot be reached',
    'account three was added',
    'account one was changed in FILE: start payrun again for it to take effect',
  ];
  expect(file.said).toEqual(said);
  file.refused.set('two', 'another account has its name');
  await eventually(() =>
    expect(file.said).toEqual([...said, 'account two cannot be added: another account has its name']),
  );
  file.refused.delete('two');
  await eventually(() => expect(file.added).toEqual(['three', 'two']));
  expect(file.said.at(-1)).toBe('account two was added');
});
