-- Up Migration

-- Orders to convert money of one balance into another currency. The provider has no call that cancels a conversion, so
-- everything that can refuse one comes before it is created.

create table conversion_orders (
  order_id uuid primary key,
  account text not null,
  -- The terms. An approval binds all of them, and nothing changes them.
  sell_currency text not null check (sell_currency ~ '^[A-Z]{3}$'),
  buy_currency text not null check (buy_currency ~ '^[A-Z]{3}$'),
  fixed_side text not null check (fixed_side in ('sell', 'buy')),
  amount numeric not null check (amount > 0),
  -- The limit price, with the fees: units bought for one sold, or units sold for one bought.
  least_buy_per_sell numeric check (least_buy_per_sell > 0),
  most_sell_per_buy numeric check (most_sell_per_buy > 0),
  -- Basis points, against the reference price.
  max_cost_bps numeric,
  -- The most that may leave the balance, with the fees.
  cap numeric check (cap > 0),
  expires_at timestamptz not null,
  -- SHA-256 over the terms, in hex.
  order_hash text not null,
  -- The largest total that an approval of these terms covers.
  approval_covers numeric not null check (approval_covers > 0),
  placed_by uuid not null references users,
  placed_at timestamptz not null default clock_timestamp(),

  state text not null default 'proposed',
  -- A code: why the order is in this state.
  state_reason text,
  -- Rises only with a new reference: after the provider provably never had the conversion, and people have released it.
  attempt integer not null default 1,
  -- What the provider quoted, as it was shown, and what a reference rate said then.
  quote_id text,
  quote jsonb,
  quote_seal text,
  quoted_at timestamptz,
  quotes integer not null default 0,
  reference jsonb,
  -- Why the provider refused something, in its own words.
  provider_message text,
  -- What the guards said last.
  findings jsonb,
  -- Of the conversion that is funded: those of the quote, or those that two people have accepted.
  sell_amount numeric,
  buy_amount numeric,
  total_amount numeric,
  -- The day in which the total counts against the daily cap.
  committed_on date,
  conversion_id text,
  conversion_seal text,
  -- The amounts that the provider shows of it.
  shown jsonb,
  provider_status text,
  status_read_at timestamptz,
  created_at timestamptz,
  funding_cutoff_at timestamptz,
  -- The sell balance before the first request to fund.
  balance_before numeric,
  -- When a read began that found a complete history without the debit, after the last request to fund.
  absent_at timestamptz,
  funded_at timestamptz,
  completed_at timestamptz,
  -- The entry of the history by which the bought money came.
  credit_entry_id text,
  ended_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  -- How often people have changed the order, of how many of these changes its workflow was told, when that looked at the
  -- record last, and when it was last woken.
  changes integer not null default 1,
  told_changes integer not null default 0,
  looked_at timestamptz,
  woken_at timestamptz,
  constraint another_currency check (sell_currency <> buy_currency),
  constraint one_limit_price check (least_buy_per_sell is null or most_sell_per_buy is null)
);
-- However many place orders at the same moment, by hand or by a schedule: in either direction, one of a pair is open.
create unique index one_open_order_of_a_pair on conversion_orders
  (account, least(sell_currency, buy_currency), greatest(sell_currency, buy_currency))
  where state in ('proposed', 'in_approval', 'approved', 'quoted', 'committed', 'created', 'funding', 'funded', 'completed',
    'held', 'unknown');
create unique index one_order_of_a_conversion on conversion_orders (account, conversion_id) where conversion_id is not null;
-- A credit is that of one order.
create unique index one_order_of_a_credit on conversion_orders (account, buy_currency, credit_entry_id)
  where credit_entry_id is not null;
create index conversion_orders_by_time on conversion_orders (placed_at desc, order_id);
create index open_conversion_orders on conversion_orders (looked_at) where ended_at is null;

