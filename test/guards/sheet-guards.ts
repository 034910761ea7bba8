import type { Guard } from './guard.ts';

const CSV = 'test/application/sheets/csv-sheet.test.ts';
const XLSX = 'test/application/sheets/xlsx-sheet.test.ts';
const TABLE = 'test/application/sheets/find-table.test.ts';

/** What is read of a file is what it says. */
export const SHEET_GUARDS: readonly Guard[] = [
  {
    id: 'strict-decoding',
    against: 'letters of names that mean nothing in the encoding that was chosen are replaced without a word',
    without: 'const decoder = new TextDecoder(encoding);',
    test: { file: CSV, name: 'that was chosen wrongly is refused, with the line' },
  },
  {
    id: 'workbook-checksum',
    against: 'a damaged workbook is read with other digits',
    without: '',
    test: { file: XLSX, name: 'has a part whose checksum is wrong' },
  },
  {
    id: 'parts-of-one-name',
    against: 'payrun reads another sheet than a spreadsheet program shows',
    without: '',
    test: { file: XLSX, name: 'has two parts of one name' },
  },
  {
    id: 'sheet-not-chosen',
    against: 'one of several sheets is paid that nobody chose',
    without: 'if (first !== undefined) return first;',
    test: { file: XLSX, name: 'with two sheets is read once one is chosen' },
  },
  {
    id: 'shown-otherwise',
    against: 'nobody is told that a workbook holds another amount than it shows',
    without: '',
    test: { file: XLSX, name: '99999 as' },
  },
  {
    id: 'ragged-row',
    against: 'a row whose cells moved by a comma too many is paid with the cells of other columns',
    without: 'if (width === 0) {',
    test: { file: TABLE, name: 'has more or fewer cells than the header, in a CSV' },
  },
  {
    id: 'cell-outside-table',
    against: 'a cell is left out without a word',
    without: 'return;',
    test: { file: TABLE, name: 'has a cell in a column that was dropped as empty' },
  },
];
