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
  if not is_time_of(v_definition, p_local_date, p_slot, p_scheduled_at) or p_scheduled_at > clock_timestamp() + interval '1 minute' then
    -- guard: occurrence-at-its-time
    raise exception 'the schedule % has no such time: % of %', p_schedule, p_slot, p_local_date;
  end if;
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

-- A treasurer starts an occurrence now, or makes up for one of a fixed amount that was missed. An order of a fixed amount then
-- needs an approval of its own. `p_slot` 0: now. The same occurrence again is the same one.
-- Called by: server.
create or replace function start_occurrence(p_token_hash bytea, p_schedule uuid, p_occurrence uuid, p_local_date date, p_slot integer,
  p_calendar_version integer) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v schedules%rowtype;
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
  -- guard: level-not-backfilled
  if p_slot > 0 and confirmed_definition(p_schedule, v.version) ->> 'kind' <> 'fixed_amount' then
    return refused('conflict', 'only fixed amounts are made up for: a level would act on the balance of today again');
  end if;
  -- guard: factor-to-start-occurrence (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'start_occurrence', jsonb_build_array(p_schedule, p_local_date, p_slot));
  if v_refusal is not null then return v_refusal; end if;
  insert into schedule_occurrences as known (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, calendar_version, asked_by)
  values (p_occurrence, p_schedule, v.version, v_cause, p_local_date, p_slot, clock_timestamp(), p_calendar_version, me.user_id)
  on conflict (occurrence_id) do update set cause = excluded.cause, version = excluded.version, scheduled_at = excluded.scheduled_at,
    asked_by = excluded.asked_by, begun_at = clock_timestamp(), ended = null, reason = null, ended_at = null,
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
  -- guard: missed-after-its-catch-up-window
  if not is_time_of(v_definition, p_local_date, p_slot, p_scheduled_at) or p_scheduled_at > clock_timestamp() - interval '10 minutes'
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

-- Whether a date and one of the times of the day belong to an instant. Whether the schedule is due then depends on calendars,
-- which the database does not have.
-- Called by: other functions.
create or replace function is_time_of(p_definition jsonb, p_local_date date, p_slot integer, p_at timestamptz) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select p_slot between 1 and jsonb_array_length(p_definition -> 'times')
    and p_local_date between (p_at at time zone 'UTC')::date - 1 and (p_at at time zone 'UTC')::date + 1
$$;
