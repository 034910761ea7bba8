import type { Guard } from './guard.ts';

const CONVERSION_EQUAL_DEBITS = 'test/activities/conversion-equal-debits.services.ts';
const CONVERSION_TAKEN_OVER = 'test/store/conversion-taken-over.services.ts';
const CONVERSION_FUNDING_WAITS = 'test/activities/conversion-funding-waits.services.ts';
const CONVERSION_LATE_DEBITS = 'test/store/conversion-late-debits.services.ts';
const LATE_DEBITS = 'test/activities/late-debits.services.ts';
const MANUAL_OUTCOMES_AFTER_READING = 'test/activities/manual-outcomes-after-reading.services.ts';
const CONVERSION_MANUAL_OUTCOMES = 'test/store/conversion-manual-outcomes.services.ts';
const LAPSED_CONVERSIONS = 'test/activities/lapsed-conversions.services.ts';
const FUNDED_ELSEWHERE = 'test/activities/conversion-funded-elsewhere.services.ts';
const AFTER_RESTORE = 'test/store/after-restore.services.ts';
const OVERDUE_CONVERSIONS = 'test/activities/overdue-conversions.services.ts';

/** Checks of what the history shows of a conversion, and of what people may say against it. */
export const CONVERSION_EVIDENCE_GUARDS: readonly Guard[] = [
  {
    id: 'conversion-debit-explained-by-none',
    against:
      'a conversion is funded twice because its debit was taken for that of a payment, which was debited in another form, or not at all',
    without: "'earlier', (select count(*)::int from recent where amount_before - amount_after = mine.total_amount),",
    test: { file: CONVERSION_EQUAL_DEBITS, name: 'a conversion whose debit is in the history is not funded again' },
  },
  {
    id: 'conversion-debit-explained-by-its-total',
    against: 'a conversion is funded twice because an earlier debit of another amount was counted as one of its total',
    without:
      "'earlier', (select count(*)::int from recent where not is_new and amount_before - amount_after = recent.total_amount),",
    test: {
      file: CONVERSION_EQUAL_DEBITS,
      name: 'a debit of another amount that was recorded before explains no debit of the total',
    },
  },
  {
    id: 'conversion-copy-proves-nothing',
    against: 'a conversion is funded twice because its debit was taken for a copy of an equal one of the same day',
    without: 'history.unreadable = 0 and history.conflicting = 0 and coalesce(',
    test: {
      file: CONVERSION_EQUAL_DEBITS,
      name: 'a conversion is not funded again while a debit that was taken for a copy may be its own',
    },
  },
  {
    id: 'conversion-funded-by-nobody-else',
    against: 'a conversion that was funded elsewhere, or before a backup was restored, is funded again',
    without: 'when false then null',
    test: { file: FUNDED_ELSEWHERE, name: 'it is for people once the history has a debit of what it total' },
  },
  {
    id: 'conversion-read-before-funding',
    against: 'a conversion that the provider shows as completed is funded for the first time',
    without: 'when true',
    test: { file: FUNDED_ELSEWHERE, name: 'it is not funded before the conversion was read' },
  },
  {
    id: 'conversion-history-before-funding',
    against: 'a conversion is funded although nobody has read whether its money has left',
    without: 'then null',
    test: { file: FUNDED_ELSEWHERE, name: 'it is not funded before the history was read' },
  },
  {
    id: 'restored-schedules-pause',
    against: 'what a schedule has bought since a restored backup is called missed, and bought again',
    without: '',
    test: { file: AFTER_RESTORE, name: 'schedules are paused, and call nothing missed' },
  },
  {
    id: 'restored-orders-are-looked-up',
    against: 'an order that was carried out after a restored backup is approved and carried out again',
    without: 'where false',
    test: { file: AFTER_RESTORE, name: 'schedules are paused, and call nothing missed' },
  },
  {
    id: 'conversion-late-answer-counts',
    against: 'a request is sent again although the provider has answered the first one late',
    without: '',
    test: {
      file: CONVERSION_FUNDING_WAITS,
      name: 'one that is funded after its request was closed is for people, with the answer in the audit trail',
    },
  },
  {
    id: 'conversion-no-debit-since-proof',
    against: 'a conversion is funded again although a debit of its total came after the history was read that had none',
    without: "and (coalesce(v.unfunded_at < clock_timestamp() - interval '5 minutes', true)) then",
    test: {
      file: CONVERSION_TAKEN_OVER,
      name: 'what was proved does not count once a debit of its total has come since',
    },
  },
  {
    id: 'conversion-posted-beyond-others',
    against: 'two people cannot have a conversion funded, as the debit of an equal payment counts as its own',
    without: 'select case when posted = 0 then false else true end',
    test: {
      file: CONVERSION_TAKEN_OVER,
      name: 'two people have it funded again: it is, with the money of the payment',
    },
  },
  {
    id: 'conversion-takes-over-what-was-debited',
    against:
      'a conversion takes the money of a payment whose own debit is still to come, and both are debited with one commitment',
    without:
      'and funding_begun_at <> (select max(made_at) from ledger_transfers where account = p_account and currency = p_currency',
    test: { file: CONVERSION_TAKEN_OVER, name: 'it takes nothing over from a payment that was funded after the debit' },
  },
  {
    id: 'conversion-posted-is-not-funded',
    against: 'an order whose debit is posted already asks to be funded for ever',
    without: "if (isPastCutoff) return mayBeDebited ? 'find_out_funding' : 'read';",
    test: { file: CONVERSION_FUNDING_WAITS, name: 'is read, and goes on when it is completed' },
  },
  {
    id: 'conversion-posted-has-not-lapsed',
    against: 'an order is called lapsed at its cut-off although the ledger has posted its debit',
    without: "if (funding === 'none' && isDebitPosted !== null) {",
    test: { file: CONVERSION_FUNDING_WAITS, name: 'is for people at its cut-off, and has not lapsed' },
  },
  {
    id: 'conversion-unfunded-has-an-age',
    against: 'a created order that cannot be funded waits silently for ever',
    without: 'const isTooOld = now() - wait.sinceMs >= Infinity;',
    test: { file: CONVERSION_FUNDING_WAITS, name: 'one of which nothing more can be read is for people after a day' },
  },
  {
    id: 'conversion-without-mac-has-an-age',
    against: 'a created order without a valid MAC, whose conversion cannot be read, waits silently for ever',
    without: '',
    test: {
      file: 'test/activities/rotated-secret.services.ts',
      name: 'is for people after a day if every read of it ends in',
    },
  },
  {
    id: 'conversion-funded-when-proven',
    against: 'a conversion whose request was lost is never funded, as its proof is too old after every pause',
    without: 'return { state: stage.state, isToBeFunded: false };',
    test: { file: CONVERSION_FUNDING_WAITS, name: 'one whose request was lost is funded once more' },
  },
  {
    id: 'conversion-debit-not-posted',
    against: 'a conversion is funded again although the ledger has posted its debit',
    without: '',
    test: { file: CONVERSION_LATE_DEBITS, name: 'is not funded again after people have said so either' },
  },
  {
    id: 'conversion-resolved-without-debit',
    against: 'two people have a conversion funded again whose debit the ledger has posted by then',
    without: '',
    test: { file: CONVERSION_LATE_DEBITS, name: 'is not funded again, whoever says so' },
  },
  {
    id: 'conversion-resolved-by-history',
    against: 'two people have a conversion funded again, or called lapsed, whose debit the history shows',
    without: "const isDebited = saysUnfunded && assessed?.found === 'absent';",
    test: { file: LATE_DEBITS, name: 'is not resolved as lapsed when the history shows its debit' },
  },
  {
    id: 'conversion-resolved-after-reading',
    against:
      'two people have a conversion funded again by what the history showed before, as it could not be read once more',
    without: '',
    test: { file: MANUAL_OUTCOMES_AFTER_READING, name: 'stays open while the history was not read since' },
  },
  {
    id: 'conversion-resolved-when-none-may-take-effect',
    against: 'two people have a conversion funded again while its last request may still take effect',
    without: 'return readBeganMs >= confirmedAtMs;',
    test: { file: MANUAL_OUTCOMES_AFTER_READING, name: 'stays open while the last request may still take effect' },
  },
  {
    id: 'conversion-lapsed-by-history',
    against: 'an order is called lapsed at its cut-off although its money has left',
    without: "if (funding !== 'open' && !isDebitPosted) {",
    test: {
      file: LATE_DEBITS,
      name: 'a refused order lapses after its cut-off only once a complete history has shown no debit twice',
    },
  },
  {
    id: 'conversion-evidence-fresh',
    against: 'a conversion is funded again by what the history showed before a stop of hours',
    without: 'null;',
    test: {
      file: 'test/store/conversion-funding.services.ts',
      name: 'again only soon after a history has proved that the first request had no effect',
    },
  },
  {
    id: 'conversion-difference-committed',
    against:
      'a run and a conversion spend the same money, since that of the conversion was free while another total was accepted',
    without:
      'perform release_conversion(p_order.account, p_order.sell_currency, p_order.order_id::text);\nv_less := -p_total;',
    test: {
      file: CONVERSION_MANUAL_OUTCOMES,
      name: 'stays committed if it is smaller, and only the rest is for a run that is short',
    },
  },
  {
    id: 'conversion-accepted-total-committed',
    against: 'two people accept a total that is meant for something else',
    without: 'v_contradicts := null = change_conversion_commitment(v_order, v_total,',
    test: { file: CONVERSION_MANUAL_OUTCOMES, name: 'is not taken from a run if it is larger' },
  },
  {
    id: 'conversion-funded-from-commitment',
    against: 'a conversion is funded with money that is not committed to it',
    without: 'if not change_conversion_commitment(v, v.total_amount, v.sell_amount) then\n  null;',
    test: { file: CONVERSION_MANUAL_OUTCOMES, name: 'is committed before the request if the ledger decides by then' },
  },
  {
    id: 'conversion-accepted-is-ours',
    against: 'two people accept, and pay for, a conversion of other currencies or of somebody else',
    without: '',
    test: { file: CONVERSION_MANUAL_OUTCOMES, name: 'is not funded, whoever accepts it' },
  },
  {
    id: 'conversion-funded-as-accepted',
    against: 'a conversion is funded with amounts that the provider shows only after two people have accepted others',
    without: '',
    test: { file: CONVERSION_MANUAL_OUTCOMES, name: 'what the provider shows only after they have said so' },
  },
  {
    id: 'conversion-never-funded-after-effect',
    against: 'two people have a conversion funded again of which a request has taken effect',
    without: 'if false then',
    test: { file: OVERDUE_CONVERSIONS, name: 'ends as lapsed when two people say so, and is not funded again' },
    behind: 'conclude_conversion_manual_outcome, conversion-requested-once',
  },
  {
    id: 'conversion-completion-has-an-age',
    against: 'a conversion waits silently for ever for a completion that does not come',
    without: 'if (isTooOld && isDoubtful) {',
    test: { file: OVERDUE_CONVERSIONS, name: 'is for people after a day' },
  },
  {
    id: 'conversion-lookup-has-an-age',
    against: 'a creation whose outcome is unknown waits silently for ever',
    without: 'if (open.ageMs < Infinity) throw error;',
    test: { file: OVERDUE_CONVERSIONS, name: 'that cannot be looked up for' },
  },
  {
    id: 'conversion-settled-after-funding',
    against: 'two people end an order as settled whose money may still leave',
    without: "when 'settled' then v.state = 'unknown'",
    test: { file: OVERDUE_CONVERSIONS, name: 'is not settled by people before it was funded' },
  },
  {
    id: 'conversion-found-is-adopted',
    against: 'an order is called never created, and placed again, of which the provider has a conversion',
    without: 'if (found === undefined || more.length >= 0) return false;',
    test: { file: OVERDUE_CONVERSIONS, name: 'of which one conversion is found later is' },
  },
  {
    id: 'lapsed-conversions-may-bring-money',
    against: 'the same need is bought again while a conversion that has lapsed may still be carried out',
    without: '',
    test: { file: LAPSED_CONVERSIONS, name: 'may still bring its money for a week' },
  },
  {
    id: 'late-conversion-committed-once',
    against: 'the money of a conversion that was carried out late is taken from what is free a second time',
    without: 'if false then',
    test: { file: LAPSED_CONVERSIONS, name: 'whose debit came when its money was free' },
  },
  {
    id: 'lapsed-conversion-stays-committed',
    against: 'the money of a conversion that has lapsed is spent by others, and its debit comes late',
    without: '',
    test: { file: LAPSED_CONVERSIONS, name: 'keeps its money committed' },
  },
  {
    id: 'lapsed-committed-for-a-week',
    against: 'the money of a conversion that has lapsed is free while its debit may come, or never again',
    without: "select case when conversion_may_run_late(p_order.state) then p_order.ended_at + interval '1 hour'",
    test: { file: LAPSED_CONVERSIONS, name: 'frees its money after a week without a debit' },
  },
  {
    id: 'unseen-conversion-stays-committed',
    against: 'the money of a conversion that may exist is spent by others before it is created again',
    without: '',
    test: {
      file: 'test/store/conversion-requests.services.ts',
      name: 'again with the money that stayed committed since',
    },
  },
  {
    id: 'not-seen-conversion-may-exist',
    against: 'an order ends, and is placed again, of which the provider has a conversion that was not seen',
    without: 'if false then',
    test: { file: OVERDUE_CONVERSIONS, name: 'the provider may have it' },
  },
];
