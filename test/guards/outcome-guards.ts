import type { Guard } from './guard.ts';

const PAYMENT_LOOKUPS = 'test/activities/payment-lookups.services.ts';
const SENT_ONCE = 'test/activities/sent-once.services.ts';
const PAYMENT_REQUESTS = 'test/store/payment-requests.services.ts';
const AWAITING_FUNDS = 'test/store/awaiting-funds.services.ts';
const PAYMENT_LOOKUP = 'test/domain/payment-lookup.test.ts';

/** Checks that the recorded outcome of a payment is true, and that no row is lost. */
export const OUTCOME_GUARDS: readonly Guard[] = [
  {
    id: 'unfunded-is-not-failed',
    against: 'a payment that can still be funded is called failed, and is submitted again',
    without: "const end = isRefusedForGood ? 'failed' : null;",
    test: { file: PAYMENT_LOOKUPS, name: 'a payment that stays unfunded after repeated refusals is unknown' },
  },
  {
    id: 'funded-is-in-flight',
    against: 'a funded payment counts as unfunded, and no poll reads its outcome',
    without: "const state = shown ?? 'funded';",
    test: { file: SENT_ONCE, name: 'has taken effect even if its answer shows the status from before' },
  },
  {
    id: 'never-ended-where-it-may-exist',
    against: 'a payment that may exist at the provider is held, rejected or cancelled, and its row is submitted again',
    without: 'and false then',
    test: { file: PAYMENT_LOOKUPS, name: 'that was only not seen is not' },
  },
  {
    id: 'taken-reference-may-exist',
    against: 'a payment is held although its reference was taken, because a lookup did not show it',
    without: 'and outcome is null)',
    test: { file: PAYMENT_REQUESTS, name: 'may exist, although a lookup did not show it' },
  },
  {
    id: 'given-up-as-unknown',
    against: 'a payment that may exist at the provider is held when it is given up, and is submitted again',
    without: "const to = 'held';",
    test: { file: PAYMENT_LOOKUPS, name: 'is unknown if the provider may have it' },
  },
  {
    id: 'held-before-creation',
    against: 'a payment is held although another worker has created it meanwhile',
    without: 'const from = anyFrom.filter((state) => whileIn.includes(state) && UNCREATED_PAYMENT_STATES.length > 0);',
    test: { file: PAYMENT_REQUESTS, name: 'begins no quote while a creation is under way, and cannot end the payment' },
  },
  {
    id: 'not-held-while-created',
    against: 'a payment is held while its creation is under way',
    without: 'update payments set ${set} where payment_id = $1 and state = any($2) and not ($5 and false and exists (',
    test: { file: PAYMENT_LOOKUPS, name: 'is not held for its files while a create request is open' },
  },
  {
    id: 'other-reference-contradicts',
    against: 'a row is resolved as failed although its id at the provider is now that of another payment',
    without: 'if (false) {',
    test: { file: PAYMENT_LOOKUP, name: 'failed when the payment with its id has another reference' },
  },
  {
    id: 'given-up-stays-with-people',
    against: 'a payment that was given up waits for funding by a workflow that has ended, and never ends',
    without: 'const { set, from, values } = transitionStatement(answer.transition, 9);',
    test: {
      file: PAYMENT_REQUESTS,
      name: 'leaves to people what was given up before an answer showed that it took effect',
    },
  },
  {
    id: 'found-stays-with-people',
    against:
      'a payment that was given up and then found waits for funding by a workflow that has ended, and never ends',
    without: 'staysGivenUp: false,',
    test: {
      file: PAYMENT_REQUESTS,
      name: 'leaves to people what was given up before a lookup showed that it took effect',
    },
  },
  {
    id: 'mac-while-it-waits',
    against: 'a payment that waits for money is read repeatedly after a change of credentials, and never funded',
    without: 'to: state,',
    test: { file: PAYMENT_LOOKUPS, name: 'a payment, awaiting_funds, whose MAC is of an earlier secret is funded' },
  },
  {
    id: 'answers-move-forward',
    against: 'a late answer to a creation sets a paid payment back',
    without: 'where payments.payment_id = answered.payment_id and $4::text[] is not null',
    test: { file: PAYMENT_REQUESTS, name: 'is answered without moving the payment back when it is further already' },
    behind: 'rows-move-legally',
  },
  {
    id: 'lookups-move-forward',
    against: 'a lookup sets a paid payment back',
    without: 'where payments.payment_id = resolved.payment_id and $3::text[] is not null',
    test: { file: PAYMENT_REQUESTS, name: 'is resolved without moving the payment back when it is further already' },
    behind: 'rows-move-legally',
  },
  {
    id: 'unfunded-by-a-read',
    against: 'a payment is given up as unfunded although it was funded',
    without:
      "and (true or polled_at > ${waitsUntil('$2')} or ${waitsUntil('$2')} + make_interval(secs => $2) < clock_timestamp())",
    test: {
      file: AWAITING_FUNDS,
      name: 'no payment is given up before a read after its deadline has shown it unfunded, and none becomes failed',
    },
  },
  {
    id: 'unfunded-is-unknown',
    against: 'a payment without money is called failed although it can still be funded',
    without:
      "update payments set state = 'failed', notification_pending = true, ended_at = clock_timestamp(), changed_at = clock_timestamp(),",
    test: {
      file: AWAITING_FUNDS,
      name: 'no payment is given up before a read after its deadline has shown it unfunded, and none becomes failed',
    },
  },
  {
    id: 'not-given-up-while-funded',
    against: 'a payment is given up while its funding is under way',
    without: 'where false)',
    test: { file: AWAITING_FUNDS, name: 'a payment is not given up while a funding of it is under way' },
  },
  {
    id: 'held-with-the-last',
    against: 'rows are held because of missing money while others of their currency still wait for it',
    without: 'and false and waiting.payment_id not in (select payment_id from ended))',
    test: { file: AWAITING_FUNDS, name: 'rows that were not begun are not held while another payment still waits' },
  },
  {
    id: 'begun-is-not-held',
    against: 'a row is held although its payment has begun and may be created',
    without: "and payments.state = 'ready'",
    test: {
      file: AWAITING_FUNDS,
      name: 'with the last waiting payment, only the rows of its run and currency that were not begun are held',
    },
  },
  {
    id: 'held-in-its-currency',
    against: 'rows are held because money in another currency is missing',
    without: 'where payments.run_id = short.run_id',
    test: {
      file: AWAITING_FUNDS,
      name: 'with the last waiting payment, only the rows of its run and currency that were not begun are held',
    },
  },
  {
    id: 'no-more-than-there-is',
    against: 'payments are funded beyond the balance, and the last ones are refused repeatedly',
    without: '',
    test: { file: 'test/domain/affordable-payments.test.ts', name: 'never cost more than the balance' },
  },
  {
    id: 'never-created-is-contradicted',
    against: 'two people have a payment submitted again although the provider has it',
    without: "case 'never_created':\n  return false;",
    test: { file: PAYMENT_LOOKUP, name: 'never_created when it shows the payment as one of' },
  },
  {
    id: 'unfunded-past-its-cutoff',
    against: 'a row that nobody can fund any more, and that the provider never ends, can never be resolved',
    without: 'return true;',
    test: { file: PAYMENT_LOOKUP, name: 'no failed one that it shows unfunded past its cut-off time' },
  },
  {
    id: 'unpaid-is-contradicted',
    against: 'two people have a payment submitted again although the provider shows it as paid or in progress',
    without: '',
    test: { file: PAYMENT_LOOKUP, name: 'failed when it shows the payment as one of' },
  },
  {
    id: 'forbidden-between-others',
    against: 'rows are rejected because the credentials are wrong',
    without: 'return rows.length > 0;',
    test: { file: 'test/activities/forbidden-row.services.ts', name: 'a 403 for every row rejects no row' },
  },
  {
    id: 'known-is-created',
    against: 'two people declare a payment as never created although it has an id at the provider',
    without: "if (row.state !== 'unknown')",
    test: {
      file: 'test/domain/manual-outcome.test.ts',
      name: 'never says that what the provider has an id for was never created',
    },
  },
];
