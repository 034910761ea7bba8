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
