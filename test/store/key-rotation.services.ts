import { createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DataKey, DataKeys } from '../../domain/personal-data/data-keys.ts';
import { readOrCreateSecret } from '../../store/personal-data/data-secrets.ts';
import { countByKey, reportMissingKeys, rewrapAll } from '../../store/personal-data/key-rotation.ts';
import { caseKeyName, DataKeyMissing, unwrapKey, wrapKey } from '../../store/personal-data/key-wrapping.ts';
import { newKey } from '../../store/personal-data/encryption.ts';
import { createTestDatabase, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
beforeEach(() => testDatabase.database.query('truncate case_keys, data_secrets'));

function aDataKey(): DataKey {
  const bytes = randomBytes(32);
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes };
}

const keysOf = (current: DataKey, ...former: DataKey[]): DataKeys => ({ current, all: [current, ...former] });

/** More than two batches. */
const MANY = 1_100;

/** Stores the keys of so many cases, wrapped by a data key. Returns them by case. */
async function storedCases(dataKey: DataKey, count: number): Promise<Map<string, Buffer>> {
  const keys = new Map(Array.from({ length: count }, () => [randomUUID() as string, newKey()] as const));
  const wrapped = [...keys].map(([caseId, key]) => wrapKey(keysOf(dataKey), caseKeyName(caseId), key).wrapped);
  await testDatabase.database.query(
    `insert into case_keys (case_id, wrapped, wrapped_by)
     select case_id, wrapped, $3 from unnest($1::uuid[], $2::bytea[]) as given (case_id, wrapped)`,
    [[...keys.keys()], wrapped, dataKey.id],
  );
  return keys;
}

/** The keys of the cases as another program reads them with one data key; null: it does not open. */
async function readElsewhere(dataKey: DataKey): Promise<Map<string, string | null>> {
  const { rows } = await testDatabase.database.query<{ caseId: string; wrapped: Buffer }>(
    'select case_id as "caseId", wrapped from case_keys',
  );
  return new Map(
    rows.map(({ caseId, wrapped }) => {
      const decipher = createDecipheriv('aes-256-gcm', dataKey.bytes, wrapped.subarray(0, 12));
      decipher.setAuthTag(wrapped.subarray(12, 28)).setAAD(Buffer.from(`case ${caseId}`));
      try {
        return [caseId, Buffer.concat([decipher.update(wrapped.subarray(28)), decipher.final()]).toString('hex')];
      } catch {
        return [caseId, null];
      }
    }),
  );
}

const inHex = (keys: Map<string, Buffer>) => new Map([...keys].map(([caseId, key]) => [caseId, key.toString('hex')]));

