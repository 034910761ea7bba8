-- A worker begins what is due by the version in force: one of the schedule's times of the day, on the date of its start. False: it
-- was begun before, or the schedule is not active.
-- Called by: worker.
create or replace function begin_occurrence(p_occurrence uuid, p_schedule uuid, p_local_date date, p_slot integer, p_scheduled_at timestamptz,
  p_moved_from date[], p_calendar_version integer) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v schedules%rowtype;
  v_definition jsonb;
begin
  select * into v from schedules where schedule_id = p_schedule for update;
  v_definition := confirmed_definition(p_schedule, v.version);
  if v.state is distinct from 'active' or v_definition is null then return false; end if;
  if not is_time_of(v_definition, p_local_date, p_slot, p_scheduled_at, p_moved_from)
    or p_scheduled_at > clock_timestamp() + interval '1 minute' then
    -- guard: occurrence-at-its-time
    raise exception 'the schedule % has no such time: % of %', p_schedule, p_slot, p_local_date;
  end if;
  -- guard: a-date-is-used-once
  if dates_were_used(p_schedule, v_definition, p_local_date, p_slot, p_moved_from) then return false; end if;
  insert into schedule_occurrences (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, moved_from, calendar_version)
  values (p_occurrence, p_schedule, v.version, 'schedule', p_local_date, p_slot, p_scheduled_at, p_moved_from, p_calendar_version)
  on conflict do nothing;
  if not found then
    perform record_changed_time('worker', p_schedule, v.version, p_local_date, p_slot, p_scheduled_at, p_calendar_version);
    return false;
  end if;
  perform note('worker', 'occurrence_begun', null, null, jsonb_build_object('schedule', p_schedule, 'occurrence', p_occurrence,
    'version', v.version, 'date', p_local_date, 'slot', p_slot));
  return true;
end $$;

-- Keeps what an open occurrence has found out for its orders: whoever reaches Temporal names the occurrence, and nothing of it.
-- Called by: worker.
create or replace function plan_occurrence(p_occurrence uuid, p_plan jsonb) returns void language sql
security definer set search_path = public, pg_temp as $$
  update schedule_occurrences set plan = p_plan where occurrence_id = p_occurrence and ended is null
$$;

-- A worker ends an occurrence, and pauses its schedule if the code says why. False: it has ended already.
-- Called by: worker.
create or replace function end_occurrence(p_occurrence uuid, p_ended text, p_reason text, p_pause text) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_schedule uuid;
begin
  update schedule_occurrences set ended = p_ended, reason = p_reason, ended_at = clock_timestamp()
  where occurrence_id = p_occurrence and ended is null returning schedule_id into v_schedule;
  if not found then return false; end if;
  perform note('worker', 'occurrence_ended', null, null, jsonb_build_object('schedule', v_schedule, 'occurrence', p_occurrence,
    'state', p_ended, 'reason', p_reason));
  if p_pause is not null then perform pause_by_payrun(v_schedule, p_pause); end if;
  return true;
end $$;

