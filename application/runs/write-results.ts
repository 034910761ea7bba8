import { csvPieces } from '../payment-file/csv-pieces.ts';
import { withoutFormula } from '../payment-file/spreadsheet-text.ts';

/** One input row and what became of it. Amounts are decimal strings, times ISO-8601 UTC; null is an empty cell. */
export interface ResultLine {
  line: number;
  rowRef: string;
  status: string;
  providerId: string | null;
  attempt: number | null;
  amount: string | null;
  amountSide: string | null;
  sellCurrency: string | null;
  sellAmount: string | null;
  buyCurrency: string | null;
  buyAmount: string | null;
  rate: string | null;
  fee: string | null;
  totalAmount: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  quotedAt: string | null;
  createdAt: string | null;
  fundedAt: string | null;
  endedAt: string | null;
  echo: string | null;
  returnedAmount: string | null;
  returnedAt: string | null;
}

/** The columns of results.csv, in order. Scripts rely on both. */
const RESULT_COLUMNS: readonly { header: string; field: keyof ResultLine }[] = [
  { header: 'line', field: 'line' },
  { header: 'row_ref', field: 'rowRef' },
  { header: 'status', field: 'status' },
  { header: 'provider_payment_id', field: 'providerId' },
  { header: 'attempt', field: 'attempt' },
  { header: 'amount', field: 'amount' },
  { header: 'amount_side', field: 'amountSide' },
  { header: 'sell_currency', field: 'sellCurrency' },
  { header: 'sell_amount', field: 'sellAmount' },
  { header: 'buy_currency', field: 'buyCurrency' },
  { header: 'buy_amount', field: 'buyAmount' },
  { header: 'rate', field: 'rate' },
  { header: 'fee', field: 'fee' },
  { header: 'total_amount', field: 'totalAmount' },
  { header: 'error_code', field: 'errorCode' },
  { header: 'error_message', field: 'errorMessage' },
  { header: 'quoted_at', field: 'quotedAt' },
  { header: 'created_at', field: 'createdAt' },
  { header: 'funded_at', field: 'fundedAt' },
  { header: 'ended_at', field: 'endedAt' },
  { header: 'echo', field: 'echo' },
  { header: 'returned_amount', field: 'returnedAmount' },
  { header: 'returned_at', field: 'returnedAt' },
];

/**
 * results.csv, piece by piece: the header, then a line for every result in the order given. It is read by people in
 * spreadsheets, so text that a spreadsheet would run as a formula is made plain text.
 */
export function writeResults(
  lines: Iterable<ResultLine> | AsyncIterable<ResultLine>,
): AsyncGenerator<string, void, undefined> {
  return csvPieces(
    RESULT_COLUMNS.map(({ header }) => header),
    lines,
    (result) => RESULT_COLUMNS.map(({ field }) => withoutFormula(String(result[field] ?? ''))),
  );
}
