-- When a row is due: without a date, on the day on which its run was started.
-- Called by: other functions.
create or replace function due_on(p_payment payments, p_started_on text) returns text language sql stable
set search_path = public, pg_temp as $$
  select coalesce(nullif(p_payment.instruction ->> 'payOn', ''), p_started_on)
$$;

-- The day on which a run was started, in the time zone of its account. Null: it was not.
-- Called by: other functions.
create or replace function started_on(p_run uuid) returns text language sql stable
set search_path = public, pg_temp as $$
  select local_day(account, started_at) from runs where run_id = p_run
$$;

-- What the rows of a run that are due by `p_until` (null: all) will take that is not committed yet. A row that fixes the amount received is estimated by the
-- last one of the same currencies that was quoted; without one, as nothing.
-- Called by: other functions.
create or replace function planned_cost(p_run uuid, p_currency text, p_until text default null) returns numeric language sql stable
set search_path = public, pg_temp as $$
  with rates as materialized (
    select mine.buy_currency, (
        select quoted.total_amount / quoted.buy_amount from payments quoted
        where quoted.account = mine.account and quoted.sell_currency = p_currency and quoted.buy_currency = mine.buy_currency
          and quoted.funded_at is not null and quoted.total_amount > 0 and quoted.buy_amount > 0
        order by quoted.funded_at desc limit 1) as rate
    from (select distinct account, buy_currency from payments where run_id = p_run and sell_currency = p_currency
      and amount_side = 'buy' and total_amount is null and buy_currency <> p_currency
      and payment_is_pending(state)) as mine
  )
  -- Nothing is committed before a quote.
  select coalesce(sum(greatest(0, coalesce(total_of(payments), case when amount_side = 'sell' or buy_currency = p_currency then amount
      else round(amount * rates.rate, 4) end)
    - case when quoted_at is null then 0 else ledger_amount(account, p_currency, ledger_account_of(payment_id, attempt)) end)), 0)
  from payments left join rates using (buy_currency)
  where run_id = p_run and sell_currency = p_currency and payment_is_pending(state)
    and (p_until is null or due_on(payments, (select started_on(p_run))) <= p_until)
$$;

-- What is reserved for other runs and yields to rows of a run that are due by `p_until`: for rows that are due later, and for stopped runs.
-- Called by: other functions.
create or replace function later_reserves(p_run uuid, p_account text, p_currency text, p_until text)
  returns table (ledger_account text, is_stopped boolean, last_due text, yields numeric) language sql stable
set search_path = public, pg_temp as $$
  select held.ledger_account, held.is_stopped, held.last_due,
    -- guard: reserve-yields-what-is-due-later
    case when held.is_stopped then amount else amount - planned_cost(run_id, p_currency, p_until) end as yields
  from (select held.ledger_account, held.amount, runs.run_id, is_stopped(p_account, runs.run_id),
      (select max(due_on(payments, (select started_on(runs.run_id)))) from payments where payments.run_id = runs.run_id and sell_currency = p_currency
        and payment_is_pending(payments.state)) as last_due
    from ledger_balances held join runs on runs.run_id = split_part(held.ledger_account, '/', 2)::uuid
    where held.account = p_account and held.currency = p_currency and held.kind = 'run' and held.amount > 0
      and runs.run_id <> p_run) as held
  where held.is_stopped or held.last_due > p_until
$$;

-- What yields to a run that is not approved yet, by currency, if all of it is due by the last of its days.
-- Called by: worker.
create or replace function yielding_to(p_run uuid) returns table (currency text, amount numeric) language sql stable
security definer set search_path = public, pg_temp as $$
  select sell_currency, (select coalesce(sum(greatest(yields, 0)), 0) from later_reserves(p_run, due.account, sell_currency, due.last_day))
  from (select account, sell_currency, greatest(local_day(account, clock_timestamp()), max(instruction ->> 'payOn')) as last_day
    from payments where run_id = p_run and state = 'ready' group by account, sell_currency) as due
$$;

