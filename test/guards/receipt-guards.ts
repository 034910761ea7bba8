import type { Guard } from './guard.ts';

const OLD_EVENTS = 'test/store/old-events.services.ts';
const GROWING_TABLES = 'test/store/growing-tables.services.ts';
const REFUNDS = 'test/store/refunds.services.ts';
const UNREADABLE_RECORDS = 'test/store/unreadable-records.services.ts';
const REFUNDS_BESIDE_UNREAD = 'test/store/refunds-beside-unread.services.ts';
const REFUNDS_UNCERTAIN = 'test/store/refunds-uncertain.services.ts';
const RECEIPTS = 'test/store/receipts.services.ts';

/** Guards of money that came in: a payment that is wrongly called returned may be paid twice. */
export const RECEIPT_GUARDS: readonly Guard[] = [
  {
    id: 'returned-with-its-money',
    against: 'a process calls a payment returned whose money did not come back',
    without: 'if false then',
    test: { file: REFUNDS, name: 'returns a payment whose money is not in the history' },
  },
  {
    id: 'returned-before-it-was-known',
    against: 'a payment whose money came back before it was known is called paid for ever',
    without: '',
    test: { file: REFUNDS, name: 'also if it is known only long after the money of its refund came' },
  },
  {
    id: 'returned-as-a-whole',
    against: 'a payment is called returned by a part of its money',
    without: 'select coalesce(p_payment.sell_amount > 0 and p_payment.returned_amount > 0, false)',
    test: { file: REFUNDS, name: 'in parts, once they are all of it' },
  },
  {
    id: 'refunds-listed-after-the-money',
    against: 'money is taken for that of a refund, while it is of another one that is not known yet',
    without: 'and dated_at >= v_since[1] and (follows_debit or seen_at < v_fundings_listed)',
    test: { file: REFUNDS_UNCERTAIN, name: 'that came after the refunds were listed' },
  },
  {
    id: 'returned-after-it-was-funded',
    against: 'money from before a payment is taken for its refund',
    without: "p.created_at, p.quoted_at) - interval '15 years'",
    test: { file: REFUNDS, name: 'by money from before it was funded' },
  },
  {
    id: 'fundings-listed-after-the-money',
    against: 'the money of a funding that is not known yet is taken for that of a refund',
    without: 'and dated_at >= v_since[1] and seen_at < v_listed',
    test: { file: RECEIPTS, name: 'is not taken for the refund before fundings were listed' },
  },
  {
    id: 'money-for-all-that-is-open',
    against: 'the money of a funding or deposit is taken for that of a refund of the same amount',
    without: 'continue when false',
    test: { file: RECEIPTS, name: 'while a funding of it is open' },
  },
  {
    id: 'assigned-alone',
    against: 'what a person says of money is half overwritten by what explains money of another currency',
    without: '',
    test: { file: 'test/store/open-receipts.services.ts', name: 'is assigned by a person only after what explains' },
  },
  {
    id: 'assigned-as-much-as-refunded',
    against: 'a person says that money is that of a refund of another amount, and a payment is returned by it',
    without: 'if false then',
    test: { file: RECEIPTS, name: 'of another amount it cannot be' },
  },
  {
    id: 'money-about-when-the-refund-is-shown',
    against:
      'money of the same amount, as a customer pays it every month, is taken for that of a refund as soon as this is announced',
    without: "select refund_id, greatest(may_come_back_since(payments), first_seen_at - interval '3 years') as since",
    test: { file: REFUNDS_UNCERTAIN, name: 'that came days before its refund was announced' },
  },
  {
    id: 'refunds-waited-for-thirty-days',
    against: 'others wait for a refund that failed, or money of its amount is taken for it much later',
    without: ') as open;',
    test: { file: REFUNDS_UNCERTAIN, name: 'a month after its refund was announced' },
  },
  {
    id: 'failures-may-be-given-back',
    against: 'what the provider gives back of a failed payment is taken for the refund of a paid one',
    without: 'v_hidden := v_unreadable;',
    test: { file: REFUNDS_UNCERTAIN, name: 'gives back of a payment that failed' },
  },
  {
    id: 'unreadable-refunds-may-have-come',
    against: 'the money of a refund that cannot be read is taken for that of another one',
    without: 'v_hidden := may_be_given_back(p_account, v_group.currency, v_group.amount, v_since[1]);',
    test: { file: UNREADABLE_RECORDS, name: 'has one that cannot be read' },
  },
  {
    id: 'what-is-in-flight-may-be-given-back',
    against: 'the money of a payment that failed, which is not known yet, is taken for the refund of another one',
    without: '',
    test: { file: REFUNDS_BESIDE_UNREAD, name: 'of an equal one that is funded here' },
  },
  {
    id: 'what-is-unknown-may-be-given-back',
    against: 'the money of an unknown payment that failed is taken for the refund of another one',
    without: '',
    test: { file: REFUNDS_BESIDE_UNREAD, name: 'of an equal one that is unknown here' },
  },
  {
    id: 'what-is-being-funded-may-be-given-back',
    against:
      'the money of a payment whose funding was not answered, and that failed, is taken for the refund of another one',
    without: ')',
    test: { file: REFUNDS_BESIDE_UNREAD, name: 'of an equal one that is created here' },
  },
  {
    id: 'unknown-conversions-may-be-credited',
    against: 'the money that an unknown conversion bought is taken for that of a refund',
    without:
      "and (conversion_may_be_credited(state, conversion_id is not null) and state <> 'unknown' or conversion_may_run_late(state) and conversion_is_looked_at(state, ended_at, named_at))",
    test: { file: REFUNDS_UNCERTAIN, name: 'that is unknown is not taken for that of a refund' },
  },
  {
    id: 'a-receipt-explains-one-thing',
    against: 'one receipt is taken for the money of a conversion and for that of a refund, by two workers',
    without: '',
    test: { file: REFUNDS_UNCERTAIN, name: 'settled while refunds are matched' },
  },
  {
    id: 'conversions-take-what-nothing-explains',
    against: 'a conversion takes money that a person has explained, and its own is taken for that of a refund',
    without: 'order by position limit 1',
    test: { file: REFUNDS_UNCERTAIN, name: 'before what a person has explained' },
  },
  {
    id: 'last-reads-stay',
    against:
      'after an outage of a month the history is read as if for the first time, and what came meanwhile is left out',
    without: 'and true limit 10000);',
    test: { file: OLD_EVENTS, name: 'reads of the history are removed after thirty days, but never the last one' },
  },
  {
    id: 'open-deposits-are-capped',
    against: 'whoever knows the address of the webhooks fills the database with deposits',
    without: 'where $7::bigint > 0',
    test: { file: OLD_EVENTS, name: 'only so many reports of deposits wait for their money' },
  },
  {
    id: 'account-asked-after-pauses',
    against: 'a virtual account that is refused is asked for without a pause, and uses up the requests of payments',
    without: '',
    test: {
      file: 'test/store/virtual-accounts.services.ts',
      name: 'one whose request has no effect is sent again after pauses that grow',
    },
  },
  {
    id: 'explained-currencies-alone',
    against: 'payments of every currency wait, as often as somebody sends events',
    without: 'perform from balance_chains where account = p_account order by currency for no key update;',
    test: {
      file: 'test/store/open-receipts.services.ts',
      name: 'locks its currency alone, and only while something open',
    },
  },
  {
    id: 'reports-lock-only-what-they-explain',
    against:
      'a false report of the amount of a receipt that nothing explains makes all payments of its currency wait, for weeks',
    without: '',
    test: {
      file: 'test/store/open-receipts.services.ts',
      name: 'locks nothing for a report of its amount that cannot be its deposit',
    },
  },
  {
    id: 'candidates-stay-while-asked-for',
    against: 'a user whom an event named is taken for one that nobody has read, or is read for ever',
    without: 'where true limit 10000);',
    test: { file: GROWING_TABLES, name: 'is forgotten once no sign-up waits for its outcome' },
  },
  {
    id: 'only-what-was-not-sent-is-forgotten',
    against: 'a request for a virtual account that may have been sent is forgotten, and sent again',
    without: "where answered_at < clock_timestamp() - interval '30 days'",
    test: { file: GROWING_TABLES, name: 'that was not sent is forgotten after thirty days' },
  },
  {
    id: 'deposits-after-refunds',
    against: 'a false report of a deposit takes the money of a refund that is not listed yet',
    without: 'and (explained_by is null',
    test: {
      file: 'test/store/receipts-said-otherwise.services.ts',
      name: 'does not take money before the refunds were listed',
    },
  },
  {
    id: 'assigned-after-it-was-sent',
    against: 'a person says that money is that of a refund of a payment that was sent later, which is returned by it',
    without: 'if false then',
    test: { file: REFUNDS_UNCERTAIN, name: 'of a payment that was sent later' },
  },
  {
    id: 'unreadable-records-waited-for-a-week',
    against: 'the money of a refund or funding that cannot be read is taken for that of another one',
    without: "where account = p_account and first_seen_at > clock_timestamp() - interval '0 days';",
    test: { file: UNREADABLE_RECORDS, name: 'has one that cannot be read' },
  },
];
