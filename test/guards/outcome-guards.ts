import { type Guard, MIGRATIONS } from './guard.ts';

/** What keeps a payment from being called what it is not, and a row from being lost. */

const OUTCOME = 'store/payments/payment-outcome.ts';
const REQUESTS = 'store/payments/payment-requests.ts';
const AWAITING = 'store/payments/awaiting-funds.ts';

const quotes = (name: string) => ({ file: 'test/activities/quotes-as-approved.services.ts', name });
const requests = (name: string) => ({ file: 'test/store/payment-requests.services.ts', name });
const sent = (name: string) => ({ file: 'test/activities/sent-once.services.ts', name });
const lookedUp = (name: string) => ({ file: 'test/activities/looked-up.services.ts', name });
const waiting = (name: string) => ({ file: 'test/store/awaiting-funds.services.ts', name });
const lookUps = (name: string) => ({ file: 'test/domain/look-up.test.ts', name });

const SAID_OF_ROWS: readonly Guard[] = [
  {
    id: 'unfunded-is-not-failed',
    against: 'a payment that could still be funded is called failed, and is submitted again',
    file: 'activities/payments/read-payment.ts',
    text: "const end = isGivenUp ? 'unknown' : null;",
    without: "const end = isGivenUp ? 'failed' : null;",
    test: lookedUp('a funding that is refused again and again, and shown unfunded'),
  },
  {
    id: 'funded-is-in-flight',
    against: 'a funded payment is taken for an unfunded one, and no sweep looks for its end',
    file: 'activities/payments/fund-payment.ts',
    text: "const state = shown === null || shown === 'created' ? 'funded' : shown;",
    without: "const state = shown ?? 'funded';",
    test: sent('has taken effect though its answer shows the status from before'),
  },
  {
    id: 'rejected-unless-made-before',
    against: 'a payment that the provider may have is called rejected, and is submitted again',
    file: 'activities/payments/create-payment.ts',
    text: 'earlier.lookedUp > 0 || (await mayHaveBeenCreated(database, paymentId, hand.requestId));',
    without: 'earlier.lookedUp > 1e9;',
    test: sent('that is refused for good ends as unknown where an earlier one may have been made'),
  },
  {
    id: 'aside-unless-created',
    against: 'a payment that the provider may have is held or rejected for its quote, and is submitted again',
    file: 'activities/payments/uncertain-creation.ts',
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
    file: 'activities/payments/give-up-payment.ts',
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
    id: 'given-up-stays-with-people',
    against: 'a payment that was given up waits to be funded by a workflow that is gone, and ends nowhere',
    file: REQUESTS,
    text: 'moveStatement(answer.move, 9, { staysGivenUp: true });',
    without: 'moveStatement(answer.move, 9);',
    test: requests('leaves to people what was given up before an answer showed that it took effect'),
  },
  {
    id: 'found-stays-with-people',
    against: 'the same, where a look-up found it',
    file: OUTCOME,
    text: '6, { staysGivenUp: true });',
    without: '6);',
    test: requests('leaves to people what was given up before a look-up showed that it took effect'),
  },
  {
    id: 'sealed-while-it-waits',
    against: 'a payment that waits for money is read over and over once the credentials have changed, and never funded',
    file: 'activities/payments/read-payment.ts',
    text: "to: state === 'created' ? record.state : state,",
    without: 'to: state,',
    test: lookedUp('a read that shows a payment, awaiting_funds, as it was approved has it funded'),
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
    text: `update payments set state = 'unknown', notification_pending = true,`,
    without: `update payments set state = 'failed', notification_pending = true,`,
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
    text: `and payments.state = 'ready' and workflow_begun_at is null\n`,
    without: `and payments.state = 'ready'\n`,
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
    file: 'domain/payments/payable-from.ts',
    text: 'if (remaining.lt(0)) return false;',
    without: '',
    test: { file: 'test/domain/payable-from.test.ts', name: 'never cost more than the balance' },
  },
  {
    id: 'never-created-is-contradicted',
    against: 'two people have a payment submitted again that the provider shows',
    file: 'domain/payments/look-up.ts',
    text: "case 'never_created':\n      return true;",
    without: "case 'never_created':\n      return false;",
    test: lookUps('never_created when it shows the payment as one of'),
  },
  {
    id: 'unpaid-is-contradicted',
    against: 'two people have a payment submitted again that the provider shows as paid or on its way',
    file: 'domain/payments/look-up.ts',
    text: "if (states.some((state) => state === 'paid' || state === 'processing')) return true;",
    without: '',
    test: lookUps('failed when it shows the payment as one of'),
  },
  {
    id: 'forbidden-between-others',
    against: 'rows are rejected because the credentials of all of them are wrong',
    file: 'store/payments/forbidden-answers.ts',
    text: 'return rows[0]?.between === 2;',
    without: 'return rows.length > 0;',
    test: {
      file: 'test/activities/forbidden-row.services.ts',
      name: 'for everyone, after others were served, rejects no row',
    },
  },
  {
    id: 'known-is-created',
    against: 'two people call a payment never created that the provider has given an id',
    file: 'domain/payments/resolution.ts',
    text: 'if (row.providerPaymentId !== null)\n',
    without: "if (row.state !== 'unknown')\n",
    test: {
      file: 'test/domain/resolution.test.ts',
      name: 'never says that what the provider has an id for was never created',
    },
  },
];

export const OUTCOME_GUARDS: readonly Guard[] = [...SAID_OF_ROWS, ...ENDS];
