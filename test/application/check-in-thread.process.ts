import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  checkInThread,
  type FileCheck,
  type RowsInThread,
  THREAD_LIMITS,
  type ThreadLimits,
} from '../../application/payment-file/check-in-thread.ts';
import {
  type CheckTerms,
  checkPaymentFile,
  readFileToCheck,
} from '../../application/payment-file/check-payment-file.ts';
import type { RowBatch } from '../../domain/runs/new-row.ts';
import { rowBatch } from '../../store/runs/row-content.ts';
import { TEST_PAYEES } from '../helpers/test-payees.ts';
import { aReference } from '../domain/payment-rows.ts';
import { aFolder } from '../client/cli-harness.ts';
import { allOf, bytesOf, cells, header } from './payment-files.ts';

const COLUMNS = `${header},beneficiary_entity_type,beneficiary_country,bank_country`;
const toGermany = (rowRef: string): string => `${cells(rowRef)},company,DE,DE`;
const fileOf = (rows: number): Uint8Array =>
  bytesOf(COLUMNS, ...Array.from({ length: rows }, (_, index) => toGermany(`R${index}`)));

const terms: CheckTerms = {
  runId: '018f2a00-0000-7000-8000-000000000001',
  onInvalid: 'skip',
  reference: aReference({
    requirements: new Map([['EUR/DE/DE', [{ entityType: 'company', fields: {}, bankAccount: {} }]]]),
  }),
  book: new Map(),
  files: new Map(),
  today: '2026-04-10',
};
const noOptions = { profile: null, rowNumbers: null };
const KEY = TEST_PAYEES.newRunKey(terms.runId);
const storedIn = ({ json }: RowBatch): Record<string, unknown>[] =>
  JSON.parse(Buffer.from(json).toString()) as Record<string, unknown>[];
/** As it is stored, but for what is encrypted: twice the same content gives other bytes. */
async function taken(rows: RowsInThread) {
  const batches: { count: number; rows: unknown }[] = [];
  for (;;) {
    const { value, done } = await rows.next();
    if (done === true) return { ...value, batches };
    batches.push({ count: value.count, rows: storedIn(value).map((row) => ({ ...row, encrypted: null })) });
  }
}

const checkHere = (file: FileCheck<unknown>['file'], termsFor: FileCheck<unknown>['termsFor'], limits?: ThreadLimits) =>
  checkInThread(
    { file, termsFor, key: KEY, take: async (rows, facts) => ({ ...facts, ...(await taken(rows)) }) },
    limits,
  );

