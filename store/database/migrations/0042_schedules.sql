-- Up Migration

-- Schedules of conversions: standing orders. Each version of one takes effect when a second person confirms it. The record
-- decides what is due and what it may do; the schedule in Temporal only starts it.

create table schedules (
  schedule_id uuid primary key,
  account text not null,
  name text not null check (name ~ '^[^[:cntrl:]]{1,100}$' and name = trim(name)),
  -- `pending`: no version was confirmed yet.
  state text not null default 'pending' check (state in ('pending', 'active', 'paused', 'deleted')),
  -- Why it is paused or deleted: `by_person`, with a remark, or what payrun paused it for by itself.
  state_reason text check (state_reason in ('by_person', 'guards_refused', 'outcome_unknown', 'defect')),
  state_remark_id uuid references remarks,
  -- Null: payrun by itself.
  state_changed_by uuid references users,
  state_changed_at timestamptz not null default clock_timestamp(),
  -- The version in force; null: none yet.
  version integer,
  added_by uuid not null references users,
  added_at timestamptz not null default clock_timestamp(),
  -- How often it was changed, of how many of these changes Temporal knows, and when its schedule there was compared last.
  changes integer not null default 1,
  told_changes integer not null default 0,
  compared_at timestamptz,
  constraint a_version_is_in_force check (version is not null or state in ('pending', 'deleted'))
);
create unique index one_schedule_of_a_name on schedules (account, name) where state <> 'deleted';
create index schedules_to_compare on schedules (compared_at);

create table schedule_versions (
  schedule_id uuid not null references schedules,
  version integer not null check (version > 0),
  -- The whole schedule as canonical JSON, word for word as it was hashed.
  definition text not null,
  -- SHA-256 of it, in hex.
  definition_hash text not null,
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected', 'superseded')),
  primary key (schedule_id, version)
);
create unique index one_proposed_version on schedule_versions (schedule_id) where state = 'proposed';
alter table schedules add constraint version_in_force foreign key (schedule_id, version)
  references schedule_versions deferrable initially deferred;

create function refuse_change_of_version() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.state = 'proposed'
    and (new.schedule_id, new.version, new.definition, new.definition_hash, new.proposed_by, new.proposed_at)
      is not distinct from (old.schedule_id, old.version, old.definition, old.definition_hash, old.proposed_by, old.proposed_at) then
    return new;
  end if;
  raise exception 'a version of a schedule is kept as it was proposed and decided' using errcode = 'check_violation';
end $$;
create trigger versions_are_kept before update or delete on schedule_versions
  for each row execute function refuse_change_of_version();

-- What the second person decided: never changed.
create table schedule_decisions (
  schedule_id uuid not null,
  version integer not null,
  decision text not null check (decision in ('confirmed', 'rejected')),
  definition_hash text not null,
  decided_by uuid not null references users,
  decided_at timestamptz not null default clock_timestamp(),
  remark_id uuid references remarks,
  primary key (schedule_id, version),
  foreign key (schedule_id, version) references schedule_versions
);
create trigger schedule_decisions_are_kept before update or delete or truncate on schedule_decisions
  for each statement execute function refuse_change_of_record();

-- What a schedule did on a date, in one of its times of the day.
create table schedule_occurrences (
  occurrence_id uuid primary key,
  schedule_id uuid not null,
  version integer not null,
  -- By the schedule, by hand, or made up for.
  cause text not null check (cause in ('schedule', 'trigger', 'backfill')),
  local_date date not null,
  -- Which of the times of the day, from 1; 0: by hand.
  slot integer not null check (slot >= 0 and (slot = 0) = (cause = 'trigger')),
  scheduled_at timestamptz not null,
  -- Dates that a calendar has moved here.
  moved_from date[] not null default '{}',
  -- Of the company's own corrections of calendars.
  calendar_version integer not null,
  -- Of those by hand.
  asked_by uuid references users,
  begun_at timestamptz not null default clock_timestamp(),
  -- Null: it is being decided, or its orders are.
  ended text check (ended in ('done', 'nothing_to_do', 'refused_by_guard', 'missed', 'unknown', 'defect')),
  -- A code.
  reason text,
  ended_at timestamptz,
  foreign key (schedule_id, version) references schedule_versions,
  constraint ended_with_a_time check ((ended is null) = (ended_at is null))
);
-- Clocks that show a time twice, and starts that are repeated, are one occurrence.
create unique index one_occurrence_of_a_time on schedule_occurrences (schedule_id, local_date, slot) where slot > 0;
create index occurrences_of_a_schedule on schedule_occurrences (schedule_id, begun_at desc);