describe('a rotation', () => {
  test('wraps every key with the current data key, and the former one is no longer needed', async () => {
    const { database } = testDatabase;
    const [former, current] = [aDataKey(), aDataKey()];
    const cases = await storedCases(former, MANY);
    const secret = await readOrCreateSecret(database, keysOf(former), 'mail-index');
    expect(await countByKey(database)).toEqual([
      { wrappedBy: former.id, cases: MANY, runs: 0, openRunSince: null, secrets: 1, endpoints: 0, totps: 0 },
    ]);

    const keys = keysOf(current, former);
    expect(await rewrapAll(database, keys)).toEqual({ rewrapped: MANY + 1, current: MANY + 1, unreadable: [] });
    expect(await readElsewhere(current)).toEqual(inHex(cases));
    expect(await countByKey(database)).toEqual([
      { wrappedBy: current.id, cases: MANY, runs: 0, openRunSince: null, secrets: 1, endpoints: 0, totps: 0 },
    ]);
    expect((await readOrCreateSecret(database, keysOf(current), 'mail-index')).equals(secret)).toBe(true);

    expect(await rewrapAll(database, keys)).toEqual({ rewrapped: 0, current: MANY + 1, unreadable: [] });
  });

  test('gathers what several former data keys wrap', async () => {
    const [oldest, former, current] = [aDataKey(), aDataKey(), aDataKey()];
    const cases = new Map([
      ...(await storedCases(oldest, 3)),
      ...(await storedCases(former, 2)),
      ...(await storedCases(current, 1)),
    ]);
    const done = await rewrapAll(testDatabase.database, keysOf(current, former, oldest));
    expect(done).toEqual({ rewrapped: 5, current: 6, unreadable: [] });
    expect(await readElsewhere(current)).toEqual(inHex(cases));
  });

  test('leaves what it cannot read as it is, and says how much, by data key', async () => {
    const { database } = testDatabase;
    const [lost, former, current] = [aDataKey(), aDataKey(), aDataKey()];
    const unreadable = await storedCases(lost, 3);
    const [exchanged = '', other = '', fine = ''] = (await storedCases(former, 3)).keys();
    await database.query(
      `update case_keys set wrapped = (select wrapped from case_keys where case_id = $2) where case_id = $1`,
      [exchanged, other],
    );
    const done = await rewrapAll(database, keysOf(current, former));
    expect(done).toMatchObject({ rewrapped: 2, current: 2 });
    expect(new Map(done.unreadable.map(({ wrappedBy, count }) => [wrappedBy, count]))).toEqual(
      new Map([
        [former.id, 1],
        [lost.id, 3],
      ]),
    );
    const read = await readElsewhere(current);
    expect([read.get(exchanged), read.get(other) === null, read.get(fine) === null]).toEqual([null, false, false]);
    // The lost key is found again.
    expect(await rewrapAll(database, keysOf(current, lost))).toMatchObject({ rewrapped: 3, current: 5 });
    for (const [caseId, key] of inHex(unreadable)) expect((await readElsewhere(current)).get(caseId)).toBe(key);
  });

  test('brings nothing back that is erased meanwhile', async () => {
    const { database } = testDatabase;
    const [former, current] = [aDataKey(), aDataKey()];
    const cases = [...(await storedCases(former, 4)).keys()];
    const eraser = await database.connect();
    await eraser.query('begin');
    await eraser.query('delete from case_keys where case_id = $1', [cases[0]]);
    const rotation = rewrapAll(database, keysOf(current, former));
    await untilWaiting(database);
    await eraser.query('commit');
    eraser.release();
    expect(await rotation).toEqual({ rewrapped: 3, current: 3, unreadable: [] });
    expect([...(await readElsewhere(current)).keys()].sort()).toEqual(cases.slice(1).sort());
  });

  test('leaves out nothing that is added under a former data key meanwhile', async () => {
    const { database } = testDatabase;
    const [former, current] = [aDataKey(), aDataKey()];
    const cases = await storedCases(former, MANY);
    const [first = ''] = [...cases.keys()].sort();
    const holder = await database.connect();
    await holder.query('begin');
    await holder.query('select from case_keys where case_id = $1 for update', [first]);
    const rotation = rewrapAll(database, keysOf(current, former));
    await untilWaiting(database);
    // Before the first batch by its id, so that only a further pass finds it.
    const added = '00000000-0000-5000-8000-000000000001';
    const { wrapped, wrappedBy } = wrapKey(keysOf(former), caseKeyName(added), newKey());
    await database.query('insert into case_keys (case_id, wrapped, wrapped_by) values ($1, $2, $3)', [
      added,
      wrapped,
      wrappedBy,
    ]);
    await holder.query('commit');
    holder.release();
    expect(await rotation).toEqual({ rewrapped: MANY + 1, current: MANY + 1, unreadable: [] });
  });

  test('leaves what another data key wraps by now, and two at the same time wrap everything', async () => {
    const { database } = testDatabase;
    const [former, current] = [aDataKey(), aDataKey()];
    const cases = await storedCases(former, MANY);
    const done = await Promise.all([1, 2, 3].map(() => rewrapAll(database, keysOf(current, former))));
    expect(done.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(MANY);
    for (const { unreadable } of done) expect(unreadable).toEqual([]);
    expect(await readElsewhere(current)).toEqual(inHex(cases));
  });
});

describe('a secret of the installation', () => {
  test('is the same for all who ask at the same time, and another one for each name', async () => {
    const { database } = testDatabase;
    const keys = keysOf(aDataKey());
    const secrets = await Promise.all(
      Array.from({ length: 8 }, () => readOrCreateSecret(database, keys, 'mail-index')),
    );
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
    expect(secrets[0]).toHaveLength(32);
    expect((await readOrCreateSecret(database, keys, 'other')).equals(secrets[0]!)).toBe(false);
    const { rows } = await database.query<{ wrapped: Buffer }>('select wrapped from data_secrets');
    for (const { wrapped } of rows) expect(wrapped.includes(secrets[0]!)).toBe(false);
  });

  test('is never made a second time because its data key is missing', async () => {
    const { database } = testDatabase;
    const lost = aDataKey();
    const secret = await readOrCreateSecret(database, keysOf(lost), 'mail-index');
    await expect(readOrCreateSecret(database, keysOf(aDataKey()), 'mail-index')).rejects.toThrow(DataKeyMissing);
    expect((await readOrCreateSecret(database, keysOf(lost), 'mail-index')).equals(secret)).toBe(true);
  });
});

describe('a process that starts', () => {
  async function said(keys: DataKeys | null, database = testDatabase.database) {
    const lines: string[][] = [];
    await reportMissingKeys(database, keys, {
      log: { error: (line) => lines.push(['error', line]), warn: (line) => lines.push(['warn', line]) },
      print: (line) => lines.push(['print', line]),
    });
    return lines;
  }

  test('names the data keys that are missing, and how many cases cannot be read', async () => {
    const [lost, current] = [aDataKey(), aDataKey()];
    await storedCases(lost, 2);
    await storedCases(current, 1);
    const lines = await said(keysOf(current));
    expect(lines.map(([how]) => how)).toEqual(['error', 'print']);
    for (const [, line = ''] of lines) {
      expect(line).toContain(
        `data key ${lost.id} is not configured: the personal data of 2 cases cannot be read. Restore it`,
      );
      expect(line).not.toContain(current.id);
      expect(line).not.toContain(Buffer.from(current.bytes).toString('base64'));
    }
    expect((await said(null)).at(1)?.[1]).toContain('the personal data of 3 cases cannot be read');
  });

  test('says nothing when all are configured, or nothing was ever encrypted', async () => {
    expect(await said(null)).toEqual([]);
    const [former, current] = [aDataKey(), aDataKey()];
    await storedCases(former, 1);
    expect(await said(keysOf(current, former))).toEqual([]);
  });

  test('may count with the logins of server and worker, which may not change what is wrapped', async () => {
    const lost = aDataKey();
    const [caseId = ''] = (await storedCases(lost, 1)).keys();
    for (const login of [testDatabase.asServer, testDatabase.asWorker]) {
      expect((await said(null, login)).map(([how]) => how)).toEqual(['error', 'print']);
      await expect(login.query('update case_keys set wrapped_by = $1', ['x'])).rejects.toThrow('permission denied');
      await expect(login.query('delete from case_keys where case_id = $1', [caseId])).rejects.toThrow(
        'permission denied',
      );
    }
  });

  test('starts also when the keys cannot be counted', async () => {
    const broken = { query: () => Promise.reject(new Error('connection lost')) } as never;
    expect((await said(null, broken)).map(([how]) => how)).toEqual(['warn']);
  });
});

test('keys of two cases that were exchanged in the database are refused', async () => {
  const { database } = testDatabase;
  const keys = keysOf(aDataKey());
  const [one = '', another = ''] = (await storedCases(keys.current, 2)).keys();
  await database.query(
    `update case_keys set wrapped = other.wrapped from case_keys as other
     where (case_keys.case_id, other.case_id) in (($1, $2), ($2, $1))`,
    [one, another],
  );
  const { rows } = await database.query<{ caseId: string; wrapped: Buffer; wrappedBy: string }>(
    'select case_id as "caseId", wrapped, wrapped_by as "wrappedBy" from case_keys',
  );
  expect(rows).toHaveLength(2);
  for (const { caseId, ...stored } of rows) {
    expect(() => unwrapKey(keys, caseKeyName(caseId), stored)).toThrow('was exchanged');
  }
});
