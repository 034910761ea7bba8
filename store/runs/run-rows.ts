import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { BENEFICIARY, BENEFICIARY_COLUMNS } from './reviewed-rows.ts';
import type { StoredBeneficiary } from './row-content.ts';

/** One row of a run for lists and result files. Amounts are decimal strings. What it has of its payee is encrypted. */
export interface StoredRow extends StoredBeneficiary {
  rowNumber: number;
  line: number;
  rowRef: string;
  state: PaymentState;
  attempt: number;
  amount: string | null;
  providerPaymentId: string | null;
  sellAmount: string | null;
  buyAmount: string | null;
  rate: string | null;
  fee: string | null;
  totalAmount: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  quotedAt: Date | null;
  createdAt: Date | null;
  fundedAt: Date | null;
  endedAt: Date | null;
  /** What came back, in the currency sold, and the date of the last part of it. */
  returnedAmount: string | null;
  returnedAt: Date | null;
  expected: ExpectedOfRow;
}

/** What the row is expected to cost, by the indicative prices of its run; null: as far as there is none. */
export interface ExpectedOfRow {
  sells: string | null;
  buys: string | null;
  /** In the currency sold. */
  fees: string | null;
}

/** The outcome of a row, under the names of `StoredRow`. */
export const OUTCOME_COLUMNS = `line, row_ref as "rowRef", state, attempt, amount::text,
  provider_payment_id as "providerPaymentId", sell_amount::text as "sellAmount", buy_amount::text as "buyAmount",
  rate::text, fee::text, total_amount::text as "totalAmount", error_code as "errorCode",
  error_message as "errorMessage", quoted_at as "quotedAt", created_at as "createdAt", funded_at as "fundedAt",
  ended_at as "endedAt", returned_amount::text as "returnedAmount", returned_at as "returnedAt"`;
const ROW_COLUMNS = `${BENEFICIARY_COLUMNS}, row_number as "rowNumber", ${OUTCOME_COLUMNS},
  (select jsonb_build_object('sells', sells::text, 'buys', buys::text, 'fees', fees::text)
   from runs cross join lateral expected_cost(amount, amount_side, sell_currency, buy_currency,
     priced_channel(instruction, buy_currency, indicative_prices -> 'local'), indicative_prices) where runs.run_id = payments.run_id) as expected`;

/** Rows in input order, after a line, at most `limit`; of one state only where one is given. */
export async function listRows(
  database: Queryable,
  runId: string,
  page: { afterLine: number; limit: number; state: PaymentState | null },
): Promise<StoredRow[]> {
  const { rows } = await database.query<StoredRow>(
    `select ${ROW_COLUMNS} from payments ${BENEFICIARY}
     where run_id = $1 and line > $2 and ($4::text is null or state = $4)
     order by line limit $3`,
    [runId, page.afterLine, page.limit, page.state],
  );
  return rows;
}

/** The rows with these numbers, in this order. */
export async function readRowsByNumber(
  database: Queryable,
  runId: string,
  numbers: readonly number[],
): Promise<StoredRow[]> {
  const { rows } = await database.query<StoredRow>(
    `select ${ROW_COLUMNS} from payments ${BENEFICIARY} where run_id = $1 and row_number = any($2::integer[])`,
    [runId, numbers],
  );
  const byNumber = new Map(rows.map((row) => [row.rowNumber, row]));
  return numbers.flatMap((number) => byNumber.get(number) ?? []);
}

/** The rows of these payments, by the ids of the payments. */
export async function readRowsById(
  database: Queryable,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, StoredRow>> {
  const { rows } = await database.query<StoredRow>(
    `select ${ROW_COLUMNS} from payments ${BENEFICIARY} where payment_id = any($1::uuid[])`,
    [paymentIds],
  );
  return new Map(rows.map((row) => [row.paymentId, row]));
}

/** The row on a line of the file, or null. */
export async function findRowByLine(database: Queryable, runId: string, line: number): Promise<StoredRow | null> {
  const { rows } = await database.query<StoredRow>(
    `select ${ROW_COLUMNS} from payments ${BENEFICIARY} where run_id = $1 and line = $2`,
    [runId, line],
  );
  return rows[0] ?? null;
}

/** The row with that `row_ref`, or null. If a valid and invalid rows share it, the valid one. */
export async function findRow(database: Queryable, runId: string, rowRef: string): Promise<StoredRow | null> {
  const { rows } = await database.query<StoredRow>(
    `select ${ROW_COLUMNS} from payments ${BENEFICIARY}
     where run_id = $1 and row_ref = $2 order by state = 'invalid', line limit 1`,
    [runId, rowRef],
  );
  return rows[0] ?? null;
}