create index audit_of_a_schedule on audit_entries ((detail ->> 'schedule'), entry_id) where detail ? 'schedule';

-- The definition of the version in force: what another person than who proposed it has confirmed, word for word. Null: none.
create function confirmed_definition(p_schedule uuid, p_version integer) returns jsonb language sql stable
set search_path = public, pg_temp as $$
  select definition::jsonb from schedule_versions join schedule_decisions decided using (schedule_id, version)
  where schedule_id = p_schedule and version = p_version and state = 'confirmed'
    and decision = 'confirmed' and decided_by <> proposed_by
    and decided.definition_hash = encode(sha256(convert_to(definition, 'UTF8')), 'hex')
$$;

-- Null when the user has the permission and may use the schedule's account, and there is this one; else the refusal, which is
-- in the audit trail by then. A schedule of another account is refused as if there were none. It is locked then.
create function schedule_objection_to(p_user uuid, p_token uuid, p_permission text, p_schedule uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account text;
  v_refusal jsonb;
begin
  v_refusal := objection_to(p_user, p_token, p_permission, null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  select account into v_account from schedules where schedule_id = p_schedule and state <> 'deleted' for update;
  if not found then return refused('not_found', 'there is no such schedule'); end if;
  if user_may_use(p_user, v_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'schedule', p_schedule, 'token', p_token));
  return refused('not_found', 'there is no such schedule');
end $$;

create function add_version(p_schedule uuid, p_user uuid, p_definition text) returns schedule_versions
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v schedule_versions%rowtype;
begin
  update schedule_versions set state = 'superseded' where schedule_id = p_schedule and state = 'proposed';
  insert into schedule_versions (schedule_id, version, definition, definition_hash, proposed_by)
  select p_schedule, coalesce(max(version), 0) + 1, p_definition, encode(sha256(convert_to(p_definition, 'UTF8')), 'hex'), p_user
  from schedule_versions where schedule_id = p_schedule returning * into v;
  return v;
end $$;

create function add_schedule(p_proof bytea, p_schedule uuid, p_definition text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_account text := p_definition::jsonb ->> 'account';
  v_version schedule_versions%rowtype;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'convert', null, 'add_schedule');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, v_account, 'add_schedule');
  if v_refusal is not null then return v_refusal; end if;
  insert into schedules (schedule_id, account, name, added_by, state_changed_by)
  values (p_schedule, v_account, p_definition::jsonb ->> 'name', me.user_id, me.user_id);
  v_version := add_version(p_schedule, me.user_id, p_definition);
  perform note(me.user_id::text, 'schedule_added', null, null, jsonb_build_object('schedule', p_schedule,
    'account', v_account, 'version', v_version.version, 'definitionHash', v_version.definition_hash, 'token', me.token_id));
  return jsonb_build_object('version', v_version.version);
exception
  when unique_violation then return refused('conflict', 'there is a schedule of that name already');
  when check_violation or not_null_violation then
    return refused('invalid_input', 'a schedule has an account, and a name of at most 100 characters');
end $$;

-- The version in force stays so until the new one is confirmed. One that nobody has decided on is superseded.
create function edit_schedule(p_proof bytea, p_schedule uuid, p_definition text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_version schedule_versions%rowtype;
begin
  select * into me from session_of(p_proof);
  v_refusal := schedule_objection_to(me.user_id, me.token_id, 'convert', p_schedule, 'edit_schedule');
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from schedules where schedule_id = p_schedule
      and account = p_definition::jsonb ->> 'account' and name = p_definition::jsonb ->> 'name') then
    return refused('conflict', 'a schedule keeps its account and its name: add another one');
  end if;
  if exists (select from schedules join schedule_versions using (schedule_id, version)
      where schedule_id = p_schedule and definition = p_definition)
    and not exists (select from schedule_versions where schedule_id = p_schedule and state = 'proposed') then
    return refused('conflict', 'the schedule is like this already');
  end if;
  v_version := add_version(p_schedule, me.user_id, p_definition);
  perform note(me.user_id::text, 'schedule_edited', null, null, jsonb_build_object('schedule', p_schedule,
    'version', v_version.version, 'definitionHash', v_version.definition_hash, 'token', me.token_id));
  return jsonb_build_object('version', v_version.version);
