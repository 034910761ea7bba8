import { type Guard, MIGRATIONS } from './guard.ts';

const REFUNDS = 'test/store/refunds.services.ts';
const RECEIPTS = 'test/store/receipts.services.ts';
const FILE = `${MIGRATIONS}/0041_accounts.sql`;

/** Guards of money that came in: a payment that is wrongly called returned may be paid twice. */
export const RECEIPT_GUARDS: readonly Guard[] = [
  {
    id: 'returned-with-its-money',
    against: 'a process calls a payment returned whose money did not come back',
    file: FILE,
    text: '  if not has_come_back(new) then',
    without: '  if false then',
    test: { file: REFUNDS, name: 'returns a payment whose money is not in the history' },
  },
  {
    id: 'returned-as-a-whole',
    against: 'a payment is called returned by a part of its money',
    file: FILE,
    text: 'p_payment.returned_amount >= round(p_payment.sell_amount, 4)',
    without: 'p_payment.returned_amount > 0',
    test: { file: REFUNDS, name: 'in parts, once they are all of it' },
  },
  {
    id: 'a-receipt-for-each-refund',
    against: 'of two refunds of one amount, the wrong one is credited',
    file: FILE,
    text: '    continue when cardinality(v_entries) is distinct from cardinality(v_refunds)\n',
    without: '    continue when v_entries is null\n',
    test: { file: REFUNDS, name: 'if two refunds of one amount have one receipt' },
  },
  {
    id: 'refunds-listed-after-the-money',
    against: 'money is taken for that of a refund, while it is of another one that is not known yet',
    file: FILE,
    text: ' and seen_at < v_listed and',
    without: ' and',
    test: { file: REFUNDS, name: 'when the provider shows its refund and the history its money' },
  },
  {
    id: 'returned-after-it-was-funded',
    against: 'money from before a payment is taken for its refund',
    file: FILE,
    text: "operation = 'fund'), payments.funded_at) - interval '15 minutes',\n        '-infinity') as since",
    without: "operation = 'fund'), payments.funded_at) - interval '15 years',\n        '-infinity') as since",
    test: { file: REFUNDS, name: 'by money from before it was funded' },
  },
  {
    id: 'fundings-listed-after-the-money',
    against: 'the money of a funding that is not known yet is taken for that of a refund',
    file: FILE,
    text: ' and (follows_debit or seen_at < v_fundings_listed)',
    without: '',
    test: { file: RECEIPTS, name: 'is not taken for the refund before fundings were listed' },
  },
  {
    id: 'money-for-all-that-is-open',
    against: 'the money of a funding or deposit is taken for that of a refund of the same amount',
    file: FILE,
    text: '      or (v_linked < cardinality(v_refunds) and v_rivals > 0)\n',
    without: '',
    test: { file: RECEIPTS, name: 'while a funding of it is open' },
  },
  {
    id: 'assigned-as-much-as-refunded',
    against: 'a person says that money is that of a refund of another amount, and a payment is returned by it',
    file: FILE,
    text: '    if (v_refund.currency, v_refund.amount) is distinct from (v.currency, v.amount) then',
    without: '    if false then',
    test: { file: RECEIPTS, name: 'of another amount it cannot be' },
  },
];
