import { stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

const LOOK_EVERY_MS = 2_000;

/**
 * Takes up accounts that are added to the accounts file while payrun runs. `accounts` is the list in force: a new account
 * is appended once `add` has resolved. An account that was changed or removed stays as it is until the next start, and a
 * file that is wrong changes nothing: each is said once for every change of the file.
 *
 * @param read the file as it is now; may throw ConfigurationError
 * @returns stops the watching
 */
export function watchAccounts<T extends { name: string }>(options: {
  path: string;
  accounts: T[];
  read: () => T[];
  add: (account: T) => Promise<void>;
  info: (message: string) => void;
  warn: (message: string) => void;
  lookEveryMs?: number;
}): () => void {
  const { path, accounts, info, warn } = options;
  let seen: string | null = null;
  let said = '';
  let isBusy = false;
  const look = async (): Promise<void> => {
    const version = await versionOf(path);
    if (version === seen) return;
    const now = options.read();
    for (const account of now) {
      const known = accounts.find(({ name }) => name === account.name);
      if (known === undefined) {
        await options.add(account);
        accounts.push(account);
        info(`account ${account.name} was added`);
      } else if (!isDeepStrictEqual(known, account)) {
        warn(`account ${account.name} was changed in ${path}: start payrun again for it to take effect`);
      }
    }
    for (const { name } of accounts) {
      if (now.some((account) => account.name === name)) continue;
      warn(`account ${name} was removed from ${path}: it is used until payrun is started again`);
    }
    seen = version;
    said = '';
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    look()
      .catch((error: unknown) => {
        // It is tried again at every look, and the same trouble is said once.
        const message = error instanceof Error ? error.message : String(error);
        if (message !== said) warn(`the accounts file was changed, and not all of it can be taken up: ${message}`);
        said = message;
      })
      .finally(() => {
        isBusy = false;
      });
  }, options.lookEveryMs ?? LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function versionOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path);
  return `${mtimeMs} ${size} ${ino}`;
}
