import {
  closeSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { DataKey, DataKeys } from '../domain/personal-data/data-keys.ts';
import { ConfigurationError } from './configuration-error.ts';
import { dataKeyLine, newDataKey, parseDataKeys } from './data-keys.ts';

/**
 * Files of data keys, readable by their owner alone. Whoever loses such a key loses the personal data, so a file is on the
 * disk before its key is used, and none is ever replaced because it could not be read.
 */

/** In the data folder of `payrun up`. */
const FILE_NAME = 'data-key';

/** The keys that the data folder has. Null: it has none. @throws ConfigurationError when they cannot be read or are wrong */
export function keptDataKeys(home: string): DataKeys | null {
  return readKeyFile(join(home, FILE_NAME));
}

/** Those keys, for a process that goes on running: it learns the keys that are added to the file meanwhile. */
export function watchedDataKeys(home: string): DataKeys | null {
  const kept = keptDataKeys(home);
  return kept === null ? null : rereadable(kept, join(home, FILE_NAME));
}

/**
 * Keys that come from this file, and that can be read again from there. What the process knows it keeps, also when the file
 * is wrong or gone by then: it needs the former keys until everything is rewrapped.
 */
export function rereadable(read: DataKeys, path: string): DataKeys {
  const keys: DataKeys = {
    ...read,
    reread: () => {
      const now = keysNow(path);
      if (now === null) return;
      const former = keys.all.filter(({ id }) => !now.all.some((key) => key.id === id));
      keys.current = now.current;
      keys.all = [...now.all, ...former];
    },
  };
  return keys;
}

function keysNow(path: string): DataKeys | null {
  try {
    return readKeyFile(path);
  } catch {
    return null;
  }
}

/** The path of the data folder's key file, which is made with a new key if there is none. @throws ConfigurationError */
export function ensureDataKeyFile(home: string): string {
  const path = join(home, FILE_NAME);
  if (readKeyFile(path) !== null) return path;
  mkdirSync(home, { recursive: true });
  const draft = `${path}.${process.pid}.part`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeToDisk(file, [newDataKey()]);
    // Unlike a rename, a link never takes the place of a file that another process has made meanwhile.
    linkSync(draft, path);
    syncFolder(home);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
  return path;
}

/**
 * Puts a new key in front of those that the file has, or makes the file. It stays its owner's.
 * @throws ConfigurationError when the file is wrong, cannot be written, or is being written by another process
 */
export function addDataKey(given: string): { key: DataKey; former: readonly DataKey[] } {
  const path = targetOf(given);
  const draft = `${path}.new`;
  const file = openDraft(draft, path);
  try {
    const key = newDataKey();
    const former = readKeyFile(path)?.all ?? [];
    if (former.length > 0) keepOwner(file, path);
    writeToDisk(file, [key, ...former]);
    renameSync(draft, path);
    syncFolder(dirname(path));
    return { key, former };
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function readKeyFile(path: string): DataKeys | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new ConfigurationError(`${path}: the data keys cannot be read (${codeOf(error)})`);
  }
  const parsed = parseDataKeys(text);
  if ('keys' in parsed) return parsed.keys;
  throw new ConfigurationError(parsed.problems.map((problem) => `${path}: ${problem}`).join('\n'));
}

/** Secrets are often links: the file behind it is replaced, and not the link. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Only one process at a time has the draft, so that none loses a key that another one adds. */
function openDraft(draft: string, path: string): number {
  try {
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    throw new ConfigurationError(
      codeOf(error) === 'EEXIST'
        ? `${draft}: another process is writing this file; if none is, remove it`
        : `${path}: no file can be written there (${codeOf(error)})`,
    );
  }
}

/** As root, a file would become root's, and the process that uses it could not read it. */
function keepOwner(file: number, path: string): void {
  const { uid, gid } = statSync(path);
  try {
    fchownSync(file, uid, gid);
  } catch {
    throw new ConfigurationError(`${path}: belongs to another user: run this command as that user`);
  }
}

/** Afterwards a crash of the machine does not lose them. */
function writeToDisk(file: number, keys: readonly DataKey[]): void {
  writeFileSync(file, keys.map((key) => `${dataKeyLine(key)}\n`).join(''));
  fsyncSync(file);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