-- A treasurer starts an occurrence now, or makes up for one of a fixed amount that was missed, on a date that the schedule had. An order
-- of a fixed amount then needs an approval of its own. `p_slot` 0: now. The same occurrence again is the same one.
-- Called by: server.
create or replace function start_occurrence(p_token_hash bytea, p_schedule uuid, p_occurrence uuid, p_local_date date, p_slot integer,
  p_moved_from date[], p_calendar_version integer) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v schedules%rowtype;
  v_definition jsonb;
  v_zone text;
  v_cause text := case p_slot when 0 then 'trigger' else 'backfill' end;
  v_known schedule_occurrences%rowtype;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-start-occurrence
  v_refusal := authorize_for_schedule(me.user_id, me.token_id, 'convert', p_schedule, 'start_occurrence');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from schedules where schedule_id = p_schedule;
  select * into v_known from schedule_occurrences where occurrence_id = p_occurrence for update;
  -- One under a key is started once, whatever became of it; one that was missed again is made up for again.
  if v_known.cause = v_cause and v_known.asked_by = me.user_id and (v_cause = 'trigger' or v_known.ended is distinct from 'missed') then
    return jsonb_build_object('isNew', false);
  end if;
  if v_known.occurrence_id is not null and v_known.ended is distinct from 'missed' then
    return refused('conflict', 'this occurrence was started already: it is not made up for');
  end if;
  if exists (select from scheduled_orders join conversion_orders using (order_id)
      where occurrence_id = p_occurrence and not conversion_ended_without_one(conversion_orders.state)) then
    -- guard: made-up-for-once
    return refused('conflict', 'an order of this occurrence may still be carried out: it is not made up for');
  end if;
  if v.state <> 'active' or v.version is null then
    return refused('conflict', 'only an active schedule is started: it is ' || v.state);
  end if;
  v_definition := confirmed_definition(p_schedule, v.version);
  v_zone := v_definition ->> 'time_zone';
  -- guard: level-not-backfilled
  if p_slot > 0 and v_definition ->> 'kind' <> 'fixed_amount' then
    return refused('conflict', 'only fixed amounts are made up for: a level would act on the balance of today again');
  end if;
  -- guard: started-on-a-date-of-the-schedule (8 lines)
  if not coalesce(case p_slot
    when 0 then p_local_date between ((clock_timestamp() - interval '2 hours') at time zone v_zone)::date
      and ((clock_timestamp() + interval '2 hours') at time zone v_zone)::date
    else are_dates_of(v_definition, p_local_date, p_moved_from)
      and time_of_slot(v_definition, p_local_date, p_slot) <= clock_timestamp()
      and not dates_were_used(p_schedule, v_definition, p_local_date, p_slot, p_moved_from) end, false) then
    return refused('invalid_input', format('the schedule was not due on %s', p_local_date));
  end if;
  -- guard: factor-to-start-occurrence (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'start_occurrence', jsonb_build_array(p_schedule, p_local_date, p_slot));
  if v_refusal is not null then return v_refusal; end if;
  insert into schedule_occurrences as known (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, moved_from,
    calendar_version, asked_by)
  values (p_occurrence, p_schedule, v.version, v_cause, p_local_date, p_slot, clock_timestamp(), p_moved_from, p_calendar_version, me.user_id)
  on conflict (occurrence_id) do update set cause = excluded.cause, version = excluded.version, scheduled_at = excluded.scheduled_at,
    asked_by = excluded.asked_by, begun_at = clock_timestamp(), ended = null, reason = null, ended_at = null, plan = null,
    attempt = known.attempt + 1;
  perform note(me.user_id::text, 'occurrence_started', null, null, jsonb_build_object('schedule', p_schedule, 'occurrence', p_occurrence,
    'cause', v_cause, 'version', v.version, 'date', p_local_date, 'slot', p_slot, 'token', me.token_id));
  return jsonb_build_object('isNew', true);
end $$;

-- Records an occurrence that was due and was never started, as Temporal was not running for longer than its catch-up window: nobody begins
-- it after that. Only for a time at which the version in force was in force, and the schedule active. False: it is recorded.
-- Called by: server.
create or replace function record_missed_occurrence(p_occurrence uuid, p_schedule uuid, p_local_date date, p_slot integer, p_scheduled_at timestamptz,
  p_moved_from date[], p_calendar_version integer) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v schedules%rowtype;
  v_definition jsonb;
begin
  select * into v from schedules where schedule_id = p_schedule for update;
  v_definition := confirmed_definition(p_schedule, v.version);
  if v.state is distinct from 'active' or v_definition is null then return false; end if;
  -- guard: missed-after-its-catch-up-window (3 lines)
  if not is_time_of(v_definition, p_local_date, p_slot, p_scheduled_at, p_moved_from)
    or dates_were_used(p_schedule, v_definition, p_local_date, p_slot, p_moved_from)
    or p_scheduled_at > clock_timestamp() - interval '10 minutes'
    or p_scheduled_at < v.state_changed_at
    or p_scheduled_at < (select decided_at from schedule_decisions where schedule_id = p_schedule and version = v.version) then
    return false;
  end if;
  insert into schedule_occurrences (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, moved_from, calendar_version,
    ended, reason, ended_at)
  values (p_occurrence, p_schedule, v.version, 'schedule', p_local_date, p_slot, p_scheduled_at, p_moved_from, p_calendar_version,
    'missed', 'not_started', clock_timestamp())
  on conflict do nothing;
  if not found then
    perform record_changed_time('server', p_schedule, v.version, p_local_date, p_slot, p_scheduled_at, p_calendar_version);
    return false;
  end if;
  perform note('server', 'occurrence_ended', null, null, jsonb_build_object('schedule', p_schedule, 'occurrence', p_occurrence,
    'version', v.version, 'date', p_local_date, 'slot', p_slot, 'state', 'missed', 'reason', 'not_started'));
  return true;
end $$;

-- Records an occurrence as missed that a change of times has displaced. Whoever changes the times of a schedule during a day may
-- leave one of them with a place in the day that was used at another time before: 15:00 alone, where 09:00 and 15:00 were. As each
-- place of a date is used once, nothing is converted then; it is recorded under a place of its own, and people are notified. A time
-- that clocks show twice is the same time.
-- Called by: other functions.
create or replace function record_changed_time(p_actor text, p_schedule uuid, p_version integer, p_local_date date, p_slot integer,
  p_scheduled_at timestamptz, p_calendar_version integer) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_definition jsonb := confirmed_definition(p_schedule, p_version);
  v_occurrence uuid := gen_random_uuid();
  v_slot integer;