-- What people decided: never changed.
create table conversion_decisions (
  order_id uuid not null references conversion_orders,
  decision text not null check (decision in ('approved', 'declined', 'withdrawn', 'released')),
  order_hash text not null,
  decided_by uuid not null references users,
  decided_at timestamptz not null default clock_timestamp(),
  remark_id uuid references remarks
);
create index decisions_of_an_order on conversion_decisions (order_id, decided_at);
create function refuse_change_of_conversion_decision() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'a decision on an order is kept as it was made';
end $$;
create trigger conversion_decisions_are_kept before update or delete or truncate on conversion_decisions
  for each statement execute function refuse_change_of_conversion_decision();

-- Every request about an order: the intent before it is sent, and what came of it.
create table conversion_requests (
  request_id uuid primary key default gen_random_uuid(),
  order_id uuid not null references conversion_orders,
  attempt integer not null,
  operation text not null check (operation in ('quote', 'create', 'fund')),
  begun_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  outcome text check (outcome in ('took_effect', 'had_no_effect', 'refused')),
  answer text,
  http_status integer
);
-- Neither begins while an earlier one may have taken effect.
create unique index one_conversion_request on conversion_requests (order_id, attempt, operation)
  where operation <> 'quote' and (outcome is null or outcome = 'took_effect');
create index requests_of_an_order on conversion_requests (order_id, begun_at);
create trigger conversion_outcomes_are_written_once before update on conversion_requests
  for each row execute function refuse_change_of_case_request();

-- How two people settle what payrun cannot find out, or does not do by itself.
create table conversion_resolutions (
  resolution_id uuid primary key default gen_random_uuid(),
  order_id uuid not null references conversion_orders,
  outcome text not null check (outcome in ('never_created', 'funded', 'fund_again', 'lapsed')),
  remark_id uuid references remarks,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'denied', 'contradicted')),
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  -- Confirmed by a second person; a worker then acts on it.
  confirmed_by uuid references users,
  confirmed_at timestamptz,
  closed_by uuid references users,
  closed_at timestamptz,
  closing_remark_id uuid references remarks,
  constraint confirmed_by_another check (confirmed_by <> proposed_by)
);
create unique index one_open_conversion_resolution on conversion_resolutions (order_id) where state = 'proposed';
create index resolutions_of_an_order on conversion_resolutions (order_id, proposed_at);

-- What was committed to conversions on a local day, counted against the daily cap.
create table treasury_days (
  account text not null,
  currency text not null,
  day date not null,
  committed numeric not null default 0 check (committed >= 0),
  primary key (account, currency, day)
);

-- What an order would be quoted at, and what its guards would say. It commits nothing.
create table conversion_trials (
  trial_id uuid primary key,
  account text not null,
  terms jsonb not null,
  asked_by uuid not null references users,
  asked_at timestamptz not null default clock_timestamp(),
  reference jsonb,
  -- Of the worker: the quote, the findings and the decision; or why there is no quote.
  result jsonb
);

-- Rates of one's own house or of a central bank, by their day, as they were configured then.
create table reference_rates (
  source text not null,
  day date not null,
  base text not null,
  rates jsonb not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (source, day)
);
create index payments_by_funding_of_a_run on payments (run_id, funded_at) where funded_at is not null;
create index conversion_orders_by_funding on conversion_orders (account, funded_at) where funded_at is not null;

create index audit_of_an_order on audit_entries ((detail ->> 'order'), entry_id) where detail ? 'order';

create function may_move_conversion(p_from text, p_to text, p_has_conversion boolean) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_from
    when 'proposed' then p_to in ('in_approval', 'approved', 'declined', 'expired', 'skipped', 'missed', 'held')
    when 'in_approval' then p_to in ('approved', 'declined', 'expired')
    when 'approved' then p_to in ('quoted', 'declined', 'expired', 'skipped', 'held')
    when 'quoted' then p_to in ('approved', 'in_approval', 'committed', 'declined', 'expired', 'skipped', 'held')
    when 'committed' then p_to in ('approved', 'created', 'completed', 'settled', 'skipped', 'held', 'unknown')
    when 'created' then p_to in ('funding', 'completed', 'settled', 'held', 'lapsed', 'unknown')
    when 'funding' then p_to in ('funded', 'completed', 'settled', 'held', 'lapsed', 'unknown')
    when 'funded' then p_to in ('completed', 'settled', 'unknown')
    when 'completed' then p_to in ('settled', 'unknown')
    when 'held' then p_to in ('approved', 'declined', 'expired', 'funding', 'completed', 'settled', 'lapsed', 'unknown')
    when 'lapsed' then p_to in ('completed', 'settled')
    when 'unknown' then p_to in ('declined', 'created', 'funded', 'completed', 'settled', 'lapsed')
    else false
  end
  -- There is no call that cancels a conversion: an order that has one never returns to a state without.
  and case
    when p_to in ('proposed', 'in_approval', 'approved', 'quoted', 'declined', 'expired', 'skipped', 'missed') then not p_has_conversion
    when p_to in ('created', 'funding', 'funded', 'completed', 'settled', 'lapsed') then p_has_conversion
    else true
  end
