import {
  OPEN_PAYMENT_STATES,
  PENDING_PAYMENT_STATES,
  SENDING_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** The rows of the whole run, and how many begun ones are still to be funded, without those that wait for money. */
export async function countUnsentPayments(
  database: Queryable,
  runId: string,
): Promise<{ rows: number; unsent: number }> {
  const { rows } = await database.query<{ rows: number; unsent: number }>(
    `select row_count as rows, (
       select coalesce(sum(rows), 0)::int from run_counts
       where run_id = $1 and state in (${sqlList(SENDING_PAYMENT_STATES)}) and (is_begun or state <> 'ready')
     ) as unsent
     from runs where run_id = $1`,
    [runId],
  );
  const [counted] = rows;
  if (counted === undefined) throw new Error(`there is no run ${runId}`);
  return counted;
}

/** Payments still to be created, funded or confirmed: ended and held ones are not counted. */
export async function countOpenPayments(database: Queryable, runId: string): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    `select count(*)::int as open from payments
     where run_id = $1 and state in (${sqlList(OPEN_PAYMENT_STATES)})`,
    [runId],
  );
  return rows[0]?.open ?? 0;
}

/** Begun payments that are not funded. */
export async function listUnsentPayments(database: Queryable, runId: string): Promise<string[]> {
  const { rows } = await database.query<{ payment_id: string }>(
    `select payment_id from payments
     where run_id = $1 and state in (${sqlList(PENDING_PAYMENT_STATES)})
       and (workflow_begun_at is not null or state <> 'ready')
     order by row_number`,
    [runId],
  );
  return rows.map((row) => row.payment_id);
}
