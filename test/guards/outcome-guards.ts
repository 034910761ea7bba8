import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks that the recorded outcome of a payment is true, and that no row is lost. */

const OUTCOME = 'store/payments/payment-outcome.ts';
const REQUESTS = 'store/payments/payment-requests.ts';
const FUNDING_DEADLINE = 'store/payments/funding-deadline.ts';

const quotes = (name: string) => ({ file: 'test/activities/quotes-as-approved.services.ts', name });
const requests = (name: string) => ({ file: 'test/store/payment-requests.services.ts', name });
const sent = (name: string) => ({ file: 'test/activities/sent-once.services.ts', name });
const lookedUp = (name: string) => ({ file: 'test/activities/looked-up.services.ts', name });
const waiting = (name: string) => ({ file: 'test/store/awaiting-funds.services.ts', name });
const lookUps = (name: string) => ({ file: 'test/domain/look-up.test.ts', name });

const SAID_OF_ROWS: readonly Guard[] = [
  {
    id: 'unfunded-is-not-failed',
    against: 'a payment that can still be funded is called failed, and is submitted again',
    file: 'activities/payments/read-payment.ts',
    text: "const end = isRefusedForGood ? 'unknown' : null;",
    without: "const end = isRefusedForGood ? 'failed' : null;",
    test: lookedUp('a payment that stays unfunded after repeated refusals is unknown'),
  },
  {
    id: 'funded-is-in-flight',
    against: 'a funded payment counts as unfunded, and no poll reads its outcome',
    file: 'activities/payments/fund-payment.ts',
    text: "const state = shown === null || shown === 'created' ? 'funded' : shown;",
    without: "const state = shown ?? 'funded';",
    test: sent('has taken effect even if its answer shows the status from before'),
  },
  {
    id: 'rejected-unless-made-before',
    against: 'a payment that may exist at the provider is called rejected, and is submitted again',
    file: 'activities/payments/create-payment.ts',
    text: 'earlier.lookedUp > 0 || (await mayHaveBeenCreated(database, paymentId, request.requestId));',
    without: 'earlier.lookedUp > 1e9;',
    test: sent('that is refused for good ends as unknown if an earlier one may have taken effect'),
  },
  {
    id: 'aside-unless-created',
    against:
      'a payment that may exist at the provider is held or rejected because of its quote, and is submitted again',
    file: 'activities/payments/uncertain-creation.ts',
    text: 'return mayExist ?',
    without: 'return mayExist && nowMs < 0 ?',
    test: quotes('a quote with fees beyond the limit does not hold a row that the provider may have'),
  },
  {
    id: 'taken-reference-may-exist',
    against: 'a payment is held although its reference was taken, because a look-up did not show it',
    file: `${MIGRATIONS}/0017_answers.sql`,
    text: ` or (outcome = 'had_no_effect' and coalesce(answer, 'duplicate_reference') = 'duplicate_reference')`,
    without: '',
    test: requests('may exist, although a look-up did not show it'),
  },
  {
    id: 'given-up-as-unknown',
    against: 'a payment that may exist at the provider is held when it is given up, and is submitted again',
    file: 'activities/payments/give-up-payment.ts',
    text: "const to = mayExist ? 'unknown' : 'held';",
    without: "const to = 'held';",
    test: lookedUp('is unknown if the provider may have it'),
  },
  {
    id: 'held-before-creation',
    against: 'a payment is held although another worker has created it meanwhile',
    file: OUTCOME,
    text: 'const from = untilCreated ? anyFrom.filter((state) => UNCREATED_PAYMENT_STATES.includes(state)) : anyFrom;',
    without: 'const from = anyFrom.filter((state) => state !== null || UNCREATED_PAYMENT_STATES.length > 0);',
    test: requests('begins no quote while a creation is under way, and cannot end the payment'),
  },
  {
    id: 'not-held-while-created',
    against: 'a payment is held while its creation is under way',
    file: OUTCOME,
    text: `state = any($2) and not ($5 and exists (`,
    without: 'state = any($2) and not ($5 and false and exists (',
    test: lookedUp('is not held for its files while a create request is open'),
  },
  {
    id: 'given-up-stays-with-people',
    against: 'a payment that was given up waits for funding by a workflow that has ended, and never ends',
    file: REQUESTS,
    text: 'transitionStatement(answer.transition, 9, { staysGivenUp: true });',
    without: 'transitionStatement(answer.transition, 9);',
    test: requests('leaves to people what was given up before an answer showed that it took effect'),
  },
  {
    id: 'found-stays-with-people',
    against:
      'a payment that was given up and then found waits for funding by a workflow that has ended, and never ends',
    file: OUTCOME,
    text: 'staysGivenUp: true,',
    without: 'staysGivenUp: false,',
    test: requests('leaves to people what was given up before a look-up showed that it took effect'),
  },
  {
    id: 'sealed-while-it-waits',
    against: 'a payment that waits for money is read repeatedly after a change of credentials, and never funded',
    file: 'activities/payments/read-payment.ts',
    text: "to: state === 'created' ? record.state : state,",
    without: 'to: state,',
    test: lookedUp('a payment, awaiting_funds, whose seal is of an earlier secret is funded'),
  },
  {
    id: 'answers-move-forward',
    against: 'a late answer to a creation sets a paid payment back',
    file: REQUESTS,
    text: 'where payments.payment_id = answered.payment_id and payments.state = any($4)',
    without: 'where payments.payment_id = answered.payment_id and $4::text[] is not null',
    test: requests('is answered without moving the payment back when it is further already'),
    behind: 'rows-move-legally',
  },
  {
    id: 'look-ups-move-forward',
    against: 'a look-up sets a paid payment back',
    file: OUTCOME,
    text: 'where payments.payment_id = settled.payment_id and payments.state = any($3)',
    without: 'where payments.payment_id = settled.payment_id and $3::text[] is not null',
    test: requests('is resolved without moving the payment back when it is further already'),
    behind: 'rows-move-legally',
  },
];

