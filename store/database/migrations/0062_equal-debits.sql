-- Up Migration

-- Of equal debits, nobody knows whose is whose: what the ledger has posted to a conversion counts as its debit only where more is
-- posted to it than others can have, and a debit that came since the evidence has the evidence looked at again.

-- Payments, and other conversions, of the same total that may have a debit which is not posted to them: the provider was asked to
-- fund them, within the time in which a debit may come, and it took effect or may have. That they hold money still does not
-- matter: what the ledger does not find, it frees after a while.
create function equal_debits_of_others(p_order conversion_orders) returns bigint language sql stable
set search_path = public, pg_temp as $$
  with since as (
    select coalesce(min(begun_at), p_order.created_at, p_order.placed_at) - interval '48 hours' as at
    from conversion_requests where order_id = p_order.order_id and operation = 'fund'
  ), asked as (
    select ledger_account_of(payments.payment_id, requests.attempt) as ledger_account
    from since, payments join provider_requests requests on requests.payment_id = payments.payment_id and requests.operation = 'fund'
    where payments.account = p_order.account and payments.sell_currency = p_order.sell_currency
      and round(coalesce(payments.total_amount, payments.sell_amount), 4) = p_order.total_amount
      and coalesce(requests.outcome, 'took_effect') = 'took_effect' and requests.begun_at > since.at
    union all
    select 'conversion/' || other.order_id
    from since, conversion_orders other join conversion_requests requests on requests.order_id = other.order_id
      and requests.operation = 'fund'
    where other.account = p_order.account and other.sell_currency = p_order.sell_currency
      and other.total_amount = p_order.total_amount and other.order_id <> p_order.order_id
      and coalesce(requests.outcome, 'took_effect') = 'took_effect' and requests.begun_at > since.at
  )
  select count(*) from asked where not exists (select from ledger_transfers posted where posted.account = p_order.account
    and posted.currency = p_order.sell_currency and posted.debit = asked.ledger_account and posted.credit = 'outside')
$$;

-- Whether the history has a debit that can only be of this conversion: the ledger has posted more debits to it than payments and
-- other conversions of the same total can have.
create or replace function conversion_debit_is_posted(p_order conversion_orders) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select case when posted = 0 then false else posted > equal_debits_of_others(p_order) end
  from (select count(*) as posted from ledger_transfers where account = p_order.account and currency = p_order.sell_currency
    and debit = 'conversion/' || p_order.order_id and credit = 'outside') as transfers
$$;

-- The same, for a worker.
create function conversion_debit_is_posted(p_order uuid) returns boolean language sql stable
security definer set search_path = public, pg_temp as $$
  select coalesce((select conversion_debit_is_posted(orders) from conversion_orders orders where order_id = p_order), false)
$$;

-- Whether a debit of its total was seen first after this time: what was read before it says nothing about it.
create function conversion_debit_came_since(p_order conversion_orders, p_at timestamptz) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from balance_entries where account = p_order.account and currency = p_order.sell_currency
    and amount_before - amount_after = p_order.total_amount and first_seen_at > p_at)
$$;

-- Commits another total to a conversion that is not funded: what is more comes from what is free, what is less is free. False:
-- too little is free, or the money has left, and the ledger decides. Nothing changes then.
create or replace function change_conversion_commitment(p_order conversion_orders, p_total numeric, p_principal numeric) returns boolean
language plpgsql
set search_path = public, pg_temp as $$
declare
  v_from text := 'conversion/' || p_order.order_id;
  v_less numeric;
begin
  perform from balance_chains where account = p_order.account and currency = p_order.sell_currency for no key update;
  if not found then return true; end if;
  v_less := ledger_amount(p_order.account, p_order.sell_currency, v_from) - p_total;
  if v_less > 0 then
    perform transfer_money(p_order.account, p_order.sell_currency, v_from, 'free', v_less, 'release',
      v_from || '/' || nextval('ledger_causes'));
    update ledger_balances set principal = p_principal
    where account = p_order.account and currency = p_order.sell_currency and ledger_account = v_from;
    perform reserve_for_runs(p_order.account, p_order.sell_currency);
    return true;
  end if;
  if exists (select from ledger_transfers where account = p_order.account and currency = p_order.sell_currency
      and debit = v_from and credit = 'outside') then
    if v_less = 0 or take_over_commitment(p_order, p_total) then return true; end if;
    -- What was committed to the other one is free by now.
    if -v_less > greatest(ledger_amount(p_order.account, p_order.sell_currency, 'free'), 0) then
      return not money_is_known(p_order.account, p_order.sell_currency);
    end if;
    perform transfer_money(p_order.account, p_order.sell_currency, 'free', v_from, -v_less, 'commit',
      v_from || '/' || nextval('ledger_causes'));
    return true;
  end if;
  return commit_conversion(p_order.account, p_order.sell_currency, p_order.order_id::text, p_total, p_principal);
end $$;

-- Records the intent to fund a created conversion: its money is committed, nobody has asked before without it being known
-- that this had no effect, which was proved just before, and no debit of its total came since; at most twice, unless two people
-- have said again.
create or replace function begin_conversion_funding(p_order uuid) returns jsonb language plpgsql
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
  -- Its debit is in the history.
  if conversion_debit_is_posted(v) then return jsonb_build_object('refused', 'state'); end if;
  -- What was proved before a stop, or an outage of the workers, may not be so any more.
  if exists (select from conversion_requests where order_id = p_order and operation = 'fund'
      and (answer is null or answer in ('as_asked', 'unknown_outcome', 'refused', 'duplicate_reference')))
    and (coalesce(v.unfunded_at < clock_timestamp() - interval '5 minutes', true) or conversion_debit_came_since(v, v.unfunded_at)) then
    return jsonb_build_object('refused', 'evidence_old');
  end if;
  if (select count(*) from conversion_requests where order_id = p_order and operation = 'fund'
        and answer in ('as_asked', 'unknown_outcome', 'refused', 'duplicate_reference'))
      >= 2 + (select count(*) from conversion_resolutions where order_id = p_order and outcome = 'fund_again' and state = 'confirmed') then
    return jsonb_build_object('refused', 'asked_twice');
  end if;
  -- No request takes money that is not committed to the conversion.
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
