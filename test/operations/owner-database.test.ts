import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from '../../config/environment.ts';
import { writeRunningInstance } from '../../config/running-instance.ts';
import { ownerDatabase } from '../../operations/owner-database.ts';

/** Which database commands of its owner use, and what they say where there is none. */

const PROVIDER = {
  PAYRUN_API_URL: 'https://api.provider.example',
  PAYRUN_API_KEY: 'key',
  PAYRUN_ACCESS_KEY_ID: 'id',
  PAYRUN_SECRET_ACCESS_KEY: 'secret',
};

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-owner-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A folder from which a payrun runs, with its own database. */
function aRunningPayrun(): string {
  const folder = aFolder();
  const home = join(folder, '.payrun');
  mkdirSync(join(home, 'postgres'), { recursive: true });
  writeFileSync(join(home, 'postgres', 'postgres-password'), 'owners-own\n');
  writeRunningInstance(home, { workerDatabaseUrl: 'postgres://worker:secret@127.0.0.1:5555/payrun' }, Date.now);
  return folder;
}

const of = (variables: Record<string, string>, folder: string): string =>
  ownerDatabase(readEnvironment(variables), folder);

test.each([
  ['without variables', {}],
  ["with the provider's variables, which name no database", PROVIDER],
])('is that of the payrun that runs here, %s', (_what, variables) => {
  expect(of(variables, aRunningPayrun())).toBe('postgres://payrun:owners-own@127.0.0.1:5555/payrun');
});

test('is never that of the payrun that runs here if another one is named, and says so', () => {
  const folder = aRunningPayrun();
  expect(() => of({ ...PROVIDER, DATABASE_URL: 'postgres://127.0.0.1:1/other' }, folder)).toThrow(
    'DATABASE_URL is set, so the database of a payrun that runs here is not taken: set PAYRUN_OWNER_DATABASE_URL as well, or unset it',
  );
  const given = { PAYRUN_OWNER_DATABASE_URL: 'postgres://127.0.0.1:1/owned' };
  expect(of(given, folder)).toBe(given.PAYRUN_OWNER_DATABASE_URL);
});

test('is none if no payrun runs here, and says so', () => {
  for (const variables of [{}, PROVIDER])
    expect(() => of(variables, aFolder())).toThrow('no payrun is running from this folder');
});
