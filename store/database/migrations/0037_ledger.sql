-- Up Migration

-- A double-entry ledger of the money with the provider, for each account and currency whose history can be followed. Ledger
-- accounts: `outside`, `free`, `run/<id>`, `payment/<id>-<attempt>`, `conversion/<id>`. What is not outside is, after every
-- transaction, together the balance after the last entry of the history: a debit is in the history or still committed.
create table ledger_balances (
  account text not null,
  currency text not null,
  ledger_account text not null,
  amount numeric not null,
  kind text not null generated always as (split_part(ledger_account, '/', 1)) stored,
  -- Of a commitment: the part of it without fees; since when the provider may take the money; what it may take although too
  -- little was there to commit it, since the history could not be followed then.
  principal numeric,
  funding_begun_at timestamptz,
  uncovered numeric,
  -- Of a run: what it lacks; null: nothing, as far as is known.
  short_by numeric,
  primary key (account, currency, ledger_account),
  constraint only_these_accounts check (kind in ('outside', 'free', 'run', 'payment', 'conversion')),
  -- More than there is can only be taken by others than payrun.
  constraint nothing_is_spent_twice check (amount >= 0 or kind in ('outside', 'free'))
);
create index ledger_commitments on ledger_balances (account, currency, amount, funding_begun_at)
  where kind in ('payment', 'conversion') and amount > 0;
create index ledger_uncovered on ledger_balances (account, currency) where uncovered is not null;
create index ledger_runs on ledger_balances (account, currency) where kind = 'run' and (amount > 0 or short_by is not null);

create table ledger_transfers (
  transfer_id bigint generated always as identity primary key,
  account text not null,
  currency text not null,
  -- Taken from, and given to.
  debit text not null,
  credit text not null,
  amount numeric not null check (amount > 0),
  reason text not null check (reason in ('opening', 'entry', 'missing_entries', 'matched_later', 'reserve', 'return', 'commit',
    'release', 'not_in_history')),
  -- The entry, the request, or what else it follows from: nothing has an effect twice.
  cause text not null,
  made_at timestamptz not null default clock_timestamp(),
  check (debit <> credit),
  constraint one_transfer_for_each_cause unique (account, currency, reason, cause, debit, credit)
);
create index ledger_transfers_by_debit on ledger_transfers (debit, transfer_id) where debit not in ('outside', 'free');
create index ledger_transfers_by_credit on ledger_transfers (credit, transfer_id) where credit not in ('outside', 'free');
create index ledger_transfers_in_order on ledger_transfers (account, currency, transfer_id);
-- Causes that have no id of their own.
create sequence ledger_causes;

