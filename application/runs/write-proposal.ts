import { weekdayOf } from '../../domain/calendar-date.ts';
import { WEEKDAYS } from '../../domain/treasury/calendar-overrides.ts';
import { csvPieces } from '../payment-file/csv-pieces.ts';
import { withoutFormula } from '../payment-file/spreadsheet-text.ts';
import type { RowSummary } from '../../api/runs/row.ts';

/** The columns of proposal.csv, in order. Scripts rely on both. */
const COLUMNS: readonly (readonly [header: string, cell: (row: RowSummary) => string | number | null])[] = [
  ['line', ({ line }) => line],
  ['row_ref', ({ rowRef }) => rowRef],
  ['status', ({ state }) => state],
  ['beneficiary', ({ beneficiaryName, beneficiaryId }) => beneficiaryName ?? beneficiaryId],
  ['account_holder', ({ bankAccount }) => bankAccount?.holder ?? null],
  ['account', ({ bankAccount }) => bankAccount?.iban ?? bankAccount?.accountNumber ?? null],
  ['bank_code', ({ bankAccount }) => bankAccount?.bankCode ?? null],
  ['bank_country', ({ country }) => country],
  ['pay_on', ({ payOn }) => payOn],
  ['weekday', ({ payOn }) => (payOn === null ? null : (WEEKDAYS[weekdayOf(payOn)] ?? null))],
  ['sell_currency', ({ sellCurrency }) => sellCurrency],
  ['sell_amount', ({ sellAmount, expected }) => sellAmount ?? expected.sells],
  ['expected_fee', ({ expected }) => expected.fees],
  ['buy_currency', ({ buyCurrency }) => buyCurrency],
  ['buy_amount', ({ buyAmount, expected }) => buyAmount ?? expected.buys],
  ['payment_reference', ({ reference }) => reference],
  ['delivered_by', ({ delivery }) => delivery?.by ?? null],
  ['delivered_name', ({ delivery }) => delivery?.name ?? null],
  ['name_cut', ({ delivery }) => delivery?.nameCut ?? null],
  ['delivered_reference', ({ delivery }) => delivery?.reference ?? null],
  ['reference_cut', ({ delivery }) => delivery?.referenceCut ?? null],
  ['stands_out', ({ marks }) => (marks ?? []).join(' ')],
  ['remark', ({ errorMessage }) => errorMessage],
];

/** proposal.csv, piece by piece. Text that a spreadsheet would run as a formula is made plain text. */
export function writeProposal(rows: AsyncIterable<RowSummary>): AsyncGenerator<string, void, undefined> {
  return csvPieces(
    COLUMNS.map(([header]) => header),
    rows,
    (row) => COLUMNS.map(([, cell]) => withoutFormula(String(cell(row) ?? ''))),
  );
}