const ENDS: readonly Guard[] = [
  {
    id: 'unfunded-by-a-read',
    against: 'a payment is given up as unfunded although it was funded',
    file: FUNDING_DEADLINE,
    text: `and (swept_at > \${waitsUntil('$2')} or`,
    without: `and (true or swept_at > \${waitsUntil('$2')} or`,
    test: waiting(
      'no payment is given up before a read after its deadline has shown it unfunded, and none becomes failed',
    ),
  },
  {
    id: 'unfunded-is-unknown',
    against: 'a payment without money is called failed although it can still be funded',
    file: FUNDING_DEADLINE,
    text: `update payments set state = 'unknown', notification_pending = true,`,
    without: `update payments set state = 'failed', notification_pending = true,`,
    test: waiting(
      'no payment is given up before a read after its deadline has shown it unfunded, and none becomes failed',
    ),
  },
  {
    id: 'not-given-up-while-funded',
    against: 'a payment is given up while its funding is under way',
    file: FUNDING_DEADLINE,
    text: 'where requests.payment_id = payments.payment_id and exclusive and outcome is null)',
    without: 'where false)',
    test: waiting('a payment is not given up while a funding of it is under way'),
  },
  {
    id: 'held-with-the-last',
    against: 'rows are held because of missing money while others of their currency still wait for it',
    file: FUNDING_DEADLINE,
    text: `and waiting.state = 'awaiting_funds' and waiting.payment_id not in`,
    without: 'and false and waiting.payment_id not in',
    test: waiting('rows that were not begun are not held while another payment still waits'),
  },
  {
    id: 'begun-is-not-held',
    against: 'a row is held although its payment has begun and may be created',
    file: FUNDING_DEADLINE,
    text: `and payments.state = 'ready' and workflow_begun_at is null\n`,
    without: `and payments.state = 'ready'\n`,
    test: waiting('with the last waiting payment, only the rows of its run and currency that were not begun are held'),
  },
  {
    id: 'held-in-its-currency',
    against: 'rows are held because money in another currency is missing',
    file: FUNDING_DEADLINE,
    text: 'and payments.sell_currency = short.sell_currency\n',
    without: '\n',
    test: waiting('with the last waiting payment, only the rows of its run and currency that were not begun are held'),
  },
  {
    id: 'no-more-than-there-is',
    against: 'payments are funded beyond the balance, and the last ones are refused repeatedly',
    file: 'domain/payments/affordable-payments.ts',
    text: 'if (rest.lt(0)) return false;',
    without: '',
    test: { file: 'test/domain/affordable-payments.test.ts', name: 'never cost more than the balance' },
  },
  {
    id: 'never-created-is-contradicted',
    against: 'two people have a payment submitted again although the provider has it',
    file: 'domain/payments/look-up.ts',
    text: "case 'never_created':\n      return true;",
    without: "case 'never_created':\n      return false;",
    test: lookUps('never_created when it shows the payment as one of'),
  },
  {
    id: 'unpaid-is-contradicted',
    against: 'two people have a payment submitted again although the provider shows it as paid or in progress',
    file: 'domain/payments/look-up.ts',
    text: "if (states.some((state) => state === 'paid' || state === 'processing')) return true;",
    without: '',
    test: lookUps('failed when it shows the payment as one of'),
  },
  {
    id: 'forbidden-between-others',
    against: 'rows are rejected because the credentials are wrong',
    file: 'store/payments/forbidden-answers.ts',
    text: 'return rows[0]?.between === 2;',
    without: 'return rows.length > 0;',
    test: {
      file: 'test/activities/forbidden-row.services.ts',
      name: 'a 403 for every row rejects no row',
    },
  },
  {
    id: 'known-is-created',
    against: 'two people declare a payment as never created although it has an id at the provider',
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
