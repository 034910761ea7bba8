import type { Guard } from './guard.ts';

const APPROVED_REQUESTS = 'test/store/approved-requests.services.ts';

/** Checks that payments begin only by an approval in the database, whatever a workflow says. */
export const BEGINNING_GUARDS: readonly Guard[] = [
  {
    id: 'begun-as-approved',
    against: 'a quote, a creation or a funding begins without an approval',
    without:
      'select account, payment_id, attempt, $2, $3, ${QUOTED} from payments left join approved using (payment_id)\nwhere payments.payment_id = $1 and state = any($4) and not is_stopped(account, run_id)',
    test: { file: APPROVED_REQUESTS, name: 'the request to fund does not begin for a row that nobody approved' },
    behind: 'each activity compares the content again',
  },
  {
    id: 'begun-same-attempt',
    against: 'a request begins for an attempt that was not approved',
    without: 'join payments on payments.payment_id = frozen.payment_id\n  and payments.row_hash = frozen.row_hash',
    test: { file: APPROVED_REQUESTS, name: 'does not begin for another attempt' },
  },
  {
    id: 'begun-same-row',
    against: 'a request begins for a row that was changed after the approval',
    without: '',
    test: { file: APPROVED_REQUESTS, name: 'does not begin for another row' },
    behind: 'row-compared',
  },
  {
    id: 'begun-same-beneficiary',
    against: 'a request begins for a beneficiary that was changed after the approval',
    without: '',
    test: { file: APPROVED_REQUESTS, name: 'does not begin for another beneficiary' },
    behind: 'beneficiary-compared',
  },
  {
    id: 'begun-unless-stopped',
    against: 'a request begins while a stop is in force',
    without: 'where state = any($4)',
    test: { file: 'test/store/stops.services.ts', name: 'keeps the request to fund from being begun' },
    behind: 'stops are checked again right before the request is sent',
  },
  {
    id: 'begun-with-its-key',
    against: 'rows that no worker can read are tried for days, and given up',
    without: '',
    test: {
      file: 'test/activities/only-what-was-approved.services.ts',
      name: 'a creation waits while its data key is missing',
    },
  },
  {
    id: 'planned-as-approved',
    against: 'the payment of a row begins that the approval did not freeze',
    without: 'const APPROVED = `left join approved_payments frozen on frozen.payment_id = payments.payment_id',
    test: { file: APPROVED_REQUESTS, name: 'are not those that have another row' },
    behind: 'begun-as-approved',
  },
  {
    id: 'decided-by-people',
    against: 'a run pays because a worker recorded it as running',
    without: '`select state in (\'running\', \'paused\') as "isDecided", is_stopped(account, run_id) as "isStopped"',
    test: { file: APPROVED_REQUESTS, name: 'is approved by people, and not by a state that a worker sets' },
    behind: 'begun-as-approved',
  },
  {
    id: 'run-asks-the-record',
    against: 'someone with access to Temporal makes a run pay by starting its workflow',
    without: 'if (page.limit === null) {',
    test: { file: APPROVED_REQUESTS, name: 'that nobody approved has no payments begun, and the attempt is recorded' },
    behind: 'planned-as-approved, begun-as-approved',
  },
  {
    id: 'run-asks-for-stops',
    against: 'a stopped run begins further payments',
    without: '',
    test: { file: APPROVED_REQUESTS, name: 'that is stopped has no payments begun' },
    behind: 'begun-unless-stopped',
  },
  {
    id: 'decision-from-the-record',
    against: 'a signal makes a workflow treat its run as approved',
    without: "decision: { recorded: 'approved', isBeingPrepared: false, isNeeded: false },",
    test: { file: APPROVED_REQUESTS, name: 'that waits for a decision is pending, whatever its workflow is sent' },
    behind: 'run-asks-the-record',
  },
];
