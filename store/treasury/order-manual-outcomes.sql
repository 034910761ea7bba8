-- A treasurer proposes what became of an order whose outcome payrun cannot find out, or that its conversion is funded once more,
-- or with other amounts: never a conversion that is not the order's.
-- Called by: server.
create or replace function propose_conversion_manual_outcome(p_token_hash bytea, p_order uuid, p_outcome text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_orders%rowtype;
  v_refusal jsonb;
  v_remark uuid;
  v_manual_outcome uuid;
  v_fits boolean;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_for_conversion(me.user_id, me.token_id, 'convert', p_order, 'propose_conversion_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_orders where order_id = p_order;
  v_fits := case p_outcome
    when 'never_created' then v.state = 'unknown' and v.conversion_id is null
    when 'funded' then v.state = 'unknown' and v.conversion_id is not null
    -- guard: conversion-settled-after-funding
    when 'settled' then v.state = 'unknown' and v.conversion_id is not null and v.funded_at is not null
    when 'lapsed' then conversion_is_on_hold(v.state) and v.conversion_id is not null
    when 'fund_again' then conversion_is_on_hold(v.state) and v.conversion_id is not null
    else false end;
  if not v_fits then
    return refused('conflict', 'an order that is ' || replace(v.state, '_', ' ') || coalesce(' (' || v.state_reason || ')', '')
      || ' is not resolved as ' || replace(p_outcome, '_', ' '));
  end if;
  if p_outcome = 'fund_again' and not conversion_shown_is_ours(v) then
    return refused('conflict', 'the provider shows a conversion of other currencies, or under another reference: it is not funded');
  end if;
  -- guard: conversion-never-funded-after-effect
  if p_outcome = 'fund_again' and conversion_funding_took_effect(p_order) then
    return refused('conflict', 'a request to fund it has taken effect: it is not funded again. Resolve it otherwise, and place another order');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  insert into conversion_manual_outcomes (order_id, outcome, remark_id, proposed_by)
  values (p_order, p_outcome, v_remark, me.user_id)
  on conflict (order_id) where state = 'proposed' do nothing returning manual_outcome_id into v_manual_outcome;
  if v_manual_outcome is null then
    return refused('conflict', 'there is an open proposal for this order: have it confirmed or rejected first');
  end if;
  perform note(me.user_id::text, 'conversion_manual_outcome_proposed', null, null, jsonb_build_object('order', p_order,
    'manualOutcome', v_manual_outcome, 'outcome', p_outcome, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('manualOutcomeId', v_manual_outcome);
end $$;

-- Another person confirms what became of an order; a worker then reads it again.
-- Called by: server.
create or replace function confirm_conversion_manual_outcome(p_token_hash bytea, p_manual_outcome uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_manual_outcomes%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  select * into v from conversion_manual_outcomes where manual_outcome_id = p_manual_outcome;
  v_refusal := authorize_for_conversion(me.user_id, me.token_id, 'decide_conversion', v.order_id, 'confirm_conversion_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_manual_outcomes where manual_outcome_id = p_manual_outcome for update;
  if v.proposed_by = me.user_id then
    return refuse_conversion_decision(me.user_id, me.token_id, v.order_id, 'proposer_confirms',
      'who proposed a manual outcome cannot confirm it; ask a second person');
  end if;
  -- As the maker of a run confirms nothing of its rows. Of an order of a schedule, it is who proposed the version, or started it by hand.
  -- guard: not-resolved-by-placer
  if exists (select from conversion_orders where order_id = v.order_id and placed_by = me.user_id) then
    return refuse_conversion_decision(me.user_id, me.token_id, v.order_id, 'placer_confirms',
      'who placed an order cannot confirm what became of it; ask another person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  -- guard: second-factor-for-order (2 lines)
  v_refusal := authorize_by_second_factor(me.user_id, me.token_id, null, 'manual_outcome', p_manual_outcome, proposal_hash('order', v.order_id, p_manual_outcome, array[v.outcome]), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  update conversion_manual_outcomes set confirmed_by = me.user_id, confirmed_at = clock_timestamp()
  where manual_outcome_id = p_manual_outcome and confirmed_by is null;
  update conversion_orders set changes = changes + 1, changed_at = clock_timestamp() where order_id = v.order_id;
  perform note(me.user_id::text, 'conversion_manual_outcome_confirm_requested', null, null,
    jsonb_build_object('order', v.order_id, 'manualOutcome', p_manual_outcome, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Another person rejects what was proposed about an order; who proposed it may withdraw it.
-- Called by: server.
create or replace function reject_conversion_manual_outcome(p_token_hash bytea, p_manual_outcome uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_manual_outcomes%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  select * into v from conversion_manual_outcomes where manual_outcome_id = p_manual_outcome;
  v_refusal := authorize_for_conversion(me.user_id, me.token_id,
    case when v.proposed_by = me.user_id then 'convert' else 'decide_conversion' end, v.order_id, 'reject_conversion_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_manual_outcomes where manual_outcome_id = p_manual_outcome for update;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update conversion_manual_outcomes set state = 'rejected', closed_by = me.user_id, closed_at = clock_timestamp(), closing_remark_id = v_remark
  where manual_outcome_id = p_manual_outcome;
  perform note(me.user_id::text, 'conversion_manual_outcome_rejected', null, null, jsonb_build_object('order', v.order_id,
    'manualOutcome', p_manual_outcome, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- What two people have said of an order takes effect, once a worker has asked the provider. It does not, and the order stays as it
-- is, if the provider shows otherwise (`p_contradicts`), or if it is to be funded again although it may not be, or by other amounts
-- than they have accepted. False: it did not take effect.
-- Called by: worker.
create or replace function conclude_conversion_manual_outcome(p_manual_outcome uuid, p_contradicts boolean) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_manual_outcomes%rowtype;
  v_order conversion_orders%rowtype;
  v_to text;
  v_total numeric;
  v_contradicts boolean;
begin
  select * into v from conversion_manual_outcomes where manual_outcome_id = p_manual_outcome;
  select * into v_order from conversion_orders where order_id = v.order_id for update;
  select * into v from conversion_manual_outcomes where manual_outcome_id = p_manual_outcome for update;
  if v.state is distinct from 'proposed' or v.confirmed_by is null then return false; end if;
  v_to := case v.outcome when 'never_created' then 'rejected' when 'fund_again' then
    case v_order.state when 'held' then 'funding' else 'created' end else v.outcome end;
  v_total := coalesce((v_order.shown ->> 'totalAmount')::numeric, v_order.total_amount);
  v_contradicts := p_contradicts or not may_move_conversion(v_order.state, v_to, v_order.conversion_id is not null)
    -- Nothing is funded whose amount nobody has shown, or that nobody has allowed.
    or v.outcome = 'fund_again' and not coalesce(conversion_is_authorized(v_order, v_total), false)
    -- guard: conversion-funded-as-accepted
    or v.outcome = 'fund_again' and v.amounts is distinct from conversion_amounts_shown(v_order)
    -- guard: conversion-accepted-is-ours
    or v.outcome = 'fund_again' and not conversion_shown_is_ours(v_order)
    -- guard: conversion-resolved-without-debit
    or v.outcome = 'fund_again' and conversion_debit_is_posted(v_order.order_id)
    or v.outcome = 'fund_again' and conversion_funding_took_effect(v_order.order_id);
  if v.outcome = 'fund_again' and not v_contradicts then
    -- Only the difference is committed, or free again: what is committed already is never free in between.
    -- guard: conversion-accepted-total-committed
    v_contradicts := not change_conversion_commitment(v_order, v_total,
      coalesce((v_order.shown ->> 'sellAmount')::numeric, v_order.sell_amount));
  end if;
  if v_contradicts then
    update conversion_manual_outcomes set state = 'contradicted', closed_at = clock_timestamp() where manual_outcome_id = p_manual_outcome;
    perform note('worker', 'conversion_manual_outcome_contradicted', null, null,
      jsonb_build_object('order', v.order_id, 'manualOutcome', p_manual_outcome, 'outcome', v.outcome));
    return false;
  end if;
  update conversion_manual_outcomes set state = 'confirmed', closed_at = clock_timestamp() where manual_outcome_id = p_manual_outcome;
  update conversion_requests set answered_at = coalesce(answered_at, clock_timestamp()), answer = coalesce(answer, 'unknown_outcome'),
    outcome = case when v.outcome = 'funded' then 'took_effect' else 'not_seen' end
  where order_id = v.order_id and outcome is null;
  if v.outcome = 'fund_again' then
    -- The amounts that two people have accepted, each of them: the bought one is what is waited for.
    update treasury_days set committed = committed + v_total - v_order.total_amount
    where account = v_order.account and currency = v_order.sell_currency and day = v_order.committed_on;
    update conversion_orders set total_amount = v_total, sell_amount = coalesce((shown ->> 'sellAmount')::numeric, sell_amount),
      buy_amount = coalesce((shown ->> 'buyAmount')::numeric, buy_amount)
    where order_id = v.order_id;
  end if;
  update conversion_orders set state = v_to, absent_at = null, unfunded_at = clock_timestamp(), changed_at = clock_timestamp(),
    state_reason = case v.outcome when 'never_created' then 'resolved_never_created' when 'lapsed' then 'cutoff_passed' end,
    funded_at = case v.outcome when 'funded' then coalesce(funded_at, clock_timestamp()) else funded_at end,
    ended_at = case when conversion_has_ended(v_to) then clock_timestamp() end
  where order_id = v.order_id;
  perform note('worker', 'conversion_manual_outcome_confirmed', null, null, jsonb_build_object('order', v.order_id,
    'account', v_order.account, 'manualOutcome', p_manual_outcome, 'outcome', v.outcome, 'state', v_to));
  return true;
end $$;

-- Closes the open proposal about an order as contradicted when payrun has found out otherwise.
-- Called by: triggers.
create or replace function close_overtaken_manual_outcomes() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in
    update conversion_manual_outcomes set state = 'contradicted', closed_at = clock_timestamp()
    where order_id = new.order_id and state = 'proposed'
      -- That it was completed is what they say as well.
      and not (outcome = 'settled' and new.state = 'completed')
    returning manual_outcome_id, outcome
  loop
    perform note('worker', 'conversion_manual_outcome_contradicted', null, null,
      jsonb_build_object('order', new.order_id, 'manualOutcome', v.manual_outcome_id, 'outcome', v.outcome));
  end loop;
  return null;
end $$;

create or replace trigger overtaken_manual_outcomes_are_closed after update of state on conversion_orders for each row
  when (conversion_is_on_hold(old.state) and not conversion_is_on_hold(new.state))
  execute function close_overtaken_manual_outcomes();
-- That the money has come is not said any more of an order whose exact credit was found meanwhile.
create or replace trigger manual_outcomes_of_settled_orders_are_closed after update of state on conversion_orders for each row
  when (old.state = 'completed' and new.state = 'settled')
  execute function close_overtaken_manual_outcomes();

-- Keeps the amounts that an order had when people said what became of it.
-- Called by: triggers.
create or replace function keep_amounts_of_manual_outcome() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.amounts := (select conversion_amounts_shown(orders) from conversion_orders orders where order_id = new.order_id);
  return new;
end $$;

create or replace trigger amounts_are_kept before insert on conversion_manual_outcomes
  for each row execute function keep_amounts_of_manual_outcome();

-- The amounts of an order as the provider shows them; what it does not show, as it was quoted.
-- Called by: other functions.
create or replace function conversion_amounts_shown(v conversion_orders) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  select jsonb_build_object('total', coalesce((v.shown ->> 'totalAmount')::numeric, v.total_amount),
    'sell', coalesce((v.shown ->> 'sellAmount')::numeric, v.sell_amount),
    'buy', coalesce((v.shown ->> 'buyAmount')::numeric, v.buy_amount))
$$;