begin
  if not exists (select from schedule_occurrences where schedule_id = p_schedule and local_date = p_local_date and slot = p_slot
      and cause = 'schedule'
      and to_char(scheduled_at at time zone (v_definition ->> 'time_zone'), 'HH24:MI') <> v_definition -> 'times' ->> p_slot - 1)
    or exists (select from schedule_occurrences where schedule_id = p_schedule and scheduled_at = p_scheduled_at) then
    return;
  end if;
  -- No version has so many times.
  select greatest(100, max(slot)) + 1 into v_slot from schedule_occurrences where schedule_id = p_schedule and local_date = p_local_date;
  insert into schedule_occurrences (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, calendar_version, ended, reason, ended_at)
  values (v_occurrence, p_schedule, p_version, 'schedule', p_local_date, v_slot, p_scheduled_at, p_calendar_version,
    'missed', 'time_changed', clock_timestamp());
  perform note(p_actor, 'occurrence_ended', null, null, jsonb_build_object('schedule', p_schedule, 'occurrence', v_occurrence,
    'version', p_version, 'date', p_local_date, 'slot', v_slot, 'state', 'missed', 'reason', 'time_changed'));
end $$;

-- The instant of one of the times of a day; null: the day has no such time.
-- Called by: other functions.
create or replace function time_of_slot(p_definition jsonb, p_local_date date, p_slot integer) returns timestamptz language sql stable
set search_path = public, pg_temp as $$
  select case when p_slot > 0 then
    (p_local_date + (p_definition -> 'times' ->> p_slot - 1)::time) at time zone (p_definition ->> 'time_zone') end
$$;

-- Whether a date and one of the times of the day belong to an instant, and the schedule was due on the date: by its rule, or by that of
-- dates that were moved there. The zone data of Postgres may be older than that of payrun.
-- Called by: other functions.
create or replace function is_time_of(p_definition jsonb, p_local_date date, p_slot integer, p_at timestamptz, p_moved_from date[])
returns boolean language sql stable
set search_path = public, pg_temp as $$
  select coalesce(p_at between time_of_slot(p_definition, p_local_date, p_slot) - interval '2 hours'
      and time_of_slot(p_definition, p_local_date, p_slot) + interval '2 hours'
    -- guard: occurrence-on-its-date
    and are_dates_of(p_definition, p_local_date, p_moved_from), false)
$$;

-- Whether an occurrence on this local date has a date by the rule: itself, or those that were moved to it, each of which is one. Whether
-- the days between have no business depends on calendars, which the database does not have.
-- Called by: other functions.
create or replace function are_dates_of(p_definition jsonb, p_local_date date, p_moved_from date[]) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select (cardinality(p_moved_from) > 0 or is_date_by_rule(p_definition, p_local_date))
    and not exists (select from unnest(p_moved_from) as moved (day)
      where not coalesce(is_date_by_rule(p_definition, day) and may_move_date(p_definition ->> 'convention', day, p_local_date), false))
$$;

-- Whether a date is one by the rule of a schedule (`isByRule` in `domain/treasury/schedule-dates.ts`), from its first day to its last.
-- Called by: other functions.
create or replace function is_date_by_rule(p_definition jsonb, p_day date) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select coalesce(p_day between (p_definition ->> 'from')::date and coalesce((p_definition ->> 'until')::date, 'infinity')
    and case when p_definition -> 'on' ? 'every' then true
      when p_definition -> 'on' ? 'weekdays' then p_definition -> 'on' -> 'weekdays'
        ? (array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])[extract(isodow from p_day)]
      else p_definition -> 'on' -> 'days_of_month' @> to_jsonb(extract(day from p_day)::integer)
        or p_definition -> 'on' -> 'days_of_month' ? 'last' and extract(day from p_day + 1) = 1 end, false)
$$;

-- Whether a convention may move a date to another one: to a business day that is near (`adjusted` in `domain/treasury/business-day.ts`).
-- Called by: other functions.
create or replace function may_move_date(p_convention text, p_from date, p_to date) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select abs(p_to - p_from) between 1 and 31 and case p_convention
    when 'following' then p_to > p_from
    when 'preceding' then p_to < p_from
    when 'modified_following' then p_to < p_from or date_trunc('month', p_to) = date_trunc('month', p_from)
    else false end
$$;

-- Whether each of the dates of an occurrence is that of another one at this time of the day: calendars may change after a date was used.
-- Called by: other functions.
create or replace function dates_were_used(p_schedule uuid, p_definition jsonb, p_local_date date, p_slot integer, p_moved_from date[])
returns boolean language sql stable
set search_path = public, pg_temp as $$
  select not exists (select from unnest(p_moved_from || case when is_date_by_rule(p_definition, p_local_date) then p_local_date end) as dates (day)
    where day is not null and not exists (select from schedule_occurrences used
      where used.schedule_id = p_schedule and used.slot = p_slot and used.local_date <> p_local_date
        and used.local_date between p_local_date - 62 and p_local_date + 62
        and (day = used.local_date and is_date_by_rule(p_definition, used.local_date) or day = any (used.moved_from))))
$$;
