-- Up Migration

-- Receipts, and what explains them: refunds of payments, fundings, deposits, or a person. A receipt is an increase of a balance
-- in the history: only that proves that money came.

create index balance_debits_by_transaction on balance_entries (account, currency, transaction_id)
  where amount_after < amount_before and transaction_id is not null;

create table receipts (
  account text not null,
  currency text not null,
  entry_id text not null,
  amount numeric not null check (amount > 0),
  dated_at timestamptz not null,
  seen_at timestamptz not null default clock_timestamp(),
  transaction_id text,
  -- It has the transaction id of an earlier debit: money that comes back.
  follows_debit boolean not null,
  -- Null: by nothing yet.
  explained_by text check (explained_by in ('refund', 'funding', 'deposit', 'conversion', 'person')),
  explained_at timestamptz,
  primary key (account, currency, entry_id),
  constraint receipts_are_entries foreign key (account, currency, entry_id) references balance_entries,
  constraint explained_once check ((explained_by is null) = (explained_at is null))
);
create index unexplained_receipts on receipts (account, currency, amount, dated_at) where explained_by is null;
create index receipts_of_fundings_and_deposits on receipts (account, explained_at) where explained_by in ('funding', 'deposit');

create function note_receipt() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into receipts (account, currency, entry_id, amount, dated_at, transaction_id, follows_debit)
  values (new.account, new.currency, new.entry_id, new.amount_after - new.amount_before, new.dated_at, new.transaction_id,
    exists (select from balance_entries debits where debits.account = new.account and debits.currency = new.currency
      and debits.transaction_id = new.transaction_id and debits.amount_after < debits.amount_before
      and debits.position < new.position))
  on conflict do nothing;
  return null;
end $$;
create trigger receipts_are_noted after update of position on balance_entries
  for each row when (old.position is null and new.position is not null and new.amount_after > new.amount_before)
  execute function note_receipt();

insert into receipts (account, currency, entry_id, amount, dated_at, transaction_id, follows_debit)
select account, currency, entry_id, amount_after - amount_before, dated_at, transaction_id,
  exists (select from balance_entries debits where debits.account = entries.account and debits.currency = entries.currency
    and debits.transaction_id = entries.transaction_id and debits.amount_after < debits.amount_before
    and debits.position < entries.position)
from balance_entries entries where position is not null and amount_after > amount_before;

-- Lists of the provider that are read as a whole. That of fundings has pages, without an order or an end.
create table listings (
  account text not null,
  kind text not null check (kind in ('refunds', 'fundings')),
  -- The last request, and the last that was answered.
  asked_at timestamptz not null,
  answered_at timestamptz,
  -- The pass through the pages that goes on: when it began, and which page is next; null: none does.
  begun_at timestamptz,
  next_page integer,
  -- When the last pass that was read to its end began.
  read_at timestamptz,
  -- How many entries of the last answer could not be read.
  unreadable integer not null default 0,
  primary key (account, kind)
);

-- Refunds as the provider shows them: without a status or a date. Those that only a notification named have no amount.
create table refunds (
  account text not null,
  refund_id text not null,
  resource text,
  resource_id text,
  currency text,
  amount numeric,
  remarks text,
  first_seen_at timestamptz not null default clock_timestamp(),
  -- When it was asked for by its id, and how often.
  asked_at timestamptz,
  times_asked integer not null default 0,
  -- When the provider first showed it.
  read_at timestamptz,
  -- The receipt of its money, and the date of that.
  entry_id text,
  credited_at timestamptz,
  primary key (account, refund_id),
  constraint refunds_are_shown_whole check ((read_at is null) = (amount is null) and (read_at is null) = (currency is null)),
  constraint refunds_are_credited_whole check ((entry_id is null) = (credited_at is null)),
  constraint credited_by_a_receipt foreign key (account, currency, entry_id) references receipts
);
create unique index one_refund_for_each_receipt on refunds (account, currency, entry_id) where entry_id is not null;
create index refunds_of_a_payment on refunds (account, resource_id) where resource_id is not null;
create index refunds_not_credited on refunds (account, currency, amount) where entry_id is null;

create function refuse_change_of_refund() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'a refund is kept as it was first shown' using errcode = 'check_violation';
end $$;
create trigger refunds_keep_their_content before update of resource, resource_id, currency, amount, read_at, entry_id, credited_at on refunds
  for each row when ((old.read_at is not null and (old.currency, old.amount, old.read_at) is distinct from (new.currency, new.amount, new.read_at))
    or (old.resource is not null and new.resource is distinct from old.resource)
    or (old.resource_id is not null and new.resource_id is distinct from old.resource_id)
    or (old.entry_id is not null and (new.entry_id, new.credited_at) is distinct from (old.entry_id, old.credited_at)))
  execute function refuse_change_of_refund();

