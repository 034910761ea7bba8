import { describe, expect, it } from 'vitest';
import { draftChangeSchema, type DraftChangeRequest } from '../../api/payment-file/draft.ts';
import { leftOutOf } from '../../application/payment-file/draft-amounts.ts';
import { changedContent, type DraftContent, draftFile } from '../../application/payment-file/draft-content.ts';
import { draftOf } from '../../application/payment-file/draft-views.ts';
import { csvRecords } from '../../application/payment-file/csv-records.ts';
import { withoutFormulaMarks } from '../../application/payment-file/exceptions-file.ts';
import { PAYMENT_FILE_LIMITS } from '../../application/payment-file/payment-file-limits.ts';
import type { DraftProblem, DraftRecord } from '../../store/payment-file/drafts.ts';

const NONE = { problems: [], problemCount: 0, warnings: [], warningCount: 0, leftOut: null };

function aDraft(...rows: string[][]): DraftContent {
  return {
    columns: ['row_ref', 'amount', 'amount_side', 'buy_currency', 'sell_currency'],
    rows: rows.map((cells, index) => ({ row: index + 1, cells })),
    ...{ removed: [], mapping: {}, defaults: {} },
  };
}

const aRow = (ref: string, amount: string, currency = 'GBP'): string[] => [ref, amount, 'buy', currency, 'SGD'];

const changed = (content: DraftContent, change: Omit<DraftChangeRequest, 'revision'>): DraftContent =>
  changedContent(content, NONE, draftChangeSchema.parse({ revision: 1, ...change }));

const aProblem = (row: number | null, parts: Partial<DraftProblem> = {}): DraftProblem => ({
  ...{ row, line: (row ?? 0) + 1, rowRef: null, column: 'amount', value: null },
  ...{ problem: 'it is wrong', fix: 'correct it', code: 'amount_form', ...parts },
});

