-- Null when the user has the permission and may use the order's account; else the refusal, which is in the audit trail by
-- then. An order of another account is refused as if there were no such order.
-- Called by: other functions.
create or replace function authorize_for_conversion(p_user uuid, p_token uuid, p_permission text, p_order uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account text;
  v_refusal jsonb;
begin
  v_refusal := authorize_user(p_user, p_token, p_permission, null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  select account into v_account from conversion_orders where order_id = p_order for update;
  if not found then return refused('not_found', 'there is no such order'); end if;
  if user_may_use(p_user, v_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'order', p_order, 'token', p_token));
  return refused('not_found', 'there is no such order');
end $$;

-- The limits of the policy for orders that sell a currency, and the day for which they count. A limit that is absent does not
-- apply; without `approvalAbove`, every order needs an approval.
-- Called by: server and worker.
create or replace function conversion_limits(p_account text, p_currency text, p_buy_currency text) returns jsonb language sql stable
security definer set search_path = public, pg_temp as $$
  select jsonb_build_object(
    'maxOrder', limits #>> '{limits,maxOrder}', 'dailyCap', limits #>> '{limits,dailyCap}',
    'approvalAbove', limits #>> '{limits,approvalAbove}', 'secondFunding', coalesce(limits ->> 'secondFunding', 'payrun'),
    'direction', limits ->> 'direction',
    'day', local_day(p_account, clock_timestamp()))
  from (select jsonb_build_object('limits', conversions #> array['limits', p_currency],
      'secondFunding', conversions ->> 'secondFunding', 'direction', conversions #>> array['directions', p_currency || '/' || p_buy_currency])
    from (select current_policy() -> 'conversions' as conversions) as policy) as of_currency (limits)
$$;

-- Places an order, or says that it is placed already: the same id is the same order. `p_terms` are decimal strings.
-- Called by: server.
create or replace function place_conversion(p_token_hash bytea, p_order uuid, p_account text, p_terms jsonb, p_hash text, p_covers numeric) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_other uuid;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_user(me.user_id, me.token_id, 'convert', null, 'place_conversion');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := authorize_for_account(me.user_id, me.token_id, p_account, 'place_conversion');
  if v_refusal is not null then return v_refusal; end if;
  if exists (select from conversion_orders where order_id = p_order) then
    if exists (select from conversion_orders where order_id = p_order and order_hash = p_hash and placed_by = me.user_id) then
      return jsonb_build_object('isNew', false);
    end if;
    return refused('conflict', 'another order was placed under this idempotency key: give the same terms, or another key');
  end if;
  if (p_terms ->> 'expiresAt')::timestamptz <= clock_timestamp() then
    return refused('invalid_input', 'the order would have expired already: give a later time');
  end if;
  -- Perhaps nobody else decides on it.
  if conversion_limits(p_account, p_terms ->> 'sellCurrency', p_terms ->> 'buyCurrency') ->> 'approvalAbove' is not null then
    -- guard: factor-to-place-conversion (2 lines)
    v_refusal := authorize_change(me.user_id, me.token_id, 'place_conversion', jsonb_build_array(p_account, p_terms - 'expiresAt'));
    if v_refusal is not null then return v_refusal; end if;
  end if;
  begin
    insert into conversion_orders (order_id, account, sell_currency, buy_currency, fixed_side, amount, least_buy_per_sell,
      most_sell_per_buy, max_cost_bps, cap, expires_at, order_hash, approval_covers, placed_by)
    values (p_order, p_account, p_terms ->> 'sellCurrency', p_terms ->> 'buyCurrency', p_terms ->> 'fixedSide',
      (p_terms ->> 'amount')::numeric, (p_terms ->> 'leastBuyPerSell')::numeric, (p_terms ->> 'mostSellPerBuy')::numeric,
      (p_terms ->> 'maxCostBps')::numeric, (p_terms ->> 'cap')::numeric, (p_terms ->> 'expiresAt')::timestamptz, p_hash, p_covers,
      me.user_id);
  exception when unique_violation then
    -- The same request at the same moment.
    if exists (select from conversion_orders where order_id = p_order and order_hash = p_hash and placed_by = me.user_id) then
      return jsonb_build_object('isNew', false);
    end if;
    select order_id into v_other from conversion_orders
    where account = p_account and conversion_is_open(state)
      and least(sell_currency, buy_currency) = least(p_terms ->> 'sellCurrency', p_terms ->> 'buyCurrency')
      and greatest(sell_currency, buy_currency) = greatest(p_terms ->> 'sellCurrency', p_terms ->> 'buyCurrency');
    return refused('conflict', format('order %s of the same two currencies is open: wait for its end', v_other));
  end;
  perform note(me.user_id::text, 'conversion_placed', null, null, jsonb_build_object('order', p_order, 'account', p_account,
    'hash', p_hash, 'token', me.token_id) || p_terms);
  return jsonb_build_object('isNew', true);
end $$;

-- Whatever login writes: terms stay, states change only as `may_move_conversion` allows, and a process makes no decision of
-- people. Only functions commit money and begin a request to fund. A process may find out that an unknown order was funded, and
-- which conversion it has.
-- Called by: triggers.
create or replace function refuse_illegal_conversion() returns trigger language plpgsql
set search_path = public, pg_temp as $$
declare
  v_is_owner boolean := exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE'));
begin
  if (new.order_id, new.account, new.sell_currency, new.buy_currency, new.fixed_side, new.amount, new.least_buy_per_sell,
      new.most_sell_per_buy, new.max_cost_bps, new.cap, new.expires_at, new.order_hash, new.approval_covers, new.placed_by)
    is distinct from (old.order_id, old.account, old.sell_currency, old.buy_currency, old.fixed_side, old.amount,
      old.least_buy_per_sell, old.most_sell_per_buy, old.max_cost_bps, old.cap, old.expires_at, old.order_hash,
      old.approval_covers, old.placed_by) then
    -- guard: order-keeps-terms
    raise exception 'an order keeps its terms' using errcode = 'check_violation';
  end if;
  if old.conversion_id is not null and new.conversion_id is distinct from old.conversion_id then
    raise exception 'an order keeps its conversion' using errcode = 'check_violation';
  end if;
  if old.state = new.state then return new; end if;
  if not may_move_conversion(old.state, new.state, new.conversion_id is not null) then
    raise exception 'an order is not moved from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if not v_is_owner and (conversion_is_set_by_function(new.state)
    or new.state = 'approved' and (old.state = 'in_approval' or conversion_is_on_hold(old.state))
    or (new.state = 'lapsed' or conversion_is_unfunded(new.state)) and old.state = 'unknown' and old.conversion_id is not null) then
    -- guard: order-moved-by-people
    raise exception 'a process does not move an order from % to %', old.state, new.state using errcode = 'insufficient_privilege';
  end if;
  -- By the clock of the database: that of a worker may be ahead, and whoever reaches Temporal may call what looks at it.
  -- guard: conversion-over-by-the-clock-of-the-database (3 lines)
  if not v_is_owner and (new.state = 'lapsed' and new.funding_cutoff_at > clock_timestamp()
    or new.state = 'expired' and new.expires_at > clock_timestamp()) then
    raise exception 'the time of the order is not over' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace trigger conversions_move_by_the_table before update on conversion_orders
  for each row execute function refuse_illegal_conversion();

-- Whether the provider may have the conversion under the reference of an attempt: a creation's outcome is open, or it was not seen.
-- Called by: server and worker.
create or replace function conversion_may_have_been_created(p_order conversion_orders) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from conversion_requests where order_id = p_order.order_id and attempt = p_order.attempt and operation = 'create'
    and outcome_may_be_effect(outcome))
