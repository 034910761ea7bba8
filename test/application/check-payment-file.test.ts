import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type CheckTerms,
  checkPaymentFile,
  type FileFacts,
  readFileToCheck,
} from '../../application/payment-file/check-payment-file.ts';
import { type Profile, profileSchema, withColumns, withRenamedHeaders } from '../../domain/import-profiles/profile.ts';
import { ORDER_COLUMNS } from '../../application/sheets/order-cells.ts';
import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import type { NewRow } from '../../domain/runs/new-row.ts';
import { paymentIdOf } from '../../domain/payments/payment-identity.ts';
import { MAX_LISTED_PROBLEMS } from '../../domain/payment-file/row-problem.ts';
import { aReference, checkRows } from '../domain/payment-rows.ts';
import { allOf, bytesOf, cells, header, rowsOf } from './payment-files.ts';

const RUN_ID = '018f2a00-0000-7000-8000-000000000001';
const COLUMNS = `${header},beneficiary_id`;

/** A row to a beneficiary that the provider holds. */
const good = (rowRef: string): string => `${cells(rowRef)},ben_1`;
const broken = (rowRef: string): string => good(rowRef).replace('10.00', '1e3');
const warned = (rowRef: string): string => good(rowRef).replace('SUPP', 'FEES');

async function checkFile(
  csv: Uint8Array,
  { profile = null, ...terms }: Partial<CheckTerms> & { profile?: Profile | null } = {},
) {
  const read = await readFileToCheck({ file: csv, profile, rowNumbers: null });
  if (read.kind === 'refused') return read;
  const rows = checkPaymentFile(read, {
    runId: RUN_ID,
    onInvalid: 'reject',
    reference: aReference(),
    book: new Map(),
    files: new Map(),
    today: '2026-04-10',
    ...terms,
  });
  const taken: NewRow[] = [];
  for (;;) {
    const { value, done } = await rows.next();
    if (done === true) return value.kind === 'refused' ? value : { ...value, ...factsOf(read), rows: taken };
    taken.push(...value);
  }
}

const factsOf = ({ fileSha256, header: ofFile, rowCount }: FileFacts) => ({ fileSha256, header: ofFile, rowCount });