-- What came back of a payment, and the date of the last receipt of it.
alter table payments add column returned_amount numeric, add column returned_at timestamptz;
create index payments_that_came_back on payments (account) where returned_amount is not null and state = 'paid';
create index payments_paid_lately on payments (account, ended_at) where state = 'paid';
create index payments_that_failed on payments (account, ended_at) where state in ('rejected', 'failed');

-- The earliest time of a receipt of what comes back of a payment. Null: it is not one of payrun.
create function may_come_back_since(p payments) returns timestamptz language sql stable
set search_path = public, pg_temp as $$
  select coalesce(least((select min(begun_at) from provider_requests where payment_id = p.payment_id and operation = 'fund'), p.funded_at),
    p.created_at, p.quoted_at) - interval '15 minutes'
$$;

-- All of it came back, perhaps without the fees.
create function has_come_back(p_payment payments) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select coalesce(p_payment.sell_amount > 0 and p_payment.returned_amount >= round(p_payment.sell_amount, 4), false)
$$;

create function refuse_return_without_money() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if not has_come_back(new) then
    raise exception 'a payment is returned once the history shows its money' using errcode = 'check_violation';
  end if;
  perform note('record', 'payment_returned', new.run_id, new.payment_id,
    jsonb_build_object('state', 'returned', 'attempt', new.attempt));
  return new;
end $$;
create trigger payments_return_with_their_money before update of state on payments
  for each row when (new.state = 'returned' and old.state <> 'returned') execute function refuse_return_without_money();

-- Fundings as the provider shows them: without a date. Those that only a notification named have no amount.
create table fundings (
  account text not null,
  funding_id text not null,
  balance_id text,
  currency text,
  amount numeric,
  reference text,
  -- As last read; and when that read began.
  status text,
  status_read_at timestamptz,
  first_seen_at timestamptz not null default clock_timestamp(),
  -- It was completed when it was first shown: its money came before that.
  was_completed boolean not null default false,
  -- When the read began that showed it completed after another status.
  completed_at timestamptz,
  asked_at timestamptz,
  times_asked integer not null default 0,
  -- The pass through the list that showed it last.
  listed_at timestamptz,
  entry_id text,
  credited_at timestamptz,
  primary key (account, funding_id),
  constraint fundings_are_shown_whole check ((status is null) = (amount is null) and (status is null) = (currency is null)
    and (status is null) = (status_read_at is null)),
  constraint fundings_are_credited_whole check ((entry_id is null) = (credited_at is null)),
  constraint funded_by_a_receipt foreign key (account, currency, entry_id) references receipts
);
create unique index one_funding_for_each_receipt on fundings (account, currency, entry_id) where entry_id is not null;
create index fundings_not_credited on fundings (account, currency, amount) where entry_id is null;

-- What notifications said of deposits on virtual accounts: unsigned, and without a currency. Each amount that was said for a
-- transaction is a report of its own, so that a false one keeps no true one away.
create table deposits (
  account text not null,
  transaction_id text not null,
  amount numeric not null check (amount > 0),
  status text not null,
  virtual_account_id text,
  account_number text,
  reported_at timestamptz not null default clock_timestamp(),
  last_reported_at timestamptz not null default clock_timestamp(),
  -- The receipt that confirms it.
  currency text,
  entry_id text,
  confirmed_at timestamptz,
  primary key (account, transaction_id, amount),
  constraint deposits_are_confirmed_whole check ((entry_id is null) = (confirmed_at is null) and (entry_id is null) = (currency is null)),
  constraint confirmed_by_a_receipt foreign key (account, currency, entry_id) references receipts
);
create unique index one_deposit_for_each_receipt on deposits (account, currency, entry_id) where entry_id is not null;
create index deposits_by_amount on deposits (account, amount, reported_at);

-- What people have said that receipts are.
create table receipt_assignments (
  assignment_id uuid primary key default gen_random_uuid(),
  account text not null,
  currency text not null,
  entry_id text not null,
  -- Null: something that payrun does not know.
  refund_id text,
  remark_id uuid references remarks,
  assigned_by uuid not null references users,
  token_id uuid,
  assigned_at timestamptz not null default clock_timestamp(),
  foreign key (account, currency, entry_id) references receipts
);
create index assignments_of_a_receipt on receipt_assignments (account, currency, entry_id, assigned_at);
create trigger assignments_are_append_only before update or delete or truncate on receipt_assignments
  for each statement execute function refuse_change_of_record();

