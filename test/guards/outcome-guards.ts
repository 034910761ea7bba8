import { type Guard, MIGRATIONS } from './guard.ts';

/** What keeps a payment from being called what it is not, and a row from being lost. */

const CONFIRMATION = 'store/confirmation.ts';
const OUTCOME = 'store/payment-outcome.ts';
const REQUESTS = 'store/payment-requests.ts';
const AWAITING = 'store/awaiting-funds.ts';

const quotes = (name: string) => ({ file: 'test/activities/quotes-as-approved.services.ts', name });
const requests = (name: string) => ({ file: 'test/store/payment-requests.services.ts', name });
const sent = (name: string) => ({ file: 'test/activities/sent-once.services.ts', name });
const lookedUp = (name: string) => ({ file: 'test/activities/looked-up.services.ts', name });
const shown = (name: string) => ({ file: 'test/store/confirmation.services.ts', name });
const waiting = (name: string) => ({ file: 'test/store/awaiting-funds.services.ts', name });
const late = (name: string) => ({ file: 'test/store/late-writers.services.ts', name });
const lookUps = (name: string) => ({ file: 'test/domain/look-up.test.ts', name });

const SAID_OF_ROWS: readonly Guard[] = [
  {
    id: 'unfunded-is-not-failed',
    against: 'a payment that could still be funded is called failed, and is submitted again',
    file: 'activities/read-payment.ts',
    text: "const end = isGivenUp ? 'unknown' : null;",
    without: "const end = isGivenUp ? 'failed' : null;",
    test: {
      file: 'test/workflows/refusals-in-any-words.services.ts',
      name: 'a funding that is refused although there is money is for people to settle',
    },
  },
  {
    id: 'funded-is-in-flight',
    against: 'a funded payment is taken for an unfunded one, and no sweep looks for its end',
    file: 'activities/fund-payment.ts',
    text: "const state = shown === null || shown === 'created' ? 'funded' : shown;",
    without: "const state = shown ?? 'funded';",
    test: sent('has taken effect though its answer shows the status from before'),
  },
  {
    id: 'rejected-unless-made-before',
    against: 'a payment that the provider may have is called rejected, and is submitted again',
    file: 'activities/create-payment.ts',
    text: 'earlier.lookedUp > 0 || (await mayHaveBeenCreated(database, paymentId, hand.requestId));',
    without: 'earlier.lookedUp > 1e9;',
    test: sent('that is refused for good ends as unknown where an earlier one may have been made'),
  },
  {
    id: 'aside-unless-created',
    against: 'a payment that the provider may have is held or rejected for its quote, and is submitted again',
    file: 'activities/uncertain-creation.ts',
    text: 'return mayExist ?',
    without: 'return mayExist && nowMs < 0 ?',
    test: quotes('a quote that is refused does not free a row that the provider may have'),
  },
  {
    id: 'taken-reference-may-exist',
    against: 'a payment is held although its reference was taken, since a look-up did not show it',
    file: `${MIGRATIONS}/0017_answers.sql`,
    text: ` or (outcome = 'had_no_effect' and coalesce(answer, 'duplicate_reference') = 'duplicate_reference')`,
    without: '',
    test: requests('may exist, though a look-up showed nothing of it'),
  },
  {
    id: 'given-up-as-unknown',
    against: 'a payment that the provider may have is held when it is given up, and is submitted again',
    file: 'activities/give-up-payment.ts',
    text: "const to = mayExist ? 'unknown' : 'held';",
    without: "const to = 'held';",
    test: lookedUp('is unknown where the provider may have it'),
  },
  {
    id: 'held-before-creation',
    against: 'a payment is held that another worker has created meanwhile',
    file: OUTCOME,
    text: 'const from = untilCreated ? anyFrom.filter((state) => BEFORE_CREATION.includes(state)) : anyFrom;',
    without: 'const from = anyFrom.filter((state) => state !== null || BEFORE_CREATION.length > 0);',
    test: requests('begins no quote while a creation is under way, and cannot set the payment aside'),
  },
  {
    id: 'not-held-while-created',
    against: 'a payment is held while its creation is under way',
    file: OUTCOME,
    text: `state = any($2) and not ($5 and exists (`,
    without: 'state = any($2) and not ($5 and false and exists (',
    test: lookedUp('is not held for its files while a creation is under way'),
  },
  {
    id: 'answers-move-forward',
    against: 'the late answer to a creation takes back that the payment is paid',
    file: REQUESTS,
    text: 'where payments.payment_id = answered.payment_id and payments.state = any($4)',
    without: 'where payments.payment_id = answered.payment_id and $4::text[] is not null',
    test: requests('is answered, but moves nothing back, when the payment is further already'),
    behind: 'rows-move-legally',
  },
  {
    id: 'look-ups-move-forward',
    against: 'a look-up takes back that the payment is paid',
    file: OUTCOME,
    text: 'where payments.payment_id = settled.payment_id and payments.state = any($3)',
    without: 'where payments.payment_id = settled.payment_id and $3::text[] is not null',
    test: requests('is settled, but moves nothing back, when the payment is further already'),
    behind: 'rows-move-legally',
  },
];