describe('a payment file under check', () => {
  test('has its problems by its own headers as well, and those of invalid rows', async () => {
    const columns = COLUMNS.split(',');
    const theirs = columns.map((name) => (name === 'amount' ? 'Betrag' : name));
    const ours = ownFormatProfile(columns);
    if (ours === null) throw new Error('the columns are not ours');
    const profile = withRenamedHeaders(ours, columns, theirs);
    const csv = (...rows: string[]): Uint8Array => bytesOf([theirs.join(','), ...rows].join('\n'));
    const refused = await checkFile(csv(good('r1'), broken('r2')), { profile });
    expect(refused).toMatchObject({ kind: 'refused', problems: { listed: [{ column: 'amount', header: 'Betrag' }] } });
    const skipped = await checkFile(csv(good('r1'), broken('r2')), { onInvalid: 'skip', profile });
    expect('rows' in skipped && skipped.rows[1]?.problems).toMatch(/^Betrag \(amount\): /);
  });

  test('is known by the block of an order that is read', async () => {
    const file = readFileSync(join(import.meta.dirname, 'sheets/orders/swiss.xml'));
    const ours = ownFormatProfile(ORDER_COLUMNS);
    if (ours === null) throw new Error('the columns are not ours');
    const filled = withColumns(ours, {
      funding_source: { constant: 'COMPANY_BANK_ACCOUNT' },
      funding_method: { constant: 'PAYNOW' },
    });
    const profile = { ...filled, reading: { ...filled.reading, sheetName: 'PMTINF-01' } };
    const read = await readFileToCheck({ file, profile, rowNumbers: null });
    expect(read).toMatchObject({ header: { sheetName: 'PMTINF-01' } });
  });

  test('without mistakes gives every row as it is stored', async () => {
    const csv = bytesOf(COLUMNS, good('A'), good('B'));
    const checked = await checkFile(csv);
    if (checked.kind !== 'accepted') throw new Error('refused');
    expect(checked.fileSha256).toBe(createHash('sha256').update(csv).digest('hex'));
    expect(checked.header).toEqual({ names: COLUMNS.split(','), hasByteOrderMark: false, sheetName: null });
    expect(checked.skipped).toEqual({ listed: [], count: 0 });
    expect(checked.rows).toHaveLength(2);
    expect(checked.rows[1]).toMatchObject({
      paymentId: paymentIdOf(RUN_ID, 'B'),
      rowNumber: 2,
      line: 3,
      rowRef: 'B',
      state: 'ready',
      cells: good('B').split(','),
      instruction: { rowRef: 'B', amount: '10.00' },
      errorCode: null,
      problems: null,
    });
  });

  test('that cannot be read is refused with the one problem that ends the reading', async () => {
    const csv = bytesOf('row_ref,amount', '"never closed,1.00');
    const checked = await checkFile(csv);
    expect(checked).toMatchObject({ kind: 'refused', problems: { count: 1 }, codes: { quote_not_closed: 1 } });
    expect(checked.fileSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is refused for one mistake, or goes on without the row', async () => {
    const csv = bytesOf(COLUMNS, good('A'), broken('B'), good('C'));
    expect(await checkFile(csv)).toMatchObject({
      kind: 'refused',
      problems: { count: 1 },
      codes: { scientific_notation: 1 },
    });
    const checked = await checkFile(csv, { onInvalid: 'skip' });
    if (checked.kind !== 'accepted') throw new Error('refused');
    expect(checked.rows.map(({ rowRef, state }) => [rowRef, state])).toEqual([
      ['A', 'ready'],
      ['B', 'invalid'],
      ['C', 'ready'],
    ]);
    expect(checked.skipped.listed.map(({ line, column }) => [line, column])).toEqual([[3, 'amount']]);
    expect(checked.rows[1]).toMatchObject({ instruction: null, errorCode: 'scientific_notation' });
    expect(checked.rows[1]?.problems).toMatch(/^amount: ./);
  });

  test('without a valid row is refused, whatever happens to invalid rows', async () => {
    expect(await checkFile(bytesOf(COLUMNS, broken('A')), { onInvalid: 'skip' })).toMatchObject({ kind: 'refused' });
  });

  test('that was changed while it was checked is stored by nobody', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'payrun-check-')), 'payments.csv');
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    const csv = bytesOf(COLUMNS, good('A'), good('B'));
    writeFileSync(path, csv);
    const read = await readFileToCheck({ file: { path, sizeBytes: csv.length }, profile: null, rowNumbers: null });
    if (read.kind === 'refused') throw new Error('refused');
    writeFileSync(path, bytesOf(COLUMNS, good('A')));
    const terms = { runId: RUN_ID, reference: aReference(), book: new Map(), files: new Map(), today: '2026-04-10' };
    await expect(allOf(checkPaymentFile(read, { ...terms, onInvalid: 'reject' }))).rejects.toThrow('was changed');
  });

  test('is checked alike in one batch and in many, whose pieces end anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2_600 }), fc.integer({ min: 0, max: 900 }), async (count, length) => {
        const rows = Array.from({ length: count }, (_, index) =>
          (index % 97 === 5 ? broken : good)(index % 501 === 500 ? 'R0' : `R${index}`),
        );
        const csv = bytesOf(`${COLUMNS},echo`, ...rows.map((row) => `${row},${'x'.repeat(length)}`));
        const checked = await checkFile(csv, { onInvalid: 'skip' });
        const whole = checkRows((await rowsOf(csv)).rows, {
          reference: aReference(),
          book: new Map(),
          files: new Map(),
          today: '2026-04-10',
        });
        const [valid, wrong] = [
          whole.filter(({ instruction }) => instruction !== null),
          whole.flatMap(({ problems }) => problems),
        ];
        if (checked.kind === 'refused') {
          expect(valid).toEqual([]);
          return;
        }
        expect(checked.rows.map(({ line, instruction }) => [line, instruction])).toEqual(
          whole.map(({ row, instruction }) => [row.line, instruction]),
        );
        expect(checked.skipped).toEqual({ listed: wrong, count: wrong.length });
      }),
      { seed: 33, numRuns: 8 },
    );
  });

  test('lists the files of its valid rows, each once', async () => {
    const kind = { description: 'a PDF', contentType: 'application/pdf' } as const;
    const files = new Map(['a.pdf', 'b.pdf', 'c.pdf'].map((name) => [name, { sizeBytes: 1, kind }]));
    const csv = bytesOf(
      `${COLUMNS},supporting_files`,
      `${good('A')},a.pdf;b.pdf`,
      `${good('B')},a.pdf`,
      `${broken('C')},c.pdf`,
    );
    const checked = await checkFile(csv, { files, onInvalid: 'skip' });
    expect(checked.kind === 'accepted' && checked.filesNamed).toEqual(['a.pdf', 'b.pdf']);
  });
});