end $$;

-- Confirms or rejects the version that was seen. Whoever proposed it may reject it, and never confirm it.
create function decide_schedule(p_proof bytea, p_schedule uuid, p_version integer, p_decision text, p_hash text, p_comment text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v schedule_versions%rowtype;
  v_remark uuid;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := schedule_objection_to(me.user_id, me.token_id, 'decide_conversion', p_schedule, 'decide_schedule');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from schedule_versions where schedule_id = p_schedule and version = p_version for update;
  if not found then return refused('not_found', 'the schedule has no such version'); end if;
  if v.state <> 'proposed' then
    return refused('conflict', format('version %s is not waiting for a decision: it is %s', p_version, v.state));
  end if;
  if p_hash is distinct from encode(sha256(convert_to(v.definition, 'UTF8')), 'hex') then
    perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'decide_schedule', 'why', 'content_changed',
      'schedule', p_schedule, 'version', p_version, 'token', me.token_id));
    return refused('conflict', 'the schedule is not the one that was seen: look at it again');
  end if;
  if p_decision = 'confirmed' and v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'decide_schedule', 'why', 'proposer_decides',
      'schedule', p_schedule, 'version', p_version, 'token', me.token_id));
    return refused('not_allowed', 'whoever proposed a version cannot confirm it; ask a second person');
  end if;
  v_remark := keep_remark(me.user_id, null, p_comment);
  insert into schedule_decisions (schedule_id, version, decision, definition_hash, decided_by, remark_id)
  values (p_schedule, p_version, p_decision, p_hash, me.user_id, v_remark);
  update schedule_versions set state = p_decision where schedule_id = p_schedule and version = p_version;
  if p_decision = 'confirmed' then
    update schedules set version = p_version, changes = changes + 1,
      state_changed_by = case state when 'pending' then me.user_id else state_changed_by end,
      state_changed_at = case state when 'pending' then clock_timestamp() else state_changed_at end,
      state = case state when 'pending' then 'active' else state end
    where schedule_id = p_schedule;
  end if;
  perform note(me.user_id::text, 'schedule_' || p_decision, null, null, jsonb_build_object('schedule', p_schedule,
    'version', p_version, 'definitionHash', p_hash, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('version', p_version);
exception when check_violation then
  return refused('invalid_input', 'a version is confirmed or rejected');
end $$;

create function move_schedule(p_schedule uuid, p_state text, p_reason text, p_by uuid, p_remark uuid) returns void
language sql set search_path = public, pg_temp as $$
  update schedules set state = p_state, state_reason = p_reason, state_changed_by = p_by, state_remark_id = p_remark,
    state_changed_at = clock_timestamp(), changes = changes + 1
  where schedule_id = p_schedule
$$;

-- Whoever decides on conversions may pause one alone: that only keeps money where it is.
create function pause_schedule(p_proof bytea, p_schedule uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_state text;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := schedule_objection_to(me.user_id, me.token_id, 'decide_conversion', p_schedule, 'pause_schedule');
  if v_refusal is not null then return v_refusal; end if;
  select state into v_state from schedules where schedule_id = p_schedule;
  if v_state <> 'active' then
    return refused('conflict', 'only an active schedule is paused: it is ' || v_state);
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  perform move_schedule(p_schedule, 'paused', 'by_person', me.user_id, v_remark);
  perform note(me.user_id::text, 'schedule_paused', null, null, jsonb_build_object('schedule', p_schedule, 'state', 'paused',
    'reason', 'by_person', 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('state', 'paused');
end $$;

-- What it may do was confirmed by two people.
create function resume_schedule(p_proof bytea, p_schedule uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_state text;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := schedule_objection_to(me.user_id, me.token_id, 'convert', p_schedule, 'resume_schedule');
  if v_refusal is not null then return v_refusal; end if;
  select state into v_state from schedules where schedule_id = p_schedule;
  if v_state <> 'paused' then
    return refused('conflict', 'only a paused schedule is resumed: it is ' || v_state);
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  perform move_schedule(p_schedule, 'active', null, me.user_id, v_remark);
  perform note(me.user_id::text, 'schedule_resumed', null, null, jsonb_build_object('schedule', p_schedule, 'state', 'active',
    'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('state', 'active');
end $$;

-- For good. What it did is kept.
create function delete_schedule(p_proof bytea, p_schedule uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := schedule_objection_to(me.user_id, me.token_id, 'convert', p_schedule, 'delete_schedule');
  if v_refusal is not null then return v_refusal; end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update schedule_versions set state = 'superseded' where schedule_id = p_schedule and state = 'proposed';
  perform move_schedule(p_schedule, 'deleted', 'by_person', me.user_id, v_remark);
  perform note(me.user_id::text, 'schedule_deleted', null, null, jsonb_build_object('schedule', p_schedule, 'state', 'deleted',
    'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('state', 'deleted');
end $$;

-- The orders of an occurrence: what it placed, or why one was not placed.
create table scheduled_orders (
  order_id uuid primary key,
  occurrence_id uuid not null references schedule_occurrences,
  -- SHA-256 over the terms, in hex.
  order_hash text not null,
  terms jsonb not null,
  -- A code; null: it was placed.
  refused text,
  decided_at timestamptz not null default clock_timestamp()
);
create index orders_of_an_occurrence on scheduled_orders (occurrence_id);
-- An occurrence converts a pair once, whatever ids its orders have.
create unique index one_order_of_a_pair_in_an_occurrence
  on scheduled_orders (occurrence_id, (terms ->> 'sellCurrency'), (terms ->> 'buyCurrency')) where refused is null;
create trigger scheduled_orders_are_kept before update or delete or truncate on scheduled_orders
  for each statement execute function refuse_change_of_record();

-- Whether a schedule allows an order: its currencies, side and limits are the schedule's, and it may not sell more. By hand, a
-- fixed amount is allowed as any order is, since the schedule says how often it is converted.
create function schedule_allows(p_definition jsonb, p_cause text, p_order conversion_orders) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select coalesce(p_order.account = p_definition ->> 'account'
    and p_order.max_cost_bps is not distinct from (p_definition ->> 'max_cost_bps')::numeric
    and p_order.cap is not null and p_order.approval_covers <= p_order.cap
    and case when p_definition ->> 'kind' = 'fund_run' then
      p_order.fixed_side = 'buy' and p_definition -> 'buy' ? p_order.buy_currency
        and p_order.least_buy_per_sell is null and p_order.most_sell_per_buy is null
        and exists (select from jsonb_array_elements(p_definition -> 'sources') as sources (source)
          where source ->> 'currency' = p_order.sell_currency and p_order.cap <= (source ->> 'max_order')::numeric)
    else
      p_order.sell_currency = p_definition ->> 'sell' and p_order.buy_currency = p_definition ->> 'buy'
        and p_order.cap <= (p_definition ->> 'max_order')::numeric
        and p_order.least_buy_per_sell is not distinct from (p_definition #>> '{limit_price,buy_per_sell_at_least}')::numeric
        and p_order.most_sell_per_buy is not distinct from (p_definition #>> '{limit_price,sell_per_buy_at_most}')::numeric
        and case p_definition ->> 'kind'
          when 'fixed_amount' then p_cause = 'schedule' and p_order.fixed_side = p_definition ->> 'fixed_side'
            and p_order.amount = (p_definition ->> 'amount')::numeric
          when 'sweep' then p_order.fixed_side = 'sell'
          when 'top_up' then p_order.fixed_side = 'buy'
          else false end
    end, false)
$$;

-- Whether two people have allowed this order with this total, by the version of the schedule that placed it. An order whose
-- schedule was paused or deleted meanwhile needs an approval of its own, unless the provider has its conversion.
create function conversion_is_scheduled(p_order uuid, p_total numeric) returns boolean language sql stable
security definer set search_path = public, pg_temp as $$
  select exists (select from conversion_orders orders join scheduled_orders placed using (order_id, order_hash)
    join schedule_occurrences occurrences using (occurrence_id) join schedules using (schedule_id)
    where order_id = p_order and placed.refused is null and p_total <= orders.approval_covers
      and (schedules.state = 'active' or orders.conversion_id is not null)
      and schedule_allows(confirmed_definition(schedule_id, occurrences.version), occurrences.cause, orders))
$$;

-- Whether people have allowed this order with this total: it needs no approval by the policy, or its schedule was confirmed, or
-- another person than who placed it has approved exactly these terms, and they cover the total.
create or replace function conversion_is_authorized(p_order conversion_orders, p_total numeric) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select coalesce(p_total <= (conversion_limits(p_order.sell_currency, p_order.buy_currency) ->> 'approvalAbove')::numeric, false)
    or conversion_is_scheduled(p_order.order_id, p_total)
    or (p_total <= p_order.approval_covers and exists (
      select from conversion_decisions decided where decided.order_id = p_order.order_id and decided.decision = 'approved'
        and decided.order_hash = p_order.order_hash and decided.decided_by <> p_order.placed_by))
$$;

-- Whether a date and one of the times of the day belong to an instant. Whether the schedule is due then is asked of calendars, which
-- the database does not have.
create function is_time_of(p_definition jsonb, p_local_date date, p_slot integer, p_at timestamptz) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select p_slot between 1 and jsonb_array_length(p_definition -> 'times')
    and p_local_date between (p_at at time zone 'UTC')::date - 1 and (p_at at time zone 'UTC')::date + 1
$$;

-- A worker begins what is due by the version in force: a time of the day of the schedule, on the date of its start. False: it was
-- begun before, or the schedule is not active.
create function begin_occurrence(p_occurrence uuid, p_schedule uuid, p_local_date date, p_slot integer, p_scheduled_at timestamptz,
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
    raise exception 'the schedule % has no such time: % of %', p_schedule, p_slot, p_local_date;
  end if;
  insert into schedule_occurrences (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, moved_from, calendar_version)
  values (p_occurrence, p_schedule, v.version, 'schedule', p_local_date, p_slot, p_scheduled_at, p_moved_from, p_calendar_version)
  on conflict do nothing;
  if not found then return false; end if;
  perform note('worker', 'occurrence_begun', null, null, jsonb_build_object('schedule', p_schedule, 'occurrence', p_occurrence,
    'version', v.version, 'date', p_local_date, 'slot', p_slot));
  return true;
end $$;

-- A treasurer starts an occurrence now, or makes up for one of a fixed amount that was missed. What a fixed amount places then
-- needs an approval of its own. `p_slot` 0: now. The same occurrence again is the same one.
create function start_occurrence(p_proof bytea, p_schedule uuid, p_occurrence uuid, p_local_date date, p_slot integer,
  p_calendar_version integer) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v schedules%rowtype;
  v_cause text := case p_slot when 0 then 'trigger' else 'backfill' end;
  v_known schedule_occurrences%rowtype;
begin
  select * into me from session_of(p_proof);
  v_refusal := schedule_objection_to(me.user_id, me.token_id, 'convert', p_schedule, 'start_occurrence');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from schedules where schedule_id = p_schedule;
  select * into v_known from schedule_occurrences where occurrence_id = p_occurrence for update;
  if v_known.cause = v_cause and v_known.asked_by = me.user_id then return jsonb_build_object('isNew', false); end if;
  if v_known.occurrence_id is not null and v_known.ended is distinct from 'missed' then
    return refused('conflict', 'this occurrence was started already: it is not made up for');
  end if;
  if v.state <> 'active' or v.version is null then
    return refused('conflict', 'only an active schedule is started: it is ' || v.state);
  end if;
  if p_slot > 0 and confirmed_definition(p_schedule, v.version) ->> 'kind' <> 'fixed_amount' then
    return refused('conflict', 'only fixed amounts are made up for: a level would act on the balance of today again');
  end if;
  insert into schedule_occurrences as known (occurrence_id, schedule_id, version, cause, local_date, slot, scheduled_at, calendar_version, asked_by)
  values (p_occurrence, p_schedule, v.version, v_cause, p_local_date, p_slot, clock_timestamp(), p_calendar_version, me.user_id)
  on conflict (occurrence_id) do update set cause = excluded.cause, version = excluded.version, scheduled_at = excluded.scheduled_at,
    asked_by = excluded.asked_by, begun_at = clock_timestamp(), ended = null, reason = null, ended_at = null;
  perform note(me.user_id::text, 'occurrence_started', null, null, jsonb_build_object('schedule', p_schedule, 'occurrence', p_occurrence,
    'cause', v_cause, 'version', v.version, 'date', p_local_date, 'slot', p_slot, 'token', me.token_id));
  return jsonb_build_object('isNew', true);
end $$;

-- Places an order of an open occurrence, in the name of who proposed its version, or who started it by hand. Answers null, or
-- the code of why it is not placed; the same order again has the same answer.
create function place_scheduled_order(p_occurrence uuid, p_order uuid, p_terms jsonb, p_hash text) returns text language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v schedule_occurrences%rowtype;
  v_schedule schedules%rowtype;
  v_definition jsonb;
  v_order conversion_orders%rowtype;
  v_known scheduled_orders%rowtype;
  v_refused text;
begin
  select * into v from schedule_occurrences where occurrence_id = p_occurrence for update;
  if not found then raise exception 'there is no occurrence %', p_occurrence; end if;
  select * into v_known from scheduled_orders where order_id = p_order;
  if found then return v_known.refused; end if;
  if v.ended is not null then raise exception 'the occurrence % has ended', p_occurrence; end if;
  select * into v_schedule from schedules where schedule_id = v.schedule_id for share;
  v_definition := confirmed_definition(v.schedule_id, v.version);
  if exists (select from scheduled_orders where occurrence_id = p_occurrence and refused is null
      and terms ->> 'sellCurrency' = p_terms ->> 'sellCurrency' and terms ->> 'buyCurrency' = p_terms ->> 'buyCurrency') then
    raise exception 'the occurrence % has placed an order of this pair', p_occurrence;
  end if;
  if v_schedule.state <> 'active' or v_definition is null then
    v_refused := 'schedule_not_active';
  else
    begin
      insert into conversion_orders (order_id, account, sell_currency, buy_currency, fixed_side, amount, least_buy_per_sell,
        most_sell_per_buy, max_cost_bps, cap, expires_at, order_hash, approval_covers, placed_by)
      values (p_order, v_schedule.account, p_terms ->> 'sellCurrency', p_terms ->> 'buyCurrency', p_terms ->> 'fixedSide',
        (p_terms ->> 'amount')::numeric, (p_terms ->> 'leastBuyPerSell')::numeric, (p_terms ->> 'mostSellPerBuy')::numeric,
        (p_terms ->> 'maxCostBps')::numeric, (p_terms ->> 'cap')::numeric, (p_terms ->> 'expiresAt')::timestamptz, p_hash,
        (p_terms ->> 'cap')::numeric,
        coalesce(v.asked_by, (select proposed_by from schedule_versions where schedule_id = v.schedule_id and version = v.version)))
      returning * into v_order;
    exception when unique_violation then
      v_refused := 'pair_has_open_order';
    end;
  end if;
  insert into scheduled_orders (order_id, occurrence_id, order_hash, terms, refused)
  values (p_order, p_occurrence, p_hash, p_terms, v_refused);
  if v_refused is null then
    if schedule_allows(v_definition, v.cause, v_order) then
      update conversion_orders set state = 'approved' where order_id = p_order;
    elsif v.cause = 'schedule' then
      raise exception 'the schedule % does not allow this order', v.schedule_id;
    end if;
  end if;
  perform note('worker', 'scheduled_order_' || case when v_refused is null then 'placed' else 'refused' end, null, null,
    p_terms || jsonb_build_object('order', p_order, 'schedule', v.schedule_id, 'occurrence', p_occurrence, 'hash', p_hash, 'reason', v_refused));
  return v_refused;
end $$;

-- What was due and was never started, as Temporal was not running for longer than its window: nobody begins it any more. It is
-- recorded only of a time at which the version in force was in force, and the schedule active. False: it is on record.
create function record_missed_occurrence(p_occurrence uuid, p_schedule uuid, p_local_date date, p_slot integer, p_scheduled_at timestamptz,
  p_moved_from date[], p_calendar_version integer) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v schedules%rowtype;
  v_definition jsonb;
begin
  select * into v from schedules where schedule_id = p_schedule for update;
  v_definition := confirmed_definition(p_schedule, v.version);
  if v.state is distinct from 'active' or v_definition is null then return false; end if;
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
  if not found then return false; end if;
  perform note('server', 'occurrence_ended', null, null, jsonb_build_object('schedule', p_schedule, 'occurrence', p_occurrence,
    'version', v.version, 'date', p_local_date, 'slot', p_slot, 'state', 'missed', 'reason', 'not_started'));
  return true;
end $$;

-- A worker ends an occurrence, and pauses its schedule if the code says why.
create function end_occurrence(p_occurrence uuid, p_ended text, p_reason text, p_pause text) returns boolean language plpgsql
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

create function pause_by_payrun(p_schedule uuid, p_reason text) returns void language plpgsql
set search_path = public, pg_temp as $$
begin
  perform from schedules where schedule_id = p_schedule and state = 'active' for update;
  if not found then return; end if;
  perform move_schedule(p_schedule, 'paused', p_reason, null, null);
  perform note('worker', 'schedule_paused', null, null, jsonb_build_object('schedule', p_schedule, 'state', 'paused', 'reason', p_reason));
end $$;

-- A schedule places nothing more while it is not known what became of one of its orders.
create function pause_after_unknown() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform pause_by_payrun(schedule_id, 'outcome_unknown')
  from scheduled_orders join schedule_occurrences using (occurrence_id) where order_id = new.order_id;
  return null;
end $$;
create trigger unknown_orders_pause_their_schedule after update of state on conversion_orders
  for each row when (new.state = 'unknown' and old.state <> 'unknown') execute function pause_after_unknown();

-- If a run lacks money: what others have too much, and what is free, goes to those that lack some, in the order in which their
-- rows are due, then in which they were started. Money that was bought for runs comes here in the transaction that sees its
-- credit, before any schedule can take it.
create or replace function reserve_for_runs(p_account text, p_currency text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_run uuid;
begin
  if not exists (select from ledger_balances where account = p_account and currency = p_currency and kind = 'run'
      and short_by is not null) then
    return;
  end if;
  for v_run in
    select run_id from ledger_balances held join runs on run_id = split_part(held.ledger_account, '/', 2)::uuid
    cross join lateral (
      -- A row without a date is due as soon as its run was started.
      select min(coalesce(nullif(instruction ->> 'payOn', ''), started_at::date::text)) as due from payments
      where payments.run_id = runs.run_id and sell_currency = p_currency and payments.state in ('ready', 'quoted', 'created', 'awaiting_funds')
    ) as open_rows
    where held.account = p_account and held.currency = p_currency and held.kind = 'run'
      and (held.amount > 0 or held.short_by is not null) and finished_at is null
    order by held.short_by is not null, due, started_at, run_id
  loop
    perform reserve_for_run(v_run, p_account, p_currency);
  end loop;
end $$;

-- Currencies of which the cash view says that they will not last: people are told of the first such day, and again when it is
-- earlier than what they were told.
create table cash_shortages (
  account text not null,
  currency text not null,
  -- The first day that ends below zero.
  first_day date not null,
  found_at timestamptz not null default clock_timestamp(),
  -- Null: it is still expected.
  over_at timestamptz,
  primary key (account, currency)
);

-- What the cash view of an account says now: `p_shortages` has the first day by currency. A shortage that is over, and comes back, is
-- told of again.
create function record_shortages(p_account text, p_shortages jsonb) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  update cash_shortages set over_at = clock_timestamp()
  where account = p_account and over_at is null and not p_shortages ? currency;
  for v in select key as currency, value::date as first_day from jsonb_each_text(p_shortages) order by key loop
    insert into cash_shortages as known (account, currency, first_day) values (p_account, v.currency, v.first_day)
    on conflict (account, currency) do update set first_day = excluded.first_day, found_at = clock_timestamp(), over_at = null
      where known.over_at is not null or excluded.first_day < known.first_day;
    if found then
      perform note('server', 'shortage_expected', null, null, jsonb_build_object('shortage', p_account || '/' || v.currency,
        'account', p_account, 'currency', v.currency, 'date', v.first_day));
    else
      -- A later day is no news, and is what an earlier one is compared with.
      update cash_shortages set first_day = v.first_day
      where account = p_account and currency = v.currency and first_day < v.first_day;
    end if;
  end loop;
end $$;