$$;

-- Whatever login writes: terms stay, states move as the table says, and a process makes no decision of people. Money is
-- committed, and a request to fund begun, by functions alone.
create function refuse_illegal_conversion() returns trigger language plpgsql
set search_path = public, pg_temp as $$
declare
  v_is_owner boolean := exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE'));
begin
  if (new.order_id, new.account, new.sell_currency, new.buy_currency, new.fixed_side, new.amount, new.least_buy_per_sell,
      new.most_sell_per_buy, new.max_cost_bps, new.cap, new.expires_at, new.order_hash, new.approval_covers, new.placed_by)
    is distinct from (old.order_id, old.account, old.sell_currency, old.buy_currency, old.fixed_side, old.amount,
      old.least_buy_per_sell, old.most_sell_per_buy, old.max_cost_bps, old.cap, old.expires_at, old.order_hash,
      old.approval_covers, old.placed_by) then
    raise exception 'an order keeps its terms' using errcode = 'check_violation';
  end if;
  if old.conversion_id is not null and new.conversion_id is distinct from old.conversion_id then
    raise exception 'an order keeps its conversion' using errcode = 'check_violation';
  end if;
  if old.state = new.state then return new; end if;
  if not may_move_conversion(old.state, new.state, new.conversion_id is not null) then
    raise exception 'an order is not moved from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if not v_is_owner and (new.state in ('committed', 'funding', 'declined')
    or new.state = 'approved' and old.state in ('in_approval', 'held')
    or new.state in ('created', 'funded', 'lapsed') and old.state = 'unknown') then
    raise exception 'a process does not move an order from % to %', old.state, new.state using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger conversions_move_by_the_table before update on conversion_orders
  for each row execute function refuse_illegal_conversion();

-- Money that was committed and has not left is free again, and no longer counts against the daily cap.
create function release_unused_conversion() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  update treasury_days set committed = committed - old.total_amount
  where account = old.account and currency = old.sell_currency and day = old.committed_on;
  perform release_conversion(new.account, new.sell_currency, new.order_id::text);
  update conversion_orders set committed_on = null where order_id = new.order_id;
  return null;
end $$;
create trigger unused_conversions_are_released after update of state on conversion_orders for each row
  when (old.committed_on is not null and new.committed_on is not null and old.state <> new.state
    and new.state in ('approved', 'skipped', 'declined', 'expired', 'lapsed'))
  execute function release_unused_conversion();

