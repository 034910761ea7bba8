import type { Guard } from './guard.ts';

/** What begins at all: by an approval in the record, and by no word of a workflow. */

const REQUESTS = 'store/payments/payment-requests.ts';
const PLANNING = 'store/runs/run-planning.ts';

const begun = (name: string) => ({ file: 'test/store/approved-requests.services.ts', name });
const stops = (name: string) => ({ file: 'test/store/stops.services.ts', name });

export const BEGINNING_GUARDS: readonly Guard[] = [
  {
    id: 'begun-as-approved',
    against: 'a quote, a creation or a funding begins for what nobody approved',
    file: REQUESTS,
    text: 'from payments join approved using (payment_id)\n        where state',
    without: 'from payments left join approved using (payment_id)\n        where payments.payment_id = $1 and state',
    test: begun('the request to fund does not begin for a row that nobody approved'),
    behind: 'each activity compares again',
  },
  {
    id: 'begun-same-attempt',
    against: 'a request begins for another attempt than was approved',
    file: REQUESTS,
    text: ' and payments.attempt = frozen.attempt\n    and payments.row_hash',
    without: '\n    and payments.row_hash',
    test: begun('does not begin for another attempt'),
  },
  {
    id: 'begun-same-row',
    against: 'a request begins for another row than was approved',
    file: REQUESTS,
    text: 'and payments.row_hash = frozen.row_hash',
    without: '',
    test: begun('does not begin for another row'),
    behind: 'row-compared',
  },
  {
    id: 'begun-same-beneficiary',
    against: 'a request begins for another beneficiary than was approved',
    file: REQUESTS,
    text: 'and (frozen.beneficiary_hash is null or payments.beneficiary_hash = frozen.beneficiary_hash)',
    without: '',
    test: begun('does not begin for another beneficiary'),
    behind: 'beneficiary-compared',
  },
  {
    id: 'begun-unless-stopped',
    against: 'a request begins while a stop holds',
    file: REQUESTS,
    text: 'where state = any($4) and not is_stopped(account, run_id)',
    without: 'where state = any($4)',
    test: stops('keeps the request to fund from being begun'),
    behind: 'a stop is looked for again just before the request leaves',
  },
  {
    id: 'planned-as-approved',
    against: 'the payment of a row begins that was not frozen',
    file: PLANNING,
    text: 'join approved_payments frozen on frozen.payment_id',
    without: 'left join approved_payments frozen on frozen.payment_id',
    test: begun('are not those that have another row'),
    behind: 'begun-as-approved',
  },
  {
    id: 'decided-by-people',
    against: 'a run pays because a worker says that it is running',
    file: PLANNING,
    text: 'started_at is not null and finished_at is null as "isDecided"',
    without: `state in ('running', 'paused') as "isDecided"`,
    test: begun('is decided on by people, and by no state'),
    behind: 'begun-as-approved',
  },
  {
    id: 'run-asks-the-record',
    against: 'whoever starts the workflow of a run has it pay',
    file: 'activities/runs/begin-payments.ts',
    text: 'if (!isDecided) {',
    without: 'if (page.limit === null) {',
    test: begun('that nobody approved has none of its payments begun'),
    behind: 'planned-as-approved, begun-as-approved',
  },
  {
    id: 'run-asks-for-stops',
    against: 'a stopped run begins further payments',
    file: 'activities/runs/begin-payments.ts',
    text: 'if (isStopped) return { lastRow: null, isStopped };',
    without: '',
    test: begun('that is stopped has none of its payments begun'),
    behind: 'begun-unless-stopped',
  },
  {
    id: 'decision-from-the-record',
    against: 'a signal makes a workflow take its run for decided',
    file: 'activities/approvals/read-decision.ts',
    text: `in_approval: 'pending',`,
    without: `in_approval: 'approved',`,
    test: begun('that waits for a decision is pending'),
    behind: 'run-asks-the-record',
  },
  {
    id: 'workflow-decides-nothing',
    against: 'whoever reaches Temporal puts a decision to the workflow of a run',
    file: 'workflows/run-decision.ts',
    text: `setHandler(approveRun, handler('approved'), { validator });`,
    without: `setHandler(approveRun, handler('approved'));`,
    test: {
      file: 'test/workflows/decisions.services.ts',
      name: 'that is put to the workflow past the server counts nothing',
    },
    behind: 'workers-decide-nothing, run-asks-the-record',
  },
  {
    id: 'workers-decide-nothing',
    against: 'a worker takes a decision that is put to it',
    file: 'activities/approvals/read-decision.ts',
    text: 'return Promise.reject(',
    without: 'return Promise.resolve(void ',
    test: begun('is decided on by nothing that a worker is told'),
    behind: 'run-asks-the-record',
  },
];
