import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addDataKey, ensureDataKeyFile, keptDataKeys } from '../../config/data-key-file.ts';
import { dataKeyLine, newDataKey, parseDataKeys } from '../../config/data-keys.ts';
import { readEnvironment, readServerEnvironment, type Variables } from '../../config/environment.ts';
import { readDataKeys, readServerInstallation, readWorkerInstallation } from '../../config/installation.ts';
import { removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

/** The bytes 0 to 31, and the SHA-256 of them as sha256sum prints it. */
const COUNTED = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const COUNTED_ID = '630dcd2966c43366';
const OTHER = Buffer.alloc(32, 7).toString('base64');
const SECRETS = [COUNTED, OTHER];

const idsIn = (text: string): string[] => {
  const parsed = parseDataKeys(text);
  return 'keys' in parsed ? parsed.keys.all.map(({ id }) => id) : parsed.problems;
};

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    for (const secret of SECRETS) expect(message).not.toContain(secret);
    return message;
  }
  throw new Error('it was accepted');
}

describe('data keys', () => {
  test('are base64, one per line: the first is the current one, and an id is the beginning of its SHA-256', () => {
    const parsed = parseDataKeys(`${COUNTED}\n${OTHER}\n`);
    if (!('keys' in parsed)) throw new Error('the keys were refused');
    expect(parsed.keys.current.id).toBe(COUNTED_ID);
    expect([...parsed.keys.current.bytes]).toEqual([...Array(32).keys()]);
    expect(parsed.keys.all).toHaveLength(2);
    expect(parsed.keys.all[0]).toBe(parsed.keys.current);
    expect([...(parsed.keys.all[1]?.bytes ?? [])]).toEqual(Array(32).fill(7));
  });

  test('may have empty lines and line ends of other systems between them', () => {
    expect(idsIn(`\r\n${COUNTED}\r\n\r\n  ${OTHER}`)).toEqual(idsIn(`${COUNTED}\n${OTHER}`));
  });

  test.each([
    ['nothing', '', ['has no key']],
    ['31 bytes', Buffer.alloc(31).toString('base64'), ['line 1: give base64 of exactly 32 bytes']],
    ['33 bytes', Buffer.alloc(33).toString('base64'), ['line 1: give base64 of exactly 32 bytes']],
    ['hex', 'ab'.repeat(32), ['line 1: give base64 of exactly 32 bytes']],
    ['no padding', COUNTED.replace('=', ''), ['line 1: give base64 of exactly 32 bytes']],
    ['bits that the last letter has too many', COUNTED.replace('8=', '9='), ['line 1: give base64']],
    ['two keys in a line', `${COUNTED} ${OTHER}`, ['line 1: give base64']],
    ['all wrong lines', `x\n${COUNTED}\ny`, ['line 1: give base64', 'line 3: give base64']],
    ['one key twice', `${COUNTED}\n${OTHER}\n${COUNTED}`, ['line 3: is the key of line 1 again']],
  ])('are refused with %s', (_, text, beginnings) => {
    const problems = idsIn(text);
    expect(problems).toHaveLength(beginnings.length);
    for (const [index, beginning] of beginnings.entries()) expect(problems[index]).toContain(beginning);
    for (const secret of SECRETS) expect(problems.join()).not.toContain(secret);
  });

  test('that are made are 32 bytes, each another one, and read back from their line', () => {
    const [one, another] = [newDataKey(), newDataKey()];
    expect(one.bytes).toHaveLength(32);
    expect(one.id).not.toBe(another.id);
    expect(idsIn(`${dataKeyLine(one)}\n${dataKeyLine(another)}`)).toEqual([one.id, another.id]);
  });
});

describe('PAYRUN_DATA_KEY', () => {
  test('may be a file, as any secret', () => {
    const path = join(temporaryFolder(), 'keys');
    writeFileSync(path, `${COUNTED}\n${OTHER}\n`);
    const { PAYRUN_DATA_KEY: keys } = readEnvironment({ PAYRUN_DATA_KEY_FILE: path });
    expect(keys?.current.id).toBe(COUNTED_ID);
    expect(keys?.all).toHaveLength(2);
    expect(messageOf(() => readEnvironment({ PAYRUN_DATA_KEY_FILE: path, PAYRUN_DATA_KEY: COUNTED }))).toContain(
      'PAYRUN_DATA_KEY: is given twice',
    );
  });

  test('that is wrong is named with each wrong line, beside other wrong variables', () => {
    const message = messageOf(() =>
      readEnvironment({ PAYRUN_DATA_KEY: `${OTHER}x\n${COUNTED}\nz`, PAYRUN_HTTP_PORT: 'x' }),
    );
    expect(message).toContain('  PAYRUN_DATA_KEY: line 1: give base64');
    expect(message).toContain('  PAYRUN_DATA_KEY: line 3: give base64');
    expect(message).toContain('  PAYRUN_HTTP_PORT: ');
  });

  test('is not configured when it is empty, and refused when its file is', () => {
    expect(readEnvironment({ PAYRUN_DATA_KEY: '' }).PAYRUN_DATA_KEY).toBeUndefined();
    const path = join(temporaryFolder(), 'keys');
    writeFileSync(path, '\n');
    expect(messageOf(() => readEnvironment({ PAYRUN_DATA_KEY_FILE: path }))).toContain('PAYRUN_DATA_KEY: has no key');
  });
});

