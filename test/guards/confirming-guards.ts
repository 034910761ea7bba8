import type { Guard } from './guard.ts';

const UNSEEN_CREATIONS = 'test/activities/unseen-creations.services.ts';
const CONFIRMATION = 'test/store/status-poll.services.ts';
const LATE_WRITERS = 'test/store/late-writers.services.ts';

/** Checks that no read of the provider sets a wrong state, and that every payment is read. */
export const CONFIRMING_GUARDS: readonly Guard[] = [
  {
    id: 'older-reads-move-nothing-back',
    against: 'an older read sets a payment back to an earlier state',
    without:
      'select payments.payment_id, seen.*, coalesce($7::text[] is not null and seen.state is not null, false) as moves',
    test: { file: CONFIRMATION, name: 'trap 40: never moves a payment back: an older observation changes nothing' },
    behind: 'rows-move-legally',
  },
  {
    id: 'unknown-moved-by-its-end',
    against: 'a payment that was given up is given up repeatedly, and so is its run',
    without: 'to.filter((target) => from !== null || hasEnded(target)).map((target) => `${from}>${target}`),',
    test: {
      file: CONFIRMATION,
      name: 'is read again while it is unknown, at growing intervals, and changes when it has ended',
    },
  },
  {
    id: 'one-of-several-shows-nothing',
    against: 'a row is called paid although several payments share its reference',
    without: 'where payments.state = any($9) and $10::text is not null',
    test: { file: CONFIRMATION, name: 'changes nothing for one of several payments with the same reference' },
  },
  {
    id: 'later-read-stays',
    against: 'an earlier read overwrites what a later read showed',
    without: 'provider_status = case when true or coalesce(polled_at <= $11::timestamptz, true)',
    test: { file: LATE_WRITERS, name: 'does not change what a later one showed' },
  },
  {
    id: 'given-up-by-a-read',
    against: 'a payment is given up as unknown although a read would show its outcome',
    without: 'and (true or polled_at > coalesce(funded_at, created_at) + make_interval(secs => $2)',
    test: { file: CONFIRMATION, name: 'becomes unknown after its age limit and a read, and a younger one does not' },
  },
  {
    id: 'end-is-notified',
    against: 'the workflow of a payment that has ended is not notified, and its run stays open',
    without: 'notification_pending = notification_pending,',
    test: {
      file: CONFIRMATION,
      name: 'ends a payment, whose notification is pending until its workflow was notified of that state',
    },
  },
  {
    id: 'notified-of-that-state',
    against: 'a payment counts as notified although its state has changed since the notification',
    without: 'where payments.payment_id = notified.payment_id `,',
    test: {
      file: CONFIRMATION,
      name: 'ends a payment, whose notification is pending until its workflow was notified of that state',
    },
  },
  {
    id: 'left-out-is-read-singly',
    against: 'a payment that is missing from the provider’s lists is never confirmed',
    without: 'false',
    test: { file: CONFIRMATION, name: 'that a read left out are read singly' },
  },
  {
    id: 'unknown-since',
    against: 'a payment that was created at another price is never read again, whatever becomes of it',
    without: '',
    test: {
      file: 'test/activities/payment-lookups.services.ts',
      name: 'that shows a payment of no quote (103.00, in all 102.00) makes it unknown, to be read again',
    },
  },
  {
    id: 'only-unknown-is-looked-for',
    against: 'a read that comes while a payment is created takes it away from the worker that creates it',
    without: 'await lookForCreation(dependencies, record);',
    test: { file: UNSEEN_CREATIONS, name: 'is not looked for while it is being created' },
    behind: 'the move, which is only of a row that is unknown',
  },
  {
    id: 'resolved-as-unpaid-is-looked-for',
    against: 'a payment that two people thought was never created, or was not paid, is never noticed',
    without: "or (state = 'unknown' and error_code is distinct from $4) and (",
    test: { file: UNSEEN_CREATIONS, name: 'is looked for during a week as well' },
  },
  {
    id: 'resolved-as-unpaid-keeps-looking',
    against: 'nobody looks at a payment that two people called failed, as nothing else is in flight',
    without: ')) as unknown,',
    test: { file: UNSEEN_CREATIONS, name: 'and is known there is read during a week' },
  },
  {
    id: 'unpaid-stays-unless-it-may-be-paid',
    against: 'a payment that two people called failed is unknown again although the provider shows it as failed',
    without: '',
    test: { file: UNSEEN_CREATIONS, name: 'stays so where the provider shows it as' },
  },
  {
    id: 'copy-is-held',
    against:
      'what was submitted again is paid beside a payment that people had resolved as unpaid, and that the provider shows',
    without: '`;',
    test: {
      file: 'test/activities/copies-of-contradicted-rows.services.ts',
      name: 'is held, and not created',
    },
  },
  {
    id: 'paid-copy-is-an-alert',
    against: 'nobody hears that a payment was made twice, as people had resolved the first one as unpaid',
    without: 'v_copy := null;',
    test: {
      file: 'test/activities/copies-of-contradicted-rows.services.ts',
      name: 'is an alert where it is',
    },
  },
  {
    id: 'found-after-it-was-resolved',
    against:
      'the provider shows a payment that two people called never created, and nobody is told: its row may be paid twice',
    without: '',
    test: { file: UNSEEN_CREATIONS, name: 'is unknown again where the provider shows it' },
  },
  {
    id: 'resolved-rows-are-contradicted',
    against: 'a worker calls a row unknown again that people have cancelled',
    without: "and not (payment_was_never_paid(old.state) and new.state = 'unknown') then",
    test: { file: UNSEEN_CREATIONS, name: 'stays so unless two people said it' },
  },
  {
    id: 'unseen-creation-is-read',
    against: 'a payment that was created late is never noticed, and is only called unknown',
    without: 'from payments where account = $1 and provider_payment_id is not null and (',
    test: { file: UNSEEN_CREATIONS, name: 'is looked for at growing intervals for a week' },
  },
  {
    id: 'unseen-creation-keeps-looking',
    against: 'nobody looks for a payment that may be created late, as nothing else is in flight',
    without: 'or payment_is_watched(payments) and provider_payment_id is not null)) as unknown,',
    test: { file: UNSEEN_CREATIONS, name: 'is looked for at growing intervals for a week' },
  },
  {
    id: 'event-names-an-unseen-creation',
    against: 'an event of a payment that was created late is ignored, as nobody knows its id',
    without: 'update payments set webhook_received_at = webhook_received_at',
    test: { file: UNSEEN_CREATIONS, name: 'is looked for at an event of a payment that nobody knows' },
  },
  {
    id: 'payments-take-turns',
    against: 'of many payments in flight, only the first ones are read',
    without:
      'order by has_webhook desc, case when has_webhook then webhook_received_at end, provider_created_at\nlimit 1',
    test: { file: CONFIRMATION, name: 'take turns if they are many, whatever the reads show' },
  },
  {
    id: 'later-balance-stays',
    against: 'an older balance overwrites a later one',
    without: '`,',
    test: { file: LATE_WRITERS, name: 'balances: the later read stays, whoever writes last' },
  },
  {
    id: 'balance-after-the-refusal',
    against: 'the reason for a refused funding is derived from an outdated balance',
    without: 'where payments.payment_id = $1 and balances.read_at <= clock_timestamp()`,',
    test: {
      file: 'test/activities/payment-lookups.services.ts',
      name: 'does not count if it was read before the refusal',
    },
  },
  {
    id: 'contract-names-its-statuses',
    against: 'a setting turns an unfunded payment into a paid one',
    without: '...Object.entries(DOCUMENTED_STATUSES).filter(([status]) => !(status in extra)),\n]);',
    test: {
      file: 'test/domain/provider-status.test.ts',
      name: 'keeps the meaning of the contract, whatever the settings say',
    },
  },
];
