import {
  PENDING_PAYMENT_STATES,
  type PaymentState,
  UNFUNDED_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';
import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import { STARTED_RUN_STATES, UNDECIDED_RUN_STATES } from '../../domain/runs/run-state.ts';
import { sqlList } from '../database/sql-list.ts';
import type { Queryable } from '../database/database.ts';

/**
 * Records that a request was refused because the row's content was not approved. In a decided run the row is held, or
 * becomes `unknown` if the provider has it. Returns its state afterwards.
 */
export async function refuseRequest(
  database: Queryable,
  refused: { paymentId: string; operation: string; error_code: PaymentErrorCode; error_message: string },
): Promise<PaymentState> {
  const { rows } = await database.query<{ state: PaymentState }>(
    `with moved as (
       update payments set state = case when state in (${sqlList(UNFUNDED_PAYMENT_STATES)}) then 'unknown' else 'held' end,
         error_code = $3, error_message = $4, changed_at = clock_timestamp(),
         ended_at = case when state in (${sqlList(UNFUNDED_PAYMENT_STATES)}) then clock_timestamp() else ended_at end
       where payment_id = $1 and state in (${sqlList(PENDING_PAYMENT_STATES)})
         and exists (select from runs where runs.run_id = payments.run_id
           and runs.state not in (${sqlList(UNDECIDED_RUN_STATES)}))
         and not exists (select from provider_requests requests
           where requests.payment_id = payments.payment_id and non_idempotent and outcome is null)
       returning state
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', 'request_refused', run_id, payment_id,
         jsonb_build_object('operation', $2::text, 'why', 'not_approved', 'state', coalesce((select state from moved), state))
       from payments where payment_id = $1
     )
     select coalesce((select state from moved), state) as state from payments where payment_id = $1`,
    [refused.paymentId, refused.operation, refused.error_code, refused.error_message],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no payment ${refused.paymentId}`);
  return row.state;
}

/** Records an attempt to pay a run that nobody approved. */
export async function noteUnapprovedRun(database: Queryable, runId: string, what: string): Promise<void> {
  await database.query(`insert into audit_entries (actor, kind, run_id, detail) values ('worker', $2, $1, $3)`, [
    runId,
    'run_refused',
    JSON.stringify({ what, why: 'not_approved' }),
  ]);
}

/** Holds the ready rows of a started run that are not as approved: they can never be sent. Returns how many. */
export async function holdUnapprovedRows(database: Queryable, runId: string): Promise<number> {
  const { rowCount } = await database.query(
    `with held as (
       update payments set state = 'held', error_code = 'row_not_as_approved',
         error_message = 'the row is not the one that was approved', changed_at = clock_timestamp()
       where run_id = $1 and state = 'ready'
         and exists (select from runs where runs.run_id = $1 and runs.state in (${sqlList(STARTED_RUN_STATES)}))
         and not exists (select from approved_payments frozen
           where frozen.payment_id = payments.payment_id and frozen.attempt = payments.attempt
             and frozen.row_hash = payments.row_hash)
       returning run_id, payment_id
     )
     insert into audit_entries (actor, kind, run_id, payment_id, detail)
     select 'worker', 'request_refused', run_id, payment_id, '{"why": "not_approved", "operation": "begin", "state": "held"}'
     from held`,
    [runId],
  );
  return rowCount ?? 0;
}
