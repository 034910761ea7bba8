import type { Guard } from './guard.ts';

/** Checks that payments begin only by an approval in the record, whatever a workflow says. */

const REQUESTS = 'store/payments/payment-requests.ts';

const begun = (name: string) => ({ file: 'test/store/approved-requests.services.ts', name });
const stops = (name: string) => ({ file: 'test/store/stops.services.ts', name });

export const BEGINNING_GUARDS: readonly Guard[] = [
  {
    id: 'begun-as-approved',
    against: 'a quote, a creation or a funding begins without an approval',
    file: REQUESTS,
    text: 'from payments join approved using (payment_id)\n        where state',
    without: 'from payments left join approved using (payment_id)\n        where payments.payment_id = $1 and state',
    test: begun('the request to fund does not begin for a row that nobody approved'),
    behind: 'each activity compares the content again',
  },
  {
    id: 'begun-same-attempt',
    against: 'a request begins for an attempt that was not approved',
    file: REQUESTS,
    text: ' and payments.attempt = frozen.attempt\n    and payments.row_hash',
    without: '\n    and payments.row_hash',
    test: begun('does not begin for another attempt'),
  },
  {
    id: 'begun-same-row',
    against: 'a request begins for a row that was changed after the approval',
    file: REQUESTS,
    text: 'and payments.row_hash = frozen.row_hash',
    without: '',
    test: begun('does not begin for another row'),
    behind: 'row-compared',
  },
  {
    id: 'begun-same-beneficiary',
    against: 'a request begins for a beneficiary that was changed after the approval',
    file: REQUESTS,
    text: 'and payments.beneficiary_hash = frozen.beneficiary_hash',
    without: '',
    test: begun('does not begin for another beneficiary'),
    behind: 'beneficiary-compared',
  },
  {
    id: 'begun-unless-stopped',
    against: 'a request begins while a stop is in force',
    file: REQUESTS,
    text: 'where state = any($4) and not is_stopped(account, run_id)',
    without: 'where state = any($4)',
    test: stops('keeps the request to fund from being begun'),
    behind: 'stops are checked again right before the request is sent',
  },
  {
    id: 'planned-as-approved',
    against: 'the payment of a row begins that the approval did not freeze',
    file: 'store/runs/payable-rows.ts',
    text: 'join approved_payments frozen on frozen.payment_id',
    without: 'left join approved_payments frozen on frozen.payment_id',
    test: begun('are not those that have another row'),
    behind: 'begun-as-approved',
  },
  {
    id: 'decided-by-people',
    against: 'a run pays because a worker recorded it as running',
    file: 'store/approvals/run-approval.ts',
    text: 'started_at is not null and finished_at is null as "isDecided"',
    without: `state in ('running', 'paused') as "isDecided"`,
    test: begun('is approved by people, and not by a state that a worker sets'),
    behind: 'begun-as-approved',
  },
  {
    id: 'run-asks-the-record',
    against: 'someone with access to Temporal makes a run pay by starting its workflow',
    file: 'activities/runs/begin-payments.ts',
    text: 'if (!isDecided) {',
    without: 'if (page.limit === null) {',
    test: begun('that nobody approved has no payments begun, and the attempt is recorded'),
    behind: 'planned-as-approved, begun-as-approved',
  },
  {
    id: 'run-asks-for-stops',
    against: 'a stopped run begins further payments',
    file: 'activities/runs/begin-payments.ts',
    text: "if (isStopped) return { kind: 'stopped' };",
    without: '',
    test: begun('that is stopped has no payments begun'),
    behind: 'begun-unless-stopped',
  },
  {
    id: 'decision-from-the-record',
    against: 'a signal makes a workflow treat its run as approved',
    file: 'activities/approvals/read-decision.ts',
    text: `in_approval: 'pending',`,
    without: `in_approval: 'approved',`,
    test: begun('that waits for a decision is pending, whatever its workflow is sent'),
    behind: 'run-asks-the-record',
  },
];
