-- Commits what a payment takes, from what is reserved for its run, then from what is free: all of it or nothing. False: too
-- little is there, and the ledger decides.
-- Called by: other functions.
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
  -- guard: one-at-a-time (3 lines)
  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;
  if not found then return true; end if;
  v_has_debit := exists (select from ledger_transfers where debit = v_to and credit = 'outside');
  -- Its money has left already.
  -- guard: payment-debit-is-its-own, payment-debit-committed-once
  if has_own_debit(p_payment, v.attempt) then return true; end if;
  v_missing := total_of(v) - ledger_amount(v.account, v.sell_currency, v_to);
  if v_missing < 0 then
    perform transfer_money(v.account, v.sell_currency, v_to, v_run, -v_missing, 'release', p_cause);
  -- guard: payment-debit-taken-over
  elsif v_has_debit and v_missing = total_of(v) and take_over_commitment(v.account, v.sell_currency, v_to, v_missing) then
    -- No request to fund it took effect: the debit was that of the equal one.
    null;
  elsif v_missing > 0 then
    v_reserved := least(ledger_amount(v.account, v.sell_currency, v_run), v_missing);
    -- guard: payment-within-free
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
-- commitment are one: neither is recorded without the other.
-- Called by: triggers.
create or replace function commit_for_request() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
begin
  -- guard: funded-when-committed
  if not commit_payment(new.payment_id, new.request_id::text) and new.operation = 'fund' then return null; end if;
  if new.operation = 'fund' then
    select * into v from payments where payment_id = new.payment_id;
    insert into ledger_balances as known (account, currency, ledger_account, amount, principal, funding_begun_at, uncovered)
    select v.account, v.sell_currency, ledger_account_of(v.payment_id, v.attempt), 0, round(v.sell_amount, 4), clock_timestamp(), total_of(v)
    where total_of(v) > 0
      and exists (select from balance_chains where account = v.account and currency = v.sell_currency)
    on conflict (account, currency, ledger_account) do update set
      funding_begun_at = coalesce(known.funding_begun_at, excluded.funding_begun_at),
      -- guard: payment-debit-uncovered
      uncovered = case when known.amount = 0 and not has_own_debit(v.payment_id, v.attempt) then excluded.uncovered end;
  end if;
  return new;
end $$;

create or replace trigger requests_commit_money before insert on provider_requests
  for each row when (operation_is_non_idempotent(new.operation)) execute function commit_for_request();

-- Payments whose money may be on its way when the history of a currency is followed for the first time, or that were funded
-- while the ledger did not decide: what they take is committed now, also if that is more than there is.
-- Called by: other functions.
create or replace function commit_money_on_its_way(p_account text, p_currency text, p_is_first boolean) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v record;
begin
  if p_is_first then
    insert into ledger_balances (account, currency, ledger_account, amount, short_by)
    select p_account, p_currency, 'run/' || run_id, 0, 0 from runs
    where account = p_account and started_at is not null and finished_at is null
      and exists (select from payments where payments.run_id = runs.run_id and sell_currency = p_currency
        and payment_is_pending(state));
    insert into ledger_balances (account, currency, ledger_account, amount, principal, funding_begun_at, uncovered)
    select p_account, p_currency, ledger_account_of(payment_id, attempt), 0, round(sell_amount, 4), begun.at, total_of(payments)
    from payments cross join lateral (
      select min(begun_at) as at from provider_requests fundings where fundings.payment_id = payments.payment_id
        and fundings.attempt = payments.attempt and operation = 'fund' and outcome_may_be_effect(outcome)) as begun
    where account = p_account and sell_currency = p_currency and total_of(payments) > 0
      -- As far back as the first read goes.
      and begun.at > clock_timestamp() - interval '48 hours'
      and (funded_at > clock_timestamp() - interval '48 hours'
        or payment_id in (select payment_id from provider_requests open where non_idempotent and outcome is null))
    on conflict do nothing;
  end if;
  for v in select ledger_account, uncovered from ledger_balances
    where account = p_account and currency = p_currency and uncovered is not null
  loop
    perform transfer_money(p_account, p_currency, 'free', v.ledger_account, v.uncovered, 'commit', v.ledger_account || '/' || nextval('ledger_causes'));
    update ledger_balances set uncovered = null
    where account = p_account and currency = p_currency and ledger_account = v.ledger_account;
  end loop;
end $$;

-- The ledger has posted a debit as that of this payment or conversion (`p_own`, its ledger account) which is of another one of the
-- same total: what is committed to that one is then for this one. False: there is none.
-- Called by: other functions.
create or replace function take_over_commitment(p_account text, p_currency text, p_own text, p_total numeric) returns boolean language plpgsql
set search_path = public, pg_temp as $$
declare
  v_other text;
  v_first text;