const SERVICES = {
  DATABASE_URL: 'postgres://127.0.0.1/payrun',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
};
const PROVIDER = {
  PAYRUN_API_URL: 'https://provider.invalid',
  PAYRUN_API_KEY: 'key',
  PAYRUN_ACCESS_KEY_ID: 'id',
  PAYRUN_SECRET_ACCESS_KEY: 'secret',
};

/** The id of the current key of a server, of a worker, and of `payrun keys`. */
function currentIds(variables: Variables, folder: string): (string | null)[] {
  return [
    readServerInstallation(readServerEnvironment(variables), folder).dataKeys,
    readWorkerInstallation(readEnvironment({ ...variables, ...(variables['DATABASE_URL'] ? PROVIDER : {}) }), folder)
      .dataKeys,
    readDataKeys(readEnvironment(variables), folder),
  ].map((keys) => keys?.current.id ?? null);
}

describe('servers, workers and payrun keys have the same keys', () => {
  test('from the environment, or none', () => {
    const folder = temporaryFolder();
    expect(currentIds({ ...SERVICES, PAYRUN_DATA_KEY: COUNTED }, folder)).toEqual([COUNTED_ID, COUNTED_ID, COUNTED_ID]);
    expect(currentIds(SERVICES, folder)).toEqual([null, null, null]);
  });

  test('from the data folder of a payrun that runs here, unless the variable is set', () => {
    const folder = temporaryFolder();
    const home = join(folder, '.payrun');
    const addresses = {
      serverDatabaseUrl: 'postgres://server@127.0.0.1:1/payrun',
      workerDatabaseUrl: 'postgres://worker@127.0.0.1:1/payrun',
      temporalAddress: '127.0.0.1:1',
      sandboxUrl: 'http://127.0.0.1:1',
    };
    writeRunningInstance(home, addresses, Date.now);
    onTestFinished(() => removeRunningInstance(home));
    expect(currentIds({}, folder)).toEqual([null, null, null]);
    ensureDataKeyFile(home);
    const kept = keptDataKeys(home)?.current.id;
    expect(currentIds({}, folder)).toEqual([kept, kept, kept]);
    expect(currentIds({ PAYRUN_DATA_KEY: COUNTED }, folder)).toEqual([COUNTED_ID, COUNTED_ID, COUNTED_ID]);
    // An installation of one's own has nothing of the one that runs here.
    expect(currentIds(SERVICES, folder)).toEqual([null, null, null]);
  });
});

describe('the key file of a data folder', () => {
  test('is made once, readable by its owner alone, and kept', () => {
    const home = join(temporaryFolder(), 'new', 'home');
    expect(keptDataKeys(home)).toBeNull();
    const path = ensureDataKeyFile(home);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(idsIn(text)).toEqual([keptDataKeys(home)?.current.id]);
    expect(ensureDataKeyFile(home)).toBe(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(home)).toEqual(['data-key']);
  });

  test.each([
    ['is empty', '', 'has no key'],
    ['is wrong', `${OTHER}\nbroken\n`, 'line 2: give base64'],
  ])('that %s is named, and never replaced', (_, text, problem) => {
    const home = temporaryFolder();
    const path = join(home, 'data-key');
    writeFileSync(path, text);
    expect(messageOf(() => ensureDataKeyFile(home))).toContain(`${path}: ${problem}`);
    expect(messageOf(() => keptDataKeys(home))).toContain(`${path}: ${problem}`);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('that cannot be read is named, and never replaced', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'data-key'));
    expect(messageOf(() => ensureDataKeyFile(home))).toContain('data-key: the data keys cannot be read (EISDIR)');
  });
});

describe('a new key', () => {
  test('is put in front of the former ones', () => {
    const path = join(temporaryFolder(), 'keys');
    const first = addDataKey(path);
    expect(first.former).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    const second = addDataKey(path);
    expect(second.former.map(({ id }) => id)).toEqual([first.key.id]);
    expect(idsIn(readFileSync(path, 'utf8'))).toEqual([second.key.id, first.key.id]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('stays the owner’s of the file, also when another user adds it', ({ skip }) => {
    if (process.getuid?.() !== 0) skip();
    const [uid, gid] = [65_534, 65_533];
    const path = join(temporaryFolder(), 'keys');
    writeFileSync(path, `${COUNTED}\n`);
    chownSync(path, uid, gid);
    addDataKey(path);
    expect(statSync(path)).toMatchObject({ uid, gid });
  });

  test('is written into the file that a link names', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'keys'), `${COUNTED}\n`);
    symlinkSync(join(folder, 'keys'), join(folder, 'link'));
    const { key } = addDataKey(join(folder, 'link'));
    expect(idsIn(readFileSync(join(folder, 'keys'), 'utf8'))).toEqual([key.id, COUNTED_ID]);
  });

  test('is not written into a wrong file, or beside another writer, which loses nothing', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'keys');
    writeFileSync(path, `${COUNTED}\nbroken\n`);
    expect(messageOf(() => addDataKey(path))).toContain(`${path}: line 2: give base64`);
    expect(readdirSync(folder)).toEqual(['keys']);
    writeFileSync(path, `${COUNTED}\n`);
    writeFileSync(`${path}.new`, 'of the other writer');
    expect(messageOf(() => addDataKey(path))).toContain('another process is writing this file');
    expect(readFileSync(`${path}.new`, 'utf8')).toBe('of the other writer');
    expect(idsIn(readFileSync(path, 'utf8'))).toEqual([COUNTED_ID]);
    rmSync(`${path}.new`);
    expect(messageOf(() => addDataKey(join(folder, 'nowhere', 'keys')))).toContain(
      'no file can be written there (ENOENT)',
    );
  });
});
