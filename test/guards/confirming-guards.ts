import type { Guard } from './guard.ts';

/** What keeps a read of the provider from moving a payment to where it is not, and has every payment read. */

const CONFIRMATION = 'store/payments/confirmation.ts';

const shown = (name: string) => ({ file: 'test/store/confirmation.services.ts', name });
const late = (name: string) => ({ file: 'test/store/late-writers.services.ts', name });
const lookedUp = (name: string) => ({ file: 'test/activities/looked-up.services.ts', name });

export const CONFIRMING_GUARDS: readonly Guard[] = [
  {
    id: 'older-reads-move-nothing-back',
    against: 'an older read moves a payment back that is in flight or paid',
    file: CONFIRMATION,
    text: `coalesce(payments.state || '>' || seen.state = any($7), false) as moves`,
    without: `coalesce($7::text[] is not null and seen.state is not null, false) as moves`,
    test: shown('trap 40: never moves a payment back: an older observation changes nothing'),
    behind: 'rows-move-legally',
  },
  {
    id: 'unknown-moved-by-its-end',
    against: 'a payment that was given up is given up again and again, and its run with it',
    file: CONFIRMATION,
    text: `to.filter((target) => from !== 'unknown' || hasEnded(target))`,
    without: 'to.filter((target) => from !== null || hasEnded(target))',
    test: shown('is looked at again while it is unknown, ever more rarely, and moves on by its end'),
  },
  {
    id: 'one-of-several-shows-nothing',
    against: 'a row is called paid by one of several payments under its reference',
    file: CONFIRMATION,
    text: 'where payments.state = any($9) and payments.error_code is distinct from $10',
    without: 'where payments.state = any($9) and $10::text is not null',
    test: shown('of one of several payments under a reference settles nothing'),
  },
  {
    id: 'later-read-stays',
    against: 'what was read first is shown in the place of what was read last',
    file: CONFIRMATION,
    text: 'case when moves or coalesce(swept_at <= $11::timestamptz, true)',
    without: 'case when true or coalesce(swept_at <= $11::timestamptz, true)',
    test: late('does not change what a later one showed'),
  },
  {
    id: 'given-up-by-a-read',
    against: 'a payment is given up as unknown although a read would show its end',
    file: CONFIRMATION,
    text: 'and (swept_at > coalesce(funded_at, created_at) + make_interval(secs => $2)',
    without: 'and (true or swept_at > coalesce(funded_at, created_at) + make_interval(secs => $2)',
    test: shown('becomes unknown past its age limit by a read after that, and a younger one does not'),
  },
  {
    id: 'end-is-notified',
    against: 'the workflow of a payment that has ended is not notified, and its run stays open',
    file: CONFIRMATION,
    text: 'notification_pending = notification_pending or moves and judged.state = any($8),',
    without: 'notification_pending = notification_pending,',
    test: shown('ends a payment, whose notification is pending until its workflow was notified of that state'),
  },
  {
    id: 'notified-of-that-state',
    against: 'a payment counts as notified although its state has changed since',
    file: 'store/payments/pending-notifications.ts',
    text: 'and payments.state = told.state',
    without: '',
    test: shown('ends a payment, whose notification is pending until its workflow was notified of that state'),
  },
  {
    id: 'left-out-is-read-singly',
    against: 'a payment that the provider’s lists leave out is never confirmed',
    file: CONFIRMATION,
    text: `coalesce(swept_at, 'epoch') < asked_at`,
    without: 'false',
    test: shown('and that it left out are read singly'),
  },
  {
    id: 'payments-take-turns',
    against: 'of many payments in flight, the first ones are read for ever and the others never',
    file: CONFIRMATION,
    text: 'coalesce(asked_at, funded_at, created_at), provider_created_at\n       limit 1',
    without: 'provider_created_at\n       limit 1',
    test: shown('take turns where they are many, whatever is shown of them'),
  },
  {
    id: 'later-balance-stays',
    against: 'an older balance is kept in the place of a later one',
    file: 'store/payments/balance-snapshots.ts',
    text: 'where balance_snapshots.read_at <= excluded.read_at or balance_snapshots.read_at > clock_timestamp()',
    without: '',
    test: late('balances: the later read stays, whoever writes last'),
  },
  {
    id: 'balance-after-the-refusal',
    against: 'why a funding was refused is judged by a balance from before',
    file: 'store/payments/balance-snapshots.ts',
    text: 'and balances.read_at > request.answered_at and',
    without: 'and',
    test: lookedUp('says nothing where it was read before the refusal'),
  },
  {
    id: 'contract-names-its-statuses',
    against: 'a setting makes a payment that is unfunded one that is paid',
    file: 'domain/payments/provider-status.ts',
    text: `    // What the contract names means what it says there.
    ...Object.entries(DOCUMENTED),
  ]);`,
    without: `    ...Object.entries(DOCUMENTED).filter(([status]) => !(status in others)),
  ]);`,
    test: { file: 'test/domain/provider-status.test.ts', name: 'means what the contract says, whatever else is said' },
  },
];