-- What people should look at. An open one has no end.
create table money_alarms (
  alarm_id bigint generated always as identity primary key,
  account text not null,
  currency text not null,
  kind text not null check (kind in ('free_negative', 'debit_not_found')),
  ledger_account text not null,
  amount numeric not null,
  raised_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create unique index one_open_alarm on money_alarms (account, currency, kind, ledger_account) where ended_at is null;

create function refuse_change_of_transfer() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'a transfer of the ledger is kept as it was made';
end $$;
create trigger ledger_transfers_are_kept before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change_of_transfer();

-- What a payment takes from the balance, as far as it is known. Amounts of the provider may be floats.
create function total_of(p_payment payments) returns numeric language sql immutable
set search_path = public, pg_temp as $$
  select case when scale(taken) > 4 then round(taken, 4) else taken end
  from (select coalesce(p_payment.total_amount, p_payment.sell_amount) as taken) as amounts
$$;

create function ledger_account_of(p_payment uuid, p_attempt integer) returns text language sql immutable
set search_path = public, pg_temp as $$
  select 'payment/' || p_payment || '-' || p_attempt
$$;

create function ledger_amount(p_account text, p_currency text, p_ledger_account text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  select coalesce((select amount from ledger_balances
    where account = p_account and currency = p_currency and ledger_account = p_ledger_account), 0)
$$;

-- Whoever transfers holds the lock of the currency: its row in balance_chains.
create function transfer_money(p_account text, p_currency text, p_debit text, p_credit text, p_amount numeric, p_reason text,
  p_cause text) returns void language plpgsql
set search_path = public, pg_temp as $$
begin
  if p_amount = 0 then return; end if;
  insert into ledger_transfers (account, currency, debit, credit, amount, reason, cause)
  values (p_account, p_currency, p_debit, p_credit, p_amount, p_reason, p_cause);
  update ledger_balances set amount = amount - p_amount
  where account = p_account and currency = p_currency and ledger_account = p_debit;
  if not found then
    insert into ledger_balances (account, currency, ledger_account, amount) values (p_account, p_currency, p_debit, -p_amount);
  end if;
  insert into ledger_balances as known (account, currency, ledger_account, amount)
  values (p_account, p_currency, p_credit, p_amount)
  on conflict (account, currency, ledger_account) do update set amount = known.amount + excluded.amount;
end $$;

-- After every transaction that changed either.
create function verify_ledger() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_outside numeric := ledger_amount(new.account, new.currency, 'outside');
  v_last numeric;
begin
  select last_amount into v_last from balance_chains where account = new.account and currency = new.currency;
  if v_outside is distinct from -v_last then
    raise exception 'the ledger of % in % has %, and the history %', new.account, new.currency, -v_outside, v_last;
  end if;
  return null;
end $$;
create constraint trigger ledger_equals_history after insert or update on ledger_balances deferrable initially deferred
  for each row when (new.ledger_account = 'outside') execute function verify_ledger();
create constraint trigger history_equals_ledger after insert or update on balance_chains deferrable initially deferred
  for each row execute function verify_ledger();

-- Whether the ledger decides what may be funded: the history is followed, and was read lately. Otherwise the provider does,
-- as it does in any case. An entry that is missing for long may be money that somebody waits for.
create function money_is_known(p_account text, p_currency text) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from balance_chains where account = p_account and currency = p_currency and unfollowed_since is null
      and coalesce(gap_since > clock_timestamp() - interval '30 minutes', true))
    and exists (select from history_windows where account = p_account and not is_gap
      and read_at > clock_timestamp() - interval '30 minutes')
$$;

-- What a run may spend now: what was reserved for it, and what is free. Null: the ledger does not decide.
create function money_for_run(p_account text, p_currency text, p_run uuid) returns numeric language sql stable
security definer set search_path = public, pg_temp as $$
  select case when money_is_known(p_account, p_currency)
    then ledger_amount(p_account, p_currency, 'run/' || p_run) + greatest(ledger_amount(p_account, p_currency, 'free'), 0) end
$$;

-- Whether the money for a payment is committed or there to be committed. Null: the ledger does not decide.
create function money_covers(p_payment uuid) returns boolean language sql stable
security definer set search_path = public, pg_temp as $$
  select total_of(payments) - ledger_amount(account, sell_currency, ledger_account_of(payment_id, attempt))
    <= money_for_run(account, sell_currency, run_id)
  from payments where payment_id = p_payment
$$;

-- Money that becomes free is reserved for the runs that lack some.
create function note_short_run(p_account text, p_currency text, p_run uuid, p_missing numeric) returns void language sql
set search_path = public, pg_temp as $$
  insert into ledger_balances as known (account, currency, ledger_account, amount, short_by)
  values (p_account, p_currency, 'run/' || p_run, 0, p_missing)
  on conflict (account, currency, ledger_account) do update set short_by = coalesce(known.short_by, excluded.short_by)
$$;

-- Commits what a payment takes, from what is reserved for its run, then from what is free: all of it or nothing. False: too
-- little is there, and the ledger decides.
create function commit_payment(p_payment uuid, p_cause text) returns boolean language plpgsql
set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
  v_to text;
  v_run text;
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
  -- Its money has left already.
  if exists (select from ledger_transfers where debit = v_to and credit = 'outside') then return true; end if;
  v_missing := total_of(v) - ledger_amount(v.account, v.sell_currency, v_to);
  if v_missing < 0 then
    perform transfer_money(v.account, v.sell_currency, v_to, v_run, -v_missing, 'release', p_cause);
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
create function commit_for_request() returns trigger language plpgsql
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
      uncovered = case when known.amount = 0 and not exists (select from ledger_transfers
        where debit = known.ledger_account and credit = 'outside') then excluded.uncovered end;
  end if;
  return new;
end $$;
create trigger requests_commit_money before insert on provider_requests
  for each row when (new.operation in ('create', 'fund')) execute function commit_for_request();

-- Whether the provider was asked to take the money for an attempt, and may have.
create function may_have_been_funded(p_payment uuid, p_attempt integer) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from provider_requests where payment_id = p_payment and attempt = p_attempt and operation = 'fund'
    and coalesce(outcome, 'took_effect') = 'took_effect')
