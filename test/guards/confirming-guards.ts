import type { Guard } from './guard.ts';

/** Checks that no read of the provider sets a wrong state, and that every payment is read. */

const STATUSES = 'store/payments/provider-statuses.ts';
const BATCHES = 'store/payments/poll-batches.ts';

const shown = (name: string) => ({ file: 'test/store/status-poll.services.ts', name });
const late = (name: string) => ({ file: 'test/store/late-writers.services.ts', name });
const lookedUp = (name: string) => ({ file: 'test/activities/looked-up.services.ts', name });

export const CONFIRMING_GUARDS: readonly Guard[] = [
  {
    id: 'older-reads-move-nothing-back',
    against: 'an older read sets a payment back to an earlier state',
    file: STATUSES,
    text: `coalesce(payments.state || '>' || seen.state = any($7), false) as moves`,
    without: `coalesce($7::text[] is not null and seen.state is not null, false) as moves`,
    test: shown('trap 40: never moves a payment back: an older observation changes nothing'),
    behind: 'rows-move-legally',
  },
  {
    id: 'unknown-moved-by-its-end',
    against: 'a payment that was given up is given up repeatedly, and so is its run',
    file: STATUSES,
    text: `to.filter((target) => from !== 'unknown' || hasEnded(target))`,
    without: 'to.filter((target) => from !== null || hasEnded(target))',
    test: shown('is read again while it is unknown, at growing intervals, and changes when it has ended'),
  },
  {
    id: 'one-of-several-shows-nothing',
    against: 'a row is called paid although several payments share its reference',
    file: STATUSES,
    text: 'where payments.state = any($9) and payments.error_code is distinct from $10',
    without: 'where payments.state = any($9) and $10::text is not null',
    test: shown('changes nothing for one of several payments with the same reference'),
  },
  {
    id: 'later-read-stays',
    against: 'an earlier read overwrites what a later read showed',
    file: STATUSES,
    text: 'case when moves or coalesce(swept_at <= $11::timestamptz, true)',
    without: 'case when true or coalesce(swept_at <= $11::timestamptz, true)',
    test: late('does not change what a later one showed'),
  },
  {
    id: 'given-up-by-a-read',
    against: 'a payment is given up as unknown although a read would show its outcome',
    file: 'store/payments/stale-payments.ts',
    text: 'and (swept_at > coalesce(funded_at, created_at) + make_interval(secs => $2)',
    without: 'and (true or swept_at > coalesce(funded_at, created_at) + make_interval(secs => $2)',
    test: shown('becomes unknown after its age limit and a read, and a younger one does not'),
  },
  {
    id: 'end-is-notified',
    against: 'the workflow of a payment that has ended is not notified, and its run stays open',
    file: STATUSES,
    text: 'notification_pending = notification_pending or moves and judged.state = any($8),',
    without: 'notification_pending = notification_pending,',
    test: shown('ends a payment, whose notification is pending until its workflow was notified of that state'),
  },
  {
    id: 'notified-of-that-state',
    against: 'a payment counts as notified although its state has changed since the notification',
    file: 'store/payments/pending-notifications.ts',
    text: 'and payments.state = notified.state',
    without: '',
    test: shown('ends a payment, whose notification is pending until its workflow was notified of that state'),
  },
  {
    id: 'left-out-is-read-singly',
    against: 'a payment that is missing from the provider’s lists is never confirmed',
    file: BATCHES,
    text: `coalesce(swept_at, 'epoch') < asked_at`,
    without: 'false',
    test: shown('that a read left out are read singly'),
  },
  {
    id: 'payments-take-turns',
    against: 'of many payments in flight, only the first ones are read',
    file: BATCHES,
    text: 'coalesce(asked_at, funded_at, created_at), provider_created_at\n       limit 1',
    without: 'provider_created_at\n       limit 1',
    test: shown('take turns if they are many, whatever the reads show'),
  },
  {
    id: 'later-balance-stays',
    against: 'an older balance overwrites a later one',
    file: 'store/payments/balance-snapshots.ts',
    text: 'where balance_snapshots.read_at <= excluded.read_at or balance_snapshots.read_at > clock_timestamp()',
    without: '',
    test: late('balances: the later read stays, whoever writes last'),
  },
  {
    id: 'balance-after-the-refusal',
    against: 'the reason for a refused funding is derived from an outdated balance',
    file: 'store/payments/balance-snapshots.ts',
    text: 'and balances.read_at > request.answered_at and',
    without: 'and',
    test: lookedUp('does not count if it was read before the refusal'),
  },
  {
    id: 'contract-names-its-statuses',
    against: 'a setting turns an unfunded payment into a paid one',
    file: 'domain/payments/provider-status.ts',
    text: `    // A setting cannot change the meaning of a documented status.
    ...Object.entries(DOCUMENTED_STATUSES),
  ]);`,
    without: `    ...Object.entries(DOCUMENTED_STATUSES).filter(([status]) => !(status in extra)),
  ]);`,
    test: {
      file: 'test/domain/provider-status.test.ts',
      name: 'keeps the meaning of the contract, whatever the settings say',
    },
  },
];
