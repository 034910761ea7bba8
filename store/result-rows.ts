import type { PaymentState } from '../domain/payment-state.ts';
import type { Queryable } from './database.ts';

/** What results.csv says of a row: of its content no more than that, since reading the whole takes longer than writing this. */
export interface ResultRow {
  line: number;
  rowRef: string;
  state: PaymentState;
  attempt: number;
  amount: string | null;
  amountSide: string | null;
  sellCurrency: string | null;
  buyCurrency: string | null;
  echo: string | null;
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
  settledAt: Date | null;
}

/** Rows in input order, after a line, at most `limit`. Amounts are decimal strings. */
export async function listResults(
  database: Queryable,
  runId: string,
  page: { afterLine: number; limit: number },
): Promise<ResultRow[]> {
  const { rows } = await database.query<ResultRow>({
    name: 'list-results',
    text: `select line, row_ref as "rowRef", state, attempt, amount::text, amount_side as "amountSide",
        sell_currency as "sellCurrency", buy_currency as "buyCurrency", instruction ->> 'echo' as echo,
        provider_payment_id as "providerPaymentId", sell_amount::text as "sellAmount", buy_amount::text as "buyAmount",
        rate::text, fee::text, total_amount::text as "totalAmount", error_code as "errorCode", error_message as "errorMessage",
        quoted_at as "quotedAt", created_at as "createdAt", funded_at as "fundedAt", settled_at as "settledAt"
      from payments where run_id = $1 and line > $2 order by line limit $3`,
    values: [runId, page.afterLine, page.limit],
  });
  return rows;
}