$$;

-- An order whose creation was not seen at the provider, which is no proof, does not end by what a process or one person decides: two
-- people find out whether the provider has its conversion, and it is looked for meanwhile.
-- Called by: triggers.
create or replace function keep_order_that_may_exist() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- guard: not-seen-conversion-may-exist
  if conversion_may_have_been_created(new) then
    new.state := 'unknown';
    new.state_reason := 'creation_uncertain';
    new.ended_at := null;
  end if;
  return new;
end $$;

-- Before `conversions_move_by_the_table`, by its name.
create or replace trigger absent_conversions_may_exist before update of state on conversion_orders for each row
  when (old.state <> 'unknown' and not conversion_ended_without_one(old.state) and conversion_ended_without_one(new.state))
  execute function keep_order_that_may_exist();

-- Whether people have allowed this order with this total: payrun is live, or has the sandbox, and it needs no approval by the policy, or
-- its schedule was confirmed, or another person than who placed it has approved exactly these terms, and they cover the total.
-- Called by: other functions.
create or replace function conversion_is_authorized(p_order conversion_orders, p_total numeric) returns boolean language sql stable
set search_path = public, pg_temp as $$
  -- guard: conversion-once-live
  select not awaits_going_live() and (
    coalesce(p_total <= (conversion_limits(p_order.account, p_order.sell_currency, p_order.buy_currency) ->> 'approvalAbove')::numeric, false)
    or conversion_is_scheduled(p_order.order_id, p_total)
    -- guard: conversion-approved-total
    or (p_total <= p_order.approval_covers and exists (
      select from conversion_decisions decided where decided.order_id = p_order.order_id and decided.decision = 'approved'
        -- guard: conversion-approved-by-another
        and decided.order_hash = p_order.order_hash and decided.decided_by <> p_order.placed_by)))
