import type { Queryable } from '../database/database.ts';
import { CONTENT_COLUMNS, type StoredContent } from './row-content.ts';
import { OUTCOME_COLUMNS, type StoredRow } from './run-rows.ts';

/** The columns of results.csv alone: reading whole rows takes longer than writing the file. */
export interface ResultRow
  extends StoredContent,
    Omit<StoredRow, keyof StoredContent | 'rowNumber' | 'account' | 'shown'> {
  amountSide: string | null;
  sellCurrency: string | null;
  buyCurrency: string | null;
}

/** Rows in input order, after a line, at most `limit`. Amounts are decimal strings. */
export async function listResults(
  database: Queryable,
  runId: string,
  page: { afterLine: number; limit: number },
): Promise<ResultRow[]> {
  const { rows } = await database.query<ResultRow>({
    name: 'list-results',
    text: `select ${OUTCOME_COLUMNS}, ${CONTENT_COLUMNS}, amount_side as "amountSide", sell_currency as "sellCurrency",
        buy_currency as "buyCurrency"
      from payments where run_id = $1 and line > $2 order by line limit $3`,
    values: [runId, page.afterLine, page.limit],
  });
  return rows;
}