describe('of a file with more mistakes than anyone reads', () => {
  const COUNT = MAX_LISTED_PROBLEMS + 500;
  const many = (row: (rowRef: string) => string) => Array.from({ length: COUNT }, (_, index) => row(`R${index}`));

  test('the first are listed in the order of their lines, and all are counted', async () => {
    const checked = await checkFile(bytesOf(COLUMNS, ...many(broken)));
    if (checked.kind !== 'refused') throw new Error('accepted');
    expect(checked.problems.count).toBe(COUNT);
    expect(checked.codes).toEqual({ scientific_notation: COUNT });
    expect(checked.problems.listed.map(({ line }) => line)).toEqual(
      Array.from({ length: MAX_LISTED_PROBLEMS }, (_, index) => index + 2),
    );
  });

  test('every row that is left out keeps its own problems', async () => {
    const checked = await checkFile(bytesOf(COLUMNS, ...many(broken), good('A')), { onInvalid: 'skip' });
    if (checked.kind !== 'accepted') throw new Error('refused');
    expect(checked.skipped).toMatchObject({ count: COUNT });
    expect(checked.skipped.listed).toHaveLength(MAX_LISTED_PROBLEMS);
    const invalid = checked.rows.filter(({ state }) => state === 'invalid');
    expect(invalid).toHaveLength(COUNT);
    expect(invalid.filter(({ problems }) => !/^amount: ./.test(problems ?? ''))).toEqual([]);
  });

  test('many warnings of one code hide no other, and rows that are left out come last', async () => {
    const own = ownFormatProfile(COLUMNS.split(','));
    if (own === null) throw new Error('the columns are not ours');
    const headers = COLUMNS.replace('row_ref', 'Reference');
    const profile = profileSchema.parse({
      ...own,
      headers: headers.split(','),
      columns: { ...own.columns, row_ref: { from: ['Reference'] } },
    });
    const rows = [...many(() => headers), ...many(warned), good('A').replace('Invoice', 'M?ller')];
    const checked = await checkFile(bytesOf(headers, ...rows), { profile });
    if (checked.kind !== 'accepted') throw new Error('refused');
    const codes = checked.warnings.listed.map(({ code }) => code);
    expect(checked.warnings.count).toBeGreaterThan(2 * COUNT);
    expect(codes.filter((code) => code === 'row_left_out')).toHaveLength(MAX_LISTED_PROBLEMS);
    expect(codes.slice(-MAX_LISTED_PROBLEMS).every((code) => code === 'row_left_out')).toBe(true);
    expect(codes).toContain('damaged_text');
  });

  test('warnings are listed and counted in the same way', async () => {
    const checked = await checkFile(bytesOf(COLUMNS, ...many(warned)));
    if (checked.kind !== 'accepted') throw new Error('refused');
    expect(checked.warnings.listed).toHaveLength(MAX_LISTED_PROBLEMS);
    expect(checked.warnings.count).toBe(COUNT);
  });
});
