-- Up Migration

-- Of equal debits, nobody knows whose is whose (0062): that one is posted to a payment does not mean that its own money has left.

-- By its ledger account: of a payment, or of a conversion.
create function take_over_commitment(p_account text, p_currency text, p_own text, p_total numeric) returns boolean language plpgsql
set search_path = public, pg_temp as $$
declare
  v_other text;
begin
  select ledger_account into v_other from ledger_balances
  where account = p_account and currency = p_currency and kind in ('payment', 'conversion')
    and ledger_account <> p_own and amount = p_total
    -- One that was asked for later has not been debited by then: what is committed to it is for its own debit.
    and funding_begun_at < (select max(made_at) from ledger_transfers where account = p_account and currency = p_currency
      and debit = p_own and credit = 'outside')
  order by funding_begun_at, ledger_account limit 1;
  if not found then return false; end if;
  perform transfer_money(p_account, p_currency, v_other, p_own, p_total, 'commit', p_own || '/' || nextval('ledger_causes'));
  return true;
end $$;

-- The ledger has posted a debit as that of this payment or conversion which is of another one of the same total: what is committed
-- to that one is then for this one. False: there is none.
create or replace function take_over_commitment(p_order conversion_orders, p_total numeric) returns boolean language sql
set search_path = public, pg_temp as $$
  select take_over_commitment(p_order.account, p_order.sell_currency, 'conversion/' || p_order.order_id, p_total)
$$;

-- Commits what a payment takes, from what is reserved for its run, then from what is free: all of it or nothing. False: too
-- little is there, and the ledger decides.
create or replace function commit_payment(p_payment uuid, p_cause text) returns boolean language plpgsql
set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
  v_to text;
  v_run text;
  v_has_debit boolean;
  v_missing numeric;
  v_reserved numeric;
begin
  -- The request refers to the payment: whoever locks both locks the payment first, then the currency.
  select * into v from payments where payment_id = p_payment for key share;
  if coalesce(total_of(v), 0) <= 0 then return true; end if;
  v_to := ledger_account_of(v.payment_id, v.attempt);
  v_run := 'run/' || v.run_id;
  if ledger_amount(v.account, v.sell_currency, v_to) = total_of(v) then return true; end if;
  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;
  if not found then return true; end if;
  v_has_debit := exists (select from ledger_transfers where debit = v_to and credit = 'outside');
  -- Its money has left already.
  if v_has_debit and may_have_been_funded(p_payment, v.attempt) then return true; end if;
  v_missing := total_of(v) - ledger_amount(v.account, v.sell_currency, v_to);
  if v_missing < 0 then
    perform transfer_money(v.account, v.sell_currency, v_to, v_run, -v_missing, 'release', p_cause);
  elsif v_has_debit and v_missing = total_of(v) and take_over_commitment(v.account, v.sell_currency, v_to, v_missing) then
    -- No request to fund it took effect: the debit was that of the equal one.
    null;
  elsif v_missing > 0 then
    v_reserved := least(ledger_amount(v.account, v.sell_currency, v_run), v_missing);
    if v_missing - v_reserved > greatest(ledger_amount(v.account, v.sell_currency, 'free'), 0) then
      perform note_short_run(v.account, v.sell_currency, v.run_id, v_missing - v_reserved);
      return not money_is_known(v.account, v.sell_currency);
    end if;
    perform transfer_money(v.account, v.sell_currency, v_run, v_to, v_reserved, 'commit', p_cause);
    perform transfer_money(v.account, v.sell_currency, 'free', v_to, v_missing - v_reserved, 'commit', p_cause);
  end if;
  update ledger_balances set principal = round(v.sell_amount, 4)
  where account = v.account and currency = v.sell_currency and ledger_account = v_to;
  return true;
end $$;

-- Creating a payment commits its money, as far as it is there; funding it needs all of it. The intent of a request and the
-- commitment are one: neither is on record without the other.
create or replace function commit_for_request() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
begin
  if not commit_payment(new.payment_id, new.request_id::text) and new.operation = 'fund' then return null; end if;
  if new.operation = 'fund' then
    select * into v from payments where payment_id = new.payment_id;
    insert into ledger_balances as known (account, currency, ledger_account, amount, principal, funding_begun_at, uncovered)
    select v.account, v.sell_currency, ledger_account_of(v.payment_id, v.attempt), 0, round(v.sell_amount, 4), clock_timestamp(), total_of(v)
    where total_of(v) > 0
      and exists (select from balance_chains where account = v.account and currency = v.sell_currency)
    on conflict (account, currency, ledger_account) do update set
      funding_begun_at = coalesce(known.funding_begun_at, excluded.funding_begun_at),
      -- A debit is its own only if an earlier request may have taken effect.
      uncovered = case when known.amount = 0 and not (may_have_been_funded(v.payment_id, v.attempt) and exists (
        select from ledger_transfers where debit = known.ledger_account and credit = 'outside')) then excluded.uncovered end;
  end if;
  return new;
end $$;
