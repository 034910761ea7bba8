import { describe, expect, test } from 'vitest';
import { openPaymentFile } from '../../application/payment-file/open-payment-file.ts';
import { proposeReading } from '../../application/payment-file/propose-reading.ts';
import { readRows } from '../../application/payment-file/read-rows.ts';
import { readTable } from '../../application/payment-file/read-table.ts';
import { kindOfFormula } from '../../application/sheets/kind-of-formula.ts';
import { SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import { withColumns } from '../../domain/import-profiles/profile.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { workbookParts } from './sheets/make-workbook.ts';
import { zipOf } from './sheets/make-zip.ts';

const text = (cell: string, shown: string) => `<c r="${cell}" t="inlineStr"><is><t>${shown}</t></is></c>`;

/** Its first column is empty. In column D are amounts, in F remarks. */
const SHEET = `<sheetData>
<row r="1">${text('B1', 'Supplier')}${text('C1', 'Invoice')}${text('D1', 'Amount EUR')}${text('E1', 'IBAN')}${text('F1', 'Note')}</row>
<row r="2">${text('B2', 'Nordlicht')}${text('C2', 'R-1')}<c r="D2"><f>5*2</f><v>9000</v></c>${text('E2', 'DE89370400440532013000')}${text('F2', 'x')}</row>
<row r="3">${text('B3', 'Südwind')}${text('C3', 'R-2')}<c r="D3"><f>SUM(H1:H9)</f><v>12.5</v></c><c r="E3" t="str"><f>VLOOKUP(B3,K:L,2,0)</f><v>NL91ABNA0417164300</v></c><c r="F3"><f>1+1</f><v>2</v></c></row>
</sheetData>`;

async function aWorkbook() {
  const file = zipOf(workbookParts({ sheets: { Sheet: SHEET } }));
  const { proposal } = await proposeReading({ file, profile: null, known: [], wanted: {} }, SHEET_LIMITS);
  const constants = ['sell_currency', 'funding_method', 'bank_name'] as const;
  const columns = Object.fromEntries(constants.map((column) => [column, { constant: 'x' }]));
  return { proposal, read: { file, profile: withColumns(proposal.profile, columns), rowNumbers: null } };
}

const told = (notes: readonly RowProblem[]) =>
  notes.filter(({ code }) => code === 'formula_result').map(({ line, column, problem }) => [line, column, problem]);
const CAUSE = 'who is paid, or how much, is the stored result of a formula; it is read as it is stored';
const EXPECTED = [
  [2, 'amount', `${CAUSE}: D2, a calculation (2 times)`],
  [3, 'bank_iban', `${CAUSE}: E3, VLOOKUP`],
];

describe('results of formulas in columns that decide who is paid or how much', () => {
  test('are read as they are stored, and told once for each column of the sheet', async () => {
    const { read } = await aWorkbook();
    const notes: RowProblem[] = [];
    const amounts: unknown[] = [];
    for await (const rows of readRows(await openPaymentFile(read), null, (note) => notes.push(note))) {
      amounts.push(...rows.map(({ cells }) => cells.amount));
    }
    expect(amounts).toEqual(['9000', '12.5']);
    expect(told(notes).toSorted()).toEqual(EXPECTED);
  });

  test('are told while the sheet is prepared, and of a draft', async () => {
    const { proposal, read } = await aWorkbook();
    expect(told(proposal.notes as RowProblem[]).toSorted()).toEqual(EXPECTED);
    expect(told((await readTable(read, SHEET_LIMITS)).notes).toSorted()).toEqual(EXPECTED);
  });
});

test.each([
  ['5*2', 'a calculation'],
  ['', 'a calculation'],
  ['SUM(A1:A9)', 'SUM'],
  ['_xlfn.XLOOKUP(A1,B:B,C:C)', 'XLOOKUP'],
  ['B3*round(1.5,0)', 'ROUND'],
])('of the formula "%s" only its kind is said: %s', (formula, kind) => {
  expect(kindOfFormula(formula)).toBe(kind);
});
