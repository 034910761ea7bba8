import type { Guard } from './guard.ts';

const TOKEN_HASHES = 'test/store/token-hashes.services.ts';
const SCHEDULES = 'test/store/schedules.services.ts';
const OCCURRENCES = 'test/store/occurrences.services.ts';
const OCCURRENCE_DATES = 'test/store/occurrence-dates.services.ts';
const SCHEDULE_FACTS = 'test/store/schedule-facts.services.ts';
const PLACED_TOGETHER = 'test/activities/placed-together.services.ts';
const SCHEDULED_LEVELS = 'test/store/scheduled-levels.services.ts';

/** Checks of schedules: what they may do was confirmed by two people, word for word. */
export const SCHEDULE_GUARDS: readonly Guard[] = [
  {
    id: 'sweep-by-a-price',
    against: 'whoever reaches Temporal has a sweep sell what no quote was asked for',
    without:
      "if (first === undefined || last === undefined || sweepDecimals === null) return { why: 'no_quote' };\n  last.answer ??= { totalAmount: '0', buyAmount: '0' };",
    test: { file: 'test/domain/occurrence-plan.test.ts', name: 'a sweep without an answer sells nothing' },
  },
  {
    id: 'may-add-schedule',
    against: 'a schedule is proposed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'add_schedule requires' },
  },
  {
    id: 'may-edit-schedule',
    against: 'a version of a schedule is proposed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'edit_schedule requires' },
  },
  {
    id: 'may-decide-schedule',
    against: 'a version of a schedule is confirmed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'decide_schedule requires' },
  },
  {
    id: 'may-pause-schedule',
    against: 'a schedule is paused without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'pause_schedule requires' },
  },
  {
    id: 'may-resume-schedule',
    against: 'a schedule is resumed without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'resume_schedule requires' },
  },
  {
    id: 'resumed-by-another',
    against: 'one treasurer has what they proposed go on after a checker, or payrun, has paused it',
    without: 'if false then',
    test: { file: 'test/store/schedules.services.ts', name: 'is paused with a reason, resumed and deleted' },
  },
  {
    id: 'may-start-occurrence',
    against: 'an occurrence of a schedule is started without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'start_occurrence requires' },
  },
  {
    id: 'may-delete-schedule',
    against: 'a schedule is deleted without the permission',
    without: 'v_refusal := null;',
    test: { file: TOKEN_HASHES, name: 'delete_schedule requires' },
  },
  {
    id: 'schedule-account',
    against: 'a treasurer proposes a schedule of an account that they may not use',
    without: 'v_refusal := null;',
    test: { file: SCHEDULES, name: 'of an account that a user may not use does not exist for them' },
  },
  {
    id: 'schedule-of-account',
    against: 'somebody decides on a schedule of an account that they may not use',
    without: 'return null;',
    test: { file: SCHEDULES, name: 'of an account that a user may not use does not exist for them' },
  },
  {
    id: 'schedule-takes-two',
    against: 'a treasurer confirms their own schedule',
    without: 'if false then',
    test: { file: SCHEDULES, name: 'takes effect when a second person confirms what they saw' },
    behind: 'confirmed_definition requires another person as well: nothing would be placed',
  },
  {
    id: 'schedule-as-seen',
    against: 'another schedule is confirmed than the one that was seen',
    without: 'if false then',
    test: { file: SCHEDULES, name: 'takes effect when a second person confirms what they saw' },
    behind: 'confirmed_definition compares the hash again: nothing would be placed',
  },
  {
    id: 'schedule-word-for-word',
    against: 'a schedule whose text was changed after it was confirmed is carried out',
    without: '',
    test: { file: SCHEDULES, name: 'is not confirmed if its text was changed afterwards' },
  },
  {
    id: 'scheduled-as-confirmed',
    against: 'a worker places an order that no confirmed schedule allows',
    without: 'null;',
    test: { file: OCCURRENCES, name: 'places only what the confirmed version allows' },
    behind: 'conversion_is_scheduled asks again before the conversion is created',
  },
  {
    id: 'scheduled-while-active',
    against: 'an order of a schedule that was paused meanwhile is created',
    without: '',
    test: { file: OCCURRENCES, name: 'of a schedule that was paused meanwhile needs an approval of its own' },
  },
  {
    id: 'level-not-backfilled',
    against: 'a level is backfilled, and acts on the balance of today again',
    without: 'if false then',
    test: { file: OCCURRENCES, name: 'of a level is not backfilled' },
    behind: 'the use case refuses it as well',
  },
  {
    id: 'fixed-by-hand',
    against: 'one treasurer converts a fixed amount again and again, by starting its schedule by hand',
    without: "when 'fixed_amount' then p_order.fixed_side = p_definition ->> 'fixed_side'",
    test: { file: OCCURRENCES, name: 'by hand of a fixed amount waits for an approval' },
  },
  {
    id: 'occurrence-orders-once',
    against: 'an occurrence places a second order of a pair under another id',
    without: 'null;',
    test: { file: OCCURRENCES, name: 'places one order of a pair, whatever its id' },
    behind: 'the unique index over the orders of an occurrence',
  },
  {
    id: 'occurrence-at-its-time',
    against: 'a worker begins an occurrence at a time that no schedule has',
    without: 'null;',
    test: { file: SCHEDULE_FACTS, name: 'an occurrence is begun only at a time of its schedule' },
  },
  {
    id: 'occurrence-on-its-date',
    against: 'whoever reaches Temporal has money converted on a date that the schedule never had',
    without: ', false)',
    test: { file: OCCURRENCE_DATES, name: 'is begun only on a date of its schedule' },
  },
  {
    id: 'started-on-a-date-of-the-schedule',
    against: 'a server makes up for a date that the schedule never had, or that has not come',
    without: 'if false then',
    test: { file: OCCURRENCE_DATES, name: 'is made up for only on a date of its schedule that has passed' },
  },
  {
    id: 'a-date-is-used-once',
    against: 'a date that calendars have moved is converted for twice, as the calendars were corrected after that',
    without: '',
    test: { file: OCCURRENCE_DATES, name: 'is not begun for a date that another one was for' },
  },
  {
    id: 'missed-after-its-catch-up-window',
    against: 'an occurrence is recorded as missed that may still be started',
    without: 'if not is_time_of(v_definition, p_local_date, p_slot, p_scheduled_at, p_moved_from)',
    test: { file: SCHEDULE_FACTS, name: 'is not missed before its catch-up window is over' },
  },
  {
    id: 'credit-by-due-date',
    against: 'money that was bought for the run that is due first goes to another one',
    without: 'order by held.short_by is not null, started_at, run_id',
    test: {
      file: 'test/store/runs-by-due-date.services.ts',
      name: 'a credit goes to the runs by the dates of their rows',
    },
  },
  {
    id: 'occurrence-planned-once',
    against: 'an occurrence whose activity is repeated buys from a second balance what its first order buys',
    without: '',
    test: { file: PLACED_TOGETHER, name: 'buys no more than it lacks, also when less of a source is free by then' },
  },
  {
    id: 'placed-orders-buy',
    against: 'two schedules buy the same money, while the order of the first one waits',
    without: 'incoming: (currency) => sumOf(bought, currency),',
    test: { file: PLACED_TOGETHER, name: 'another occurrence does not buy the same money again' },
  },
  {
    id: 'placed-orders-sell',
    against: 'a sweep sells what an order that waits sells as well',
    without: "freeBeside('0', free.find((one) => one.currency === currency)?.free ?? '0'),",
    test: { file: PLACED_TOGETHER, name: 'what it sells is no surplus for another one' },
  },
  {
    id: 'placed-orders-lack',
    against: 'a schedule buys for runs what no run needs, as an order that waits sells more than there is',
    without: 'return left.toFixed();',
    test: { file: PLACED_TOGETHER, name: 'what it lacks is not bought for runs' },
  },
  {
    id: 'sweep-commits-above-floor',
    against: 'a sweep sells below the floor that two people have confirmed, as money was reserved since it was placed',
    without: "when 'sweep' then case when false then 'floor_reached' end",
    test: { file: SCHEDULED_LEVELS, name: 'leaves its floor, also when a run has reserved money since it was placed' },
  },
  {
    id: 'run-need-at-commitment',
    against: 'an order for runs buys what somebody has bought by hand since it was placed',
    without: "if (orderId === null) return skip(transaction, orderId, 'need_covered');",
    test: { file: PLACED_TOGETHER, name: 'is not carried out when money came since it was placed' },
  },
  {
    id: 'run-need-locked',
    against: 'two orders that buy what runs lack commit their money at the same moment',
    without: '',
    test: { file: PLACED_TOGETHER, name: 'is not carried out when another one commits its money at the same moment' },
  },
  {
    id: 'top-up-within-level',
    against: 'a top-up buys beyond the level that two people have confirmed, as money came since it was placed',
    without: "is null, false) and false then 'level_reached' end",
    test: {
      file: SCHEDULED_LEVELS,
      name: 'buys nothing beyond its level, also when money has come since it was placed',
    },
  },
  {
    id: 'bought-money-counts-once',
    against: 'an order for runs sells below its floor, as money that has come counts as bought as well',
    without: 'and false',
    test: { file: SCHEDULED_LEVELS, name: 'leaves the floor when bought money has just come' },
  },
  {
    id: 'unpaid-money-is-not-bought',
    against: 'an order for runs sells below its floor, as a conversion that may lapse counts as bought',
    without:
      'where account = p_account and buy_currency = p_currency and conversion_may_bring_money(state, conversion_id is not null)',
    test: { file: SCHEDULED_LEVELS, name: 'does not count on an order that is created: it may bring nothing' },
  },
  {
    id: 'top-ups-one-by-one',
    against: 'two top-ups that sell other currencies buy up to the level at the same moment',
    without: '',
    test: {
      file: SCHEDULED_LEVELS,
      name: 'buys nothing beyond its level, also when another one commits its money at the same moment',
    },
  },
  {
    id: 'level-at-commitment',
    against: 'an order of a schedule commits money without its floor or level',
    without: '',
    test: { file: SCHEDULED_LEVELS, name: 'leaves the floor of what it sells' },
  },
  {
    id: 'made-up-for-once',
    against: 'a missed occurrence is made up for while its first order may still be carried out',
    without: 'null;',
    test: { file: OCCURRENCES, name: 'is not made up for while its order may still be carried out' },
  },
];
