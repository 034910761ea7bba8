import { type Guard, MIGRATIONS } from './guard.ts';

/** What keeps a payment from being created, or charged, a second time. */

const REQUESTS = 'store/payments/payment-requests.ts';
const OUTCOME = 'store/payments/payment-outcome.ts';

const secondTries = (name: string) => ({ file: 'test/workflows/second-tries.services.ts', name });
const funds = (name: string) => ({ file: 'test/workflows/insufficient-funds.services.ts', name });
const duplicates = (name: string) => ({ file: 'test/store/duplicates.services.ts', name });
const requests = (name: string) => ({ file: 'test/store/payment-requests.services.ts', name });
const sent = (name: string) => ({ file: 'test/activities/sent-once.services.ts', name });
const lookedUp = (name: string) => ({ file: 'test/activities/looked-up.services.ts', name });
const settling = (name: string) => ({ file: 'test/activities/settle-time.test.ts', name });

const BEGINNING: readonly Guard[] = [
  {
    id: 'one-open-request',
    against: 'two processes create or fund one payment at the same time, or while the outcome of the first is open',
    file: REQUESTS,
    text: 'const exclusive = (NON_IDEMPOTENT_OPERATIONS as readonly string[]).includes(request.operation);',
    without: 'const exclusive = false;',
    test: requests('begins for one of all that want to send it at the same time'),
  },
  {
    id: 'none-after-one-that-took-effect',
    against: 'a payment that was created is created again when its row is taken for one that is only quoted',
    file: `${MIGRATIONS}/0013_frozen.sql`,
    text: `where exclusive and (outcome is null or outcome = 'took_effect');`,
    without: 'where exclusive and outcome is null;',
    test: requests('is not begun again once one has taken effect'),
    behind: 'begun-in-its-state',
  },
  {
    id: 'begun-in-its-state',
    against: 'a payment is created without a quote, or funded without having been created',
    file: REQUESTS,
    text: 'where state = any($4) and not',
    without: 'where $4::text[] is not null and not',
    test: requests('begins only in a state from which it may be sent'),
    behind: 'none-after-one-that-took-effect',
  },
  {
    id: 'no-quote-while-created',
    against: 'a quote is put in the place of the one that a creation is under way with',
    file: REQUESTS,
    text: 'and ($3 or not exists (select from provider_requests where payment_id = $1 and exclusive and outcome is null))',
    without: '',
    test: requests('begins no quote while a creation is under way'),
  },
  {
    id: 'funded-once-a-read',
    against: 'a payment that waits for money is sent whenever a workflow is told to',
    file: REQUESTS,
    text: "and (state <> 'awaiting_funds' or funds_seen_at >",
    without: 'and (true or funds_seen_at >',
    test: funds('is believed alone: no signal has a payment funded'),
  },
  {
    id: 'sent-soon-or-not',
    against: 'a request leaves so late that a look-up has taken it for one that did nothing',
    file: 'activities/payments/call-provider.ts',
    text: "if (performance.now() - begunAtMs > SEND_WITHIN_MS) throw new Error('it waited too long for its slot');",
    without: 'if (Number.isNaN(begunAtMs)) throw new Error();',
    test: sent('a creation or a funding that waited too long for its slot is not sent'),
  },
  {
    id: 'reference-is-unique',
    against: 'the provider takes a second creation under the reference of the first',
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
    against: 'the same amount goes to the same account again under another name',
    file: 'store/runs/duplicates.ts',
    text: 'where other.account_hash = paid.account_hash and',
    without: 'where false and',
    test: duplicates('however the holder is spelt, in another run and in the file itself'),
  },
];

