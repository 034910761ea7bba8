import type { Guard } from './guard.ts';

const PAYMENT_REQUESTS = 'test/store/payment-requests.services.ts';
const SENT_ONCE = 'test/activities/sent-once.services.ts';
const PAYMENT_LOOKUPS = 'test/activities/payment-lookups.services.ts';
const SECOND_TRIES = 'test/workflows/second-tries.services.ts';
const REQUESTS_OF_ENDED_ROWS = 'test/store/requests-of-ended-rows.services.ts';

/** Checks that a payment is created and charged only once. */
export const ONCE_GUARDS: readonly Guard[] = [
  {
    id: 'one-open-request',
    against: 'two processes create or fund one payment at the same time, or while the outcome of the first is open',
    without: 'const isNonIdempotent = false;',
    test: { file: PAYMENT_REQUESTS, name: 'begins for one of all that send it at the same time' },
  },
  {
    id: 'none-after-one-that-took-effect',
    against: 'a payment is created twice because its row counts as only quoted',
    without: 'where non_idempotent and outcome is null;',
    test: {
      file: PAYMENT_REQUESTS,
      name: 'is not begun again after one has taken effect, whatever the payment’s state',
    },
    behind: 'begun-in-its-state',
  },
  {
    id: 'begun-in-its-state',
    against: 'a payment is created without a quote, or funded without a creation',
    without: 'where $4::text[] is not null and not is_stopped(account, run_id)',
    test: { file: PAYMENT_REQUESTS, name: 'begins only in a state from which it may be sent' },
    behind: 'none-after-one-that-took-effect',
  },
  {
    id: 'no-quote-while-created',
    against: 'a quote overwrites the one that a running creation uses',
    without: '',
    test: { file: PAYMENT_REQUESTS, name: 'begins no quote while a creation is under way' },
  },
  {
    id: 'funded-once-a-read',
    against: 'a signal makes a workflow fund a payment that waits for money',
    without: 'and (true or funds_seen_at > coalesce((select max(answered_at) from provider_requests refused',
    test: {
      file: 'test/workflows/insufficient-funds.services.ts',
      name: 'alone decides: no signal makes a payment be funded',
    },
  },
  {
    id: 'sent-soon-or-not',
    against: 'a request is sent so late that a lookup has already found it without effect',
    without: 'if (Number.isNaN(sinceStartedMs())) throw new Error();',
    test: { file: SENT_ONCE, name: 'a creation or a funding that waited too long for its lease is not sent' },
  },
  {
    id: 'sent-soon-by-both-clocks',
    against: 'a request is sent after the machine has slept, when a lookup has already found it without effect',
    without: 'return { sinceStartedMs: () => Math.min(now() - wallMs, monotonicNow() - monotonicMs) };',
    test: { file: SENT_ONCE, name: 'a creation or a funding during which the machine slept is not sent' },
  },
  {
    id: 'reference-is-unique',
    against: 'the provider accepts a second creation with the same reference',
    without: 'uniqueReferenceId: false,',
    test: {
      file: 'test/workflows/unknown-outcomes.services.ts',
      name: 'a payment that a lookup does not show yet is not created twice',
    },
  },
  {
    id: 'paid-to-the-account-before',
    against: 'the same amount is paid to the same account again under another name',
    without: 'cross join lateral (${earliestOther(`same_payments(paid.account, beneficiary_fingerprint, null,',
    test: {
      file: 'test/store/duplicates.services.ts',
      name: 'however the holder is spelt, in another run and in the file itself',
    },
  },
  {
    id: 'paid-from-any-account',
    against: 'the same amount is paid to the same account again from another account with the provider',
    without: 'where other.account = p_account and other.account_hash = p_account_hash',
    test: {
      file: 'test/store/duplicates.services.ts',
      name: 'from any account of the installation, whose runs are not named',
    },
  },
  {
    id: 'paid-lately-or-payable',
    against: 'a payment that waited for two months is paid a second time',
    without: 'select p_ended_at > clock_timestamp() - make_interval(days => p_days)',
    test: {
      file: 'test/store/duplicates.services.ts',
      name: 'however long ago its run was submitted, until 60 days after its row was paid',
    },
  },
  {
    id: 'lost-creation-stays-open',
    against: 'a creation whose answer was lost counts as refused, and is repeated',
    without: "if (kind === 'not_sent') return recordUnknown(database, answer);",
    test: { file: SENT_ONCE, name: 'whose answer was lost is looked up before it is sent again' },
  },
  {
    id: 'creation-of-no-known-status',
    against: 'a payment is funded although its creation was answered with a status that nobody knows',
    without: "const shown = stateShownBy(reply.value, payment, settings.stateOf) ?? 'created';",
    test: { file: SENT_ONCE, name: 'that is answered with a status that nobody knows is looked up, and not funded' },
  },
  {
    id: 'refused-funding-stays-open',
    against: 'a funding that was refused because the payment is already funded is repeated at once',
    without: "await recordIfCurrent(database, { ...answer, outcome: 'refused', transition: { to: null, update } });",
    test: { file: SENT_ONCE, name: 'that was refused is read before it is sent again' },
  },
  {
    id: 'no-effect-is-proven',
    against: 'a request of unknown outcome counts as without effect, and is sent again',
    without: 'return !ANSWER_TABLE[failure.kind].isRefusal;',
    test: { file: SENT_ONCE, name: 'whose answer was lost is looked up before it is sent again' },
  },
  {
    id: 'refused-after-a-lookup',
    against: 'a payment that appears late is missed because the refusal of its second creation is believed',
    without: 'if (earlier.foundAbsent > 1e9) return recordUnknown(database, answer);',
    test: { file: SENT_ONCE, name: 'that is refused is looked up if an earlier one was not found' },
  },
  {
    id: 'short-only-when-refused',
    against: 'a funding of unknown outcome counts as refused because of missing money',
    without: 'return open;',
    test: { file: PAYMENT_LOOKUPS, name: 'does not resolve a funding with an unknown outcome' },
  },
  {
    id: 'ended-without-open-requests',
    against: 'a row that has ended keeps an open request for ever: it is never erased, and an alert stays',
    without: '',
    test: { file: REQUESTS_OF_ENDED_ROWS, name: 'a row that a poll shows as paid has no open request' },
  },
  {
    id: 'ended-requests-took-effect',
    against: 'a request counts as not seen although its payment was paid',
    without: "outcome = 'not_seen'",
    test: { file: REQUESTS_OF_ENDED_ROWS, name: 'a row that a poll shows as paid has no open request' },
  },
  {
    id: 'late-answer-not-written',
    against: 'a late answer of a worker that counted as dead overwrites the result of a lookup',
    without: 'where request_id = $1\nreturning payment_id, request_id, non_idempotent, begun_at, operation, outcome',
    test: {
      file: PAYMENT_REQUESTS,
      name: 'is superseded if its answer comes after others have resolved it, and nothing is recorded',
    },
    behind: 'outcome-written-once',
  },
  {
    id: 'lookup-written-once',
    against: 'a later lookup overwrites the result of an earlier one',
    without: 'where request_id = $1 returning payment_id, operation, outcome',
    test: { file: PAYMENT_REQUESTS, name: 'may begin again after a lookup has shown that the last one had no effect' },
    behind: 'outcome-written-once',
  },
  {
    id: 'lost-turn-begins-again',
    against: 'a worker continues with an answer that was not stored, and its payment makes no progress',
    without: "if (isOvertaken && recorded === 'superseded') throw superseded();",
    test: {
      file: SENT_ONCE,
      name: 'whose outcome another worker has resolved meanwhile records nothing and is retried',
    },
  },
  {
    id: 'lookup-once-visible',
    against: 'a payment that appears late counts as absent, and is created again',
    without:
      "if (remainingMs > 1e15) throw tryAgainIn(remainingMs, 'not_visible_yet', 'what the request did may not be visible yet');",
    test: { file: SECOND_TRIES, name: 'a creation that becomes visible late is not repeated' },
  },
  {
    id: 'creation-lookup-once-visible',
    against: 'a creation is looked up before it can be visible',
    without: '',
    test: { file: SECOND_TRIES, name: 'a creation that becomes visible late is not repeated' },
  },
  {
    id: 'funding-read-once-visible',
    against: 'a funding that becomes visible late is sent again',
    without: '',
    test: { file: SECOND_TRIES, name: 'a funding that becomes visible late is not repeated' },
  },
  {
    id: 'waits-for-the-dead',
    against: 'the request of a worker that died is looked up while it may still be under way',
    without: 'const visibleAtMs = visibilityDelayMs;',
    test: { file: 'test/activities/visibility-delay.test.ts', name: 'if its worker died, once it must have ended' },
  },
  {
    id: 'others-show-no-absence',
    against: 'a payment is created again after an answer to another search',
    without: 'if (lookup.payments.length > 0) {',
    test: { file: PAYMENT_LOOKUPS, name: 'that shows only other payments is inconclusive' },
  },
  {
    id: 'reads-the-one-asked-for',
    against: 'a payment is funded again, or called paid, because of another payment’s status',
    without: "return simplePaymentAnswer.refine(() => asked.length > 0, { path: ['simplePaymentId'] });",
    test: {
      file: PAYMENT_LOOKUPS,
      name: 'a read that returns another payment, awaiting_funds, does not resolve the funding',
    },
  },
  {
    id: 'unknown-status-resolves-nothing',
    against: 'a payment is funded, or funded again, because of an inconclusive status',
    without: "if (providerStatus !== '') return state ?? 'created';",
    test: { file: PAYMENT_LOOKUPS, name: 'that shows an unknown status leaves the request open' },
  },
];
