import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireInstanceLock, tryLock } from '../../local/embedded/lock-file.ts';
import { ownIdentity } from '../../config/process-identity.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a second payrun on the same home is refused, naming the process that holds it', () => {
  const home = temporaryFolder();
  const lock = acquireInstanceLock(home);
  expect(() => acquireInstanceLock(home)).toThrow(`payrun already runs on ${home} (process ${process.pid})`);
  lock.release();
});

test('a released home can be locked again, and no file is left in it', () => {
  const home = temporaryFolder();
  acquireInstanceLock(home).release();
  acquireInstanceLock(home).release();
  expect(readdirSync(home)).toEqual([]);
});

test('the lock of an ended process is taken over, even if its process number is in use again', () => {
  const path = join(temporaryFolder(), 'a.lock');
  writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: 'an earlier process' }));
  expect(tryLock(path).held).toBe(true);
  expect(tryLock(path)).toEqual({ held: false, heldBy: ownIdentity() });
});

test('an unreadable lock file is taken over', () => {
  const path = join(temporaryFolder(), 'a.lock');
  writeFileSync(path, '');
  expect(tryLock(path).held).toBe(true);
});

test('an interrupted takeover does not block the next one', () => {
  const path = join(temporaryFolder(), 'a.lock');
  for (const file of [path, `${path}.takeover`]) writeFileSync(file, JSON.stringify({ pid: 1, startedAt: 'gone' }));
  expect(tryLock(path).held).toBe(true);
  expect(existsSync(`${path}.takeover`)).toBe(false);
});

test('a late release does not remove the lock of the next holder', () => {
  const path = join(temporaryFolder(), 'a.lock');
  const attempt = tryLock(path);
  const next = JSON.stringify({ pid: 1, startedAt: 'the next holder' });
  writeFileSync(path, next);
  if (attempt.held) attempt.release();
  expect(existsSync(path)).toBe(true);
});