const AFTER_AN_ANSWER: readonly Guard[] = [
  {
    id: 'lost-creation-stays-open',
    against: 'a creation whose answer was lost is taken for a refused one, and made again',
    file: 'activities/payments/create-payment.ts',
    text: "if (kind !== 'refused') {",
    without: "if (kind === 'not_sent') {",
    test: sent('whose answer was lost is not sent again before it was looked up'),
  },
  {
    id: 'refused-funding-stays-open',
    against: 'a funding that was refused as it is funded already is sent again at once',
    file: 'activities/payments/fund-payment.ts',
    text: 'await recordIfCurrent(database, { ...answer, outcome: null, move: { to: null, facts } });',
    without: "await recordIfCurrent(database, { ...answer, outcome: 'refused', move: { to: null, facts } });",
    test: sent('that was refused is not sent again before it was read'),
  },
  {
    id: 'no-effect-is-proven',
    against: 'a request whose outcome is not known is taken for one without effect, and sent again',
    file: 'activities/payments/call-provider.ts',
    text: "return failure.kind === 'not_sent' || failure.kind === 'rate_limited' || failure.kind === 'unauthenticated';",
    without: "return failure.kind !== 'refused';",
    test: sent('whose answer was lost is not sent again before it was looked up'),
  },
  {
    id: 'refused-after-a-look-up',
    against: 'a payment that shows late is not found, since the refusal of its second creation is believed',
    file: 'activities/payments/create-payment.ts',
    text: 'if (earlier.lookedUp > 0 && earlier.refused < MOST_REFUSALS) {',
    without: 'if (earlier.lookedUp > 1e9) {',
    test: sent('that is refused is looked up where an earlier one was only not found'),
  },
  {
    id: 'short-only-when-refused',
    against: 'a funding whose outcome is not known is taken for one that was refused for want of money',
    file: 'activities/runs/compare-funds.ts',
    text: "return open?.answer === 'refused' ? open : null;",
    without: 'return open;',
    test: lookedUp('says nothing of a funding whose outcome is not known'),
  },
  {
    id: 'late-answer-not-written',
    against: 'a late answer of a worker that was taken for dead overwrites the result of a look-up',
    file: REQUESTS,
    text: 'where request_id = $1 and outcome is null\n       returning payment_id, request_id',
    without: 'where request_id = $1\n       returning payment_id, request_id',
    test: requests('is superseded if its answer comes after others have resolved it'),
    behind: 'outcome-written-once',
  },
  {
    id: 'look-up-written-once',
    against: 'a later look-up overwrites the result of an earlier one',
    file: OUTCOME,
    text: 'where request_id = $1 and outcome is null returning payment_id, operation',
    without: 'where request_id = $1 returning payment_id, operation',
    test: requests('may start again once a look-up has shown that the last one had no effect'),
    behind: 'outcome-written-once',
  },
  {
    id: 'lost-turn-begins-again',
    against: 'a worker goes on with an answer that was not written, and its payment stays where it is',
    file: 'activities/payments/record-if-current.ts',
    text: "if (recorded === 'superseded' || isOvertaken) throw superseded();",
    without: "if (isOvertaken && recorded === 'superseded') throw superseded();",
    test: sent('whose outcome was found out by another while it was under way writes nothing and begins again'),
  },
];

const LOOKING_UP: readonly Guard[] = [
  {
    id: 'looks-after-settling',
    against: 'what shows late is taken for absent, and made again',
    file: 'activities/payments/visibility-delay.ts',
    text: 'if (remainingMs > 0) throw',
    without: 'if (remainingMs > 1e15) throw',
    test: secondTries('a creation that shows late is not made again'),
  },
  {
    id: 'finds-after-settling',
    against: 'a creation is looked for before it can show',
    file: 'activities/payments/find-payment.ts',
    text: 'resolveOutcome(open, settings);',
    without: '',
    test: secondTries('a creation that shows late is not made again'),
  },
  {
    id: 'reads-after-settling',
    against: 'a funding that shows late is sent again',
    file: 'activities/payments/read-payment.ts',
    text: 'if (open !== null) resolveOutcome(open, settings);',
    without: '',
    test: secondTries('a funding that shows late is not charged again'),
  },
  {
    id: 'waits-for-the-dead',
    against: 'what a worker sent that died is looked up while it may be under way',
    file: 'activities/payments/visibility-delay.ts',
    text: 'open.endSeen ? visibilityDelayMs : SEND_WITHIN_MS + settings.requestTimeoutMs + visibilityDelayMs;',
    without: 'visibilityDelayMs;',
    test: settling('where its worker died, once it can no longer be under way'),
  },
  {
    id: 'others-show-no-absence',
    against: 'a payment is made again after an answer that did not look for it',
    file: 'activities/payments/find-payment.ts',
    text: 'if (lookUp.onlyOthers) {',
    without: 'if (lookUp.payments.length > 0) {',
    test: lookedUp('that shows the payments of others alone does not'),
  },
  {
    id: 'reads-the-one-asked-for',
    against: 'a payment is funded again, or called paid, by what the provider shows of another one',
    file: 'provider/payments/simple-payments.ts',
    text: `simplePaymentAnswer.refine((shown) => shown.simplePaymentId === asked, {`,
    without: 'simplePaymentAnswer.refine(() => asked.length > 0, {',
    test: lookedUp('a read that shows another payment, awaiting_funds, says nothing of the funding'),
  },
  {
    id: 'unknown-status-settles-nothing',
    against: 'a payment is funded, or funded again, upon a status that says nothing',
    file: 'activities/payments/known-status.ts',
    text: 'if (state !== null) return state;',
    without: "if (providerStatus !== '') return state ?? 'created';",
    test: lookedUp('that shows a status which says nothing leaves it open'),
  },
];

export const ONCE_GUARDS: readonly Guard[] = [...BEGINNING, ...AFTER_AN_ANSWER, ...LOOKING_UP];