-- Frees what is reserved for other runs, as far as this one lacks money for its rows that are due first: for rows that are due
-- later, and for stopped runs. Of several, what is due last yields first. The caller holds the lock of the currency.
-- Called by: other functions.
create or replace function free_later_reserves(p_run uuid, p_account text, p_currency text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_until text;
  v_lacking numeric;
  v record;
begin
  if is_stopped(p_account, p_run) then return; end if;
  -- What is overdue is due today.
  select greatest(min(due_on(payments, (select started_on(p_run)))), (select local_day(p_account, clock_timestamp()))) into v_until
  from payments where run_id = p_run and sell_currency = p_currency and payment_is_pending(state);
  v_lacking := planned_cost(p_run, p_currency, v_until) - ledger_amount(p_account, p_currency, 'run/' || p_run)
    - greatest(ledger_amount(p_account, p_currency, 'free'), 0);
  for v in
    select * from later_reserves(p_run, p_account, p_currency, v_until) where v_lacking > 0
    order by is_stopped desc, last_due desc
  loop
    exit when v_lacking <= 0;
    continue when v.yields <= 0;
    v.yields := least(v.yields, v_lacking);
    perform transfer_money(p_account, p_currency, v.ledger_account, 'free', v.yields, 'return',
      v.ledger_account || '/' || nextval('ledger_causes'));
    update ledger_balances set short_by = coalesce(short_by, 0) + v.yields
    where account = p_account and currency = p_currency and ledger_account = v.ledger_account;
    v_lacking := v_lacking - v.yields;
  end loop;
end $$;

-- Reserves what is free for a run, as far as it goes and is needed, and what others have reserved for later
-- (`free_later_reserves`); what it does not need is free again.
-- Called by: other functions.
create or replace function reserve_for_run(p_run uuid, p_account text, p_currency text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_run text := 'run/' || p_run;
  v_missing numeric := planned_cost(p_run, p_currency);
  v_given numeric;
  v_cause text := v_run || '/' || nextval('ledger_causes');
begin
  perform from balance_chains where account = p_account and currency = p_currency for no key update;
  if not found then return; end if;
  v_missing := v_missing - ledger_amount(p_account, p_currency, v_run);
  if v_missing > 0 then
    -- guard: reserves-yield
    perform free_later_reserves(p_run, p_account, p_currency);
    v_given := least(v_missing, greatest(ledger_amount(p_account, p_currency, 'free'), 0));
    perform transfer_money(p_account, p_currency, 'free', v_run, v_given, 'reserve', v_cause);
    perform note_short_run(p_account, p_currency, p_run, v_missing);
  elsif v_missing < 0 then
    perform transfer_money(p_account, p_currency, v_run, 'free', -v_missing, 'return', v_cause);
  end if;
  update ledger_balances set short_by = case when v_missing > v_given then v_missing - v_given end
  where account = p_account and currency = p_currency and ledger_account = v_run;
end $$;

-- If a run lacks money, reserves what is free, and what other runs have too much, for those that lack some: in the order in which
-- their rows are due, then in which they were started. Money that was bought for runs is reserved in the transaction that sees its
-- credit, before any schedule can take it.
-- Called by: other functions.
create or replace function reserve_for_runs(p_account text, p_currency text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_run uuid;
begin
  if not exists (select from ledger_balances where account = p_account and currency = p_currency and kind = 'run'
      and short_by is not null) then
    return;
  end if;
  for v_run in
    select run_id from ledger_balances held join runs on run_id = split_part(held.ledger_account, '/', 2)::uuid
    cross join lateral (
      select min(due_on(payments, (select started_on(runs.run_id)))) as due from payments
      where payments.run_id = runs.run_id and sell_currency = p_currency and payment_is_pending(payments.state)
    ) as open_rows
    where held.account = p_account and held.currency = p_currency and held.kind = 'run'
      and (held.amount > 0 or held.short_by is not null) and finished_at is null
    -- guard: credit-by-due-date
    order by held.short_by is not null, due, started_at, run_id
  loop
    perform reserve_for_run(v_run, p_account, p_currency);
  end loop;
end $$;

-- Reserves what is free for a run that was approved, in every currency of its rows.
-- Called by: triggers.
create or replace function reserve_approved_run() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_currency text;
begin
  for v_currency in select distinct sell_currency from payments where run_id = new.run_id order by 1 loop
    perform reserve_for_run(new.run_id, new.account, v_currency);
  end loop;
  return null;
end $$;

create or replace trigger approved_runs_reserve_money after update of started_at on runs
  for each row when (old.started_at is null and new.started_at is not null and new.finished_at is null)
  execute function reserve_approved_run();

-- What is still reserved for a run that has ended is free again.
-- Called by: triggers.
create or replace function return_reserved() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in select currency from ledger_balances
    where account = new.account and kind = 'run' and (amount > 0 or short_by is not null) and ledger_account = 'run/' || new.run_id
    order by currency
  loop
    perform from balance_chains where account = new.account and currency = v.currency for no key update;
    perform transfer_money(new.account, v.currency, 'run/' || new.run_id, 'free',
      ledger_amount(new.account, v.currency, 'run/' || new.run_id), 'return', 'run/' || new.run_id || '/' || nextval('ledger_causes'));
    update ledger_balances set short_by = null
    where account = new.account and currency = v.currency and ledger_account = 'run/' || new.run_id;
  end loop;
  return null;
end $$;

create or replace trigger ended_runs_return_money after update of finished_at on runs
  for each row when (old.finished_at is null and new.finished_at is not null) execute function return_reserved();

-- Notes that a run lacks money: what becomes free is reserved for it.
-- Called by: other functions.
create or replace function note_short_run(p_account text, p_currency text, p_run uuid, p_missing numeric) returns void language sql
set search_path = public, pg_temp as $$
  insert into ledger_balances as known (account, currency, ledger_account, amount, short_by)
  values (p_account, p_currency, 'run/' || p_run, 0, p_missing)
  on conflict (account, currency, ledger_account) do update set short_by = coalesce(known.short_by, excluded.short_by)
$$;

-- What a run may spend now: what was reserved for it, and what is free. Null: the ledger does not decide.
-- Called by: server and worker.
create or replace function money_for_run(p_account text, p_currency text, p_run uuid) returns numeric language sql stable
security definer set search_path = public, pg_temp as $$
  select case when money_is_known(p_account, p_currency)
    then ledger_amount(p_account, p_currency, 'run/' || p_run) + greatest(ledger_amount(p_account, p_currency, 'free'), 0) end
$$;
