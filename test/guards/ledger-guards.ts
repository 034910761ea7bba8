import type { Guard } from './guard.ts';

const LEDGER_ENTRIES = 'test/store/ledger-entries.services.ts';
const EQUAL_PAYMENTS = 'test/store/equal-payments.services.ts';
const INFERRED_ABSENCES = 'test/store/inferred-absences.services.ts';
const YIELDING_RESERVATIONS = 'test/store/yielding-reservations.services.ts';
const BALANCE_HISTORY = 'test/activities/balance-history.services.ts';

/** Guards of the ledger: what has left is in the history or committed, and no money is committed twice. */
export const LEDGER_GUARDS: readonly Guard[] = [
  {
    id: 'funded-when-committed',
    against: 'a payment is funded with money that is meant for something else',
    without: 'perform commit_payment(new.payment_id, new.request_id::text);',
    test: { file: LEDGER_ENTRIES, name: 'two runs never count the same' },
  },
  {
    id: 'payment-within-free',
    against: 'a payment commits money that is committed to something else',
    without: 'if false then',
    test: { file: LEDGER_ENTRIES, name: 'two runs never count the same' },
  },
  {
    id: 'payment-debit-is-its-own',
    against: 'a payment is funded with nothing committed, as the debit of an equal one was posted to it',
    without: 'if v_has_debit then return true; end if;',
    test: { file: EQUAL_PAYMENTS, name: 'it waits when that was spent on another run' },
  },
  {
    id: 'payment-debit-committed-once',
    against: 'money is committed once more for a payment that has left',
    without: '',
    test: { file: EQUAL_PAYMENTS, name: 'one that may have been funded commits nothing a second time' },
  },
  {
    id: 'payment-debit-taken-over',
    against: 'a payment waits for money that the ledger keeps for an equal one, whose money has left',
    without: 'elsif v_has_debit and v_missing = total_of(v) and false then',
    test: { file: EQUAL_PAYMENTS, name: 'it is funded with what is still committed to the one that was paid' },
  },
  {
    id: 'payment-debit-uncovered',
    against:
      'a payment that was funded while the ledger did not decide is never committed, as an equal debit was posted to it',
    without:
      "uncovered = case when known.amount = 0 and not exists (select from ledger_transfers where debit = known.ledger_account and credit = 'outside') then excluded.uncovered end;",
    test: { file: EQUAL_PAYMENTS, name: 'it is committed by the next read if the history was not read for long' },
  },
  {
    id: 'debit-of-unpaid-is-an-alarm',
    against: 'money is taken for a payment that people have called unpaid, and nobody hears of it',
    without: '',
    test: {
      file: 'test/store/inferred-absences.services.ts',
      name: 'is an alarm, and has the payment read at once',
    },
  },
  {
    id: 'expected-debit-is-no-alarm',
    against: 'each payment that fails after its funding raises an alarm, so that nobody looks at them any more',
    without: '',
    test: {
      file: 'test/store/inferred-absences.services.ts',
      name: 'a payment that failed after it was funded has a debit without an alarm',
    },
  },
  {
    id: 'late-debit-is-its-own',
    against: 'money is committed once more for a payment whose funding was seen late',
    without: 'and is_blocked)',
    test: { file: INFERRED_ABSENCES, name: 'is not committed a second time when the payment is funded again' },
  },
  {
    id: 'matched-where-certain',
    against:
      'the debit of a paid payment is taken for that of an equal one whose funding was not seen, and may still come',
    without: 'if true then return v_match; end if;',
    test: { file: INFERRED_ABSENCES, name: 'is that of an equal payment that is known to be funded' },
  },
  {
    id: 'parts-before-start-free',
    against: 'money of a payment that was debited as amount and fee before the start of the history is counted twice',
    without: '',
    test: { file: 'test/store/debits-before-start.services.ts', name: 'also if amount and fee are two debits' },
  },
  {
    id: 'parts-around-start-free',
    against:
      'money of a payment whose amount was debited before the start of the history, and its fee after it, is counted twice',
    without: 'and false',
    test: {
      file: 'test/store/debits-before-start.services.ts',
      name: 'also if one of the two is before the start and the other one after it',
    },
  },
  {
    id: 'debit-before-start-frees',
    against:
      'money whose debit is in the opening of the history stays committed, and an alarm says that it was not debited',
    without: 'if false then',
    test: {
      file: 'test/store/debits-before-start.services.ts',
      name: 'a history that begins later frees what was committed',
    },
  },
  {
    id: 'not-seen-though-failed',
    against: 'money that may still leave is spent again an hour after people have said that its payment failed',
    without: '',
    test: {
      file: INFERRED_ABSENCES,
      name: 'stays committed for the same time when two people have said that it failed',
    },
  },
  {
    id: 'not-seen-for-a-week',
    against: 'money that may still leave is spent again, as its payment was given up',
    without: "then interval '1 hour' end",
    test: { file: INFERRED_ABSENCES, name: 'is free when a complete history has not shown its debit for a week' },
  },
  {
    id: 'reserves-yield',
    against: 'a row ends unfunded although the money is there, reserved for rows that are due weeks later',
    without: '',
    test: { file: YIELDING_RESERVATIONS, name: 'rows that are due today are paid with what was reserved' },
  },
  {
    id: 'reserve-yields-what-is-due-later',
    against: 'rows of a run lose their money to rows of another one that are due on the same day',
    without: 'amount as yields',
    test: { file: YIELDING_RESERVATIONS, name: 'a run keeps what its own rows of that day take' },
  },
  {
    id: 'conversion-within-free',
    against: 'a conversion commits money that is committed to something else',
    without: 'if false then',
    test: { file: 'test/store/ledger.services.ts', name: 'no money is committed twice' },
  },
  {
    id: 'one-at-a-time',
    against: 'two commit the same money at the same time',
    without:
      "perform from balance_chains where account = v.account and currency = v.sell_currency;\nif not found then return true; end if;\nv_has_debit := exists (select from ledger_transfers where debit = v_to and credit = 'outside');",
    test: { file: 'test/store/ledger-races.services.ts', name: 'a run and a sweep race for the last cent' },
  },
  {
    id: 'committed-while-unknown',
    against: 'money that may have left is spent again',
    without: '',
    test: { file: LEDGER_ENTRIES, name: 'stays committed while nobody knows whether it was funded' },
  },
  {
    id: 'sent-while-unknown',
    against: 'money that was sent while the ledger did not decide is spent again once it does',
    without: '',
    test: { file: LEDGER_ENTRIES, name: 'is committed by the next read' },
  },
  {
    id: 'matched-when-funded',
    against:
      'an entry of somebody else counts as the debit of a payment that nobody has funded, whose money is spent again',
    without: 'and amount = p.amount_before - p.amount_after',
    test: { file: LEDGER_ENTRIES, name: 'does not take the money of a payment that nobody has funded' },
  },
  {
    id: 'ledger-is-the-history',
    against: 'the ledger has more money than the provider',
    without: 'if false then',
    test: { file: LEDGER_ENTRIES, name: 'lets the ledger differ from the history' },
  },
  {
    id: 'transfers-kept',
    against: 'somebody changes what the ledger says of the past',
    without: 'return null;',
    test: { file: LEDGER_ENTRIES, name: 'lets the ledger differ from the history' },
  },
  {
    id: 'entries-kept',
    against: 'somebody changes what the provider has shown of a balance',
    without: 'return null;',
    test: { file: BALANCE_HISTORY, name: 'no process can change or remove an entry' },
  },
  {
    id: 'entries-follow',
    against: 'entries count although others before them are missing',
    without: 'where false) then',
    test: { file: BALANCE_HISTORY, name: 'or store one out of order' },
  },
];