-- Conversions that may still be credited with an amount: also those of which it is not known whether they were funded.
create function conversions_to_credit(p_account text, p_currency text, p_amount numeric) returns bigint language sql stable
set search_path = public, pg_temp as $$
  select count(*) from conversion_orders where account = p_account and buy_currency = p_currency and buy_amount = p_amount
    and credit_entry_id is null
    and (state in ('funding', 'funded', 'completed', 'unknown') or state = 'lapsed' and ended_at > clock_timestamp() - interval '7 days')
$$;

-- The money that a conversion bought explains its receipt, which is not that of anything else.
create function note_credit_of_conversion() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  -- Nobody else explains receipts meanwhile.
  perform from balance_chains where account = new.account and currency = new.buy_currency for no key update;
  update receipts set explained_by = 'conversion', explained_at = clock_timestamp()
  where account = new.account and currency = new.buy_currency and entry_id = new.credit_entry_id
    and (explained_by is null or explained_by = 'person');
  if not found then
    raise exception 'the receipt was explained by something else meanwhile' using errcode = 'serialization_failure';
  end if;
  return new;
end $$;
create trigger credits_explain_receipts before update of credit_entry_id on conversion_orders
  for each row when (old.credit_entry_id is null and new.credit_entry_id is not null) execute function note_credit_of_conversion();

update receipts set explained_by = 'conversion', explained_at = orders.ended_at from conversion_orders orders
where receipts.account = orders.account and receipts.currency = orders.buy_currency and receipts.entry_id = orders.credit_entry_id;

-- How many fundings, deposits and conversions of an amount may still be what a receipt is.
create function open_incoming(p_account text, p_currency text, p_amount numeric) returns bigint language sql stable
set search_path = public, pg_temp as $$
  select (select count(*) from fundings where account = p_account and currency = p_currency and amount = p_amount and entry_id is null
      and status <> 'failed' and (not was_completed or first_seen_at > clock_timestamp() - interval '7 days'))
    + (select count(*) from deposits where account = p_account and amount = p_amount and entry_id is null
      and last_reported_at > clock_timestamp() - interval '7 days')
    + conversions_to_credit(p_account, p_currency, p_amount)
$$;

-- Payments that failed after they were funded, and of which the provider shows no refund: it may give the money back without one.
create function failures_to_give_back(p_account text, p_currency text, p_amount numeric, p_since timestamptz) returns bigint
language sql stable set search_path = public, pg_temp as $$
  select count(*) from payments where account = p_account and state in ('rejected', 'failed') and ended_at > p_since
    and sell_currency = p_currency and p_amount in (total_amount, sell_amount) and may_have_been_funded(payment_id, attempt)
    and not exists (select from refunds where refunds.account = p_account and resource_id = provider_payment_id)
$$;

