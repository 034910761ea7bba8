import { describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../application/payment-file/file-problem.ts';
import { findTable, RECORDS_TO_FIND_TABLE } from '../../../application/sheets/find-table.ts';
import type { SheetRecord } from '../../../domain/import-profiles/sheet-record.ts';
import { type TableRow, tableRows } from '../../../application/sheets/table-rows.ts';
import { beginsAsTotal, isTotal } from '../../../application/sheets/total-words.ts';

const HEADER = ['Supplier', 'IBAN', 'Amount', 'Currency', 'Due', 'Text'];
const row = (name: string, amount: string, text = 'Invoice') => [name, `DE${name}`, amount, 'EUR', '2026-11-27', text];
const recordsOf = (table: string[][]): SheetRecord[] => table.map((cells, index) => ({ line: index + 1, cells }));

async function readTable(table: string[][], form: 'csv' | 'xlsx' = 'xlsx', headerLine?: number) {
  const records = recordsOf(table);
  const found = findTable(records.slice(0, RECORDS_TO_FIND_TABLE), form, headerLine);
  if (found === null) return null;
  const rows: TableRow[] = [];
  async function* batches() {
    for (const record of records) yield await Promise.resolve([record]);
  }
  for await (const batch of tableRows(batches(), found, { form })) rows.push(...batch);
  const leftOut = [...found.leftOut, ...rows.flatMap((one) => one.leftOut ?? [])];
  return {
    table: found,
    rows,
    left: leftOut.map(({ line, code }) => [line, code]),
    because: leftOut.map((one) => one.because),
    differs: leftOut.map((one) => one.differs),
  };
}

describe('the table of a sheet', () => {
  // In a time that grows with the square of its length it would take many minutes.
  test('is found with a long cell', { timeout: 20_000 }, async () => {
    const header = [`${'1'.repeat(800_000)}x`, 'Amount'];
    expect((await readTable([header, ['A', '1.00']]))?.table.headerLine).toBe(1);
  });

  test('is all of a plain one', async () => {
    const read = await readTable([HEADER, row('A', '1.00'), row('B', '2.00')]);
    expect(read?.table).toEqual({
      headerLine: 1,
      header: HEADER,
      columns: [0, 1, 2, 3, 4, 5],
      droppedColumns: [],
      usuallyFilled: 6,
      leftOut: [],
    });
    expect(read?.rows.map(({ line, cells, leftOut }) => [line, cells[0], leftOut])).toEqual([
      [2, 'A', null],
      [3, 'B', null],
    ]);
  });

  test('begins below titles, without the empty columns', async () => {
    const shifted = (cells: string[]) => ['', ...cells.slice(0, 2), '', ...cells.slice(2), '', ''];
    const read = await readTable([
      ['Example Ltd', '', '', '', 'Payments of', '27.11.2026'],
      ['', ''],
      shifted(HEADER),
      shifted(row('A', '1,00')),
      shifted(row('B', '2,00')),
    ]);
    expect(read?.table).toMatchObject({
      headerLine: 3,
      header: HEADER,
      columns: [1, 2, 4, 5, 6, 7],
      droppedColumns: ['A', 'D', 'I', 'J'],
    });
    expect(read?.left).toEqual([[1, 'title']]);
    expect(read?.rows[0]?.cells).toEqual(row('A', '1,00'));
  });

  test('ends before its sum and the notes below', async () => {
    const read = await readTable([
      HEADER,
      row('A', '1.234,50'),
      row('B', '99,99'),
      ['Summe', '', '1.334,49'],
      ['Approved by Anna'],
    ]);
    expect(read?.left).toEqual([
      [4, 'total'],
      [5, 'few_cells'],
    ]);
    expect(read?.because).toEqual(['its "Amount" is the sum of those above it', 'it has 1 cells, where others have 6']);
  });

  test.each([
    [['Summe', '', '1.400,00'], 'its name', '"Amount" says 1.400,00, and those above it add up to 1334.49'],
    [['Summe', '', '1.334,48'], 'its name', '"Amount" says 1.334,48, and those above it add up to 1334.49'],
    [['Summe', '', '1.334,49'], 'its sum', undefined],
    [['Summe', '', ''], 'its name', undefined],
  ])('ends before a row of sums, and says where it does not add up: %j', async (sum, by, differs) => {
    const records = [HEADER, row('A', '1.234,50'), row('B', '99,99'), sum];
    const read = await readTable(records);
    expect(read?.because).toEqual([
      by === 'its name' ? 'it is named as a row of sums' : 'its "Amount" is the sum of those above it',
    ]);
    expect(read?.differs).toEqual([differs]);
  });

  test('has a sum of a part that does not add up, beside one that does', async () => {
    const read = await readTable([
      HEADER,
      row('A', '10'),
      row('B', '20'),
      ['Sum', '', '31'],
      row('C', '5'),
      row('D', '7'),
      ['Sum', '', '12'],
      ['Total', '', '42'],
    ]);
    expect(read?.differs).toEqual(['"Amount" says 31, and those above it add up to 30.00', undefined, undefined]);
  });

  test('has sums of its parts, headers again and a sum of all', async () => {
    const read = await readTable([
      HEADER,
      row('A', '10'),
      row('B', '20'),
      ['', '', '30'],
      HEADER.map((name) => ` ${name.toUpperCase()}`),
      row('C', '5'),
      row('D', '7'),
      ['', '', '12'],
      ['Grand total', '', '42'],
    ]);
    expect(read?.left).toEqual([
      [4, 'total'],
      [5, 'repeated_header'],
      [8, 'total'],
      [9, 'total'],
    ]);
  });

  test('keeps companies that are named as sums, and amounts that happen to be sums', async () => {
    const read = await readTable([
      HEADER,
      row('Total Deutschland GmbH', '10'),
      row('Summa Equity', '20'),
      row('Total', '31'),
      row('C', '61'),
      ['Forgotten', '', '99'],
    ]);
    expect(read?.left).toEqual([]);
  });

  test('of two columns ends with its sum', async () => {
    const read = await readTable([
      ['Name', 'Betrag'],
      ['A', '1'],
      ['B', '2'],
      ['Gesamt', '3'],
      ['Total', '4'],
    ]);
    expect(read?.left).toEqual([
      [4, 'total'],
      [5, 'total'],
    ]);
  });

  test('has exact sums of what a workbook holds', async () => {
    const records: SheetRecord[] = [
      { line: 1, cells: HEADER },
      ...['0.1', '0.2', '118.99999999999999'].map((value, index) => ({
        line: index + 2,
        cells: row('A', 'x'),
        values: [null, null, value, null, null, null],
      })),
      { line: 5, cells: ['', '', '119.30'], values: [null, null, '119.3'] },
    ];
    const found = findTable(records, 'xlsx')!;
    const rows = [];
    for await (const batch of tableRows(
      (async function* () {
        yield await Promise.resolve(records);
      })(),
      found,
      { form: 'xlsx' },
    ))
      rows.push(...batch);
    expect(rows.map(({ leftOut }) => leftOut?.code ?? null)).toEqual([null, null, null, 'total']);
  });

  test('has the header that a person chose; else a first row of numbers is none', async () => {
    const table = [row('A', '1'), row('B', '2'), ['x', 'y', 'z']];
    expect(await readTable(table)).toBeNull();
    expect((await readTable(table, 'xlsx', 3))?.table).toMatchObject({ headerLine: 3, header: ['x', 'y', 'z'] });
  });

  test('keeps a column that has cells and no header', async () => {
    const read = await readTable([[...HEADER.slice(0, 5), ''], row('A', '1')]);
    expect(read?.table.header.at(-1)).toBe('');
    expect(read?.table.columns).toHaveLength(6);
  });
});

describe('a row is refused that', () => {
  const problem = async (table: string[][], form: 'csv' | 'xlsx') => {
    try {
      await readTable(table, form);
    } catch (error) {
      if (error instanceof UnreadableFile) return error.fileProblem;
    }
    return null;
  };

  test('has more or fewer cells than the header, in a CSV', async () => {
    const table = [HEADER, row('A', '1'), row('B', '2').slice(0, 5)];
    expect(await problem(table, 'csv')).toMatchObject({ code: 'ragged_row', line: 3 });
    expect(await problem([HEADER, [...row('A', '1'), '']], 'csv')).toMatchObject({ code: 'ragged_row', line: 2 });
    expect(await problem(table, 'xlsx')).toBeNull();
  });

  test('has a cell in a column that was dropped as empty', async () => {
    const header = [...HEADER, '', 'More'];
    const rows = Array.from({ length: RECORDS_TO_FIND_TABLE }, (_, index) => [...row(`A${index}`, '1'), '', 'x']);
    expect(await problem([header, ...rows, [...row('B', '2'), 'lost', 'x']], 'csv')).toMatchObject({
      code: 'cell_outside_table',
      column: 'G',
      line: RECORDS_TO_FIND_TABLE + 2,
    });
  });
});

test.each([
  ...[
    'Summe',
    'Gesamtsumme:',
    'Zwischensumme EUR',
    'Übertrag',
    'Gesamt',
    'Total',
    'Subtotal',
    'Sub-total 2',
    'Grand total',
  ],
  ...[
    'Total général',
    'Sous-total',
    'Montant total',
    'Suma',
    'Importe total',
    'Totale',
    'Totale complessivo',
    'Subtotale',
  ],
  ...[
    'Totaal',
    'Eindtotaal',
    'Subtotaal',
    'Razem',
    'Łącznie:',
    'Ogółem',
    'Suma częściowa',
    'Soma',
    'Total geral',
    '  TOTAL (12)',
  ],
])('is a word for sums: %s', (word) => {
  expect(beginsAsTotal(word)).toBe(true);
});

test.each(['Totalenergies', 'Summa Equity', 'Gesamtverband', 'Somalia Aid', 'Razemski', 'A total', ''])(
  'is no word for sums: %s',
  (word) => {
    expect(beginsAsTotal(word)).toBe(false);
  },
);

test.each<[string, boolean]>([
  ['Total Deutschland GmbH', false],
  ['Total payments', false],
  ['Summe EUR', true],
  ['TOTAL (12)', true],
])('is the name of a row of sums alone: %s %s', (word, expected) => {
  expect(beginsAsTotal(word)).toBe(true);
  expect(isTotal(word)).toBe(expected);
});