$$;

-- Whether an order is looked at: it has not ended, or the provider may carry it out late, which is looked for during a week after it
-- has ended, or after an event named it.
-- Called by: server and worker.
create or replace function conversion_is_looked_at(p_state text, p_ended_at timestamptz, p_named_at timestamptz) returns boolean
language sql stable
return p_ended_at is null
  or conversion_may_run_late(p_state) and greatest(p_ended_at, p_named_at) > clock_timestamp() - interval '7 days';

-- Whether the provider may still take the money of an order that has lapsed: that it was funded was not seen, which is no proof, it is
-- looked at, and no two people have said that it will not be.
-- Called by: server and worker.
create or replace function lapsed_order_may_be_debited(p_order conversion_orders) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select p_order.ended_at is not null and conversion_is_looked_at(p_order.state, p_order.ended_at, p_order.named_at)
    and exists (select from conversion_requests requests where requests.order_id = p_order.order_id and operation = 'fund'
      and outcome_may_be_effect(outcome))
    and not exists (select from conversion_manual_outcomes said where said.order_id = p_order.order_id and outcome = 'lapsed' and said.state = 'confirmed')
$$;

-- Whether what an order buys may still come: nothing is bought in its place.
-- Called by: server and worker.
create or replace function order_may_bring_money(p_order conversion_orders) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select conversion_may_bring_money(p_order.state, p_order.conversion_id is not null)
    -- guard: lapsed-conversions-may-bring-money
    or lapsed_order_may_be_debited(p_order)
$$;

-- Notes that an event named a conversion, and answers its order if that is to be looked at; null: none.
-- Called by: server.
create or replace function note_conversion_named(p_account text, p_conversion text) returns uuid language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_order uuid;
begin
  update conversion_orders set named_at = clock_timestamp() where account = p_account and conversion_id = p_conversion and conversion_may_run_late(state)
  returning order_id into v_order;
  if found then return v_order; end if;
  select order_id into v_order from conversion_orders where account = p_account and conversion_id = p_conversion and ended_at is null;
  return v_order;
end $$;

-- Notes when an order lapses, whoever says so: from then on its pair is free for another one.
-- Called by: triggers.
create or replace function note_lapse() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  new.lapsed_at := clock_timestamp();
  return new;
end $$;

create or replace trigger lapses_are_noted before update of state on conversion_orders for each row
  when (old.lapsed_at is null and conversion_may_run_late(new.state)) execute function note_lapse();

-- The provider has carried out an order that had lapsed, and whose money was free by then: it is committed again, unless its debit was
-- posted, and counts in the cap of today.
-- Called by: triggers.
create or replace function commit_late_conversion() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_day date := (conversion_limits(new.account, new.sell_currency, new.buy_currency) ->> 'day')::date;
begin
  perform lock_treasury_day(new.account, new.sell_currency, v_day);
  update treasury_days set committed = committed + new.total_amount
  where account = new.account and currency = new.sell_currency and day = v_day;
  update conversion_orders set committed_on = v_day where order_id = new.order_id;
  perform from balance_chains where account = new.account and currency = new.sell_currency for no key update;
  -- guard: late-conversion-committed-once (2 lines)
  if conversion_debit_came_since(new, coalesce((select min(begun_at) from conversion_requests
      where order_id = new.order_id and operation = 'fund'), new.created_at)) then
    return null;
  end if;
  -- Where less is free, the provider decides, as for every debit that is not committed.
  perform commit_conversion(new.account, new.sell_currency, new.order_id::text, new.total_amount, new.sell_amount);
  perform note_conversion_funding(new.account, new.sell_currency, new.order_id::text);
  return null;
end $$;

create or replace trigger late_conversions_are_committed after update of state on conversion_orders for each row
  when (old.committed_on is null and new.total_amount is not null and conversion_may_run_late(old.state) and conversion_keeps_commitment(new.state))
  execute function commit_late_conversion();
