import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of schedules: what they may do was confirmed by two people, word for word. */

const MIGRATION = `${MIGRATIONS}/0042_schedules.sql`;
const PROOFS = 'test/store/proofs.services.ts';
const store = (name: string) => ({ file: 'test/store/schedules.services.ts', name });

const facts = (name: string) => ({ file: 'test/store/schedule-facts.services.ts', name });
const AS_CONFIRMED = `${MIGRATIONS}/0053_schedules-and-deliveries.sql`;
/** The latest texts of `level_objection_to` and `begin_conversion_creation`. */
const COUNTED = `${MIGRATIONS}/0063_money-counted-once.sql`;
const levels = (name: string) => ({ file: 'test/store/scheduled-levels.services.ts', name });
const together = (name: string) => ({ file: 'test/activities/placed-together.services.ts', name });
const occurrences = (name: string) => ({ file: 'test/store/occurrences.services.ts', name });

function permission(name: string, permissionName: string, against: string, file = MIGRATION): Guard {
  return {
    id: `may-${name.replaceAll('_', '-')}`,
    against,
    file,
    text: `v_refusal := schedule_objection_to(me.user_id, me.token_id, '${permissionName}', p_schedule, '${name}');`,
    without: 'v_refusal := null;',
    test: { file: PROOFS, name: `${name} requires` },
  };
}

