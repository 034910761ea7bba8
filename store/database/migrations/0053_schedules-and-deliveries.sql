-- Up Migration

-- What two people have confirmed of a schedule holds when money is committed; facts that waited with another delivery arrive.

-- What is free by the ledger, or, while there is no history of the currency, the balance that was read last. Null: neither is known.
create function free_money(p_account text, p_currency text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  select case when exists (select from balance_chains where account = p_account and currency = p_currency)
    then ledger_amount(p_account, p_currency, 'free')
    else (select amount from balance_snapshots where account = p_account and currency = p_currency) end
$$;

-- What orders have bought that is not credited yet.
create function bought_money(p_account text, p_currency text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  select coalesce(sum(buy_amount), 0) from conversion_orders where account = p_account and buy_currency = p_currency
    and state in ('committed', 'created', 'funding', 'funded', 'completed')
$$;

-- Null when an order was placed by hand, or leaves the floor and level of its schedule with this total; else the code of why not.
-- What was above the floor, or missing to the level, when it was placed may have been reserved or have come since.
create function level_objection_to(p_order conversion_orders, p_total numeric) returns text language sql stable
set search_path = public, pg_temp as $$
  select case kind
    when 'sweep' then case when not coalesce(left_over >= (definition ->> 'floor')::numeric, false) then 'floor_reached' end
    -- What it sells may be bought at the same time.
    when 'fund_run' then case when not coalesce(left_over + bought_money(p_order.account, p_order.sell_currency)
      >= coalesce((definition #>> array['floors', p_order.sell_currency])::numeric, 0), false) then 'floor_reached' end
    -- The last unit of the currency is bought whole.
    when 'top_up' then case when not coalesce(free_money(p_order.account, p_order.buy_currency)
      + bought_money(p_order.account, p_order.buy_currency) + p_order.amount
      < (definition ->> 'level')::numeric + power(10::numeric, -scale(p_order.amount)), false) then 'level_reached' end
    end
  from (
    select definition, definition ->> 'kind' as kind, free_money(p_order.account, p_order.sell_currency)
      + ledger_amount(p_order.account, p_order.sell_currency, 'conversion/' || p_order.order_id) - p_total as left_over
    from scheduled_orders join schedule_occurrences occurrences using (occurrence_id)
    cross join lateral confirmed_definition(schedule_id, occurrences.version) as confirmed (definition)
    where order_id = p_order.order_id and refused is null
  ) as placed
$$;

-- Commits the money of a quoted order and records the intent to create it, in one transaction: neither is on record without
-- the other. The guards of the price have run before, in the same transaction; authority and limits are decided here.
create or replace function begin_conversion_creation(p_order uuid) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_orders%rowtype;
  v_limits jsonb;
  v_total numeric;
  v_day date;
  v_committed numeric;
  v_request uuid;
  v_objection text;
begin
  select * into v from conversion_orders where order_id = p_order for update;
  if v.state is distinct from 'quoted' then return jsonb_build_object('refused', 'state'); end if;
  if is_stopped(v.account, null) then return jsonb_build_object('refused', 'stopped'); end if;
  v_total := (v.quote ->> 'totalAmount')::numeric;
  v_limits := conversion_limits(v.sell_currency, v.buy_currency);
  v_day := (v_limits ->> 'day')::date;
  v_committed := lock_treasury_day(v.account, v.sell_currency, v_day);
  if not conversion_is_authorized(v, v_total) then return jsonb_build_object('refused', 'approval_needed'); end if;
  if v.expires_at < clock_timestamp() then return jsonb_build_object('refused', 'order_expired'); end if;
  if v_total > v.cap or v_total > (v_limits ->> 'maxOrder')::numeric then return jsonb_build_object('refused', 'order_too_large'); end if;
  if v_committed + v_total > (v_limits ->> 'dailyCap')::numeric then return jsonb_build_object('refused', 'daily_cap_reached'); end if;
  if exists (select from conversion_requests where order_id = p_order and attempt = v.attempt and operation = 'create'
      and coalesce(outcome, 'took_effect') = 'took_effect') then
    return jsonb_build_object('refused', 'state');
  end if;
  -- Locked as for the commitment: what is free stays so until then.
  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;
  v_objection := level_objection_to(v, v_total);
  if v_objection is not null then return jsonb_build_object('refused', v_objection); end if;
  if not commit_conversion(v.account, v.sell_currency, p_order::text, v_total, (v.quote ->> 'sellAmount')::numeric) then
    return jsonb_build_object('refused', 'not_enough_money');
  end if;
  update treasury_days set committed = committed + v_total
  where account = v.account and currency = v.sell_currency and day = v_day;
  update conversion_orders set state = 'committed', state_reason = null, committed_on = v_day, total_amount = v_total,
    sell_amount = (v.quote ->> 'sellAmount')::numeric, buy_amount = (v.quote ->> 'buyAmount')::numeric, changed_at = clock_timestamp()
  where order_id = p_order;
  insert into conversion_requests (order_id, attempt, operation) values (p_order, v.attempt, 'create') returning request_id into v_request;
  perform note('worker', 'conversion_requested', null, null, jsonb_build_object('order', p_order, 'account', v.account,
    'request', v_request, 'operation', 'create', 'attempt', v.attempt, 'state', 'committed', 'total', v_total::text));
  return jsonb_build_object('request', v_request);
end $$;

-- One that two administrators have let in. It gets what happened in the last days while it was disabled; of facts that are told of
-- together, what was planned last.
create or replace function enable_endpoint(p_proof bytea, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_queued integer;
begin
  select * into me from session_of(p_proof);
  v_refusal := endpoint_objection_to(me.user_id, me.token_id, p_endpoint, 'enable_endpoint');
  if v_refusal is not null then return v_refusal; end if;
  update endpoints set state = 'enabled', state_reason = null, state_changed_at = clock_timestamp(), failing_since = null
  where endpoint_id = p_endpoint and state = 'disabled';
  if not found then return refused('conflict', 'only a disabled endpoint is enabled: a new one waits for a second administrator'); end if;
  -- All due at the same time, so that they are sent in their order.
  update deliveries waiting set state = 'queued', failures = 0, due_at = now(), first_failed_at = null
  from outbox told
  where told.notification_id = waiting.notification_id and waiting.endpoint_id = p_endpoint and waiting.state = 'disabled'
    and waiting.created_at > clock_timestamp() - interval '7 days'
    and not exists (select from deliveries later join outbox of_later using (notification_id)
      where later.endpoint_id = p_endpoint and of_later.type = told.type and of_later.subject_id = told.subject_id
        and of_later.position > told.position and exists (select from notification_rules rules where rules.type = told.type and merges));
  get diagnostics v_queued = row_count;
  perform note(me.user_id::text, 'endpoint_enabled', null, null,
    jsonb_build_object('endpoint', p_endpoint, 'deliveries', v_queued, 'token', me.token_id));
  return jsonb_build_object('queued', v_queued);
end $$;

-- A delivery that is given up was to tell of facts that came after it as well: the newest of them gets a delivery of its own.
create function tell_of_facts_that_waited() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into deliveries (notification_id, endpoint_id, state)
  select later.notification_id, endpoint_id, case endpoints.state when 'enabled' then 'queued' else 'disabled' end
  from endpoints cross join lateral (
    select waited.notification_id from outbox told join outbox waited using (type, subject_id)
    where told.notification_id = new.notification_id and waited.position > told.position and waited.body is not null
      and exists (select from notification_rules rules where rules.type = told.type and merges)
    order by waited.position desc limit 1
  ) as later
  where endpoint_id = new.endpoint_id and removed_at is null
  on conflict do nothing;
  return null;
end $$;
create trigger facts_that_waited_are_told_of after update of state on deliveries for each row
  when (old.state in ('queued', 'delivering', 'failing') and new.state in ('failed', 'disabled'))
  execute function tell_of_facts_that_waited();

-- An occurrence that was missed although it had placed an order is made up for with another one.
alter table schedule_occurrences add column attempt integer not null default 1;
alter table scheduled_orders add column attempt integer not null default 1;
-- expands: orders of the version before are those of the first attempt, of which the index before it had as many
create unique index one_order_of_a_pair_in_an_attempt
  on scheduled_orders (occurrence_id, attempt, (terms ->> 'sellCurrency'), (terms ->> 'buyCurrency')) where refused is null;
-- expands: a statement without the index is none that fails
drop index one_order_of_a_pair_in_an_occurrence;

-- A treasurer starts an occurrence now, or makes up for one of a fixed amount that was missed. What a fixed amount places then
-- needs an approval of its own. `p_slot` 0: now. The same occurrence again is the same one.
create or replace function start_occurrence(p_proof bytea, p_schedule uuid, p_occurrence uuid, p_local_date date, p_slot integer,
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
  -- One under a key is started once, whatever became of it; one that was missed again is made up for again.
  if v_known.cause = v_cause and v_known.asked_by = me.user_id and (v_cause = 'trigger' or v_known.ended is distinct from 'missed') then
    return jsonb_build_object('isNew', false);
  end if;
  if v_known.occurrence_id is not null and v_known.ended is distinct from 'missed' then
    return refused('conflict', 'this occurrence was started already: it is not made up for');
  end if;
  if exists (select from scheduled_orders join conversion_orders using (order_id)
      where occurrence_id = p_occurrence and conversion_orders.state not in ('declined', 'expired', 'skipped', 'missed')) then
    return refused('conflict', 'an order of this occurrence may still be carried out: it is not made up for');
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
    asked_by = excluded.asked_by, begun_at = clock_timestamp(), ended = null, reason = null, ended_at = null,
    attempt = known.attempt + 1;
  perform note(me.user_id::text, 'occurrence_started', null, null, jsonb_build_object('schedule', p_schedule, 'occurrence', p_occurrence,
    'cause', v_cause, 'version', v.version, 'date', p_local_date, 'slot', p_slot, 'token', me.token_id));
  return jsonb_build_object('isNew', true);
end $$;

-- Places an order of an open occurrence, in the name of who proposed its version, or who started it by hand. Answers null, or
-- the code of why it is not placed; the same order again has the same answer.
create or replace function place_scheduled_order(p_occurrence uuid, p_order uuid, p_terms jsonb, p_hash text) returns text language plpgsql
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
  if exists (select from scheduled_orders where occurrence_id = p_occurrence and attempt = v.attempt and refused is null
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
  insert into scheduled_orders (order_id, occurrence_id, attempt, order_hash, terms, refused)
  values (p_order, p_occurrence, v.attempt, p_hash, p_terms, v_refused);
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

-- Who changes the times of a schedule during a day may leave one of them with a place in the day that was used at another time
-- before: 15:00 alone, where 09:00 and 15:00 were. As what is done on a date in its place is done once, nothing is converted then. It
-- is recorded as missed, under a place of its own, and people are told. A time that clocks show twice is the same time.
create function record_changed_time(p_actor text, p_schedule uuid, p_version integer, p_local_date date, p_slot integer,
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

-- A worker begins what is due by the version in force: a time of the day of the schedule, on the date of its start. False: it was
-- begun before, or the schedule is not active.
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

-- What was due and was never started, as Temporal was not running for longer than its window: nobody begins it any more. It is
-- recorded only of a time at which the version in force was in force, and the schedule active. False: it is on record.
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
