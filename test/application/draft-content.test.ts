import { describe, expect, it } from 'vitest';
import { draftChangeSchema, type DraftChangeRequest } from '../../api/payment-file/draft.ts';
import { leftOutOf } from '../../application/payment-file/draft-amounts.ts';
import {
  changedContent,
  type DraftContent,
  draftFile,
  notesOfChanges,
} from '../../application/payment-file/draft-content.ts';
import { openTable } from '../../application/payment-file/open-payment-file.ts';
import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { withColumns } from '../../domain/import-profiles/profile.ts';
import type { DraftProblem } from '../../store/payment-file/drafts.ts';

const NONE = { problems: [], problemCount: 0, warnings: [], warningCount: 0, leftOut: null };

const COLUMNS = ['row_ref', 'amount', 'amount_side', 'buy_currency', 'sell_currency'];
const PROFILE = ownFormatProfile(COLUMNS)!;

function aDraft(...rows: string[][]): DraftContent {
  return {
    columns: COLUMNS,
    rows: rows.map((cells, index) => ({ row: index + 1, cells })),
    ...{ removed: [], corrected: [], profile: PROFILE },
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
    expect(after.removed).toMatchObject([three.rows[1]]);
    expect(changed(after, { cells: [{ row: 3, column: 'amount', value: '4' }] }).rows[1]?.cells[1]).toBe('4');
    const { file, rowNumbers } = draftFile(after);
    expect(Buffer.from(file as Buffer).toString()).not.toContain('\nB,');
    expect(rowNumbers).toEqual([1, 3]);
  });

  it.each(['<html>', '{"a": 1', '%PDF-', ':20: Ref', '[{'])(
    'is read as its cells, where its first header is %s',
    async (name) => {
      const headers = [name, ...COLUMNS];
      const profile = withColumns({ ...PROFILE, headers, ignored: [name] }, {});
      const rows = aDraft(['x', ...aRow('A', '1')]).rows;
      const { table } = await openTable(draftFile({ columns: headers, rows, profile }));
      const read = [];
      for await (const batch of table.rows()) read.push(...batch);
      expect(read.map(({ cells }) => cells)).toEqual([['x', ...aRow('A', '1')]]);
    },
  );

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

  it('fills an added column of accounts with the text that all rows had, which no row has without it', () => {
    const profile = withColumns(PROFILE, { bank_iban: { constant: 'DE1' } });
    const after = changed(
      { ...aDraft(aRow('A', '1'), aRow('B', '2')), profile },
      {
        cells: [{ row: 2, column: 'bank_iban', value: 'DE2' }],
      },
    );
    expect(after.rows.map(({ cells }) => cells.at(-1))).toEqual(['DE1', 'DE2']);
    expect(after.profile.columns.bank_iban).toMatchObject({ from: ['bank_iban'], constant: null });
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

  it('reads the constants of the profile', () => {
    const bare = {
      ...aDraft(['A', '2.00', '', '', ''], ['B', '1', '', '', '']),
      profile: withColumns(PROFILE, {
        amount_side: { from: ['amount_side'], constant: 'buy' },
        buy_currency: { from: ['buy_currency'], constant: 'EUR' },
      }),
    };
    expect(leftOutOf(bare, [aProblem(1)])?.sums).toEqual([{ currency: 'EUR', amount: '2.00' }]);
  });

  it('is nothing where the whole file is wrong, or no row would be left', () => {
    expect(leftOutOf(content, [aProblem(1), aProblem(null)])).toBeNull();
    expect(of(1, 2, 3, 4, 5, 6, 7)).toBeNull();
    expect(of()).toBeNull();
  });
});