-- The limits of the policy for orders that sell a currency. Absent: no limit, and every order needs an approval.
create function conversion_limits(p_currency text, p_buy_currency text) returns jsonb language sql stable
security definer set search_path = public, pg_temp as $$
  select jsonb_build_object(
    'maxOrder', limits #>> '{limits,maxOrder}', 'dailyCap', limits #>> '{limits,dailyCap}',
    'approvalAbove', limits #>> '{limits,approvalAbove}', 'secondFunding', coalesce(limits ->> 'secondFunding', 'payrun'),
    'direction', limits ->> 'direction',
    'day', (clock_timestamp() at time zone coalesce(limits ->> 'timeZone', 'UTC'))::date)
  from (select jsonb_build_object('limits', conversions #> array['limits', p_currency], 'timeZone', conversions ->> 'timeZone',
      'secondFunding', conversions ->> 'secondFunding', 'direction', conversions #>> array['directions', p_currency || '/' || p_buy_currency])
    from (select current_policy() -> 'conversions' as conversions) as policy) as of_currency (limits)
$$;

-- Locks what counts against the daily cap, until the transaction ends.
create function lock_treasury_day(p_account text, p_currency text, p_day date) returns numeric language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_committed numeric;
begin
  insert into treasury_days (account, currency, day) values (p_account, p_currency, p_day) on conflict do nothing;
  select committed into v_committed from treasury_days
  where account = p_account and currency = p_currency and day = p_day for update;
  return v_committed;
end $$;

-- Whether people have allowed this order with this total: it needs no approval by the policy, or another person than who
-- placed it has approved exactly these terms, and they cover the total.
create function conversion_is_authorized(p_order conversion_orders, p_total numeric) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select coalesce(p_total <= (conversion_limits(p_order.sell_currency, p_order.buy_currency) ->> 'approvalAbove')::numeric, false)
    or (p_total <= p_order.approval_covers and exists (
      select from conversion_decisions decided where decided.order_id = p_order.order_id and decided.decision = 'approved'
        and decided.order_hash = p_order.order_hash and decided.decided_by <> p_order.placed_by))
$$;

-- Records the intent to ask for a quote of an approved order. Null: it is further, or a stop is in force.
create function begin_conversion_quote(p_order uuid) returns uuid language sql
security definer set search_path = public, pg_temp as $$
  insert into conversion_requests (order_id, attempt, operation)
  select order_id, attempt, 'quote' from conversion_orders
  where order_id = p_order and state = 'approved' and not is_stopped(account, null)
  returning request_id
$$;

-- Commits the money of a quoted order and records the intent to create it, in one transaction: neither is on record without
-- the other. The guards of the price have run before, in the same transaction; authority and limits are decided here.
create function begin_conversion_creation(p_order uuid) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_orders%rowtype;
  v_limits jsonb;
  v_total numeric;
  v_day date;
  v_committed numeric;
  v_request uuid;
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

-- Records the intent to fund a created conversion: its money is committed, nobody has asked before without it being known
-- that this had no effect, and at most twice, unless two people have said again.
create function begin_conversion_funding(p_order uuid) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_orders%rowtype;
  v_request uuid;
begin
  select * into v from conversion_orders where order_id = p_order for update;
  if v.state not in ('created', 'funding') or v.conversion_id is null then return jsonb_build_object('refused', 'state'); end if;
  if is_stopped(v.account, null) then return jsonb_build_object('refused', 'stopped'); end if;
  if not conversion_is_authorized(v, v.total_amount) then return jsonb_build_object('refused', 'approval_needed'); end if;
  if v.funding_cutoff_at <= clock_timestamp() then return jsonb_build_object('refused', 'cutoff_passed'); end if;
  if exists (select from conversion_requests where order_id = p_order and operation = 'fund'
      and coalesce(outcome, 'took_effect') = 'took_effect') then
    return jsonb_build_object('refused', 'state');
  end if;
  if (select count(*) from conversion_requests where order_id = p_order and operation = 'fund'
        and answer in ('as_asked', 'unknown_outcome', 'refused', 'duplicate_reference'))
      >= 2 + (select count(*) from conversion_resolutions where order_id = p_order and outcome = 'fund_again' and state = 'confirmed') then
    return jsonb_build_object('refused', 'asked_twice');
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

-- Null when the user has the permission and may use the order's account; else the refusal, which is in the audit trail by
-- then. An order of another account is refused as if there were no such order.
create function conversion_objection_to(p_user uuid, p_token uuid, p_permission text, p_order uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account text;
  v_refusal jsonb;
begin
  v_refusal := objection_to(p_user, p_token, p_permission, null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  select account into v_account from conversion_orders where order_id = p_order for update;
  if not found then return refused('not_found', 'there is no such order'); end if;
  if user_may_use(p_user, v_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'order', p_order, 'token', p_token));
  return refused('not_found', 'there is no such order');
end $$;

-- Records that a decision was refused since its maker may not make it, and returns the refusal.
create function refuse_conversion_decision(p_user uuid, p_token uuid, p_order uuid, p_why text, p_message text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note(p_user::text, 'conversion_decision_refused', null, null,
    jsonb_build_object('order', p_order, 'why', p_why, 'token', p_token));
  return refused('not_allowed', p_message);
end $$;

-- Places an order, or says that it is placed already: the same id is the same order. `p_terms` are decimal strings.
create function place_conversion(p_proof bytea, p_order uuid, p_account text, p_terms jsonb, p_hash text, p_covers numeric) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_other uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'convert', null, 'place_conversion');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'place_conversion');
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
    where account = p_account and state in ('proposed', 'in_approval', 'approved', 'quoted', 'committed', 'created', 'funding', 'funded',
        'completed', 'held', 'unknown')
      and least(sell_currency, buy_currency) = least(p_terms ->> 'sellCurrency', p_terms ->> 'buyCurrency')
      and greatest(sell_currency, buy_currency) = greatest(p_terms ->> 'sellCurrency', p_terms ->> 'buyCurrency');
    return refused('conflict', format('order %s of the same two currencies is open: wait for its end', v_other));
  end;
  perform note(me.user_id::text, 'conversion_placed', null, null, jsonb_build_object('order', p_order, 'account', p_account,
    'hash', p_hash, 'token', me.token_id) || p_terms);
  return jsonb_build_object('isNew', true);
end $$;

-- Approves or declines the terms with the given hash: another person than who placed the order. Who placed it may withdraw it.
create function decide_conversion(p_proof bytea, p_order uuid, p_decision text, p_hash text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_orders%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := conversion_objection_to(me.user_id, me.token_id, case p_decision when 'withdrawn' then 'convert' else 'decide_conversion' end,
    p_order, 'conversion_' || p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_orders where order_id = p_order;
  if p_decision = 'withdrawn' and v.placed_by <> me.user_id then
    return refuse_conversion_decision(me.user_id, me.token_id, p_order, 'other_withdraws', 'only who placed an order withdraws it');
  end if;
  if p_decision <> 'withdrawn' and v.placed_by = me.user_id then
    return refuse_conversion_decision(me.user_id, me.token_id, p_order, 'placer_decides',
      'who placed an order cannot decide on it; ask a second person');
  end if;
  if p_hash is distinct from v.order_hash then
    return refused('conflict', 'these are not the terms of the order: look at it again');
  end if;
  if p_decision in ('approved', 'released') and v.expires_at <= clock_timestamp() then
    return refused('conflict', 'the order has expired');
  end if;
  if p_decision = 'approved' and v.state <> 'in_approval' then
    return refused('conflict', 'the order is not waiting for a decision: it is ' || replace(v.state, '_', ' '));
  end if;
  if p_decision = 'released' and (v.state <> 'held' or v.conversion_id is not null) then
    return refused('conflict', 'only a held order of which the provider has nothing is released: it is ' || replace(v.state, '_', ' '));
  end if;
  if p_decision in ('declined', 'withdrawn') and not may_move_conversion(v.state, 'declined', v.conversion_id is not null)
    or v.state = 'unknown' then
    return refused('conflict', 'the order is ' || replace(v.state, '_', ' ') || ': it cannot be declined now');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  insert into conversion_decisions (order_id, decision, order_hash, decided_by, remark_id)
  values (p_order, p_decision, p_hash, me.user_id, v_remark);
  if p_decision in ('approved', 'released') then
    update conversion_orders set state = 'approved', state_reason = null, quotes = 0, changes = changes + 1, changed_at = clock_timestamp()
    where order_id = p_order;
  else
    update conversion_orders set state = 'declined', state_reason = 'approval_declined', ended_at = clock_timestamp(),
      changes = changes + 1, changed_at = clock_timestamp()
    where order_id = p_order;
  end if;
  perform note(me.user_id::text, 'conversion_' || p_decision, null, null, jsonb_build_object('order', p_order, 'account', v.account,
    'hash', p_hash, 'state', case when p_decision in ('approved', 'released') then 'approved' else 'declined' end,
    'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- What became of an order that payrun cannot find out, or that its conversion is to be funded although its amounts are other
-- ones, or once more.
create function propose_conversion_resolution(p_proof bytea, p_order uuid, p_outcome text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_orders%rowtype;
  v_refusal jsonb;
  v_remark uuid;
  v_resolution uuid;
  v_fits boolean;
begin
  select * into me from session_of(p_proof);
  v_refusal := conversion_objection_to(me.user_id, me.token_id, 'convert', p_order, 'propose_conversion_resolution');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_orders where order_id = p_order;
  v_fits := case p_outcome
    when 'never_created' then v.state = 'unknown' and v.conversion_id is null
    when 'funded' then v.state = 'unknown' and v.conversion_id is not null
    when 'lapsed' then v.state in ('unknown', 'held') and v.conversion_id is not null
    when 'fund_again' then v.state in ('unknown', 'held') and v.conversion_id is not null
    else false end;
  if not v_fits then
    return refused('conflict', 'an order that is ' || replace(v.state, '_', ' ') || coalesce(' (' || v.state_reason || ')', '')
      || ' is not resolved as ' || replace(p_outcome, '_', ' '));
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  insert into conversion_resolutions (order_id, outcome, remark_id, proposed_by)
  values (p_order, p_outcome, v_remark, me.user_id)
  on conflict (order_id) where state = 'proposed' do nothing returning resolution_id into v_resolution;
  if v_resolution is null then
    return refused('conflict', 'there is an open proposal for this order: have it confirmed or denied first');
  end if;
  perform note(me.user_id::text, 'conversion_resolution_proposed', null, null, jsonb_build_object('order', p_order,
    'resolution', v_resolution, 'outcome', p_outcome, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('resolutionId', v_resolution);
end $$;

create function confirm_conversion_resolution(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_resolutions%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from conversion_resolutions where resolution_id = p_resolution;
  v_refusal := conversion_objection_to(me.user_id, me.token_id, 'decide_conversion', v.order_id, 'confirm_conversion_resolution');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_resolutions where resolution_id = p_resolution for update;
  if v.proposed_by = me.user_id then
    return refuse_conversion_decision(me.user_id, me.token_id, v.order_id, 'proposer_confirms',
      'who proposed a resolution cannot confirm it; ask a second person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  update conversion_resolutions set confirmed_by = me.user_id, confirmed_at = clock_timestamp()
  where resolution_id = p_resolution and confirmed_by is null;
  update conversion_orders set changes = changes + 1, changed_at = clock_timestamp() where order_id = v.order_id;
  perform note(me.user_id::text, 'conversion_resolution_confirm_requested', null, null,
    jsonb_build_object('order', v.order_id, 'resolution', p_resolution, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Who proposed it may take it back.
create function deny_conversion_resolution(p_proof bytea, p_resolution uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_resolutions%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  select * into v from conversion_resolutions where resolution_id = p_resolution;
  v_refusal := conversion_objection_to(me.user_id, me.token_id,
    case when v.proposed_by = me.user_id then 'convert' else 'decide_conversion' end, v.order_id, 'deny_conversion_resolution');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_resolutions where resolution_id = p_resolution for update;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update conversion_resolutions set state = 'denied', closed_by = me.user_id, closed_at = clock_timestamp(), closing_remark_id = v_remark
  where resolution_id = p_resolution;
  perform note(me.user_id::text, 'conversion_resolution_denied', null, null, jsonb_build_object('order', v.order_id,
    'resolution', p_resolution, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- What two people have said takes effect, in a worker's hands: it has asked the provider before. `p_contradicts`: the provider
-- shows otherwise, and the order stays as it is.
create function conclude_conversion_resolution(p_resolution uuid, p_contradicts boolean) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_resolutions%rowtype;
  v_order conversion_orders%rowtype;
  v_to text;
  v_total numeric;
begin
  select * into v from conversion_resolutions where resolution_id = p_resolution;
  select * into v_order from conversion_orders where order_id = v.order_id for update;
  select * into v from conversion_resolutions where resolution_id = p_resolution for update;
  if v.state is distinct from 'proposed' or v.confirmed_by is null then return false; end if;
  v_to := case v.outcome when 'never_created' then 'declined' when 'fund_again' then
    case v_order.state when 'held' then 'funding' else 'created' end else v.outcome end;
  v_total := coalesce((v_order.shown ->> 'totalAmount')::numeric, v_order.total_amount);
  if p_contradicts or not may_move_conversion(v_order.state, v_to, v_order.conversion_id is not null)
    -- Nothing is funded whose amount nobody has shown, or that nobody has allowed.
    or v.outcome = 'fund_again' and not coalesce(conversion_is_authorized(v_order, v_total), false)
    or v.outcome = 'fund_again' and v_total > v_order.total_amount and money_is_known(v_order.account, v_order.sell_currency)
      and v_total - v_order.total_amount > ledger_amount(v_order.account, v_order.sell_currency, 'free') then
    update conversion_resolutions set state = 'contradicted', closed_at = clock_timestamp() where resolution_id = p_resolution;
    perform note('worker', 'conversion_resolution_contradicted', null, null,
      jsonb_build_object('order', v.order_id, 'resolution', p_resolution, 'outcome', v.outcome));
    return false;
  end if;
  update conversion_resolutions set state = 'confirmed', closed_at = clock_timestamp() where resolution_id = p_resolution;
  update conversion_requests set answered_at = coalesce(answered_at, clock_timestamp()), answer = coalesce(answer, 'unknown_outcome'),
    outcome = case when v.outcome = 'funded' then 'took_effect' else 'had_no_effect' end
  where order_id = v.order_id and outcome is null;
  if v.outcome = 'fund_again' and v_total is distinct from v_order.total_amount then
    -- The amounts that two people have accepted.
    update treasury_days set committed = committed + v_total - v_order.total_amount
    where account = v_order.account and currency = v_order.sell_currency and day = v_order.committed_on;
    perform release_conversion(v_order.account, v_order.sell_currency, v.order_id::text);
    perform commit_conversion(v_order.account, v_order.sell_currency, v.order_id::text, v_total,
      coalesce((v_order.shown ->> 'sellAmount')::numeric, v_order.sell_amount));
    update conversion_orders set total_amount = v_total, sell_amount = coalesce((shown ->> 'sellAmount')::numeric, sell_amount),
      buy_amount = coalesce((shown ->> 'buyAmount')::numeric, buy_amount)
    where order_id = v.order_id;
  end if;
  update conversion_orders set state = v_to, absent_at = null, changed_at = clock_timestamp(),
    state_reason = case v.outcome when 'never_created' then 'resolved_never_created' when 'lapsed' then 'cutoff_passed' end,
    funded_at = case v.outcome when 'funded' then coalesce(funded_at, clock_timestamp()) else funded_at end,
    ended_at = case when v_to in ('declined', 'lapsed') then clock_timestamp() end
  where order_id = v.order_id;
  perform note('worker', 'conversion_resolution_confirmed', null, null, jsonb_build_object('order', v.order_id,
    'account', v_order.account, 'resolution', p_resolution, 'outcome', v.outcome, 'state', v_to));
  return true;
end $$;

-- Treasurers place orders; treasurers and checkers decide on those of others.
create or replace function role_may(p_role text, p_permission text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_role
    when 'maker' then p_permission in
      ('submit_run', 'propose_resolution', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions')
    when 'checker' then p_permission in
      ('decide_run', 'propose_resolution', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions', 'read_audit',
       'object_to_change', 'read_cases', 'confirm_case',
       'decide_conversion')
    when 'treasurer' then p_permission in ('read_runs', 'read_instructions', 'convert', 'decide_conversion')
    when 'onboarder' then p_permission in ('read_runs', 'read_cases', 'read_applicants', 'onboard', 'confirm_case')
    when 'viewer' then p_permission in ('read_runs', 'read_instructions', 'read_audit', 'read_cases', 'read_applicants')
    when 'administrator' then p_permission in
      ('stop_payments', 'read_runs', 'read_audit', 'manage_users', 'confirm_change', 'object_to_change', 'erase_remark',
       'read_cases', 'erase_case')
    else false
  end
$$;

-- With the kinds of conversions.
create or replace function refuse_entry_of_others() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE')) then return new; end if;
  if exists (select from pg_roles where rolname = 'payrun_' || new.actor and pg_has_role(current_user, oid, 'MEMBER'))
    and (case new.actor
      when 'worker' then new.kind ~ '^(quote|create|fund)_(requested|took_effect|had_no_effect|refused|outcome_unknown|looked_up)$'
        or new.kind ~ '^run_(proposed|in_approval|expired|completed|partially_completed|failed|cancelled)$'
        or new.kind in ('beneficiary_created', 'beneficiary_discarded', 'beneficiary_gone', 'beneficiary_refused',
          'beneficiary_unused', 'duplicate_suspected', 'file_refused', 'file_uploaded', 'given_up', 'held',
          'not_confirmed_in_time', 'payment_differs', 'payment_ended', 'payment_sealed', 'provider_recorded',
          'provider_state_recorded', 'request_refused', 'resolution_confirmed', 'resolution_contradicted',
          'resolution_refused', 'resolution_voided', 'resolved', 'run_refused',
          'case_answered', 'case_document_verified', 'case_moved', 'case_remark_recorded', 'case_reminded', 'case_requested',
          'case_resolution_confirmed', 'case_resolution_contradicted', 'conversion_answered', 'conversion_looked_up', 'conversion_moved', 'sign_ups_pause_reminded', 'sign_ups_paused',
          'beneficiary_disowned', 'beneficiary_left_over', 'provider_fact_recorded', 'settled')
      when 'server' then new.kind in ('access_refused', 'sign_in_refused')
      else false end)
  then
    return new;
  end if;
  raise exception 'a process writes down what it did itself, not % of %', new.kind, new.actor
    using errcode = 'insufficient_privilege';
end $$;

-- After every read of the history. A payment or conversion that ended an hour before the read, and whose debit is not in a complete
-- history: that has another form, and was taken from the free money, or there was none. Then what is free is reserved for runs.
create or replace function settle_ledger(p_account text) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_chain record;
  v record;
begin
  for v_chain in select currency from balance_chains where account = p_account and gap_since is null order by currency loop
    perform from balance_chains where account = p_account and currency = v_chain.currency for no key update;
    for v in
      select held.ledger_account, held.amount from ledger_balances held
      join payments on payments.payment_id = split_part(left(held.ledger_account, 44), '/', 2)::uuid
      where held.account = p_account and held.currency = v_chain.currency and held.kind = 'payment' and held.amount > 0
        and payments.state in ('paid', 'rejected', 'failed', 'returned') and held.funding_begun_at is not null
        and exists (select from history_windows where account = p_account and not is_gap and read_at > payments.ended_at + interval '1 hour')
    loop
      perform transfer_money(p_account, v_chain.currency, v.ledger_account, 'free', v.amount, 'not_in_history', v.ledger_account);
      insert into money_alarms (account, currency, kind, ledger_account, amount)
      values (p_account, v_chain.currency, 'debit_not_found', v.ledger_account, v.amount) on conflict do nothing;
    end loop;
    -- A conversion whose bought money was seen, in the same way.
    for v in
      select held.ledger_account, held.amount from ledger_balances held
      join conversion_orders orders on held.ledger_account = 'conversion/' || orders.order_id
      where held.account = p_account and held.currency = v_chain.currency and held.kind = 'conversion' and held.amount > 0
        and orders.state = 'settled' and exists (select from history_windows
          where account = p_account and not is_gap and read_at > orders.ended_at + interval '1 hour')
    loop
      perform transfer_money(p_account, v_chain.currency, v.ledger_account, 'free', v.amount, 'not_in_history', v.ledger_account);
      insert into money_alarms (account, currency, kind, ledger_account, amount)
      values (p_account, v_chain.currency, 'debit_not_found', v.ledger_account, v.amount) on conflict do nothing;
    end loop;
    perform reserve_for_runs(p_account, v_chain.currency);
    perform note_free_money(p_account, v_chain.currency);
  end loop;
end $$;
