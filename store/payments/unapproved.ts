import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';

/** What may be with the provider is not to be submitted again before somebody has looked there. */
export const CREATION_UNCERTAIN = {
  error_code: 'creation_uncertain',
  error_message:
    'nothing more of it is sent, and the provider may have this payment already: find out there, have it cancelled, then ' +
    'resolve it',
} as const;

/**
 * Writes down that a request was refused, as the row's content is not in an approval. If the run was approved, the row
 * is set aside: held where the provider has nothing of it, else unknown. Answers its state afterwards.
 */
export async function refuseRequest(
  database: Queryable,
  refused: { paymentId: string; operation: string; error_code: string; error_message: string },
): Promise<PaymentState> {
  const { rows } = await database.query<{ state: PaymentState }>(
    `with known as (
       select state not in ('created', 'awaiting_funds') and may_have_been_created(payment_id, attempt) as may_exist from payments where payment_id = $1
     ), moved as (
       update payments set state = case when state in ('created', 'awaiting_funds') or may_exist then 'unknown' else 'held' end,
         error_code = case when may_exist then $5 else $3 end,
         error_message = case when may_exist then $6 else $4 end, changed_at = clock_timestamp(),
         ended_at = case when state in ('created', 'awaiting_funds') or may_exist then clock_timestamp() else ended_at end
       from known where payment_id = $1 and state in ('ready', 'quoted', 'created', 'awaiting_funds')
         and exists (select from runs where runs.run_id = payments.run_id
           and runs.state not in ('draft', 'validating', 'proposed', 'in_approval'))
         and not exists (select from provider_requests requests
           where requests.payment_id = payments.payment_id and exclusive and outcome is null)
       returning state
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', 'request_refused', run_id, payment_id,
         jsonb_build_object('operation', $2::text, 'why', 'not_approved', 'state', coalesce((select state from moved), state))
       from payments where payment_id = $1
     )
     select coalesce((select state from moved), state) as state from payments where payment_id = $1`,
    [
      refused.paymentId,
      refused.operation,
      refused.error_code,
      refused.error_message,
      CREATION_UNCERTAIN.error_code,
      CREATION_UNCERTAIN.error_message,
    ],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`there is no payment ${refused.paymentId}`);
  return row.state;
}

/** A run was to be paid that nobody approved. */
export async function noteUnapprovedRun(database: Queryable, runId: string, what: string): Promise<void> {
  await database.query(`insert into audit_entries (actor, kind, run_id, detail) values ('worker', $2, $1, $3)`, [
    runId,
    'run_refused',
    JSON.stringify({ what, why: 'not_approved' }),
  ]);
}

/** Rows of a decided run that no approval holds and that were not begun: nothing of them can ever be sent. */
export async function holdUnapprovedRows(database: Queryable, runId: string): Promise<number> {
  const { rowCount } = await database.query(
    `with held as (
       update payments set state = 'held', error_code = 'row_not_as_approved',
         error_message = 'the row is not the one that was approved', changed_at = clock_timestamp()
       where run_id = $1 and state = 'ready'
         and exists (select from runs where runs.run_id = $1 and runs.state in ('running', 'paused', 'awaiting_funds'))
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
