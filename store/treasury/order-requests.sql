-- Records the intent to request a quote for an approved order. Null: it is further, or a stop is in force.
-- Called by: worker.
create or replace function begin_conversion_quote(p_order uuid) returns uuid language sql
security definer set search_path = public, pg_temp as $$
  insert into conversion_requests (order_id, attempt, operation)
  select order_id, attempt, 'quote' from conversion_orders
  where order_id = p_order and state = 'approved' and not is_stopped(account, null)
  returning request_id
$$;

-- Commits the money of a quoted order and records the intent to create it, in one transaction: neither is recorded without
-- the other. The guards of the price have run before, in the same transaction; authority and limits are decided here.
-- Called by: worker.
create or replace function begin_conversion_creation(p_order uuid) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_orders%rowtype;
  v_limits jsonb;
  v_total numeric;
  v_day date;
  v_committed numeric;
  v_request uuid;
  v_deny_reason text;
begin
  select * into v from conversion_orders where order_id = p_order for update;
  if v.state is distinct from 'quoted' then return jsonb_build_object('refused', 'state'); end if;
  if is_stopped(v.account, null) then return jsonb_build_object('refused', 'stopped'); end if;
  v_total := (v.quote ->> 'totalAmount')::numeric;
  v_limits := conversion_limits(v.account, v.sell_currency, v.buy_currency);
  v_day := (v_limits ->> 'day')::date;
  v_committed := lock_treasury_day(v.account, v.sell_currency, v_day);
  -- What stayed committed since a creation that was not seen counts once.
  if v.committed_on = v_day then v_committed := v_committed - v.total_amount; end if;
  -- guard: conversion-allowed
  if not conversion_is_authorized(v, v_total) then return jsonb_build_object('refused', 'approval_needed'); end if;
  if v.expires_at < clock_timestamp() then return jsonb_build_object('refused', 'order_expired'); end if;
  if v_total > v.cap or v_total > (v_limits ->> 'maxOrder')::numeric then return jsonb_build_object('refused', 'order_too_large'); end if;
  -- guard: conversion-within-daily-cap
  if v_committed + v_total > (v_limits ->> 'dailyCap')::numeric then return jsonb_build_object('refused', 'daily_cap_reached'); end if;
  if exists (select from conversion_requests where order_id = p_order and attempt = v.attempt and operation = 'create'
      and outcome_blocks_another(outcome)) then
    return jsonb_build_object('refused', 'state');
  end if;
  -- guard: top-ups-one-by-one
  perform lock_bought_money(v.account, v.buy_currency);
  -- Locked as for the commitment: what is free stays so until then.
  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;
  v_deny_reason := deny_reason_for_level(v, v_total);
  -- guard: level-at-commitment
  if v_deny_reason is not null then return jsonb_build_object('refused', v_deny_reason); end if;
  -- guard: conversion-money-committed
  if not change_conversion_commitment(v, v_total, (v.quote ->> 'sellAmount')::numeric) then
    return jsonb_build_object('refused', 'not_enough_money');
  end if;
  update treasury_days set committed = committed - v.total_amount
  where account = v.account and currency = v.sell_currency and day = v.committed_on;
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

-- Records the intent to fund a created conversion. Its money is committed; each earlier request provably had no effect, as shown
-- in the last minutes, and no debit of its total came since; nor did one before the first request; at most two requests, and one more for each time that two people have
-- it funded again. Answers the request, or why it is refused.
-- Called by: worker.
create or replace function begin_conversion_funding(p_order uuid) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_orders%rowtype;
  v_request uuid;
  v_unproven text;
begin
  select * into v from conversion_orders where order_id = p_order for update;
  if not conversion_is_unfunded(v.state) or v.conversion_id is null then return jsonb_build_object('refused', 'state'); end if;
  -- What became of an earlier request comes before whatever else speaks against another one.
  if exists (select from conversion_requests where order_id = p_order and operation = 'fund'
      -- guard: conversion-in-flight-comes-first (4 lines)
      and outcome_blocks_another(outcome)) then
    return jsonb_build_object('refused', 'state');
  end if;
  if is_stopped(v.account, null) then return jsonb_build_object('refused', 'stopped'); end if;
  if not conversion_is_authorized(v, v.total_amount) then return jsonb_build_object('refused', 'approval_needed'); end if;
  if v.funding_cutoff_at <= clock_timestamp() then return jsonb_build_object('refused', 'cutoff_passed'); end if;
  -- Its debit is in the history.
  -- guard: conversion-debit-not-posted
  if conversion_debit_is_posted(p_order) then return jsonb_build_object('refused', 'state'); end if;
  v_unproven := conversion_first_funding_refusal(v);
  if v_unproven is not null then return jsonb_build_object('refused', v_unproven); end if;
  -- What was proved before a stop, or an outage of the workers, may not be so any more.
  if exists (select from conversion_requests where order_id = p_order and operation = 'fund'
      and answer_may_be_effect(answer))
    -- guard: conversion-no-debit-since-proof
    and (coalesce(v.unfunded_at < clock_timestamp() - interval '5 minutes', true) or conversion_debit_came_since(v, v.unfunded_at)) then
    -- guard: conversion-evidence-fresh
    return jsonb_build_object('refused', 'evidence_old');
  end if;
  if (select count(*) from conversion_requests where order_id = p_order and operation = 'fund'
        and answer is not null and answer_may_be_effect(answer))
      -- guard: conversion-asked-twice-at-most
      >= 2 + (select count(*) from conversion_manual_outcomes where order_id = p_order and outcome = 'fund_again' and state = 'confirmed') then
    return jsonb_build_object('refused', 'asked_twice');
  end if;
  -- No request takes money that is not committed to the conversion.
  -- guard: conversion-funded-from-commitment (2 lines)
  if not change_conversion_commitment(v, v.total_amount, v.sell_amount) then
    return jsonb_build_object('refused', 'not_enough_money');
  end if;
  perform note_conversion_funding(v.account, v.sell_currency, p_order::text);
  update conversion_orders set state = 'funding', state_reason = null, absent_at = null, changed_at = clock_timestamp(),
    balance_before = coalesce(balance_before, (select amount from balance_snapshots
      where account = v.account and currency = v.sell_currency))
  where order_id = p_order;
  insert into conversion_requests (order_id, attempt, operation) values (p_order, v.attempt, 'fund') returning request_id into v_request;
  perform note('worker', 'conversion_requested', null, null, jsonb_build_object('order', p_order, 'account', v.account,
    'request', v_request, 'operation', 'fund', 'attempt', v.attempt, 'state', 'funding', 'total', v.total_amount::text));
  return jsonb_build_object('request', v_request);
end $$;

-- What orders buy of a currency stays so until this transaction ends and its order counts as well, whatever they sell. It is locked
-- after the day, and before the balance, by all.
-- Called by: worker.
create or replace function lock_bought_money(p_account text, p_currency text) returns void language sql
security definer set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('bought ' || p_account || ' ' || p_currency, 0))
$$;

-- Locks what counts against the daily cap until the transaction ends, and answers how much it is.
-- Called by: worker.
create or replace function lock_treasury_day(p_account text, p_currency text, p_day date) returns numeric language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_committed numeric;
begin
  insert into treasury_days (account, currency, day) values (p_account, p_currency, p_day) on conflict do nothing;
  select committed into v_committed from treasury_days
  where account = p_account and currency = p_currency and day = p_day for update;
  return v_committed;
end $$;