-- Finds the receipts of refunds. The provider names none, so all refunds of one amount are looked at together, and nothing is
-- guessed that matters: who is told that a payment came back may pay it again.
-- - Refunds were listed after the receipts were seen: otherwise the money may be that of one that is not known yet. Fundings were
--   as well, unless a receipt has the transaction id of a debit.
-- - There are as many receipts as refunds, each from after its payment was funded, and from three days before the refund was
--   first seen until thirty days after. With fewer, all wait; and also if the money may be that of something else (fundings,
--   deposits, conversions, payments that failed, refunds that cannot be read), unless there is enough for these as well.
-- - What has not come in thirty days is waited for no longer, as others would wait with it: people find out.
create function match_refunds(p_account text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_listed timestamptz;
  v_fundings_listed timestamptz;
  v_unreadable integer;
  v_group record;
  v_refunds text[];
  v_since timestamptz[];
  v_entries text[];
  v_dates timestamptz[];
  v_linked bigint;
  v_others bigint;
  v_hidden bigint;
  v_lacking bigint;
begin
  select max(read_at) filter (where kind = 'refunds'), max(read_at) filter (where kind = 'fundings'),
    coalesce(max(unreadable) filter (where kind = 'refunds'), 0)
  into v_listed, v_fundings_listed, v_unreadable from listings where account = p_account;
  for v_group in
    select distinct currency, amount from refunds
    where account = p_account and entry_id is null and amount > 0 and first_seen_at > clock_timestamp() - interval '30 days'
      and exists (select from receipts where receipts.account = p_account and receipts.currency = refunds.currency
        and receipts.amount = refunds.amount and explained_by is null)
    order by currency, amount
  loop
    select array_agg(refund_id order by since, refund_id), array_agg(since order by since, refund_id) into v_refunds, v_since
    from (
      select refund_id, greatest(may_come_back_since(payments), first_seen_at - interval '3 days') as since
      from refunds left join payments on payments.account = p_account and provider_payment_id = resource_id
      where refunds.account = p_account and refunds.currency = v_group.currency and refunds.amount = v_group.amount and entry_id is null
        and first_seen_at > clock_timestamp() - interval '30 days'
    ) as open;
    v_hidden := v_unreadable + failures_to_give_back(p_account, v_group.currency, v_group.amount, v_since[1]);
    v_others := v_hidden + open_incoming(p_account, v_group.currency, v_group.amount);
    select array_agg(entry_id order by dated_at, entry_id) filter (where place <= cardinality(v_refunds)),
      array_agg(dated_at order by dated_at, entry_id) filter (where place <= cardinality(v_refunds)),
      count(*) filter (where follows_debit), cardinality(v_refunds) + v_others - count(*)
    into v_entries, v_dates, v_linked, v_lacking
    from (
      select entry_id, dated_at, follows_debit, row_number() over (order by follows_debit desc, dated_at, entry_id) as place
      from receipts
      where account = p_account and currency = v_group.currency and amount = v_group.amount and explained_by is null
        and dated_at >= v_since[1] and seen_at < v_listed and (follows_debit or seen_at < v_fundings_listed)
    ) as candidates;
    continue when cardinality(v_entries) is distinct from cardinality(v_refunds)
      or (v_linked < cardinality(v_refunds) + v_hidden and v_lacking > 0)
      or exists (select from unnest(v_dates, v_since) as pairs (dated, since) where dated < since);
    update refunds set entry_id = matched.entry, credited_at = matched.dated
    from unnest(v_refunds, v_entries, v_dates) as matched (refund, entry, dated)
    where account = p_account and refund_id = matched.refund;
    update receipts set explained_by = 'refund', explained_at = clock_timestamp()
    where account = p_account and currency = v_group.currency and entry_id = any (v_entries);
    insert into audit_entries (actor, kind, run_id, payment_id, detail)
    select 'record', 'refund_credited', run_id, payment_id,
      jsonb_build_object('account', p_account, 'refund', refund_id, 'currency', v_group.currency, 'entry', entry_id)
    from refunds left join payments on payments.account = p_account and provider_payment_id = resource_id
    where refunds.account = p_account and refund_id = any (v_refunds);
  end loop;
end $$;

-- The deposit that a receipt may be: by its transaction id, else one of its amount that was reported about then. One that has
-- been taken for the same money as a funding is told apart when a second receipt comes.
create function deposit_of(p receipts) returns deposits language sql stable
set search_path = public, pg_temp as $$
  select deposits from deposits
  left join receipts other on other.account = deposits.account and other.currency = deposits.currency and other.entry_id = deposits.entry_id
  where deposits.account = p.account and deposits.amount = p.amount
    and (deposits.entry_id is null or other.transaction_id is distinct from deposits.transaction_id and exists (
      select from fundings where fundings.account = other.account and fundings.currency = other.currency and fundings.entry_id = other.entry_id))
    and (deposits.transaction_id = p.transaction_id
      or p.dated_at between reported_at - interval '3 days' and reported_at + interval '30 days'
        and not exists (select from receipts elsewhere where elsewhere.account = p.account and elsewhere.amount = p.amount
          and elsewhere.currency <> p.currency and elsewhere.explained_by is null)
        and not exists (select from receipts named where named.account = p.account and named.amount = p.amount
          and named.transaction_id = deposits.transaction_id))
  order by deposits.transaction_id is not distinct from p.transaction_id desc, reported_at, deposits.transaction_id limit 1
$$;

-- A funding that a receipt may be. One that was completed when it was first seen had its money before.
create function funding_of(p receipts) returns fundings language sql stable
set search_path = public, pg_temp as $$
  select fundings from fundings
  where account = p.account and currency = p.currency and amount = p.amount and entry_id is null and status = 'completed'
    and case when was_completed then p.dated_at < first_seen_at + interval '15 minutes'
      else p.dated_at > first_seen_at - interval '1 day' end
  order by first_seen_at, funding_id limit 1
$$;

-- Finds what else receipts are. A funding and a deposit of the same amount are one fact that is reported twice, unless there are
-- two receipts. Refunds were listed after a receipt was seen: it may be money that comes back. Receipts that nothing open has
-- the amount of are not looked at: there may be as many as the history is long.
create function match_incoming(p_account text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v receipts;
  v_funding fundings;
  v_deposit deposits;
  v_listed timestamptz := (select read_at from listings where account = p_account and kind = 'refunds');
begin
  for v in
    select * from receipts
    where account = p_account
      and (explained_by is null and seen_at < v_listed
        or explained_by in ('funding', 'deposit') and explained_at > clock_timestamp() - interval '7 days')
      and (explained_by is distinct from 'funding' and (currency, amount) in (
          select currency, amount from fundings where account = p_account and entry_id is null and status = 'completed')
        or explained_by is null and amount in (
          select amount from deposits where account = p_account
            and (entry_id is null or last_reported_at > clock_timestamp() - interval '37 days'))
        or explained_by = 'funding' and amount in (select amount from deposits where account = p_account and entry_id is null))
    order by explained_by is not null, currency, dated_at, entry_id
  loop
    -- Money that comes back, or may be: refunds of this amount wait for it.
    continue when v.explained_by is null and v.follows_debit or exists (select from refunds
      where account = p_account and currency = v.currency and amount = v.amount and entry_id is null
        and first_seen_at > clock_timestamp() - interval '30 days');
    v_funding := null;
    v_deposit := null;
    if v.explained_by is distinct from 'funding' then v_funding := funding_of(v); end if;
    if v.explained_by is distinct from 'deposit' then v_deposit := deposit_of(v); end if;
    -- A conversion of the same amount is not credited yet: this may be its money, unless the report of a deposit names the entry.
    continue when v.explained_by is null and conversions_to_credit(p_account, v.currency, v.amount) > 0
      and (v_deposit.transaction_id is null or v_deposit.transaction_id is distinct from v.transaction_id);
    if v.explained_by = 'funding' and (v_deposit.entry_id is not null
        or exists (select from deposits where account = p_account and currency = v.currency and entry_id = v.entry_id)) then
      continue;
    end if;
    if v.explained_by = 'deposit' and exists (select from fundings
        where account = p_account and currency = v.currency and entry_id = v.entry_id) then
      continue;
    end if;
    if v.explained_by is null and v_funding.funding_id is not null and v_deposit.transaction_id is not null
      and exists (select from receipts other where account = p_account and currency = v.currency and amount = v.amount
        and explained_by is null and entry_id <> v.entry_id) then
      if v_deposit.transaction_id = v.transaction_id then v_funding := null; else v_deposit := null; end if;
    end if;
    if v_funding.funding_id is not null then
      update fundings set entry_id = v.entry_id, credited_at = v.dated_at
      where account = p_account and funding_id = v_funding.funding_id;
    end if;
    if v_deposit.transaction_id is not null then
      update receipts set explained_by = 'funding'
      where account = p_account and currency = v_deposit.currency and entry_id = v_deposit.entry_id;
      update deposits set currency = v.currency, entry_id = v.entry_id, confirmed_at = clock_timestamp()
      where account = p_account and transaction_id = v_deposit.transaction_id and amount = v_deposit.amount;
    end if;
    update receipts set explained_by = case when v_funding.funding_id is not null then 'funding' else 'deposit' end,
      explained_at = clock_timestamp()
    where account = p_account and currency = v.currency and entry_id = v.entry_id and explained_by is null
      and (v_funding.funding_id is not null or v_deposit.transaction_id is not null);
  end loop;
end $$;

-- Explains receipts, and notes at payments what came back of them. Answers the paid payments that have come back as a whole.
-- Called whenever receipts, refunds or payments may have changed.
create function settle_receipts(p_account text) returns table (payment uuid, run uuid) language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform from balance_chains where account = p_account order by currency for no key update;
  perform match_refunds(p_account);
  perform match_incoming(p_account);
  update payments set returned_amount = back.amount, returned_at = back.at
  from (
    select payment_id, sum(refunds.amount) as amount, max(credited_at) as at
    from refunds join payments paid on paid.account = refunds.account and paid.provider_payment_id = refunds.resource_id
      and paid.sell_currency = refunds.currency
    where refunds.account = p_account and refunds.entry_id is not null
    group by payment_id
  ) as back
  where payments.payment_id = back.payment_id and payments.returned_amount is distinct from back.amount;
  return query select payment_id, run_id from payments
    where account = p_account and state = 'paid' and returned_amount is not null and has_come_back(payments) order by run_id, payment_id;
end $$;

-- A person says what a receipt is: the money of a refund of the same amount, or something that payrun does not know. The latter
-- may be said again, otherwise. What was taken for a deposit or a funding may be said to be something else: notifications of
-- deposits are unsigned, and equal amounts look alike. That deposit or funding is open again then.
create function assign_receipt(p_proof bytea, p_account text, p_currency text, p_entry text, p_refund text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v receipts;
  v_refund refunds;
  v_payment payments;
  v_remark uuid;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'assign_receipt', null, 'assign_receipt');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'assign_receipt');
  if v_refusal is not null then return v_refusal; end if;
  perform from balance_chains where account = p_account and currency = p_currency for no key update;
  select * into v from receipts where account = p_account and currency = p_currency and entry_id = p_entry for update;
  if not found then return refused('not_found', 'there is no such receipt'); end if;
  if v.explained_by in ('refund', 'conversion') then
    return refused('conflict', format('the receipt is that of a %s already', v.explained_by));
  end if;
  if p_refund is not null then
    select * into v_refund from refunds where account = p_account and refund_id = p_refund for update;
    if not found then return refused('not_found', 'there is no such refund'); end if;
    if v_refund.entry_id is not null then return refused('conflict', 'the refund has a receipt already'); end if;
    if (v_refund.currency, v_refund.amount) is distinct from (v.currency, v.amount) then
      return refused('conflict', 'the provider shows another amount for the refund');
    end if;
    select * into v_payment from payments where account = p_account and provider_payment_id = v_refund.resource_id;
    -- Dates of the history may be days.
    if v.dated_at < may_come_back_since(v_payment) - interval '1 day' then
      return refused('conflict', 'the money came before the payment of the refund was sent');
    end if;
  end if;
  v_remark := keep_remark(me.user_id, v_payment.run_id, p_reason);
  if v_remark is null then return refused('invalid_input', 'give a reason'); end if;
  insert into receipt_assignments (account, currency, entry_id, refund_id, remark_id, assigned_by, token_id)
  values (p_account, p_currency, p_entry, p_refund, v_remark, me.user_id, me.token_id);
  update receipts set explained_by = case when p_refund is null then 'person' else 'refund' end, explained_at = clock_timestamp()
  where account = p_account and currency = p_currency and entry_id = p_entry;
  update refunds set entry_id = p_entry, credited_at = v.dated_at where account = p_account and refund_id = p_refund;
  update fundings set entry_id = null, credited_at = null where account = p_account and currency = p_currency and entry_id = p_entry;
  update deposits set currency = null, entry_id = null, confirmed_at = null
  where account = p_account and currency = p_currency and entry_id = p_entry;
  perform note(me.user_id::text, 'receipt_assigned', v_payment.run_id, v_payment.payment_id, jsonb_build_object('account', p_account,
    'currency', p_currency, 'entry', p_entry, 'refund', p_refund, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

create or replace function role_may(p_role text, p_permission text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_role
    when 'maker' then p_permission in
      ('submit_run', 'propose_resolution', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions')
    when 'checker' then p_permission in
      ('decide_run', 'propose_resolution', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions', 'read_audit',
       'object_to_change', 'read_cases', 'confirm_case',
       'decide_conversion', 'confirm_virtual_account')
    when 'treasurer' then p_permission in
      ('read_runs', 'read_instructions', 'convert', 'decide_conversion', 'assign_receipt', 'request_virtual_account',
       'confirm_virtual_account')
    when 'onboarder' then p_permission in ('read_runs', 'read_cases', 'read_applicants', 'onboard', 'confirm_case')
    when 'viewer' then p_permission in ('read_runs', 'read_instructions', 'read_audit', 'read_cases', 'read_applicants')
    when 'administrator' then p_permission in
      ('stop_payments', 'read_runs', 'read_audit', 'manage_users', 'confirm_change', 'object_to_change', 'erase_remark',
       'read_cases', 'erase_case')
    else false
  end
$$;

-- Virtual accounts, as people ask for them. Numbers are data of the company: here, and nowhere else.
create table virtual_accounts (
  virtual_account_id uuid primary key,
  account text not null,
  name text not null,
  -- What the name that is sent ends in: by it, one whose creation was not answered is found again.
  tag text not null,
  provider text not null,
  currency text not null,
  description text not null,
  type text not null check (type in ('open', 'fixed')),
  amount numeric,
  expiry_duration numeric,
  approve_async boolean not null,
  state text not null default 'asked' check (state in ('asked', 'pending', 'approved', 'cancelled', 'rejected', 'unknown')),
  -- A code: why it is in this state.
  state_reason text,
  -- The provider's ids: of the request, and of the account once it is approved.
  provider_request_id text,
  provider_account_id text,
  account_number text,
  requested_by uuid not null references users,
  requested_at timestamptz not null default clock_timestamp(),
  -- The last request to read it, and the last that was answered.
  asked_at timestamptz,
  read_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  constraint one_tag unique (account, tag),
  constraint one_of_a_request unique (account, provider_request_id)
);
create index virtual_accounts_by_time on virtual_accounts (requested_at desc);
create index virtual_accounts_to_ask_for on virtual_accounts (account) where state in ('asked', 'pending', 'unknown');

-- The intent before the request is sent, and what came of it. It is never sent a second time, unless the first one provably
-- never reached the provider.
create table virtual_account_requests (
  request_id uuid primary key default gen_random_uuid(),
  virtual_account_id uuid not null references virtual_accounts,
  begun_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  outcome text check (outcome in ('took_effect', 'had_no_effect', 'refused')),
  answer text,
  http_status integer
);
create unique index one_creation on virtual_account_requests (virtual_account_id) where outcome is distinct from 'had_no_effect';

-- Requests that notifications named while a creation had no known outcome: each is read once.
create table virtual_account_candidates (
  account text not null,
  provider_request_id text not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, provider_request_id)
);

create table virtual_account_resolutions (
  resolution_id uuid primary key default gen_random_uuid(),
  virtual_account_id uuid not null references virtual_accounts,
  outcome text not null check (outcome in ('pending', 'approved', 'cancelled', 'rejected', 'never_created')),
  provider_request_id text,
  account_number text,
  remark_id uuid references remarks,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'denied')),
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  closed_by uuid references users,
  closed_at timestamptz,
  constraint confirmed_by_another check (state <> 'confirmed' or closed_by <> proposed_by),
  constraint number_of_an_approved_one check ((outcome = 'approved') = (account_number is not null))
);
create unique index one_open_account_resolution on virtual_account_resolutions (virtual_account_id) where state = 'proposed';

create function may_move_virtual_account(p_from text, p_to text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select p_to = any (case p_from
    when 'asked' then '{pending,approved,cancelled,rejected,unknown}'::text[]
    when 'pending' then '{approved,cancelled,rejected}'
    when 'unknown' then '{pending,approved,cancelled,rejected}'
    else '{}' end)
$$;

create function guard_virtual_account() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if old.state <> new.state and not may_move_virtual_account(old.state, new.state) then
    raise exception 'a virtual account that is % cannot become %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.provider_request_id is not null and new.provider_request_id is distinct from old.provider_request_id
    or old.state = 'approved' and old.account_number is not null and new.account_number is distinct from old.account_number then
    raise exception 'a virtual account keeps its request and its number' using errcode = 'check_violation';
  end if;
  if old.state <> new.state then
    perform note('record', 'virtual_account_moved', null, null, jsonb_build_object('account', new.account,
      'virtualAccount', new.virtual_account_id, 'state', new.state, 'reason', new.state_reason, 'request', new.provider_request_id));
  end if;
  return new;
end $$;
create trigger virtual_accounts_move_by_the_table before update on virtual_accounts
  for each row execute function guard_virtual_account();

create function guard_account_request() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.outcome is not null and new.outcome is distinct from old.outcome then
    raise exception 'the outcome of a request is written once' using errcode = 'check_violation';
  end if;
  perform note('record', case tg_op when 'INSERT' then 'virtual_account_requested' else 'virtual_account_answered' end, null, null,
    jsonb_build_object('virtualAccount', new.virtual_account_id, 'request', new.request_id, 'outcome', new.outcome, 'answer', new.answer));
  return new;
end $$;
create trigger account_requests_are_noted before insert or update on virtual_account_requests
  for each row execute function guard_account_request();

-- Null when the user has the permission and may use the account of the virtual account; else the refusal. One of another
-- account is refused as if it did not exist.
create function virtual_objection_to(p_user uuid, p_token uuid, p_permission text, p_virtual_account uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb;
begin
  v_refusal := objection_to(p_user, p_token, p_permission, null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  if exists (select from virtual_accounts where virtual_account_id = p_virtual_account and user_may_use(p_user, account)) then
    return null;
  end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'virtualAccount', p_virtual_account, 'token', p_token));
  return refused('not_found', 'there is no such virtual account');
end $$;

create function request_virtual_account(p_proof bytea, p_virtual_account uuid, p_account text, p_tag text, p_order jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'request_virtual_account', null, 'request_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'request_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  insert into virtual_accounts (virtual_account_id, account, name, tag, provider, currency, description, type, amount, expiry_duration,
    approve_async, requested_by)
  values (p_virtual_account, p_account, p_order ->> 'name', p_tag, p_order ->> 'provider', p_order ->> 'currency',
    p_order ->> 'description', p_order ->> 'type', (p_order ->> 'amount')::numeric, (p_order ->> 'expiryDuration')::numeric,
    coalesce((p_order ->> 'approveAsync')::boolean, false), me.user_id);
  perform note(me.user_id::text, 'virtual_account_asked', null, null,
    jsonb_build_object('virtualAccount', p_virtual_account, 'account', p_account, 'token', me.token_id));
  return jsonb_build_object('done', true);
exception when unique_violation then return refused('conflict', 'there is such a request already');
  when not_null_violation or check_violation then return refused('invalid_input', 'a virtual account has a name, a provider, a currency, a description and a type');
end $$;

create function propose_virtual_account(
  p_proof bytea, p_virtual_account uuid, p_outcome text, p_request text, p_number text, p_reason text
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v virtual_accounts;
  v_refusal jsonb;
  v_remark uuid;
  v_resolution uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := virtual_objection_to(me.user_id, me.token_id, 'request_virtual_account', p_virtual_account, 'propose_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from virtual_accounts where virtual_account_id = p_virtual_account for update;
  if v.state not in ('pending', 'unknown') then
    return refused('conflict', 'only a pending or unknown virtual account is resolved by people');
  end if;
  if v.state = 'pending' and p_outcome in ('pending', 'never_created') then
    return refused('conflict', 'the provider has the request: it is approved, cancelled or rejected');
  end if;
  if v.provider_request_id is not null and p_request is distinct from v.provider_request_id and p_request is not null then
    return refused('conflict', 'the provider has given the request another id');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  if v_remark is null then return refused('invalid_input', 'give a reason'); end if;
  insert into virtual_account_resolutions (virtual_account_id, outcome, provider_request_id, account_number, remark_id, proposed_by)
  values (p_virtual_account, p_outcome, p_request, p_number, v_remark, me.user_id)
  on conflict (virtual_account_id) where state = 'proposed' do nothing returning resolution_id into v_resolution;
  if v_resolution is null then
    return refused('conflict', 'there is an open proposal: have it confirmed or denied first');
  end if;
  perform note(me.user_id::text, 'virtual_account_proposed', null, null, jsonb_build_object('virtualAccount', p_virtual_account,
    'resolution', v_resolution, 'outcome', p_outcome, 'request', p_request, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('resolutionId', v_resolution);
exception when check_violation then return refused('invalid_input', 'an approved virtual account has a number, and no other has');
end $$;

create function confirm_virtual_account(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v virtual_account_resolutions;
  v_state text;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from virtual_account_resolutions where resolution_id = p_resolution for update;
  v_refusal := virtual_objection_to(me.user_id, me.token_id, 'confirm_virtual_account', v.virtual_account_id, 'confirm_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  if v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'virtual_account_refused', null, null, jsonb_build_object('virtualAccount', v.virtual_account_id,
      'resolution', p_resolution, 'why', 'proposer_confirms', 'token', me.token_id));
    return refused('not_allowed', 'who proposed a resolution cannot confirm it; ask a second person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_state := case v.outcome when 'never_created' then 'cancelled' else v.outcome end;
  if not exists (select from virtual_accounts where virtual_account_id = v.virtual_account_id and may_move_virtual_account(state, v_state)) then
    return refused('conflict', 'the provider has shown what became of it meanwhile');
  end if;
  update virtual_account_resolutions set state = 'confirmed', closed_by = me.user_id, closed_at = clock_timestamp()
  where resolution_id = p_resolution;
  perform note(me.user_id::text, 'virtual_account_confirmed', null, null,
    jsonb_build_object('virtualAccount', v.virtual_account_id, 'resolution', p_resolution, 'token', me.token_id));
  update virtual_accounts set state = v_state, state_reason = case v.outcome when 'never_created' then 'never_created' else 'resolved' end,
    provider_request_id = coalesce(provider_request_id, v.provider_request_id),
    account_number = coalesce(v.account_number, account_number), changed_at = clock_timestamp()
  where virtual_account_id = v.virtual_account_id;
  return jsonb_build_object('done', true);
exception when unique_violation then return refused('conflict', 'another virtual account has this request of the provider');
end $$;

create function deny_virtual_account(p_proof bytea, p_resolution uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v virtual_account_resolutions;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from virtual_account_resolutions where resolution_id = p_resolution for update;
  v_refusal := virtual_objection_to(me.user_id, me.token_id, 'confirm_virtual_account', v.virtual_account_id, 'deny_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  update virtual_account_resolutions set state = 'denied', closed_by = me.user_id, closed_at = clock_timestamp()
  where resolution_id = p_resolution;
  perform note(me.user_id::text, 'virtual_account_denied', null, null, jsonb_build_object('virtualAccount', v.virtual_account_id,
    'resolution', p_resolution, 'token', me.token_id) || remark_note(keep_remark(me.user_id, null, p_reason)));
  return jsonb_build_object('done', true);
end $$;
