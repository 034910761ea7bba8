import { type Guard, MIGRATIONS } from './guard.ts';

const ENTRIES = 'test/store/ledger-entries.services.ts';
const EQUAL = 'test/store/equal-payments.services.ts';
const LEDGER = 'test/store/ledger.services.ts';
const HISTORY = 'test/activities/balance-history.services.ts';

/** The latest texts of `commit_payment` and `commit_for_request`. */
const PAYMENTS = `${MIGRATIONS}/0066_equal-debits-of-payments.sql`;

/** Guards of the ledger: what has left is in the history or committed, and no money is committed twice. */
export const LEDGER_GUARDS: readonly Guard[] = [
  {
    id: 'funded-when-committed',
    against: 'a payment is funded with money that is meant for something else',
    file: PAYMENTS,
    text: "  if not commit_payment(new.payment_id, new.request_id::text) and new.operation = 'fund' then return null; end if;",
    without: '  perform commit_payment(new.payment_id, new.request_id::text);',
    test: { file: ENTRIES, name: 'two runs never count the same' },
  },
  {
    id: 'payment-within-free',
    against: 'a payment commits money that is committed to something else',
    file: PAYMENTS,
    text: "    if v_missing - v_reserved > greatest(ledger_amount(v.account, v.sell_currency, 'free'), 0) then",
    without: '    if false then',
    test: { file: ENTRIES, name: 'two runs never count the same' },
  },
  {
    id: 'payment-debit-is-its-own',
    against: 'a payment is funded with nothing committed, as the debit of an equal one was posted to it',
    file: PAYMENTS,
    text: '  if v_has_debit and may_have_been_funded(p_payment, v.attempt) then return true; end if;',
    without: '  if v_has_debit then return true; end if;',
    test: { file: EQUAL, name: 'it waits when that was spent on another run' },
  },
  {
    id: 'payment-debit-committed-once',
    against: 'money is committed once more for a payment that has left',
    file: PAYMENTS,
    text: '  if v_has_debit and may_have_been_funded(p_payment, v.attempt) then return true; end if;',
    without: '',
    test: { file: EQUAL, name: 'one that may have been funded commits nothing a second time' },
  },
  {
    id: 'payment-debit-taken-over',
    against: 'a payment waits for money that the ledger keeps for an equal one, whose money has left',
    file: PAYMENTS,
    text: ' and take_over_commitment(v.account, v.sell_currency, v_to, v_missing) then',
    without: ' and false then',
    test: { file: EQUAL, name: 'it is funded with what is still committed to the one that was paid' },
  },
  {
    id: 'payment-debit-uncovered',
    against:
      'a payment that was funded while the ledger did not decide is never committed, as an equal debit was posted to it',
    file: PAYMENTS,
    text: 'not (may_have_been_funded(v.payment_id, v.attempt) and exists (',
    without: 'not (true and exists (',
    test: { file: EQUAL, name: 'it is committed by the next read if the history was not read for long' },
  },
  {
    id: 'conversion-within-free',
    against: 'a conversion commits money that is committed to something else',
    file: `${MIGRATIONS}/0037_ledger.sql`,
    text: "  if v_missing > greatest(ledger_amount(p_account, p_currency, 'free'), 0) then",
    without: '  if false then',
    test: { file: LEDGER, name: 'no money is committed twice' },
  },
  {
    id: 'one-at-a-time',
    against: 'two commit the same money at the same time',
    file: PAYMENTS,
    text: '  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;\n  if not found then return true; end if;\n  v_has_debit',
    without:
      '  perform from balance_chains where account = v.account and currency = v.sell_currency;\n  if not found then return true; end if;\n  v_has_debit',
    test: { file: 'test/store/ledger-races.services.ts', name: 'a run and a sweep race for the last cent' },
  },
  {
    id: 'committed-while-unknown',
    against: 'money that may have left is spent again',
    file: `${MIGRATIONS}/0037_ledger.sql`,
    text: '  if may_have_been_funded(p_payment, p_attempt) then return; end if;',
    without: '',
    test: { file: ENTRIES, name: 'stays committed while nobody knows whether it was funded' },
  },
  {
    id: 'sent-while-unknown',
    against: 'money that was sent while the ledger did not decide is spent again once it does',
    file: `${MIGRATIONS}/0040_conversions.sql`,
    text: '    perform commit_money_on_its_way(p_account, v_chain.currency, false);',
    without: '',
    test: { file: ENTRIES, name: 'is committed by the next read' },
  },
  {
    id: 'matched-when-funded',
    against:
      'an entry of somebody else counts as the debit of a payment that nobody has funded, whose money is spent again',
    file: `${MIGRATIONS}/0037_ledger.sql`,
    text: '    and amount = v_taken and funding_begun_at <= last_funding_of(p)',
    without: '    and amount = v_taken',
    test: { file: ENTRIES, name: 'does not take the money of a payment that nobody has funded' },
  },
  {
    id: 'ledger-is-the-history',
    against: 'the ledger has more money than the provider',
    file: `${MIGRATIONS}/0037_ledger.sql`,
    text: '  if v_outside is distinct from -v_last then',
    without: '  if false then',
    test: { file: ENTRIES, name: 'lets the ledger differ from the history' },
  },
  {
    id: 'transfers-kept',
    against: 'somebody changes what the ledger says of the past',
    file: `${MIGRATIONS}/0037_ledger.sql`,
    text: "  raise exception 'a transfer of the ledger is kept as it was made';",
    without: '  return null;',
    test: { file: ENTRIES, name: 'lets the ledger differ from the history' },
  },
  {
    id: 'entries-kept',
    against: 'somebody changes what the provider has shown of a balance',
    file: `${MIGRATIONS}/0033_balance-history.sql`,
    text: "  raise exception 'an entry of the history is kept as it was first seen';",
    without: '  return null;',
    test: { file: HISTORY, name: 'no process can change or remove an entry' },
  },
  {
    id: 'entries-follow',
    against: 'entries count although others before them are missing',
    file: `${MIGRATIONS}/0037_ledger.sql`,
    text: '      where amount_before <> balance and not (p_restart and position = p_from)) then',
    without: '      where false) then',
    test: { file: HISTORY, name: 'or store one out of order' },
  },
];