describe('what approvers are told of a draft', () => {
  const two = aDraft(aRow('A', '1'), aRow('B', '2'));
  const amount = (row: number, value: string) => ({ cells: [{ row, column: 'amount', value }] });
  const told = (content: DraftContent) =>
    notesOfChanges(content).map(({ line, column, value, code }) => [line, column, value, code]);

  it('is what the sheet says in each cell that was changed, however often', () => {
    const once = changed(two, amount(2, '20'));
    expect(told(once)).toEqual([[2, 'amount', '2', 'cell_corrected']]);
    expect(told(changed(once, amount(2, '200')))).toEqual(told(once));
    expect(told(changed(once, amount(2, '2')))).toEqual([]);
  });

  it('is that a column was added and filled', () => {
    const after = changed(two, { fill: [{ column: 'pay_on', value: '2026-12-01' }] });
    expect(told(after)).toEqual([1, 2].map((row) => [row, 'pay_on', '', 'cell_corrected']));
  });

  it('is each row that was taken out, and not what was changed in it before', () => {
    const after = changed(changed(two, amount(2, '20')), { removeRows: [2] });
    expect(told(after)).toEqual([[2, null, null, 'row_left_out']]);
    expect(notesOfChanges(after)[0]?.problem).toContain('its maker took it out of the draft');
    expect(told(changed(after, { restoreRows: [2] }))).toEqual([[2, 'amount', '2', 'cell_corrected']]);
  });
});

describe('a value for one of our columns', () => {
  const columns = ['Ref', 'Supplier', 'IBAN', 'First', 'Last'];
  const profile = withColumns(
    { ...PROFILE, headers: columns, ignored: columns, columns: {} },
    {
      row_ref: { from: ['Ref'] },
      beneficiary_company_name: { from: ['Supplier'] },
      bank_account_holder_name: { from: ['Supplier'] },
      bank_iban: { from: ['IBAN'] },
      bank_country: { from: ['IBAN'], part: 'iban_country' },
      beneficiary_first_name: { from: ['First', 'Last'] },
    },
  );
  const content: DraftContent = {
    columns,
    profile,
    removed: [],
    corrected: [],
    rows: [{ row: 7, cells: ['A', 'S', 'DE1', 'F', 'L'] }],
  };
  const set = (column: string) => changed(content, { cells: [{ row: 7, column, value: 'new' }] }).rows[0]?.cells;

  it('goes into the cells of the one header that fills it', () => {
    expect(set('row_ref')?.[0]).toBe('new');
  });

  it('never into cells that fill other columns as well', () => {
    for (const column of ['bank_account_holder_name', 'bank_country', 'bank_iban', 'beneficiary_first_name']) {
      expect(() => set(column)).toThrow('by the headers of the file');
    }
    expect(set('IBAN')).toEqual(['A', 'S', 'new', 'F', 'L']);
  });

  const other = (headers: string[], filled: Parameters<typeof withColumns>[1]): DraftContent => ({
    columns: headers,
    profile: withColumns({ ...PROFILE, headers, ignored: headers, columns: {} }, filled),
    removed: [],
    corrected: [],
    rows: [{ row: 7, cells: headers.map(() => '') }],
  });

  it('is refused where a header is called so and another one fills it: both may be meant', () => {
    const ignored = other(['Nr', 'Betrag', 'amount'], { row_ref: { from: ['Nr'] }, amount: { from: ['Betrag'] } });
    const value = { row: 7, value: 'new' };
    expect(() => changed(ignored, { cells: [{ ...value, column: 'amount' }] })).toThrow(
      'name the header that fills it',
    );
    expect(changed(ignored, { cells: [{ ...value, column: 'Betrag' }] }).rows[0]?.cells).toEqual(['', 'new', '']);
    const swapped = other(['bank_iban', 'IBAN'], {
      bank_account_number: { from: ['bank_iban'] },
      bank_iban: { from: ['IBAN'] },
    });
    const cells = [{ ...value, column: 'bank_iban' }];
    expect(() => changed(swapped, { cells })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(changed(swapped, { cells: [{ ...value, column: 'IBAN' }] }).rows[0]?.cells).toEqual(['', 'new']);
  });

  it('is refused where its column would be added beside a header of that name in other capitals', () => {
    const content = other(['Nr', 'Bank_Name'], { row_ref: { from: ['Nr'] } });
    const cells = [{ row: 7, column: 'bank_name', value: 'new' }];
    expect(() => changed(content, { cells })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  it('goes into a new column where nothing fills it, which the profile then reads', () => {
    const after = changed(content, { cells: [{ row: 7, column: 'echo', value: 'new' }] });
    expect(after.columns).toEqual([...columns, 'echo']);
    expect(after.profile.columns.echo?.from).toEqual(['echo']);
    expect(after.profile.headers).toEqual(after.columns);
  });
});
