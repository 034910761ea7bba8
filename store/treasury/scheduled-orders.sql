-- Places an order of an open occurrence, in the name of who proposed its version, or who started it by hand. Answers null, or
-- the code of why it is not placed; the same order again has the same answer.
-- Called by: worker.
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
    -- guard: occurrence-orders-once
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
      -- guard: scheduled-as-confirmed
      raise exception 'the schedule % does not allow this order', v.schedule_id;
    end if;
  end if;
  perform note('worker', 'scheduled_order_' || case when v_refused is null then 'placed' else 'refused' end, null, null,
    p_terms || jsonb_build_object('order', p_order, 'schedule', v.schedule_id, 'occurrence', p_occurrence, 'hash', p_hash, 'reason', v_refused));
  return v_refused;
end $$;

-- Whether a schedule allows an order: its currencies, side and limits are the schedule's, and it may not sell more. By hand, a
-- fixed amount is allowed as any order is, since the schedule says how often it is converted.
-- Called by: other functions.
create or replace function schedule_allows(p_definition jsonb, p_cause text, p_order conversion_orders) returns boolean language sql stable
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
          -- guard: fixed-by-hand
          when 'fixed_amount' then p_cause = 'schedule' and p_order.fixed_side = p_definition ->> 'fixed_side'
            and p_order.amount = (p_definition ->> 'amount')::numeric
          when 'sweep' then p_order.fixed_side = 'sell'
          when 'top_up' then p_order.fixed_side = 'buy'
          else false end
    end, false)
$$;

-- Whether two people have allowed this order with this total, by the version of the schedule that placed it. An order whose
-- schedule was paused or deleted meanwhile needs an approval of its own, unless the provider has its conversion.
-- Called by: worker.
create or replace function conversion_is_scheduled(p_order uuid, p_total numeric) returns boolean language sql stable
security definer set search_path = public, pg_temp as $$
  select exists (select from conversion_orders orders join scheduled_orders placed using (order_id, order_hash)
    join schedule_occurrences occurrences using (occurrence_id) join schedules using (schedule_id)
    where order_id = p_order and placed.refused is null and p_total <= orders.approval_covers
      -- guard: scheduled-while-active
      and (schedules.state = 'active' or orders.conversion_id is not null)
      and schedule_allows(confirmed_definition(schedule_id, occurrences.version), occurrences.cause, orders))
$$;

-- Null when an order was placed by hand, or leaves the floor and level of its schedule with this total; else the code of why not.
-- What was above the floor, or missing to the level, when it was placed may have been reserved or have come since.
-- Called by: other functions.
create or replace function deny_reason_for_level(p_order conversion_orders, p_total numeric) returns text language sql stable
set search_path = public, pg_temp as $$
  select case kind
    -- guard: sweep-commits-above-floor
    when 'sweep' then case when not coalesce(left_over >= (definition ->> 'floor')::numeric, false) then 'floor_reached' end
    -- What it sells may be bought at the same time.
    when 'fund_run' then case when not coalesce(left_over + money_to_come(p_order.account, p_order.sell_currency)
      >= coalesce((definition #>> array['floors', p_order.sell_currency])::numeric, 0), false) then 'floor_reached' end
    -- What may have come counts here as bought as well: so no more than the level is bought. The last unit of the currency is bought whole.
    when 'top_up' then case when not coalesce(free_money(p_order.account, p_order.buy_currency)
      + bought_money(p_order.account, p_order.buy_currency) + p_order.amount
      -- guard: top-up-within-level
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

-- What orders have bought that may still come, whether or not it is known that they were carried out.
-- Called by: other functions.
create or replace function bought_money(p_account text, p_currency text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  select coalesce(sum(buy_amount), 0) from conversion_orders orders where account = p_account and buy_currency = p_currency
    and order_may_bring_money(orders)
$$;

-- What is paid for and has certainly not come: funded conversions, unless a receipt of the time since may be theirs, whatever its
-- amount. A conversion that is not funded may lapse, and what has come is free. Without a history, a balance may have it already.
-- Called by: other functions.
create or replace function money_to_come(p_account text, p_currency text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  select coalesce(sum(buy_amount), 0) from conversion_orders orders
  -- guard: unpaid-money-is-not-bought
  where account = p_account and buy_currency = p_currency and conversion_is_in_flight(state)
    and exists (select from balance_chains where account = p_account and currency = p_currency)
    and not exists (select from receipts where receipts.account = p_account and receipts.currency = p_currency
      -- guard: bought-money-counts-once
      and (explained_by is null or explained_by = 'person')
      and receipts.seen_at > coalesce((select min(begun_at) from conversion_requests
        where conversion_requests.order_id = orders.order_id and operation = 'fund'), orders.created_at, '-infinity'))
$$;
