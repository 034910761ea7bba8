import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendAudit } from '../../store/audit/audit.ts';
import { chainAudit } from '../../store/audit/audit-chaining.ts';
import { verifyAudit } from '../../store/audit/audit-verification.ts';
import { inTransaction, type Queryable } from '../../store/database/database.ts';
import { addRun, addRunAs } from '../../store/runs/add-run.ts';
import { readEarlierSubmission } from '../../store/runs/duplicates.ts';
import { rowsToStore } from '../helpers/rows-to-store.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';

let testDatabase: TestDatabase;
let mia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  mia = await aUser(testDatabase, 'Mia', 'maker');
});
afterAll(() => testDatabase.drop());

async function aFile(fileSha256: string = randomUUID()) {
  const key = (await payeesIn(testDatabase.database)).newRunKey(randomUUID());
  return {
    ...{ key, account: ACCOUNT, fileName: 'a.csv', fileSha256, submissionSha256: null, decideWithinMs: 86_400_000 },
    header: { names: [], hasByteOrderMark: false, sheetName: null },
    ...rowsToStore(key, []),
  };
}

type File = Awaited<ReturnType<typeof aFile>>;

/** A run whose rows are being stored until it is told to end. */
async function storing(file: File): Promise<{ end: () => Promise<unknown> }> {
  const gate = new EventEmitter();
  async function* rows() {
    const ended = once(gate, 'end');
    gate.emit('begun');
    await ended;
    yield* file.rows;
  }
  const begun = once(gate, 'begun');
  const added = addRun(testDatabase.asServer, mia.tokenHash, { ...file, rows: rows() });
  await Promise.race([begun, added]);
  return {
    end: () => {
      gate.emit('end');
      return added;
    },
  };
}

async function notesOf({ key: { runId } }: File) {
  const { rows } = await testDatabase.database.query(
    `select actor, detail from audit_entries where run_id = $1 and kind = 'run_submitted'`,
    [runId],
  );
  return rows as unknown[];
}

test('the audit trail is chained while the rows of a run are stored, and the run is noted at the end', async () => {
  const { asServer, database } = testDatabase;
  const file = await aFile();
  const { end } = await storing(file);
  await appendAudit(database, { actor: 'worker', kind: 'meanwhile' });
  await chainAudit(asServer);
  expect(await verifyAudit(database, null)).toMatchObject({ unchained: 0 });
  await end();
  expect(await notesOf(file)).toEqual([
    { actor: mia.userId, detail: expect.objectContaining({ rows: 0, fileSha256: file.fileSha256 }) as unknown },
  ]);
});

test('a run of a file that is refused at its end is neither stored nor noted', async () => {
  const file = await aFile();
  expect(await addRun(testDatabase.asServer, mia.tokenHash, { ...file, end: () => null })).toBe('refused_file');
  expect(await notesOf(file)).toEqual([]);
});

test('a run is noted whatever its server does, and has no more rows after its note', async () => {
  const file = await aFile();
  const adding = (more: string) =>
    inTransaction(testDatabase.asServer, async (transaction) => {
      await addRunAs(transaction, mia.tokenHash, file);
      await transaction.query(more);
      await addARow(transaction, file);
    });
  await expect(adding('set constraints all immediate')).rejects.toThrow('is added together with it, and never after');
  await adding('select');
  expect(await notesOf(file)).toHaveLength(1);
});

async function addARow(transaction: Queryable, { key: { runId } }: File): Promise<void> {
  const instruction = { amount: '1', amountSide: 'sell', sellCurrency: 'USD', buyCurrency: 'GBP' };
  await transaction.query(
    `insert into payments (payment_id, run_id, account, row_number, line, row_ref, state, instruction, row_hash, amount, amount_side, sell_currency, buy_currency)
     values (gen_random_uuid(), $1, $2, 1, 2, 'a', 'ready', $3, 'x', 1, 'sell', 'USD', 'GBP')`,
    [runId, ACCOUNT, JSON.stringify(instruction)],
  );
}

const submittedBefore = ({ key: { runId } }: File) => readEarlierSubmission(testDatabase.database, runId);

test('of equal files that are stored at the same time, the one that is there last says that the other was submitted', async () => {
  const [slow, quick] = [await aFile('equal'), await aFile('equal')];
  const { end } = await storing(slow);
  await addRun(testDatabase.asServer, mia.tokenHash, quick);
  expect(await submittedBefore(quick)).toBeNull();
  await end();
  expect(await submittedBefore(slow)).not.toBeNull();
  expect(await submittedBefore(quick)).toBeNull();
});

test('another sheet of a workbook was not submitted before', async () => {
  const sheets = ['May', 'June', 'May'];
  const said: (Date | null)[] = [];
  for (const sheetName of sheets) {
    const file = await aFile('workbook');
    await addRun(testDatabase.asServer, mia.tokenHash, { ...file, header: { ...file.header, sheetName } });
    said.push(await submittedBefore(file));
  }
  expect(said).toEqual([null, null, expect.any(Date)]);
});

test('of equal files that end at the same time, one waits until the other is there', async () => {
  const [first, second] = [await aFile('at once'), await aFile('at once')];
  const isStored = { second: false };
  let adding: Promise<unknown> = Promise.resolve();
  await inTransaction(testDatabase.asServer, async (transaction) => {
    await addRunAs(transaction, mia.tokenHash, first);
    await transaction.query('set constraints all immediate');
    adding = addRun(testDatabase.asServer, mia.tokenHash, second).then(() => (isStored.second = true));
    await until(async () => isStored.second || (await isWaitingForALock()));
    expect(isStored).toEqual({ second: false });
  });
  await adding;
  expect([await submittedBefore(first), await submittedBefore(second)]).toEqual([null, expect.any(Date)]);
});

async function isWaitingForALock(): Promise<boolean> {
  const { rows } = await testDatabase.database.query(
    `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length > 0;
}