export const SCHEDULE_GUARDS: readonly Guard[] = [
  {
    id: 'may-add-schedule',
    against: 'a schedule is proposed without the permission',
    file: MIGRATION,
    text: `v_refusal := objection_to(me.user_id, me.token_id, 'convert', null, 'add_schedule');`,
    without: 'v_refusal := null;',
    test: { file: PROOFS, name: 'add_schedule requires' },
  },
  permission('edit_schedule', 'convert', 'a version of a schedule is proposed without the permission'),
  permission(
    'decide_schedule',
    'decide_conversion',
    'a version of a schedule is confirmed without the permission',
    `${MIGRATIONS}/0048_sign-in-in-order.sql`,
  ),
  permission('pause_schedule', 'decide_conversion', 'a schedule is paused without the permission'),
  permission('resume_schedule', 'convert', 'a schedule is resumed without the permission'),
  permission(
    'start_occurrence',
    'convert',
    'an occurrence of a schedule is started without the permission',
    AS_CONFIRMED,
  ),
  permission('delete_schedule', 'convert', 'a schedule is deleted without the permission'),
  {
    id: 'schedule-account',
    against: 'a treasurer proposes a schedule of an account that they may not use',
    file: MIGRATION,
    text: `v_refusal := account_objection_to(me.user_id, me.token_id, v_account, 'add_schedule');`,
    without: 'v_refusal := null;',
    test: store('of an account that a user may not use does not exist for them'),
  },
  {
    id: 'schedule-of-account',
    against: 'somebody decides on a schedule of an account that they may not use',
    file: MIGRATION,
    text: 'if user_may_use(p_user, v_account) then return null; end if;',
    without: 'return null;',
    test: store('of an account that a user may not use does not exist for them'),
  },
  {
    id: 'schedule-takes-two',
    against: 'a treasurer confirms their own schedule',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `if p_decision = 'confirmed' and v.proposed_by = me.user_id then`,
    without: 'if false then',
    test: store('takes effect when a second person confirms what they saw'),
    behind: 'confirmed_definition requires another person as well: nothing would be placed',
  },
  {
    id: 'schedule-as-seen',
    against: 'another schedule is confirmed than the one that was seen',
    file: `${MIGRATIONS}/0048_sign-in-in-order.sql`,
    text: `if p_hash is distinct from encode(sha256(convert_to(v.definition, 'UTF8')), 'hex') then`,
    without: 'if false then',
    test: store('takes effect when a second person confirms what they saw'),
    behind: 'confirmed_definition compares the hash again: nothing would be placed',
  },
  {
    id: 'schedule-word-for-word',
    against: 'a schedule whose text was changed after it was confirmed is carried out',
    file: MIGRATION,
    text: `and decided.definition_hash = encode(sha256(convert_to(definition, 'UTF8')), 'hex')`,
    without: '',
    test: store('is not confirmed if its text was changed afterwards'),
  },
  {
    id: 'scheduled-as-confirmed',
    against: 'a worker places an order that no confirmed schedule allows',
    file: AS_CONFIRMED,
    text: "      raise exception 'the schedule % does not allow this order', v.schedule_id;",
    without: '      null;',
    test: occurrences('places only what the confirmed version allows'),
    behind: 'conversion_is_scheduled asks again before the conversion is created',
  },
  {
    id: 'scheduled-while-active',
    against: 'an order of a schedule that was paused meanwhile is created',
    file: MIGRATION,
    text: "and (schedules.state = 'active' or orders.conversion_id is not null)",
    without: '',
    test: occurrences('of a schedule that was paused meanwhile needs an approval of its own'),
  },
  {
    id: 'level-not-backfilled',
    against: 'a level is backfilled, and acts on the balance of today again',
    file: AS_CONFIRMED,
    text: "if p_slot > 0 and confirmed_definition(p_schedule, v.version) ->> 'kind' <> 'fixed_amount' then",
    without: 'if false then',
    test: occurrences('of a level is not backfilled'),
    behind: 'the use case refuses it as well',
  },
  {
    id: 'fixed-by-hand',
    against: 'one treasurer converts a fixed amount again and again, by starting its schedule by hand',
    file: MIGRATION,
    text: "when 'fixed_amount' then p_cause = 'schedule' and p_order.fixed_side",
    without: "when 'fixed_amount' then p_order.fixed_side",
    test: occurrences('by hand of a fixed amount waits for an approval'),
  },
  {
    id: 'occurrence-orders-once',
    against: 'an occurrence places a second order of a pair under another id',
    file: AS_CONFIRMED,
    text: "raise exception 'the occurrence % has placed an order of this pair', p_occurrence;",
    without: 'null;',
    test: occurrences('places one order of a pair, whatever its id'),
    behind: 'the unique index over the orders of an occurrence',
  },
  {
    id: 'occurrence-at-its-time',
    against: 'a worker begins an occurrence at a time that no schedule has',
    file: AS_CONFIRMED,
    text: "raise exception 'the schedule % has no such time: % of %', p_schedule, p_slot, p_local_date;",
    without: 'null;',
    test: facts('an occurrence is begun only at a time of its schedule'),
  },
  {
    id: 'missed-after-its-window',
    against: 'an occurrence is recorded as missed that may still be started',
    file: AS_CONFIRMED,
    text: "or p_scheduled_at > clock_timestamp() - interval '10 minutes'",
    without: '',
    test: facts('is not missed before its window is over'),
  },
  {
    id: 'credit-by-due-date',
    against: 'money that was bought for the run that is due first goes to another one',
    file: MIGRATION,
    text: 'order by held.short_by is not null, due, started_at, run_id',
    without: 'order by held.short_by is not null, started_at, run_id',
    test: {
      file: 'test/store/runs-by-due-date.services.ts',
      name: 'a credit goes to the runs by the dates of their rows',
    },
  },
  {
    id: 'occurrence-planned-once',
    against: 'an occurrence whose activity is repeated buys from a second balance what its first order buys',
    file: 'activities/treasury/place-scheduled-orders.ts',
    text: '    if ((await readOccurrenceOrders(transaction, occurrenceId)).length > 0) return null;',
    without: '',
    test: together('buys no more than it lacks, also when less of a source is free by then'),
  },
  {
    id: 'placed-orders-buy',
    against: 'two schedules buy the same money, while the order of the first one waits',
    file: 'store/treasury/cash-situation.ts',
    text: 'sumOf([...bought, ...ordered], currency)',
    without: 'sumOf(bought, currency)',
    test: together('another occurrence does not buy the same money again'),
  },
  {
    id: 'placed-orders-sell',
    against: 'a sweep sells what an order that waits sells as well',
    file: 'store/treasury/cash-situation.ts',
    text: '.minus(sumOf(sold, currency)).toFixed()',
    without: '.toFixed()',
    test: together('what it sells is no surplus for another one'),
  },
  {
    id: 'sweep-commits-above-floor',
    against: 'a sweep sells below the floor that two people have confirmed, as money was reserved since it was placed',
    file: COUNTED,
    text: "not coalesce(left_over >= (definition ->> 'floor')::numeric, false)",
    without: 'false',
    test: levels('leaves its floor, also when a run has reserved money since it was placed'),
  },
  {
    id: 'top-up-within-level',
    against: 'a top-up buys beyond the level that two people have confirmed, as money came since it was placed',
    file: COUNTED,
    text: "      < (definition ->> 'level')::numeric + power(10::numeric, -scale(p_order.amount)), false) then",
    without: '      is null, false) and false then',
    test: levels('buys nothing beyond its level, also when money has come since it was placed'),
  },
  {
    id: 'bought-money-counts-once',
    against: 'an order for runs sells below its floor, as money that has come counts as bought as well',
    file: COUNTED,
    text: "      and (explained_by is null or explained_by = 'person')",
    without: '      and false',
    test: levels('leaves the floor when bought money has just come'),
  },
  {
    id: 'unpaid-money-is-not-bought',
    against: 'an order for runs sells below its floor, as a conversion that may lapse counts as bought',
    file: COUNTED,
    text: "and buy_currency = p_currency and state in ('funded', 'completed')",
    without: "and buy_currency = p_currency and state in ('committed', 'created', 'funding', 'funded', 'completed')",
    test: levels('does not count on an order that is created: it may bring nothing'),
  },
  {
    id: 'top-ups-one-by-one',
    against: 'two top-ups that sell other currencies buy up to the level at the same moment',
    file: COUNTED,
    text: "  perform pg_advisory_xact_lock(hashtextextended('bought ' || v.account || ' ' || v.buy_currency, 0));",
    without: '',
    test: levels('buys nothing beyond its level, also when another one commits its money at the same moment'),
  },
  {
    id: 'level-at-commitment',
    against: 'an order of a schedule commits money without its floor or level',
    file: COUNTED,
    text: "  if v_objection is not null then return jsonb_build_object('refused', v_objection); end if;",
    without: '',
    test: levels('leaves the floor of what it sells'),
  },
  {
    id: 'made-up-for-once',
    against: 'a missed occurrence is made up for while its first order may still be carried out',
    file: AS_CONFIRMED,
    text: "    return refused('conflict', 'an order of this occurrence may still be carried out: it is not made up for');",
    without: '    null;',
    test: occurrences('is not made up for while its order may still be carried out'),
  },
];
