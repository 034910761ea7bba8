import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRunningInstance, removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const now = (): number => Date.UTC(2026, 0, 2);

test('others find the running instance with its addresses', () => {
  const home = temporaryFolder();
  writeRunningInstance(home, { serverUrl: 'http://127.0.0.1:8700', workerLog: 'worker.log' }, now);
  expect(findRunningInstance([temporaryFolder(), home])).toEqual({
    home,
    pid: process.pid,
    startedAt: '2026-01-02T00:00:00.000Z',
    addresses: { serverUrl: 'http://127.0.0.1:8700', workerLog: 'worker.log' },
  });
});

test('the record, which holds the password of the database, is readable by its owner alone', () => {
  const home = temporaryFolder();
  writeRunningInstance(home, { databaseUrl: 'postgres://…' }, now);
  expect(statSync(join(home, 'services.json')).mode & 0o777).toBe(0o600);
});

test('a record left by a killed instance does not count, even when its process number is in use again', () => {
  const home = temporaryFolder();
  writeRunningInstance(home, {}, now);
  const path = join(home, 'services.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...record, processStartedAt: 'earlier' }));
  expect(findRunningInstance([home])).toBeUndefined();
});

test('a stopping instance removes its own record and nobody else’s', () => {
  const home = temporaryFolder();
  const path = join(home, 'services.json');
  writeRunningInstance(home, {}, now);
  removeRunningInstance(home);
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, JSON.stringify({ pid: 1, processStartedAt: 'x', startedAt: 'x', addresses: {} }));
  removeRunningInstance(home);
  expect(existsSync(path)).toBe(true);
});