describe('a change of a draft', () => {
  const three = aDraft(aRow('A', '1'), aRow('B', '2'), aRow('C', '3'));

  it('removes rows, and the others keep their numbers', () => {
    const after = changed(three, { removeRows: [2] });
    expect(after.rows.map(({ row }) => row)).toEqual([1, 3]);
    expect(after.removed).toEqual([three.rows[1]]);
    expect(changed(after, { cells: [{ row: 3, column: 'amount', value: '4' }] }).rows[1]?.cells[1]).toBe('4');
    expect(draftFile(after).csv.toString()).not.toContain('\nB,');
    expect([...draftFile(after).rowAt]).toEqual([
      [2, 1],
      [3, 3],
    ]);
  });

  it('puts removed rows back where they were, with the columns that were added since', () => {
    const without = changed(three, { removeRows: [1, 2] });
    const wider = changed(without, { cells: [{ row: 3, column: 'bank_country', value: 'GB' }] });
    const after = changed(wider, { restoreRows: [2], cells: [{ row: 2, column: 'bank_country', value: 'FR' }] });
    expect(after.rows.map(({ row, cells }) => [row, cells.at(-1)])).toEqual([
      [2, 'FR'],
      [3, 'GB'],
    ]);
    expect(after.removed.map(({ row }) => row)).toEqual([1]);
    expect(three.rows[1]?.cells).toHaveLength(5);
  });

  it('is refused for rows that are not there, removed twice, or not removed', () => {
    const after = changed(three, { removeRows: [2] });
    for (const change of [{ removeRows: [2] }, { restoreRows: [1] }, { restoreRows: [9] }, { removeRows: [4] }]) {
      expect(() => changed(after, change)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    }
    const cells = [{ row: 2, column: 'amount', value: '5' }];
    expect(() => changed(after, { cells })).toThrow('there is no row 2');
  });

  it('adds a column of payment files that is not there, and no other', () => {
    const after = changed(three, { cells: [{ row: 2, column: 'bank_country', value: 'GB' }] });
    expect(after.rows.map(({ cells }) => cells.at(-1))).toEqual(['', 'GB', '']);
    const cells = [{ row: 2, column: 'no_such_column', value: 'GB' }];
    expect(() => changed(three, { cells })).toThrow('there is no column "no_such_column"');
  });
});

describe('what is left out with the rows that have problems', () => {
  const content = aDraft(
    ...[aRow('A', '1.50'), aRow('B', '0.25'), aRow('C', '7', 'JPY'), aRow('D', '1,000.00'), aRow('E', '3.00', 'gbp')],
    ...[aRow('F', '99.00'), ['G', '5.00', 'sell', 'GBP', 'SGD']],
  );
  const of = (...rows: number[]) =>
    leftOutOf(
      content,
      rows.map((row) => aProblem(row)),
    );

  it('is summed by the currency that is fixed, and what cannot be read is counted', () => {
    expect(of(1, 1, 2, 3, 4, 5, 7)).toEqual({
      rows: 6,
      sums: [
        { currency: 'GBP', amount: '1.75' },
        { currency: 'JPY', amount: '7' },
        { currency: 'SGD', amount: '5.00' },
      ],
      unreadable: 2,
    });
  });

  it('reads the defaults of the run', () => {
    const bare = {
      ...aDraft(['A', '2.00', '', '', ''], ['B', '1', '', '', '']),
      defaults: { amount_side: 'buy', buy_currency: 'EUR' },
    };
    expect(leftOutOf(bare, [aProblem(1)])?.sums).toEqual([{ currency: 'EUR', amount: '2.00' }]);
  });

  it('is nothing where the whole file is wrong, or no row would be left', () => {
    expect(leftOutOf(content, [aProblem(1), aProblem(null)])).toBeNull();
    expect(of(1, 2, 3, 4, 5, 6, 7)).toBeNull();
    expect(of()).toBeNull();
  });
});

describe('one value for all rows of a cause', () => {
  const groupsOf = (...problems: DraftProblem[]) => {
    const found = { ...NONE, problems, problemCount: problems.length };
    const { columns, mapping, defaults } = aDraft();
    const record = { columns, mapping, defaults, found, rowCount: 9, createdAt: new Date(0), changedAt: new Date(0) };
    return draftOf(record as unknown as DraftRecord, 1).groups;
  };
  const fillRows = (...problems: DraftProblem[]) => groupsOf(...problems).map((group) => group.fillRows);

  it('is offered for a column that rows share, and for one row', () => {
    const inColumn = (column: string, row: number) => aProblem(row, { column });
    expect(fillRows(inColumn('bank_country', 1), inColumn('bank_country', 2))).toEqual([2]);
    expect(fillRows(inColumn('amount', 1))).toEqual([1]);
  });

  it('is not offered for several rows in a column that tells payments apart', () => {
    for (const column of [
      'amount',
      'row_ref',
      'bank_account_number',
      'payment_reference',
      'bank_account_holder_name',
    ]) {
      expect(fillRows(aProblem(1, { column }), aProblem(2, { column }))).toEqual([0]);
    }
  });

  it('is offered for all rows where the file lacks the column, and for nothing else that is wrong with its header', () => {
    expect(fillRows(aProblem(null, { column: 'amount_side', code: 'missing_columns' }))).toEqual([9]);
    expect(fillRows(aProblem(null, { column: 'amount', code: 'missing_columns' }))).toEqual([0]);
    expect(fillRows(aProblem(null, { column: 'bank_country', code: 'repeated_header' }))).toEqual([0]);
    expect(fillRows(aProblem(null, { column: 'Betrag', code: 'unknown_header' }))).toEqual([0]);
    expect(fillRows(aProblem(3, { column: null }))).toEqual([0]);
  });
});

it('a draft of an exceptions file is written as it was shown, apostrophes included', () => {
  const columns = ['row_ref', 'payment_reference', 'payrun_status', 'payrun_reason'];
  const shown = [
    ["'=x", "''=1", 'failed', ''],
    ['a;=1', '-5', 'failed', "'+x"],
  ];
  const { csv } = draftFile({ columns, rows: shown.map((cells, index) => ({ row: index + 1, cells })) });
  expect(withoutFormulaMarks(csvRecords(csv, PAYMENT_FILE_LIMITS).records)).toEqual([columns, ...shown]);
});

it('the columns are looked up once, however many cells are changed by our names', () => {
  let reads = 0;
  const mapping = new Proxy(
    { Betrag: 'amount' },
    {
      ownKeys: (target) => {
        reads += 1;
        return Reflect.ownKeys(target);
      },
      get: (target, name) => {
        reads += 1;
        return Reflect.get(target, name) as unknown;
      },
    },
  );
  const rows = Array.from({ length: 1_000 }, (_, index) => ({ row: index + 1, cells: ['', ''] }));
  const content = { ...aDraft(), columns: ['row_ref', 'Betrag'], rows, mapping };
  const cells = rows.map(({ row }) => ({ row, column: 'amount', value: '1.00' }));
  expect(changed(content, { cells }).rows.every(({ cells: [, amount] }) => amount === '1.00')).toBe(true);
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(20);
});
