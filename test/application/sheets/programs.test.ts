import { expect, test } from 'vitest';
import { findTable, firstRecords } from '../../../application/sheets/find-table.ts';
import { tableRows } from '../../../application/sheets/table-rows.ts';
import { fileOf, read } from './read-sheets.ts';

test('numbers and dates are shown as LibreOffice shows them', async () => {
  const own = await read(fileOf('formats.xlsx'));
  const other = await read(fileOf('formats.csv'), { delimiter: '\t' });
  /** Its own signs for decimals follow the currency here, and those of the user there. */
  const EURO = 18;
  /** It counts days before March 1900 without the 29 February that Excel counts. */
  const isEarly = (value: string | null) => value !== null && value < '1900-03-01' && /^1900-/.test(value);
  const plain = (cell: string, column: number) => (column === EURO ? cell.replaceAll(/[.,]/g, '') : cell).trim();
  let count = 0;
  own.records.forEach(({ cells, values }, line) => {
    cells.forEach((cell, column) => {
      if (isEarly(values?.[column] ?? null)) return;
      expect([line, column, plain(cell, column)]).toEqual([
        line,
        column,
        plain(other.cells[line]?.[column] ?? '', column),
      ]);
      count += 1;
    });
  });
  expect(count).toBeGreaterThan(200);
});

test.each(['supplier-sheet.xlsx', 'supplier-sheet.csv'])('a sheet as people keep it is a table: %s', async (name) => {
  const { sheet } = await read(fileOf(name));
  const table = findTable(await firstRecords(sheet), sheet.form);
  expect(table).toMatchObject({
    headerLine: 4,
    header: ['Nr.', 'Kreditor', 'IBAN', 'Rechnung', 'Betrag €', 'Fällig am'],
    droppedColumns: ['A'],
  });
  const rows = [];
  for await (const batch of tableRows(sheet.records(), table!, sheet)) rows.push(...batch);
  const left = [...table!.leftOut, ...rows.flatMap(({ leftOut }) => leftOut ?? [])];
  expect(left.map(({ line, code }) => [line, code])).toEqual([
    [1, 'title'],
    [2, 'title'],
    [10, 'total'],
    [12, 'few_cells'],
  ]);
  expect(left[2]?.because).toBe('its "Betrag €" is the sum of those above it');
  expect(rows.filter(({ leftOut }) => leftOut === null).map(({ cells }) => cells.slice(3))).toEqual([
    ['RE-0', '1.234,56', '01.12.2026'],
    ['RE-1', '99,90', '01.12.2026'],
    ['RE-2', '20.000,00', '01.12.2026'],
    ['RE-3', '0,10', '01.12.2026'],
    ['RE-4', '18,55', '01.12.2026'],
  ]);
});
