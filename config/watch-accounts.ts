import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

const LOOK_EVERY_MS = 2_000;

export interface WatchOptions<T extends { name: string }> {
  path: string;
  /** The list in force: a new account is appended once `add` has resolved. */
  accounts: T[];
  /** The accounts of the file and its secrets as they are now; may throw ConfigurationError. */
  read: () => T[];
  add: (account: T) => Promise<void>;
  info: (message: string) => void;
  warn: (message: string) => void;
  lookEveryMs?: number;
  /** For tests: another value for every change of the file. */
  versionOf?: (path: string) => Promise<string>;
}

/**
 * Takes up accounts that are added to the accounts file while payrun runs. An account that was changed or removed is used as
 * before until the next start, which is said once for every change of the file. A file that is wrong changes nothing, and an
 * account that cannot be added does not keep others from being added: both are tried again at every look, and the same
 * problem is said once.
 *
 * @returns stops the watching
 */
export function watchAccounts<T extends { name: string }>(options: WatchOptions<T>): () => void {
  const { path, versionOf = versionOfFile } = options;
  const problems = sayingOnce(options.warn);
  let seen: string | null = null;
  let compared: string | null = null;
  let done: string | null = null;
  let isBusy = false;
  const look = async (): Promise<void> => {
    const previous = seen;
    seen = null;
    seen = await versionOf(path);
    const version = seen;
    // A file that changes between two looks may be half-written.
    if (version !== previous || version === done) return;
    const reading = new Promise<T[]>((resolve) => resolve(options.read()));
    await reading.catch(() => undefined);
    if ((await versionOf(path)) !== version) return;
    const now = await reading;
    problems.onlyOf(now.map(({ name }) => name));
    const areAllAdded = await addNew(now, options, problems);
    if (version !== compared) warnOfChanges(now, options);
    compared = version;
    if (areAllAdded) done = version;
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    look()
      .catch((error: unknown) => {
        problems.say(path, `the accounts file was changed, and cannot be used: ${messageOf(error)}`);
      })
      .finally(() => {
        isBusy = false;
      });
  }, options.lookEveryMs ?? LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Adds each new account by itself. Returns whether none is left. */
async function addNew<T extends { name: string }>(
  now: readonly T[],
  { accounts, add, info }: WatchOptions<T>,
  problems: ReturnType<typeof sayingOnce>,
): Promise<boolean> {
  let areAllAdded = true;
  for (const account of now) {
    const { name } = account;
    if (accounts.some((known) => known.name === name)) continue;
    try {
      await add(account);
      accounts.push(account);
      info(`account ${name} was added`);
    } catch (error) {
      areAllAdded = false;
      problems.say(name, `account ${name} cannot be added: ${messageOf(error)}`);
    }
  }
  return areAllAdded;
}

function warnOfChanges<T extends { name: string }>(now: readonly T[], { path, accounts, warn }: WatchOptions<T>): void {
  for (const known of accounts) {
    const account = now.find(({ name }) => name === known.name);
    if (account === undefined) {
      warn(`account ${known.name} was removed from ${path}: it is used until payrun is started again`);
    } else if (!isDeepStrictEqual(known, account)) {
      warn(`account ${known.name} was changed in ${path}: start payrun again for it to take effect`);
    }
  }
}

/** Says a message unless it is the last one about the same subject. */
function sayingOnce(warn: (message: string) => void) {
  const said = new Map<string, string>();
  return {
    say: (subject: string, message: string): void => {
      if (said.get(subject) !== message) warn(message);
      said.set(subject, message);
    },
    /** Problems of other subjects are over. */
    onlyOf: (subjects: readonly string[]): void => {
      for (const subject of said.keys()) if (!subjects.includes(subject)) said.delete(subject);
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function versionOfFile(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path);
  return `${mtimeMs} ${size} ${ino}`;
}
