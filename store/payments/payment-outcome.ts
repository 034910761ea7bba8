import { hasEnded, type PaymentState } from '../../domain/payments/payment-state.ts';
import type { AsideKind } from '../audit/audit-kinds.ts';
import type { Queryable } from '../database/database.ts';
import { moveStatement, type PaymentUpdate } from './payment-transition.ts';

/** Where a payment can be while the provider has nothing of it. */
const BEFORE_CREATION: readonly PaymentState[] = ['ready', 'quoted'];

/**
 * Moves a payment for a reason that is no answer to a recorded request. False when it is in no state to go there. With
 * `untilCreated` it moves only while the provider has nothing of it and no creation is under way: so a worker that was
 * thought dead cannot set aside what another has created meanwhile.
 */
export async function transitionPayment(
  database: Queryable,
  aside: {
    paymentId: string;
    to: PaymentState;
    kind: AsideKind;
    facts: PaymentUpdate;
    detail?: Record<string, unknown>;
    untilCreated?: boolean;
  },
): Promise<boolean> {
  const { set, from: anyFrom, values } = moveStatement({ to: aside.to, facts: aside.facts }, 6);
  const { untilCreated = false } = aside;
  const from = untilCreated ? anyFrom.filter((state) => BEFORE_CREATION.includes(state)) : anyFrom;
  const { rows } = await database.query<{ moved: number }>(
    `with moved as (
       update payments set ${set} where payment_id = $1 and state = any($2) and not ($5 and exists (
         select from provider_requests where payment_id = $1 and operation = 'create' and outcome is null))
       returning run_id, payment_id
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', $3, run_id, payment_id, $4::jsonb from moved
     )
     select count(*)::int as moved from moved`,
    [aside.paymentId, from, aside.kind, JSON.stringify({ state: aside.to, ...aside.detail }), untilCreated, ...values],
  );
  return rows[0]?.moved === 1;
}

/**
 * Settles a request whose outcome was unknown, by what the provider showed since, and makes the move that follows.
 * False when someone else has settled it.
 */
export async function resolveOpenRequest(
  database: Queryable,
  finding: {
    requestId: string;
    outcome: 'took_effect' | 'had_no_effect' | 'refused';
    to: PaymentState | null;
    facts: PaymentUpdate;
    detail?: Record<string, unknown>;
  },
): Promise<boolean> {
  const { set, from, values } = moveStatement({ to: finding.to, facts: finding.facts }, 6, { staysGivenUp: true });
  const isEnd = finding.to !== null && hasEnded(finding.to);
  const { rows } = await database.query<{ settled: number }>(
    `with settled as (
       update provider_requests set answered_at = clock_timestamp(), outcome = $2,
         answer = coalesce(answer, 'unknown_outcome')
       where request_id = $1 and outcome is null returning payment_id, operation
     ), moved as (
       -- One that was given up has no workflow that would tell its run.
       update payments set ${set}, notification_pending = notification_pending or payments.state = 'unknown' and $5 from settled
       where payments.payment_id = settled.payment_id and payments.state = any($3)
       returning payments.payment_id, payments.state
     ), audited as (
       insert into audit_entries (actor, kind, run_id, payment_id, detail)
       select 'worker', settled.operation || '_looked_up', run_id, payment_id,
         $4::jsonb || jsonb_build_object('request', $1::uuid, 'outcome', $2::text)
           || coalesce((select jsonb_build_object('state', state) from moved), '{}')
       from settled join payments using (payment_id)
     )
     select count(*)::int as settled from settled`,
    [finding.requestId, finding.outcome, from, JSON.stringify(finding.detail ?? {}), isEnd, ...values],
  );
  return rows[0]?.settled === 1;
}
