import { hasEnded, type PaymentState, UNCREATED_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { RequestOutcome } from '../../domain/payments/request-result.ts';
import type { TransitionKind } from '../audit/audit-kinds.ts';
import type { Queryable } from '../database/database.ts';
import { transitionStatement, type PaymentUpdate } from './payment-transition.ts';
import { endsStreak } from './refusal-streaks.ts';

/**
 * Changes a payment's state for a reason other than an answer to a recorded request. Answers the state that it has then,
 * which is `unknown` where it may have been created and would have ended; null when its state does not allow it. With
 * `untilCreated`, only while the payment is not created and no creation is under way: a worker that was thought dead must not
 * hold a payment that another worker has created.
 */
export async function transitionPayment(
  database: Queryable,
  transition: {
    paymentId: string;
    to: PaymentState;
    kind: TransitionKind;
    update: PaymentUpdate;
    detail?: Record<string, unknown>;
    untilCreated?: boolean;
    /** Only while it is in one of these. */
    whileIn?: readonly PaymentState[];
  },
): Promise<PaymentState | null> {
  const { set, from: anyFrom, values } = transitionStatement({ to: transition.to, update: transition.update }, 6);
  const { untilCreated = false, whileIn = anyFrom } = transition;
  // guard: held-before-creation (3 lines)
  const from = anyFrom.filter(
    (state) => whileIn.includes(state) && (!untilCreated || UNCREATED_PAYMENT_STATES.includes(state)),
  );
  const { rows } = await database.query<{ state: PaymentState }>(
    `with moved as (
       -- guard: not-held-while-created
       update payments set ${set} where payment_id = $1 and state = any($2) and not ($5 and exists (
         select from provider_requests where payment_id = $1 and operation = 'create' and outcome is null))
       returning run_id, payment_id, state
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', $3, run_id, payment_id, jsonb_build_object('state', state) || $4::jsonb from moved
     )
     select state from moved`,
    [transition.paymentId, from, transition.kind, JSON.stringify(transition.detail ?? {}), untilCreated, ...values],
  );
  return rows[0]?.state ?? null;
}

/**
 * Records the outcome of a request whose outcome was unknown, as the provider has shown it, with the transition that
 * follows. False when the outcome was already recorded.
 */
export async function resolveOpenRequest(
  database: Queryable,
  finding: {
    requestId: string;
    outcome: RequestOutcome;
    to: PaymentState | null;
    update: PaymentUpdate;
    detail?: Record<string, unknown>;
  },
): Promise<boolean> {
  const { set, from, values } = transitionStatement({ to: finding.to, update: finding.update }, 6, {
    // guard: found-stays-with-people
    staysGivenUp: true,
  });
  const isEnd = finding.to !== null && hasEnded(finding.to);
  const { rows } = await database.query<{ resolved: number }>(
    `with resolved as (
       update provider_requests set answered_at = clock_timestamp(), outcome = $2,
         answer = coalesce(answer, 'unknown_outcome')
       -- guard: lookup-written-once
       where request_id = $1 and outcome is null returning payment_id, operation, outcome
     ), interrupted as (
       ${endsStreak('resolved')}
     ), moved as (
       -- A payment that was given up has no workflow to notify its run.
       update payments set ${set}, notification_pending = notification_pending or payments.state = 'unknown' and $5 from resolved
       -- guard: lookups-move-forward
       where payments.payment_id = resolved.payment_id and payments.state = any($3)
       returning payments.payment_id, payments.state
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', resolved.operation || '_resolved', run_id, payment_id,
         $4::jsonb || jsonb_build_object('request', $1::uuid, 'outcome', $2::text)
           || coalesce((select jsonb_build_object('state', state) from moved), '{}')
       from resolved join payments using (payment_id)
     )
     select count(*)::int as resolved from resolved`,
    [finding.requestId, finding.outcome, from, JSON.stringify(finding.detail ?? {}), isEnd, ...values],
  );
  return rows[0]?.resolved === 1;
}