begin
  for v_other in
    select ledger_account from ledger_balances
    where account = p_account and currency = p_currency and kind in ('payment', 'conversion')
      and ledger_account <> p_own and amount = p_total
      -- One that was asked for later has not been debited by then: what is committed to it is for its own debit.
      -- guard: conversion-takes-over-what-was-debited
      and funding_begun_at < (select max(made_at) from ledger_transfers where account = p_account and currency = p_currency
        and debit = p_own and credit = 'outside')
    order by funding_begun_at, ledger_account
  loop
    v_first := coalesce(v_first, v_other);
    -- Its debit may be the one; that of a payment whose funding was not seen may be still to come.
    if debit_is_certain(v_other) then
      v_first := v_other;
      exit;
    end if;
  end loop;
  if v_first is null then return false; end if;
  perform transfer_money(p_account, p_currency, v_first, p_own, p_total, 'commit', p_own || '/' || nextval('ledger_causes'));
  return true;
end $$;

-- Returns the money of a payment that will not be funded to its run, or frees it if the run has ended. Does nothing while a
-- request to fund it may have taken effect.
-- Called by: other functions.
create or replace function release_payment(p_payment uuid, p_attempt integer) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
  v_from text := ledger_account_of(p_payment, p_attempt);
  v_amount numeric;
  v_to text;
begin
  select * into v from payments where payment_id = p_payment;
  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;
  -- Whoever held the lock may have begun one.
  -- guard: committed-while-unknown
  if may_have_been_funded(p_payment, p_attempt) then return; end if;
  update ledger_balances set uncovered = null, funding_begun_at = null
  where account = v.account and currency = v.sell_currency and ledger_account = v_from
  returning amount into v_amount;
  select case when finished_at is null then 'run/' || run_id else 'free' end into v_to from runs where run_id = v.run_id;
  if v_amount > 0 then
    perform transfer_money(v.account, v.sell_currency, v_from, v_to, v_amount, 'release', v_from || '/' || nextval('ledger_causes'));
  end if;
end $$;

-- Releases what is committed to payments that reached a state without a commitment, in the order of the currencies, as every lock
-- of them is taken.
-- Called by: triggers.
create or replace function release_ended_payments() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in
    -- Nothing is committed before a quote.
    select payment_id, attempt, account, sell_currency from after_it
    where not payment_keeps_commitment(state) and quoted_at is not null
    order by sell_currency, row_number
  loop
    -- One by one: a plan over all of them, made for few rows, would be kept for many, or the other way round.
    if exists (select from ledger_balances where account = v.account and currency = v.sell_currency
        and ledger_account = ledger_account_of(v.payment_id, v.attempt) and (amount > 0 or uncovered is not null)) then
      perform release_payment(v.payment_id, v.attempt);
    end if;
  end loop;
  return null;
end $$;

create or replace trigger ended_payments_are_released after update on payments
  referencing new table as after_it for each statement execute function release_ended_payments();

-- Releases the money of a funding that provably had no effect. It is free if the payment has ended; if the payment still waits, it is free
-- as well while less than nothing is free: otherwise nobody could have what is there.
-- Called by: triggers.
create or replace function release_unfunded() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
  v_from text := ledger_account_of(new.payment_id, new.attempt);
  v_amount numeric;
begin
  select * into v from payments where payment_id = new.payment_id;
  if may_have_been_funded(new.payment_id, new.attempt) then return null; end if;
  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;
  update ledger_balances set funding_begun_at = null, uncovered = null
  where account = v.account and currency = v.sell_currency and ledger_account = v_from
  returning amount into v_amount;
  if not found then return null; end if;
  if not payment_keeps_commitment(v.state) then
    perform release_payment(new.payment_id, new.attempt);
  elsif v_amount > 0 and ledger_amount(v.account, v.sell_currency, 'free') < 0 then
    perform transfer_money(v.account, v.sell_currency, v_from, 'free', v_amount, 'release', v_from || '/' || nextval('ledger_causes'));
    perform note_short_run(v.account, v.sell_currency, v.run_id, v_amount);
  end if;
  return null;
end $$;

create or replace trigger unfunded_money_is_released after update of outcome on provider_requests
  for each row when (new.operation = 'fund' and old.outcome is null and not outcome_may_be_effect(new.outcome))
  execute function release_unfunded();

-- Moves a created payment whose money is not there to `awaiting_funds`, without funding it. False: it need not wait, or is
-- further.
-- Called by: worker.
create or replace function await_funds(p_payment uuid) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
begin
  select * into v from payments where payment_id = p_payment for update;
  if not payment_is_unfunded(v.state) or money_covers(p_payment) is not false then return false; end if;
  if v.state = 'created' then
    update payments set state = 'awaiting_funds', awaiting_since = clock_timestamp(), changed_at = clock_timestamp()
    where payment_id = p_payment;
    insert into audit_entries (actor, kind, run_id, payment_id, detail)
    values ('database', 'funds_awaited', v.run_id, p_payment, jsonb_build_object('state', 'awaiting_funds', 'attempt', v.attempt));
  end if;
  return true;
end $$;

-- Whether the money for a payment is committed or there to be committed. Null: the ledger does not decide.
-- Called by: worker.
create or replace function money_covers(p_payment uuid) returns boolean language sql stable
security definer set search_path = public, pg_temp as $$
  select total_of(payments) - ledger_amount(account, sell_currency, ledger_account_of(payment_id, attempt))
    <= money_for_run(account, sell_currency, run_id)
  from payments where payment_id = p_payment
$$;
