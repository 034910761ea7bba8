import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import {
  ENDED_PAYMENT_STATES,
  hasEnded,
  OBSERVABLE_PAYMENT_STATES,
  PAYMENT_STATE_TABLE,
  type PaymentState,
} from '../../domain/payments/payment-state.ts';
import { FOUND_MORE_THAN_ONCE } from '../../domain/payments/manual-outcome.ts';
import type { Queryable } from '../database/database.ts';

/** The status of one payment as the provider showed it. */
export interface StatusObservation {
  providerPaymentId: string;
  providerStatus: string;
  /** The state that the status means. Null for an unknown status: it is kept and changes no state. */
  state: PaymentState | null;
  errorCode: PaymentErrorCode | null;
  errorMessage: string | null;
}

/**
 * Transitions that a status observation makes. An unknown payment changes only to an ended state: if it were still under
 * way, it would only be given up again.
 */
const OBSERVED_TRANSITIONS = Object.entries(PAYMENT_STATE_TABLE).flatMap(([from, { next: to }]) =>
  // guard: unknown-moved-by-its-end
  to.filter((target) => from !== 'unknown' || hasEnded(target)).map((target) => `${from}>${target}`),
);

/**
 * Records what a read that began at `readAt` (`beginReading`) showed, and returns how many payments ended. States only move
 * forward: an observation older than the database changes nothing, and a webhook that came after the read began still causes
 * another read. An ended payment has a notification pending until its workflow is notified. If several payments share a
 * reference, one observation cannot tell them apart.
 */
export async function applyProviderStatuses(
  database: Queryable,
  account: string,
  readAt: string,
  observations: readonly StatusObservation[],
): Promise<number> {
  const { rows } = await database.query<{ moved: number }>(
    `with seen as (
       select * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         as seen (provider_payment_id, provider_status, state, error_code, error_message)
     ), judged as (
       -- An unknown status has no state, and changes none.
       -- guard: older-reads-move-nothing-back
       select payments.payment_id, seen.*, coalesce(payments.state || '>' || seen.state = any($7), false) as moves
       from seen join payments on payments.account = $1 and payments.provider_payment_id = seen.provider_payment_id
       -- guard: one-of-several-shows-nothing
       where payments.state = any($9) and payments.error_code is distinct from $10
       for update of payments
     ), noted as (
       update payments set
         -- guard: later-read-stays
         provider_status = case when moves or coalesce(polled_at <= $11::timestamptz, true)
           then judged.provider_status else payments.provider_status end,
         polled_at = greatest(polled_at, $11::timestamptz),
         state = case when moves then judged.state else payments.state end,
         error_code = case when moves then judged.error_code else payments.error_code end,
         error_message = case when moves then judged.error_message else payments.error_message end,
         ended_at = case when moves and judged.state = any($8) then clock_timestamp() else ended_at end,
         -- guard: end-is-notified
         notification_pending = notification_pending or moves and judged.state = any($8),
         changed_at = case when moves then clock_timestamp() else changed_at end
       from judged where payments.payment_id = judged.payment_id
       returning payments.run_id, payments.payment_id, payments.state, judged.provider_status,
         moves and judged.state = any($8) as has_ended
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', 'payment_ended', run_id, payment_id, jsonb_build_object('state', state, 'providerStatus', provider_status)
       from noted where has_ended
     )
     select count(*) filter (where has_ended)::int as moved from noted`,
    [
      account,
      observations.map((observation) => observation.providerPaymentId),
      observations.map((observation) => observation.providerStatus),
      observations.map((observation) => observation.state),
      observations.map((observation) => observation.errorCode),
      observations.map((observation) => observation.errorMessage),
      OBSERVED_TRANSITIONS,
      ENDED_PAYMENT_STATES,
      OBSERVABLE_PAYMENT_STATES,
      FOUND_MORE_THAN_ONCE,
      readAt,
    ],
  );
  return rows[0]?.moved ?? 0;
}