const SAID_BY_READS: readonly Guard[] = [
  {
    id: 'reads-move-forward',
    against: 'an older read takes back that a payment is on its way or paid',
    file: CONFIRMATION,
    text: `coalesce(payments.state || '>' || seen.state = any($7), false) as moves`,
    without: `coalesce($7::text[] is not null and seen.state is not null, false) as moves`,
    test: shown('trap 40: never moves a payment back: an older sighting changes nothing'),
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
    id: 'ended-is-told',
    against: 'nobody tells a payment that it has ended, and its run stays open',
    file: CONFIRMATION,
    text: 'untold = untold or moves and judged.state = any($8),',
    without: 'untold = untold,',
    test: shown('ends a payment, which stays untold until its workflow was told of that very state'),
  },
  {
    id: 'told-of-that-state',
    against: 'a payment counts as told that moved on after its workflow was',
    file: 'store/untold-payments.ts',
    text: 'and payments.state = told.state',
    without: '',
    test: shown('ends a payment, which stays untold until its workflow was told of that very state'),
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
    file: 'store/balances.ts',
    text: 'where held_balances.read_at <= excluded.read_at or held_balances.read_at > clock_timestamp()',
    without: '',
    test: late('balances: the later read stays, whoever writes last'),
  },
  {
    id: 'balance-after-the-refusal',
    against: 'why a funding was refused is judged by a balance from before',
    file: 'store/balances.ts',
    text: 'and balances.read_at > request.answered_at and',
    without: 'and',
    test: lookedUp('says nothing where it was read before the refusal'),
  },
  {
    id: 'contract-names-its-statuses',
    against: 'a setting makes a payment that is unfunded one that is paid',
    file: 'domain/provider-status.ts',
    text: `    // What the contract names means what it says there.
    ...Object.entries(DOCUMENTED),
  ]);`,
    without: `    ...Object.entries(DOCUMENTED).filter(([status]) => !(status in others)),
  ]);`,
    test: { file: 'test/domain/provider-status.test.ts', name: 'means what the contract says, whatever else is said' },
  },
];

const ENDS: readonly Guard[] = [
  {
    id: 'unfunded-by-a-read',
    against: 'a payment is given up as unfunded although it was funded',
    file: AWAITING,
    text: `and (swept_at > \${waitsUntil('$2')} or`,
    without: `and (true or swept_at > \${waitsUntil('$2')} or`,
    test: waiting('no payment is given up before a read after its time has shown it unfunded'),
  },
  {
    id: 'unfunded-is-unknown',
    against: 'a payment for which no money came is called failed, though it could still be funded',
    file: AWAITING,
    text: `update payments set state = 'unknown', untold = true,`,
    without: `update payments set state = 'failed', untold = true,`,
    test: waiting('no payment is given up before a read after its time has shown it unfunded'),
  },
  {
    id: 'not-given-up-while-funded',
    against: 'a payment is given up while its funding is under way',
    file: AWAITING,
    text: 'where requests.payment_id = payments.payment_id and exclusive and outcome is null)',
    without: 'where false)',
    test: waiting('a payment is not given up while a funding of it is under way'),
  },
  {
    id: 'held-with-the-last',
    against: 'rows are held for want of money while others of their currency still wait for it',
    file: AWAITING,
    text: `and waiting.state = 'awaiting_funds' and waiting.payment_id not in`,
    without: 'and false and waiting.payment_id not in',
    test: waiting('rows that were not begun are not held while another payment still waits'),
  },
  {
    id: 'begun-is-not-held',
    against: 'a row is held that has begun, and may be created',
    file: AWAITING,
    text: `and payments.state = 'ready' and workflow_begun_at is null and`,
    without: `and payments.state = 'ready' and`,
    test: waiting('with the last that waits, the rows of its run and currency are held that were not begun'),
  },
  {
    id: 'held-in-its-currency',
    against: 'rows are held for want of money in another currency',
    file: AWAITING,
    text: 'and payments.sell_currency = short.sell_currency\n',
    without: '\n',
    test: waiting('with the last that waits, the rows of its run and currency are held that were not begun'),
  },
  {
    id: 'no-more-than-there-is',
    against: 'payments are funded that the balance does not cover, and the last ones are refused over and over',
    file: 'domain/payable-from.ts',
    text: 'if (remaining.lt(0)) return false;',
    without: '',
    test: { file: 'test/domain/payable-from.test.ts', name: 'never cost more than the balance' },
  },
  {
    id: 'never-created-is-contradicted',
    against: 'two people have a payment submitted again that the provider shows',
    file: 'domain/look-up.ts',
    text: "case 'never_created':\n      return true;",
    without: "case 'never_created':\n      return false;",
    test: lookUps('never_created when it shows the payment as one of'),
  },
  {
    id: 'unpaid-is-contradicted',
    against: 'two people have a payment submitted again that the provider shows as paid or on its way',
    file: 'domain/look-up.ts',
    text: "if (states.some((state) => state === 'paid' || state === 'processing')) return true;",
    without: '',
    test: lookUps('failed when it shows the payment as one of'),
  },
  {
    id: 'known-is-created',
    against: 'two people call a payment never created that the provider has given an id',
    file: 'domain/resolution.ts',
    text: 'if (row.providerPaymentId !== null)\n',
    without: "if (row.state !== 'unknown')\n",
    test: {
      file: 'test/domain/resolution.test.ts',
      name: 'never says that what the provider has an id for was never created',
    },
  },
];

export const OUTCOME_GUARDS: readonly Guard[] = [...SAID_OF_ROWS, ...SAID_BY_READS, ...ENDS];
