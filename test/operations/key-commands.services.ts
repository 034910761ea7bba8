import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ensureDataKeyFile, keptDataKeys } from '../../config/data-key-file.ts';
import { removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../helpers/test-database.ts';
import { caseKeyName, wrapKey } from '../../store/personal-data/key-wrapping.ts';
import { newKey } from '../../store/personal-data/encryption.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { payrun } from './key-command-line.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
beforeEach(() => testDatabase.database.query('truncate case_keys, data_secrets'));

interface Key {
  id: string;
  line: string;
}

function aKey(): Key {
  const bytes = randomBytes(32);
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), line: bytes.toString('base64') };
}

async function aCaseOf({ id, line }: Key, caseId = randomUUID() as string): Promise<void> {
  const dataKey = { id, bytes: Buffer.from(line, 'base64') };
  const { wrapped } = wrapKey({ current: dataKey, all: [dataKey] }, caseKeyName(caseId), newKey());
  await testDatabase.database.query('insert into case_keys (case_id, wrapped, wrapped_by) values ($1, $2, $3)', [
    caseId,
    wrapped,
    id,
  ]);
}

const asOwner = (...keys: Key[]) => ({
  cwd: temporaryFolder(),
  env: {
    PAYRUN_OWNER_DATABASE_URL: testDatabase.url,
    ...(keys.length === 0 ? {} : { PAYRUN_DATA_KEY: keys.map(({ line }) => line).join('\n') }),
  },
});

describe('keys check', () => {
  test('lists the configured keys with what they wrap', async () => {
    const [former, current] = [aKey(), aKey()];
    await aCaseOf(former);
    await aCaseOf(former);
    const { code, stdout } = await payrun(['keys', 'check', '--json'], asOwner(current, former));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      keys: [
        { id: current.id, configured: 'current', cases: 0, runs: 0, secrets: 0, endpoints: 0, totps: 0 },
        { id: former.id, configured: 'former', cases: 2, runs: 0, secrets: 0, endpoints: 0, totps: 0 },
      ],
    });
  });

  test('names a key that is missing, with exit code 2 and one JSON document', async () => {
    const [lost, current] = [aKey(), aKey()];
    await aCaseOf(lost);
    const { code, stdout, stderr } = await payrun(['keys', 'check'], asOwner(current));
    expect(code).toBe(2);
    expect(stdout).toMatch(new RegExp(`^${lost.id} +MISSING +1 +0 +0 +0 +0$`, 'm'));
    expect(stderr).toContain(`data key ${lost.id} is not configured: the personal data of 1 case cannot be read`);
    const json = await payrun(['keys', 'check', '--json'], asOwner());
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toEqual({
      keys: [{ id: lost.id, configured: null, cases: 1, runs: 0, secrets: 0, endpoints: 0, totps: 0 }],
    });
  });

  test('says that nothing is encrypted, and works with the login of a process', async () => {
    expect(await payrun(['keys', 'check'], asOwner())).toMatchObject({
      code: 0,
      stdout: 'No data key is configured, and none is needed: nothing is encrypted.\n',
    });
    const { cwd } = asOwner();
    const env = { DATABASE_URL: testDatabase.serverUrl, PAYRUN_DATA_KEY: aKey().line };
    expect((await payrun(['keys', 'check'], { cwd, env })).code).toBe(0);
  });

  test('says that the database must be migrated first', async () => {
    const name = `unmigrated_${randomBytes(6).toString('hex')}`;
    await onServer(testDatabase.url, `create database ${name}`);
    onTestFinished(() => onServer(testDatabase.url, `drop database ${name} with (force)`));
    const url = Object.assign(new URL(testDatabase.url), { pathname: `/${name}` }).href;
    const env = { PAYRUN_OWNER_DATABASE_URL: url };
    const { code, stderr } = await payrun(['keys', 'check'], { cwd: temporaryFolder(), env });
    expect(code).toBe(2);
    expect(stderr).toContain("run 'payrun migrate' first");
  });
});

describe('keys rotate', () => {
  test('rewraps everything, and names the keys that are no longer needed', async () => {
    const [former, current] = [aKey(), aKey()];
    await aCaseOf(former);
    await aCaseOf(current);
    const { code, stdout } = await payrun(['keys', 'rotate'], asOwner(current, former));
    expect(code).toBe(0);
    expect(stdout).toContain(`1 key of cases, runs and secrets rewrapped; data key ${current.id} wraps 2 now.`);
    expect(stdout).toContain(`No longer needed: ${former.id}. First back up`);
    const again = await payrun(['keys', 'rotate', '--json'], asOwner(current));
    expect(JSON.parse(again.stdout)).toEqual({
      key: current.id,
      rewrapped: 0,
      current: 2,
      unreadable: [],
      noLongerNeeded: [],
    });
  });

  test('says what it could not read, with exit code 3, and keeps the former key', async () => {
    const [lost, former, current] = [aKey(), aKey(), aKey()];
    await aCaseOf(lost);
    await aCaseOf(former);
    await aCaseOf(former, '00000000-0000-5000-8000-00000000000a');
    await testDatabase.database.query(
      `update case_keys set wrapped = set_byte(wrapped, 30, get_byte(wrapped, 30) # 1)
       where case_id = '00000000-0000-5000-8000-00000000000a'`,
    );
    const { code, stdout } = await payrun(['keys', 'rotate'], asOwner(current, former));
    expect(code).toBe(3);
    expect(stdout).toContain(`1 key wrapped by ${lost.id} could not be read: that data key is not configured.`);
    expect(stdout).toContain(`1 key wrapped by ${former.id} could not be read: damaged, or exchanged.`);
    expect(stdout).not.toContain('No longer needed');
  });

  test('is refused with the login of a process, which may not change what is wrapped', async () => {
    const [former, current] = [aKey(), aKey()];
    await aCaseOf(former);
    const env = { DATABASE_URL: testDatabase.workerUrl, PAYRUN_DATA_KEY: `${current.line}\n${former.line}` };
    const { code, stderr } = await payrun(['keys', 'rotate'], { cwd: temporaryFolder(), env });
    expect(code).toBe(2);
    expect(stderr).toContain('set PAYRUN_OWNER_DATABASE_URL to the database, as its owner');
  });

  test('of a payrun that runs here uses its database and its key file', async () => {
    const folder = temporaryFolder();
    const home = join(folder, '.payrun');
    mkdirSync(join(home, 'postgres'), { recursive: true });
    const { username, password } = new URL(testDatabase.url);
    // Its owner has this name.
    expect(username).toBe('payrun');
    writeFileSync(join(home, 'postgres', 'postgres-password'), `${password}\n`);
    writeRunningInstance(home, { workerDatabaseUrl: testDatabase.workerUrl }, Date.now);
    onTestFinished(() => removeRunningInstance(home));
    const file = ensureDataKeyFile(home);
    const former = keptDataKeys(home)!.current;
    await aCaseOf({ id: former.id, line: Buffer.from(former.bytes).toString('base64') });
    expect((await payrun(['keys', 'new', '--file', file], { cwd: folder })).code).toBe(0);
    const { code, stdout } = await payrun(['keys', 'rotate', '--json'], { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      key: keptDataKeys(home)?.current.id,
      rewrapped: 1,
      noLongerNeeded: [former.id],
    });
  });
});