$$;

-- Money of a payment that is not to be funded any more goes back to its run, or is free when that has ended.
create function release_payment(p_payment uuid, p_attempt integer) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
  v_from text := ledger_account_of(p_payment, p_attempt);
  v_amount numeric;
  v_to text;
begin
  if may_have_been_funded(p_payment, p_attempt) then return; end if;
  select * into v from payments where payment_id = p_payment;
  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;
  update ledger_balances set uncovered = null, funding_begun_at = null
  where account = v.account and currency = v.sell_currency and ledger_account = v_from
  returning amount into v_amount;
  select case when finished_at is null then 'run/' || run_id else 'free' end into v_to from runs where run_id = v.run_id;
  if v_amount > 0 then
    perform transfer_money(v.account, v.sell_currency, v_from, v_to, v_amount, 'release', v_from || '/' || nextval('ledger_causes'));
  end if;
end $$;

-- In the order of the currencies, as everybody locks them.
create function release_ended_payments() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in
    -- Nothing is committed before a quote.
    select payment_id, attempt, account, sell_currency from after_it
    where state not in ('quoted', 'created', 'awaiting_funds', 'funded', 'processing') and quoted_at is not null
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
create trigger ended_payments_are_released after update on payments
  referencing new table as after_it for each statement execute function release_ended_payments();

-- A funding that had no effect: its money cannot have left, and is free if the payment has ended meanwhile. Of a payment that
-- waits on, it is free as well if it is not there: else nobody could have what is.
create function release_unfunded() returns trigger language plpgsql
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
  if v.state not in ('quoted', 'created', 'awaiting_funds', 'funded', 'processing') then
    perform release_payment(new.payment_id, new.attempt);
  elsif v_amount > 0 and ledger_amount(v.account, v.sell_currency, 'free') < 0 then
    perform transfer_money(v.account, v.sell_currency, v_from, 'free', v_amount, 'release', v_from || '/' || nextval('ledger_causes'));
    perform note_short_run(v.account, v.sell_currency, v.run_id, v_amount);
  end if;
  return null;
end $$;
create trigger unfunded_money_is_released after update of outcome on provider_requests
  for each row when (new.operation = 'fund' and old.outcome is null and new.outcome in ('had_no_effect', 'refused'))
  execute function release_unfunded();

-- What the last payment of two currencies has cost.
create index payments_by_currencies on payments (account, sell_currency, buy_currency, funded_at) where funded_at is not null;

