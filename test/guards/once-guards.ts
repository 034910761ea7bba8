import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks that a payment is created and charged only once. */

const REQUESTS = 'store/payments/payment-requests.ts';
const OUTCOME = 'store/payments/payment-outcome.ts';

const secondTries = (name: string) => ({ file: 'test/workflows/second-tries.services.ts', name });
const funds = (name: string) => ({ file: 'test/workflows/insufficient-funds.services.ts', name });
const duplicates = (name: string) => ({ file: 'test/store/duplicates.services.ts', name });
const requests = (name: string) => ({ file: 'test/store/payment-requests.services.ts', name });
const sent = (name: string) => ({ file: 'test/activities/sent-once.services.ts', name });
const lookedUp = (name: string) => ({ file: 'test/activities/looked-up.services.ts', name });
const visibility = (name: string) => ({ file: 'test/activities/visibility-delay.test.ts', name });

const BEGINNING: readonly Guard[] = [
  {
    id: 'one-open-request',
    against: 'two processes create or fund one payment at the same time, or while the outcome of the first is open',
    file: REQUESTS,
    text: 'const exclusive = (NON_IDEMPOTENT_OPERATIONS as readonly string[]).includes(request.operation);',
    without: 'const exclusive = false;',
    test: requests('begins for one of all that send it at the same time'),
  },
  {
    id: 'none-after-one-that-took-effect',
    against: 'a payment is created twice because its row counts as only quoted',
    file: `${MIGRATIONS}/0013_frozen.sql`,
    text: `where exclusive and (outcome is null or outcome = 'took_effect');`,
    without: 'where exclusive and outcome is null;',
    test: requests('is not begun again after one has taken effect, whatever the payment’s state'),
    behind: 'begun-in-its-state',
  },
  {
    id: 'begun-in-its-state',
    against: 'a payment is created without a quote, or funded without a creation',
    file: REQUESTS,
    text: 'where state = any($4) and not',
    without: 'where $4::text[] is not null and not',
    test: requests('begins only in a state from which it may be sent'),
    behind: 'none-after-one-that-took-effect',
  },
  {
    id: 'no-quote-while-created',
    against: 'a quote overwrites the one that a running creation uses',
    file: REQUESTS,
    text: 'and ($3 or not exists (select from provider_requests where payment_id = $1 and exclusive and outcome is null))',
    without: '',
    test: requests('begins no quote while a creation is under way'),
  },
  {
    id: 'funded-once-a-read',
    against: 'a signal makes a workflow fund a payment that waits for money',
    file: REQUESTS,
    text: "and (state <> 'awaiting_funds' or funds_seen_at >",
    without: 'and (true or funds_seen_at >',
    test: funds('alone decides: no signal makes a payment be funded'),
  },
  {
    id: 'sent-soon-or-not',
    against: 'a request is sent so late that a look-up has already found it without effect',
    file: 'activities/calls/send-window.ts',
    text: "if (sinceOpenedMs() > SEND_WITHIN_MS) throw new Error('it waited too long for its slot');",
    without: 'if (Number.isNaN(sinceOpenedMs())) throw new Error();',
    test: sent('a creation or a funding that waited too long for its slot is not sent'),
  },
  {
    id: 'sent-soon-by-both-clocks',
    against: 'a request is sent after the machine has slept, when a look-up has already found it without effect',
    file: 'activities/calls/send-window.ts',
    text: 'Math.max(now() - wallMs, monotonicNow() - monotonicMs)',
    without: 'Math.min(now() - wallMs, monotonicNow() - monotonicMs)',
    test: sent('a creation or a funding during which the machine slept is not sent'),
  },
  {
    id: 'reference-is-unique',
    against: 'the provider accepts a second creation with the same reference',
    file: 'activities/payments/create-request.ts',
    text: 'uniqueReferenceId: true,',
    without: 'uniqueReferenceId: false,',
    test: {
      file: 'test/workflows/unknown-outcomes.services.ts',
      name: 'a payment that a look-up does not show yet is not created twice',
    },
  },
  {
    id: 'paid-to-the-account-before',
    against: 'the same amount is paid to the same account again under another name',
    file: 'store/runs/duplicates.ts',
    text: 'where other.account_hash = paid.account_hash and',
    without: 'where false and',
    test: duplicates('however the holder is spelt, in another run and in the file itself'),
  },
];

