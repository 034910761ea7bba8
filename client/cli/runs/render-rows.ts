import type { RowSummary } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { moment, money, words } from '../wording.ts';

/** Rows of a run as a table; for what was not paid, the reason. */
export function renderRows(rows: readonly RowSummary[]): string {
  if (rows.length === 0) return 'No rows.';
  return textTable(
    [
      { title: 'Line', align: 'right' },
      { title: 'Row', maxWidth: 24 },
      { title: 'State' },
      { title: 'Beneficiary', maxWidth: 28 },
      { title: 'Sends', align: 'right' },
      { title: 'Receives', align: 'right' },
      { title: 'Reason', maxWidth: 80 },
    ],
    rows.map((row) => [
      String(row.line),
      row.rowRef,
      row.attempt > 1 ? `${words(row.state)} (attempt ${row.attempt})` : words(row.state),
      row.beneficiary ?? '',
      amountIn(row.sellCurrency, row.sellAmount),
      amountIn(row.buyCurrency, row.buyAmount),
      reasonOf(row),
    ]),
  );
}

export function amountIn(currency: string | null, amount: string | null): string {
  if (amount === null) return '';
  return currency === null ? money(amount) : `${currency} ${money(amount)}`;
}

function reasonOf(row: RowSummary): string {
  const { errorCode, errorMessage } = row;
  const back = cameBack(row);
  if (back !== null) return back;
  if (errorMessage !== null) return errorCode === null ? errorMessage : `${errorMessage} (${errorCode})`;
  return errorCode ?? '';
}

/** What came back of a row, and when; null: nothing. */
export function cameBack({ returnedAmount, returnedAt, sellCurrency }: RowSummary): string | null {
  if (returnedAmount === null) return null;
  const when = returnedAt === null ? '' : ` on ${moment(returnedAt)}`;
  return `${sellCurrency ?? ''} ${money(returnedAmount)} came back${when}`;
}