-- What the rows of a run will take that is not committed yet. A row that fixes the amount received is estimated by the
-- last one of the same currencies that was quoted; without one, as nothing.
create function planned_cost(p_run uuid, p_currency text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  with rates as materialized (
    select mine.buy_currency, (
        select quoted.total_amount / quoted.buy_amount from payments quoted
        where quoted.account = mine.account and quoted.sell_currency = p_currency and quoted.buy_currency = mine.buy_currency
          and quoted.funded_at is not null and quoted.total_amount > 0 and quoted.buy_amount > 0
        order by quoted.funded_at desc limit 1) as rate
    from (select distinct account, buy_currency from payments where run_id = p_run and sell_currency = p_currency
      and amount_side = 'buy' and total_amount is null and buy_currency <> p_currency
      and state in ('ready', 'quoted', 'created', 'awaiting_funds')) as mine
  )
  -- Nothing is committed before a quote.
  select coalesce(sum(greatest(0, coalesce(total_of(payments), case when amount_side = 'sell' or buy_currency = p_currency then amount
      else round(amount * rates.rate, 4) end)
    - case when quoted_at is null then 0 else ledger_amount(account, p_currency, ledger_account_of(payment_id, attempt)) end)), 0)
  from payments left join rates using (buy_currency)
  where run_id = p_run and sell_currency = p_currency and state in ('ready', 'quoted', 'created', 'awaiting_funds')
$$;

-- Reserves what is free for a run, as far as it goes and is needed; what it does not need is free again.
create function reserve_for_run(p_run uuid, p_account text, p_currency text) returns void language plpgsql
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
    v_given := least(v_missing, greatest(ledger_amount(p_account, p_currency, 'free'), 0));
    perform transfer_money(p_account, p_currency, 'free', v_run, v_given, 'reserve', v_cause);
    perform note_short_run(p_account, p_currency, p_run, v_missing);
  elsif v_missing < 0 then
    perform transfer_money(p_account, p_currency, v_run, 'free', -v_missing, 'return', v_cause);
  end if;
  update ledger_balances set short_by = case when v_missing > v_given then v_missing - v_given end
  where account = p_account and currency = p_currency and ledger_account = v_run;
end $$;

-- If a run lacks money: what others have too much, and what is free, goes to those that lack some, in the order in which they
-- were started.
create function reserve_for_runs(p_account text, p_currency text) returns void language plpgsql
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
    where held.account = p_account and held.currency = p_currency and held.kind = 'run'
      and (held.amount > 0 or held.short_by is not null) and finished_at is null
    order by held.short_by is not null, started_at, run_id
  loop
    perform reserve_for_run(v_run, p_account, p_currency);
  end loop;
end $$;

create function reserve_approved_run() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_currency text;
begin
  for v_currency in select distinct sell_currency from payments where run_id = new.run_id order by 1 loop
    perform reserve_for_run(new.run_id, new.account, v_currency);
  end loop;
  return null;
end $$;
create trigger approved_runs_reserve_money after update of started_at on runs
  for each row when (old.started_at is null and new.started_at is not null and new.finished_at is null)
  execute function reserve_approved_run();

create function return_reserved() returns trigger language plpgsql
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
create trigger ended_runs_return_money after update of finished_at on runs
  for each row when (old.finished_at is null and new.finished_at is not null) execute function return_reserved();

-- For a conversion, before it is created: all of it or nothing. False: too little is free, and the ledger decides. Called
-- within the transaction that records the intent.
create function commit_conversion(p_account text, p_currency text, p_conversion text, p_total numeric, p_principal numeric)
returns boolean language plpgsql
set search_path = public, pg_temp as $$
declare
  v_to text := 'conversion/' || p_conversion;
  v_missing numeric;
begin
  perform from balance_chains where account = p_account and currency = p_currency for no key update;
  if not found or exists (select from ledger_transfers where debit = v_to and credit = 'outside') then return true; end if;
  v_missing := p_total - ledger_amount(p_account, p_currency, v_to);
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

-- Before a conversion is funded: from then on its debit may be in the history.
create function note_conversion_funding(p_account text, p_currency text, p_conversion text) returns void language sql
set search_path = public, pg_temp as $$
  update ledger_balances set funding_begun_at = coalesce(funding_begun_at, clock_timestamp())
  where account = p_account and currency = p_currency and ledger_account = 'conversion/' || p_conversion
$$;

-- Refused, or provably never created.
create function release_conversion(p_account text, p_currency text, p_conversion text) returns void language plpgsql
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

-- Payments whose money may be on its way when the history of a currency is followed for the first time, or that were funded
-- while the ledger did not decide: what they take is committed now, also if that is more than there is.
create function commit_money_on_its_way(p_account text, p_currency text, p_is_first boolean) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v record;
begin
  if p_is_first then
    insert into ledger_balances (account, currency, ledger_account, amount, short_by)
    select p_account, p_currency, 'run/' || run_id, 0, 0 from runs
    where account = p_account and started_at is not null and finished_at is null
      and exists (select from payments where payments.run_id = runs.run_id and sell_currency = p_currency
        and state in ('ready', 'quoted', 'created', 'awaiting_funds'));
    insert into ledger_balances (account, currency, ledger_account, amount, principal, funding_begun_at, uncovered)
    select p_account, p_currency, ledger_account_of(payment_id, attempt), 0, round(sell_amount, 4), begun.at, total_of(payments)
    from payments cross join lateral (
      select min(begun_at) as at from provider_requests fundings where fundings.payment_id = payments.payment_id
        and fundings.attempt = payments.attempt and operation = 'fund' and coalesce(outcome, 'took_effect') = 'took_effect') as begun
    where account = p_account and sell_currency = p_currency and total_of(payments) > 0
      -- As far back as the first read goes.
      and begun.at > clock_timestamp() - interval '48 hours'
      and (funded_at > clock_timestamp() - interval '48 hours'
        or payment_id in (select payment_id from provider_requests open where exclusive and outcome is null))
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

-- Money that came from outside, or went there if it is negative, whatever moved it.
create function transfer_balance(p_account text, p_currency text, p_change numeric, p_reason text, p_cause text) returns void
language sql
set search_path = public, pg_temp as $$
  select case when p_change > 0 then transfer_money(p_account, p_currency, 'outside', 'free', p_change, p_reason, p_cause)
    else transfer_money(p_account, p_currency, 'free', 'outside', -p_change, p_reason, p_cause) end
$$;

-- Until when a funding must have begun whose debit the entry may be. Dates may be days, or times without a zone, which is any.
create function last_funding_of(p balance_entries) returns timestamptz language sql immutable
set search_path = public, pg_temp as $$
  select p.dated_at + case when p.date_given ~* ':\d\d.*(z|[+-]\d\d(:?\d\d)?)\s*$' then interval '15 minutes' else interval '26 hours' end
$$;

-- An entry of the history: what it takes is that of a commitment of exactly this amount whose money the provider was asked to
-- take, the oldest of several (they are interchangeable); else it is free money that came or went. Fees may have an entry of
-- their own, next to the other one or with its transaction id.
create function post_entry(p balance_entries) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_taken numeric := p.amount_before - p.amount_after;
  v_match text;
  v_other record;
begin
  if v_taken < 0 then
    perform transfer_balance(p.account, p.currency, -v_taken, 'entry', p.entry_id);
    return;
  end if;
  select ledger_account into v_match from ledger_balances
  where account = p.account and currency = p.currency and kind in ('payment', 'conversion') and amount > 0
    and amount = v_taken and funding_begun_at <= last_funding_of(p)
  order by funding_begun_at limit 1;
  if found then
    perform transfer_money(p.account, p.currency, v_match, 'outside', v_taken, 'entry', p.entry_id);
    return;
  end if;
  select ledger_account, entry_id, other.amount_before - other.amount_after as taken into v_other
  from balance_entries other join ledger_balances held on held.account = p.account and held.currency = p.currency
    and held.kind in ('payment', 'conversion') and held.amount > 0
    and held.amount = v_taken + other.amount_before - other.amount_after and held.principal in (v_taken, held.amount - v_taken)
    and held.funding_begun_at <= least(last_funding_of(p), last_funding_of(other))
  where other.account = p.account and other.currency = p.currency and other.position between p.position - 20 and p.position - 1
    and other.amount_after < other.amount_before
    and (other.position = p.position - 1 or other.transaction_id = p.transaction_id)
    and exists (select from ledger_transfers posted where posted.account = p.account and posted.currency = p.currency
      and posted.reason = 'entry' and posted.cause = other.entry_id and posted.debit = 'free' and posted.credit = 'outside')
    and not exists (select from ledger_transfers posted where posted.account = p.account and posted.currency = p.currency
      and posted.reason = 'matched_later' and posted.cause = other.entry_id)
  order by other.position desc, held.funding_begun_at limit 1;
  if found then
    perform transfer_money(p.account, p.currency, v_other.ledger_account, 'outside', v_taken, 'entry', p.entry_id);
    perform transfer_money(p.account, p.currency, v_other.ledger_account, 'free', v_other.taken, 'matched_later', v_other.entry_id);
  else
    perform transfer_money(p.account, p.currency, 'free', 'outside', v_taken, 'entry', p.entry_id);
    -- A debit that came when the money of its payment was free again.
    update money_alarms set ended_at = clock_timestamp() where alarm_id = (
      select alarm_id from money_alarms where account = p.account and currency = p.currency and kind = 'debit_not_found'
        and amount = v_taken and ended_at is null order by alarm_id limit 1);
  end if;
end $$;

-- Others than payrun have taken more than was free: then payments that are committed may be refused.
create function note_free_money(p_account text, p_currency text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_free numeric := ledger_amount(p_account, p_currency, 'free');
begin
  if v_free >= 0 then
    update money_alarms set ended_at = clock_timestamp()
    where account = p_account and currency = p_currency and kind = 'free_negative' and ended_at is null;
  else
    insert into money_alarms as open (account, currency, kind, ledger_account, amount)
    values (p_account, p_currency, 'free_negative', 'free', v_free)
    on conflict (account, currency, kind, ledger_account) where ended_at is null do update set amount = excluded.amount;
  end if;
end $$;

-- After every read of the history, also one without new entries: what was funded while the ledger did not decide is committed
-- before the ledger decides again. A payment that ended an hour before the read, and whose debit is not in a complete history:
-- that has another form, and was taken from the free money, or there was none. Then what is free is reserved for runs.
create function settle_ledger(p_account text) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_chain record;
  v record;
begin
  for v_chain in select currency from balance_chains where account = p_account and gap_since is null order by currency loop
    perform from balance_chains where account = p_account and currency = v_chain.currency for no key update;
    perform commit_money_on_its_way(p_account, v_chain.currency, false);
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
    perform reserve_for_runs(p_account, v_chain.currency);
    perform note_free_money(p_account, v_chain.currency);
  end loop;
end $$;

-- A created payment whose money is not there waits for it, without being funded. False: it need not wait, or is further.
create function await_funds(p_payment uuid) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
begin
  select * into v from payments where payment_id = p_payment for update;
  if v.state not in ('created', 'awaiting_funds') or money_covers(p_payment) is not false then return false; end if;
  if v.state = 'created' then
    update payments set state = 'awaiting_funds', awaiting_since = clock_timestamp(), changed_at = clock_timestamp()
    where payment_id = p_payment;
    insert into audit_entries (actor, kind, run_id, payment_id, detail)
    values ('record', 'funds_awaited', v.run_id, p_payment, jsonb_build_object('state', 'awaiting_funds', 'attempt', v.attempt));
  end if;
  return true;
end $$;

-- Adds new entries of one account and currency, and gives entries their positions from `p_from` on, in the order of `p_order`:
-- it contains every entry that has such a position already, and each begins with the balance that the one before it ended
-- with. With `p_restart`, the first may begin with any: what is missing before it was given up. Null: somebody else has
-- changed the chain since `p_version`; else its next version. What gets a position is posted in the ledger.
create or replace function store_balance_entries(
  p_account text, p_currency text, p_version integer, p_new jsonb, p_from bigint, p_order text[], p_disregarded jsonb,
  p_gap_until timestamptz, p_is_gap_read boolean, p_max_gap_reads integer, p_restart boolean
) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v balance_chains%rowtype;
  v_before numeric;
  v_placed integer;
  v_has_grown boolean := false;
  v_is_first boolean;
  v_posted text[];
  v_entry balance_entries%rowtype;
  v_first numeric;
begin
  insert into balance_chains (account, currency, version, opening, started_at, last_amount, last_position, last_dated_at)
  select p_account, p_currency, 0, (entry ->> 'before')::numeric, (entry ->> 'datedAt')::timestamptz, (entry ->> 'before')::numeric, 0,
    (entry ->> 'datedAt')::timestamptz
  from jsonb_array_elements(p_new) as entry where p_version = 0 and entry ->> 'entryId' = p_order[1]
  on conflict do nothing;
  v_is_first := found;
  select * into v from balance_chains where account = p_account and currency = p_currency for update;
  if v.version is distinct from p_version then return null; end if;

  insert into balance_entries (account, currency, entry_id, amount_before, amount_after, total_amount, transaction_id,
    transaction_type, dated_at, date_given)
  select p_account, p_currency, entry ->> 'entryId', (entry ->> 'before')::numeric, (entry ->> 'after')::numeric,
    (entry ->> 'total')::numeric, entry ->> 'transactionId', entry ->> 'type', (entry ->> 'datedAt')::timestamptz, entry ->> 'date'
  from jsonb_array_elements(p_new) as entry;
  update balance_entries set disregarded = why
  from jsonb_each_text(p_disregarded) as given (id, why)
  where account = p_account and currency = p_currency and entry_id = id and position is null;

  if cardinality(p_order) > 0 then
    if p_from > v.last_position + 1 or p_from < 1 or (p_restart and p_from <> v.last_position + 1)
      or (p_from <= v.started_position and v.last_position > 0) then
      raise exception 'entries are placed after those that have their place';
    end if;
    if exists (select from balance_entries where account = p_account and currency = p_currency and position >= p_from
        and entry_id <> all (p_order)) then
      raise exception 'an entry that has a place keeps one';
    end if;
    v_has_grown := p_from + cardinality(p_order) - 1 > v.last_position;
    v_before := case when p_from = 1 then v.opening
      else (select amount_after from balance_entries where account = p_account and currency = p_currency and position = p_from - 1) end;
    v_posted := array(select entry_id from balance_entries
      where account = p_account and currency = p_currency and entry_id = any (p_order) and position is null);
    -- What looked like a copy is none once the entry between the two is seen.
    update balance_entries set position = p_from + place - 1, disregarded = null
    from unnest(p_order) with ordinality as placed (id, place)
    where account = p_account and currency = p_currency and entry_id = id and coalesce(disregarded = 'copy', true);
    get diagnostics v_placed = row_count;
    if v_placed <> cardinality(p_order) then raise exception 'an entry is placed once'; end if;
    if exists (select from (
        select position, amount_before, lag(amount_after, 1, v_before) over (order by position) as balance
        from balance_entries where account = p_account and currency = p_currency and position >= p_from) as chain
      where amount_before <> balance and not (p_restart and position = p_from)) then
      raise exception 'an entry begins with the balance that the one before it ended with';
    end if;
    if v_is_first then
      perform transfer_balance(p_account, p_currency, v.opening, 'opening', p_currency);
    elsif p_restart then
      select amount_before into v_first from balance_entries
      where account = p_account and currency = p_currency and position = p_from;
      perform transfer_balance(p_account, p_currency, v_first - v_before, 'missing_entries', p_order[1]);
    end if;
    perform commit_money_on_its_way(p_account, p_currency, v_is_first);
    for v_entry in select * from balance_entries
      where account = p_account and currency = p_currency and entry_id = any (v_posted) order by position
    loop
      perform post_entry(v_entry);
    end loop;
    select amount_after, position, dated_at into v.last_amount, v.last_position, v.last_dated_at
    from balance_entries where account = p_account and currency = p_currency and position >= p_from order by position desc limit 1;
  end if;

  update balance_chains set version = p_version + 1, last_amount = v.last_amount, last_position = v.last_position,
    last_dated_at = v.last_dated_at,
    started_position = case when p_restart then p_from else started_position end,
    started_at = case when p_restart then (select dated_at from balance_entries
      where account = p_account and currency = p_currency and position = p_from) else started_at end,
    gap_until = p_gap_until,
    gap_since = case when p_gap_until is null then null when p_restart then clock_timestamp() else coalesce(gap_since, clock_timestamp()) end,
    gap_reads = case when p_gap_until is null or v_has_grown or p_gap_until < gap_until then 0
      when p_is_gap_read then gap_reads + 1 else gap_reads end,
    unfollowed_since = case when p_gap_until is null then null
      when p_is_gap_read and not v_has_grown and p_gap_until is not distinct from gap_until and gap_reads + 1 >= p_max_gap_reads
        then coalesce(unfollowed_since, clock_timestamp())
      else unfollowed_since end
  where account = p_account and currency = p_currency;
  perform reserve_for_runs(p_account, p_currency);
  perform note_free_money(p_account, p_currency);
  return p_version + 1;
end $$;

create index balance_entries_copies on balance_entries (account, currency, dated_at) where position is null and disregarded = 'copy';

-- Of histories that are followed already, everything is free at first.
select transfer_balance(account, currency, last_amount, 'opening', currency) from balance_chains;