const AFTER_AN_ANSWER: readonly Guard[] = [
  {
    id: 'lost-creation-stays-open',
    against: 'a creation whose answer was lost counts as refused, and is repeated',
    file: 'activities/payments/create-payment.ts',
    text: "if (kind !== 'refused') {",
    without: "if (kind === 'not_sent') {",
    test: sent('whose answer was lost is looked up before it is sent again'),
  },
  {
    id: 'refused-funding-stays-open',
    against: 'a funding that was refused because the payment is already funded is repeated at once',
    file: 'activities/payments/fund-payment.ts',
    text: 'await recordIfCurrent(database, { ...answer, outcome: null, transition: { to: null, update } });',
    without: "await recordIfCurrent(database, { ...answer, outcome: 'refused', transition: { to: null, update } });",
    test: sent('that was refused is read before it is sent again'),
  },
  {
    id: 'no-effect-is-proven',
    against: 'a request of unknown outcome counts as without effect, and is sent again',
    file: 'activities/calls/failure-meaning.ts',
    text: "return failure.kind === 'not_sent' || failure.kind === 'rate_limited' || failure.kind === 'unauthenticated';",
    without: "return failure.kind !== 'refused';",
    test: sent('whose answer was lost is looked up before it is sent again'),
  },
  {
    id: 'refused-after-a-look-up',
    against: 'a payment that appears late is missed because the refusal of its second creation is believed',
    file: 'activities/payments/create-payment.ts',
    text: 'if (earlier.lookedUp > 0 && earlier.refused < MAX_REFUSALS) {',
    without: 'if (earlier.lookedUp > 1e9) {',
    test: sent('that is refused is looked up if an earlier one was not found'),
  },
  {
    id: 'short-only-when-refused',
    against: 'a funding of unknown outcome counts as refused because of missing money',
    file: 'activities/payments/compare-funds.ts',
    text: "return open?.answer === 'refused' ? open : null;",
    without: 'return open;',
    test: lookedUp('does not resolve a funding with an unknown outcome'),
  },
  {
    id: 'late-answer-not-written',
    against: 'a late answer of a worker that counted as dead overwrites the result of a look-up',
    file: REQUESTS,
    text: 'where request_id = $1 and outcome is null\n       returning payment_id, request_id',
    without: 'where request_id = $1\n       returning payment_id, request_id',
    test: requests('is superseded if its answer comes after others have resolved it, and nothing is recorded'),
    behind: 'outcome-written-once',
  },
  {
    id: 'look-up-written-once',
    against: 'a later look-up overwrites the result of an earlier one',
    file: OUTCOME,
    text: 'where request_id = $1 and outcome is null returning payment_id, operation',
    without: 'where request_id = $1 returning payment_id, operation',
    test: requests('may begin again after a look-up has shown that the last one had no effect'),
    behind: 'outcome-written-once',
  },
  {
    id: 'lost-turn-begins-again',
    against: 'a worker continues with an answer that was not stored, and its payment makes no progress',
    file: 'activities/payments/record-if-current.ts',
    text: "if (recorded === 'superseded' || isOvertaken) throw superseded();",
    without: "if (isOvertaken && recorded === 'superseded') throw superseded();",
    test: sent('whose outcome another worker has resolved meanwhile records nothing and is retried'),
  },
];

const LOOKING_UP: readonly Guard[] = [
  {
    id: 'looks-after-settling',
    against: 'a payment that appears late counts as absent, and is created again',
    file: 'activities/payments/visibility-delay.ts',
    text: 'if (remainingMs > 0) throw',
    without: 'if (remainingMs > 1e15) throw',
    test: secondTries('a creation that becomes visible late is not repeated'),
  },
  {
    id: 'finds-after-settling',
    against: 'a creation is looked up before it can be visible',
    file: 'activities/payments/resolve-payment-creation.ts',
    text: 'retryUntilVisible(open, settings);',
    without: '',
    test: secondTries('a creation that becomes visible late is not repeated'),
  },
  {
    id: 'reads-after-settling',
    against: 'a funding that becomes visible late is sent again',
    file: 'activities/payments/read-payment.ts',
    text: 'if (open !== null) retryUntilVisible(open, settings);',
    without: '',
    test: secondTries('a funding that becomes visible late is not repeated'),
  },
  {
    id: 'waits-for-the-dead',
    against: 'the request of a worker that died is looked up while it may still be under way',
    file: 'activities/payments/visibility-delay.ts',
    text: 'open.endSeen ? visibilityDelayMs : SEND_WITHIN_MS + settings.requestTimeoutMs + visibilityDelayMs;',
    without: 'visibilityDelayMs;',
    test: visibility('if its worker died, once it must have ended'),
  },
  {
    id: 'others-show-no-absence',
    against: 'a payment is created again after an answer to another search',
    file: 'activities/payments/resolve-payment-creation.ts',
    text: 'if (lookUp.onlyOthers) {',
    without: 'if (lookUp.payments.length > 0) {',
    test: lookedUp('that shows only other payments is inconclusive'),
  },
  {
    id: 'reads-the-one-asked-for',
    against: 'a payment is funded again, or called paid, because of another payment’s status',
    file: 'provider/payments/simple-payments.ts',
    text: `simplePaymentAnswer.refine((shown) => shown.simplePaymentId === asked, {`,
    without: 'simplePaymentAnswer.refine(() => asked.length > 0, {',
    test: lookedUp('a read that returns another payment, awaiting_funds, does not resolve the funding'),
  },
  {
    id: 'unknown-status-settles-nothing',
    against: 'a payment is funded, or funded again, because of an inconclusive status',
    file: 'activities/payments/known-status.ts',
    text: 'if (state !== null) return state;',
    without: "if (providerStatus !== '') return state ?? 'created';",
    test: lookedUp('that shows an unknown status leaves the request open'),
  },
];

export const ONCE_GUARDS: readonly Guard[] = [...BEGINNING, ...AFTER_AN_ANSWER, ...LOOKING_UP];
