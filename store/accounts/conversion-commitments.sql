-- Commits the whole amount that a conversion sells from what is free, in the transaction that records the intent to create it.
-- False: too little is free, and the ledger decides.
-- Called by: other functions.
create or replace function commit_conversion(p_account text, p_currency text, p_conversion text, p_total numeric, p_principal numeric)
returns boolean language plpgsql
set search_path = public, pg_temp as $$
declare
  v_to text := 'conversion/' || p_conversion;
  v_missing numeric;
begin
  perform from balance_chains where account = p_account and currency = p_currency for no key update;
  if not found or exists (select from ledger_transfers where debit = v_to and credit = 'outside') then return true; end if;
  v_missing := p_total - ledger_amount(p_account, p_currency, v_to);
  -- guard: conversion-within-free
  if v_missing > greatest(ledger_amount(p_account, p_currency, 'free'), 0) then
    return not money_is_known(p_account, p_currency);
  end if;
  if v_missing > 0 then
    perform transfer_money(p_account, p_currency, 'free', v_to, v_missing, 'commit', v_to || '/' || nextval('ledger_causes'));
  end if;
  update ledger_balances set principal = p_principal
  where account = p_account and currency = p_currency and ledger_account = v_to;
  return true;
end $$;

-- Commits another total to a conversion that is not funded: an increase is taken from what is free, a decrease becomes free.
-- False, and nothing changes: too little is free, or the money has left, and the ledger decides.
-- Called by: other functions.
create or replace function change_conversion_commitment(p_order conversion_orders, p_total numeric, p_principal numeric) returns boolean
language plpgsql
set search_path = public, pg_temp as $$
declare
  v_from text := 'conversion/' || p_order.order_id;
  v_less numeric;
begin
  perform from balance_chains where account = p_order.account and currency = p_order.sell_currency for no key update;
  if not found then return true; end if;
  -- guard: conversion-difference-committed
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
    if v_less = 0 or take_over_commitment(p_order.account, p_order.sell_currency, v_from, p_total) then return true; end if;
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

-- Notes that a conversion is about to be funded: from then on its debit may be in the history.
-- Called by: other functions.
create or replace function note_conversion_funding(p_account text, p_currency text, p_conversion text) returns void language sql
set search_path = public, pg_temp as $$
  update ledger_balances set funding_begun_at = coalesce(funding_begun_at, clock_timestamp())
  where account = p_account and currency = p_currency and ledger_account = 'conversion/' || p_conversion
$$;

-- Frees what is committed to a conversion that was refused, or was provably never created.
-- Called by: other functions.
create or replace function release_conversion(p_account text, p_currency text, p_conversion text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_from text := 'conversion/' || p_conversion;
begin
  perform from balance_chains where account = p_account and currency = p_currency for no key update;
  update ledger_balances set funding_begun_at = null
  where account = p_account and currency = p_currency and ledger_account = v_from;
  perform transfer_money(p_account, p_currency, v_from, 'free', ledger_amount(p_account, p_currency, v_from), 'release',
    v_from || '/' || nextval('ledger_causes'));
  perform reserve_for_runs(p_account, p_currency);
end $$;

-- Frees the money of an order that moves to a state without a commitment, and no longer counts it in the daily cap. Of one that has
-- lapsed it stays committed while its debit may come: until then it is nobody else's. So does that of one whose creation was not
-- seen, and that is quoted again: the next creation takes it over.
-- Called by: triggers.
create or replace function release_unused_conversion() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  -- guard: lapsed-conversion-stays-committed
  if lapsed_order_may_be_debited(new) then return null; end if;
  -- guard: unseen-conversion-stays-committed
  if not conversion_has_ended(new.state) and conversion_may_have_been_created(new) then return null; end if;
  update treasury_days set committed = committed - old.total_amount
  where account = old.account and currency = old.sell_currency and day = old.committed_on;
  perform release_conversion(new.account, new.sell_currency, new.order_id::text);
  update conversion_orders set committed_on = null where order_id = new.order_id;
  return null;
end $$;

create or replace trigger unused_conversions_are_released after update of state on conversion_orders for each row
  when (old.committed_on is not null and new.committed_on is not null and old.state <> new.state
    and not conversion_keeps_commitment(new.state))
  execute function release_unused_conversion();