describe('a file that is checked in a thread', () => {
  test('gets the same result as in this thread, in memory or on disk', async () => {
    const ids = `${header},beneficiary_id`;
    const rows = Array.from({ length: 1_234 }, (_, index) => `${cells(index % 100 === 7 ? '' : `R${index}`)},ben_1`);
    const csv = bytesOf(ids, ...rows);
    const read = await readFileToCheck({ file: csv, ...noOptions });
    if (read.kind === 'refused') throw new Error('refused');
    const batches = (await allOf(checkPaymentFile(read, terms))).map((batch) => rowBatch(KEY, batch));
    expect(batches.map(({ count }) => count)).toEqual([1_000, 234]);
    const stored = batches.flatMap(storedIn);
    const path = join(await aFolder(), 'payments.csv');
    await writeFile(path, csv);
    for (const file of [csv, { path, sizeBytes: csv.byteLength }]) {
      const checked = await checkHere({ file, ...noOptions }, () => Promise.resolve(terms));
      if (!('batches' in checked)) throw new Error('refused');
      expect(checked).toMatchObject({
        kind: 'accepted',
        rowCount: 1_234,
        fileSha256: read.fileSha256,
        header: read.header,
      });
      expect(checked.batches.map(({ count }) => count)).toEqual([1_000, 234]);
      expect(checked.batches.flatMap(({ rows: found }) => found)).toEqual(
        stored.map((row) => ({ ...row, encrypted: null })),
      );
    }
  });

  test('names its corridors and beneficiaries before its rows are checked', async () => {
    const asked: unknown[] = [];
    const checked = await checkHere({ file: fileOf(2), ...noOptions }, ({ corridors, beneficiaryKeys }) => {
      asked.push({ corridors, beneficiaryKeys });
      return Promise.resolve(terms);
    });
    const corridor = { currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' };
    expect(asked).toEqual([{ corridors: [corridor], beneficiaryKeys: [] }]);
    expect(checked).toMatchObject({ kind: 'refused', codes: { missing_value: 4 } });
  });

  test('that cannot be read is refused without asking for its corridors', async () => {
    const termsFor = () => Promise.reject(new Error('nobody should ask'));
    const checked = await checkHere({ file: Buffer.from('a;b\n1;2\n'), ...noOptions }, termsFor);
    expect(checked).toMatchObject({ kind: 'refused', problems: { listed: [{ code: 'unknown_header' }] } });
  });

  test('fails when its reference data cannot be read', async () => {
    const termsFor = () => Promise.reject(new Error('the provider is away'));
    await expect(checkHere({ file: fileOf(1), ...noOptions }, termsFor)).rejects.toThrow('the provider is away');
  });

  test('fails when it does not exist', async () => {
    const gone = { file: { path: '/nowhere/payments.csv', sizeBytes: 1 }, ...noOptions };
    await expect(checkHere(gone, () => Promise.resolve(terms))).rejects.toThrow('ENOENT');
  });
});

describe('a thread that checks a file', () => {
  test.each([
    ['before it has read the file', 1, () => Promise.resolve(terms)],
    ['while others are asked', 2_000, () => new Promise<CheckTerms>(() => undefined)],
  ])(
    'is ended when it takes too long %s, and the file is refused with what to do',
    async (_when, timeoutMs, termsFor) => {
      const checked = await checkHere({ file: fileOf(2), ...noOptions }, termsFor, { ...THREAD_LIMITS, timeoutMs });
      if (checked.kind === 'accepted') throw new Error('accepted');
      expect(checked.problems).toMatchObject({ count: 1, listed: [{ line: 0, code: 'check_too_long' }] });
      expect(checked.problems.listed[0]?.fix).toContain('split the file');
      expect(checked.fileSha256).toBeNull();
    },
  );

  test('holds a small part of a file, however many rows it has', async () => {
    const ids = `${header},beneficiary_id`;
    const lines = Array.from({ length: 200_000 }, (_, index) => `${cells(`R${index}`)},ben_1`);
    const csv = Buffer.from([ids, ...lines].join('\n'));
    const limits = { ...THREAD_LIMITS, memoryMib: 96 };
    const take = async (rows: RowsInThread): Promise<{ kind: 'taken'; count: number }> => {
      let count = 0;
      for await (const batch of rows) count += batch.count;
      return { kind: 'taken', count };
    };
    const file = { file: csv, ...noOptions };
    const checked = await checkInThread({ file, termsFor: () => Promise.resolve(terms), key: KEY, take }, limits);
    expect(checked).toEqual({ kind: 'taken', count: 200_000 });
  });

  test('gets the memory of each batch back once it is stored', async () => {
    const ids = `${header},beneficiary_id`;
    const csv = bytesOf(ids, ...Array.from({ length: 5_500 }, (_, index) => `${cells(`R${index}`)},ben_1`));
    const held: RowBatch[] = [];
    const take = async (rows: RowsInThread): Promise<{ kind: 'taken' }> => {
      for await (const batch of rows) held.push(batch);
      return { kind: 'taken' };
    };
    const file = { file: csv, ...noOptions };
    await checkInThread({ file, termsFor: () => Promise.resolve(terms), key: KEY, take });
    expect(held.map(({ json }) => json.byteLength > 0)).toEqual([false, false, false, false, false, true]);
  });

  test('is ended when it takes too much memory, and the process goes on', async () => {
    const limits = { ...THREAD_LIMITS, memoryMib: 16 };
    const checked = await checkHere({ file: fileOf(100_000), ...noOptions }, () => Promise.resolve(terms), limits);
    expect(checked).toMatchObject({ kind: 'refused', problems: { listed: [{ code: 'check_too_large' }] } });
  });

  test('checks the next file as a new one would, whatever became of the file before', async () => {
    const fine = () =>
      checkHere({ file: bytesOf(`${header},beneficiary_id`, `${cells('R1')},ben_1`), ...noOptions }, () =>
        Promise.resolve(terms),
      );
    const first = await fine();
    expect(first).toMatchObject({ kind: 'accepted', batches: [{ count: 1 }] });
    const before = [
      () => checkHere({ file: fileOf(2_500), ...noOptions }, () => Promise.resolve(terms)),
      () => checkHere({ file: Buffer.from('a;b\n1;2\n'), ...noOptions }, () => Promise.resolve(terms)),
      () => checkHere({ file: fileOf(1), ...noOptions }, () => Promise.reject(new Error('away'))),
      () =>
        checkHere({ file: fileOf(1), ...noOptions }, () => Promise.resolve(terms), {
          ...THREAD_LIMITS,
          timeoutMs: 1,
        }),
      () =>
        checkHere({ file: { path: '/nowhere/payments.csv', sizeBytes: 1 }, ...noOptions }, () =>
          Promise.resolve(terms),
        ),
    ];
    for (const check of before) {
      await check().catch(() => null);
      expect(await fine()).toEqual(first);
    }
    const together = await Promise.all([fine(), fine(), fine()]);
    expect(together).toEqual([first, first, first]);
  });
});
