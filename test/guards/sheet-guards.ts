import type { Guard } from './guard.ts';

const CSV = 'test/application/sheets/csv-sheet.test.ts';
const XLSX = 'test/application/sheets/xlsx-sheet.test.ts';
const UNREADABLE = 'test/application/sheets/unreadable-workbook.test.ts';
const MADE_UP = 'test/application/sheets/made-up-workbook.test.ts';
const TABLE = 'test/application/sheets/find-table.test.ts';

/** What is read of a file is what it says. */
export const SHEET_GUARDS: readonly Guard[] = [
  {
    id: 'refused-file-rolled-back',
    against: 'of a file whose last row is wrong, the rows before it are stored and can be approved',
    without: "if (end === null) return 'refused_file' as const;",
    test: { file: 'test/workflows/large-files.services.ts', name: 'whose last row is wrong' },
  },
  {
    id: 'file-read-alike',
    against: 'rows are stored of another file than was looked through for repeated references',
    without: '',
    test: { file: 'test/application/check-payment-file.test.ts', name: 'was changed while it was checked' },
  },
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
    test: { file: UNREADABLE, name: 'has a part whose checksum is wrong' },
  },
  {
    id: 'parts-of-one-name',
    against: 'payrun reads another sheet than a spreadsheet program shows',
    without: '',
    test: { file: UNREADABLE, name: 'has two parts of one name' },
  },
  {
    id: 'sheets-of-one-name',
    against: 'a sheet is chosen by its name, and another one of that name is paid',
    without: '',
    test: { file: UNREADABLE, name: 'has two sheets of one name' },
  },
  {
    id: 'parts-of-one-namespace',
    against: 'rows, texts or formats are read that a spreadsheet program leaves out, as they are of another namespace',
    without: '',
    test: { file: MADE_UP, name: 'is refused: a row of another namespace' },
  },
  {
    id: 'root-of-a-part',
    against: 'a part of a workbook is paid that no spreadsheet program shows, as it is of another kind',
    without: '',
    test: { file: MADE_UP, name: 'is refused: all of worksheet of another namespace' },
  },
  {
    id: 'one-part-of-a-type',
    against: 'texts are taken from another table than the one that a spreadsheet program shows',
    without: '',
    test: { file: MADE_UP, name: 'is refused: two tables of texts' },
  },
  {
    id: 'types-in-full',
    against: 'texts are taken from a part that spreadsheet programs do not know',
    without: 'return type.endsWith(`/${name}`);',
    test: { file: MADE_UP, name: 'has none of the parts that its relationships name by types of others' },
  },
  {
    id: 'relationship-once',
    against: 'a sheet is read from another part than the one that a spreadsheet program shows under its name',
    without: '',
    test: { file: MADE_UP, name: 'is refused: two parts with one id' },
  },
  {
    id: 'id-of-a-part',
    against: 'an id that spreadsheet programs leave out says which part of a workbook is a sheet',
    without: "return local === 'id';",
    test: { file: MADE_UP, name: 'has the parts of sheets that ids of relationships name' },
  },
  {
    id: 'rows-of-sheet-data',
    against: 'rows are paid that a program has left beside those of the sheet, where nobody sees them',
    without: 'if (depth === IN_SHEET) this.#isData = true;',
    test: { file: XLSX, name: 'is not read: rows of something else' },
  },
  {
    id: 'rows-in-their-place',
    against: 'a row that some programs show is left out without a word',
    without: '',
    test: { file: UNREADABLE, name: 'has a row that is no part of the rows' },
  },
  {
    id: 'one-value-of-a-cell',
    against: 'an amount is put together from two values of a cell, of which a spreadsheet program shows one',
    without: '',
    test: { file: UNREADABLE, name: 'has two values in a cell' },
  },
  {
    id: 'too-small-to-see',
    against: 'nobody is told of a row or a column that has no height or width',
    without: 'return false;',
    test: { file: XLSX, name: 'is named: a row without height' },
  },
  {
    id: 'formats-of-cells',
    against: 'a workbook shows an amount by a format that is not that of its cell',
    without: "if (name === 'numFmt') own.set(id, attributes['formatCode'] ?? 'General');",
    test: { file: XLSX, name: 'has the format of its style' },
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
    id: 'date-as-shown',
    against: 'a row is paid on another day than the workbook shows',
    without: 'return { text: day };',
    test: {
      file: 'test/domain/import-profiles/read-amounts-and-dates.test.ts',
      name: 'is refused where another one is shown: 31.12.2026',
    },
  },
  {
    id: 'first-of-each-code',
    against: 'a sheet of a thousand repeated headers hides the warning that a name is not the holder of the account',
    without: 'if (this.list.listed.length >= this.#maxListed) continue;',
    test: { file: 'test/application/check-payment-file.test.ts', name: 'many warnings of one code hide no other' },
  },
  {
    id: 'chosen-sheet-hidden',
    against: 'nobody is told that the sheet that is paid is hidden in its workbook',
    without: '',
    test: { file: MADE_UP, name: 'is said to be read from a hidden sheet' },
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
