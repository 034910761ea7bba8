-- Up Migration

-- Receipts, and refunds of payments. A receipt is an increase of a balance in the history: only that proves that money came.
-- What the provider's records say besides explains receipts.

create index balance_debits_by_transaction on balance_entries (account, currency, transaction_id)
  where amount_after < amount_before and transaction_id is not null;

create table receipts (
  account text not null,
  currency text not null,
  entry_id text not null,
  amount numeric not null check (amount > 0),
  dated_at timestamptz not null,
  seen_at timestamptz not null default clock_timestamp(),
  -- It has the transaction id of an earlier debit: money that comes back.
  follows_debit boolean not null,
  -- Null: by nothing yet.
  explained_by text check (explained_by in ('refund')),
  explained_at timestamptz,
  primary key (account, currency, entry_id),
  constraint receipts_are_entries foreign key (account, currency, entry_id) references balance_entries,
  constraint explained_once check ((explained_by is null) = (explained_at is null))
);
create index unexplained_receipts on receipts (account, currency, amount, dated_at) where explained_by is null;

create function note_receipt() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into receipts (account, currency, entry_id, amount, dated_at, follows_debit)
  values (new.account, new.currency, new.entry_id, new.amount_after - new.amount_before, new.dated_at,
    exists (select from balance_entries debits where debits.account = new.account and debits.currency = new.currency
      and debits.transaction_id = new.transaction_id and debits.amount_after < debits.amount_before
      and debits.position < new.position))
  on conflict do nothing;
  return null;
end $$;
create trigger receipts_are_noted after update of position on balance_entries
  for each row when (old.position is null and new.position is not null and new.amount_after > new.amount_before)
  execute function note_receipt();

insert into receipts (account, currency, entry_id, amount, dated_at, follows_debit)
select account, currency, entry_id, amount_after - amount_before, dated_at,
  exists (select from balance_entries debits where debits.account = entries.account and debits.currency = entries.currency
    and debits.transaction_id = entries.transaction_id and debits.amount_after < debits.amount_before
    and debits.position < entries.position)
from balance_entries entries where position is not null and amount_after > amount_before;

-- When the provider was asked for a list of an account, and when the last answer was asked for that arrived.
create table listings (
  account text not null,
  kind text not null check (kind in ('refunds')),
  asked_at timestamptz not null,
  read_at timestamptz,
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

-- Finds the receipts of refunds. The provider names none, so all refunds of one amount are looked at together, and nothing is
-- guessed that matters: who is told that a payment came back may pay it again.
-- - The refunds were listed after the receipts were seen: otherwise the money may be that of one that is not known yet.
-- - There are as many receipts as refunds, each from after its payment was funded. With fewer, all wait.
create function match_refunds(p_account text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_listed timestamptz;
  v_group record;
  v_refunds text[];
  v_since timestamptz[];
  v_entries text[];
  v_dates timestamptz[];
begin
  select read_at into v_listed from listings where account = p_account and kind = 'refunds';
  for v_group in
    select currency, amount from refunds where account = p_account and entry_id is null and amount > 0
    group by currency, amount order by currency, amount
  loop
    perform from balance_chains where account = p_account and currency = v_group.currency for no key update;
    select array_agg(refund_id order by since, refund_id), array_agg(since order by since, refund_id) into v_refunds, v_since
    from (
      select refund_id, coalesce(least((select min(begun_at) from provider_requests fundings
          where fundings.payment_id = payments.payment_id and operation = 'fund'), payments.funded_at) - interval '15 minutes',
        '-infinity') as since
      from refunds left join payments on payments.account = p_account and provider_payment_id = resource_id
      where refunds.account = p_account and refunds.currency = v_group.currency and refunds.amount = v_group.amount and entry_id is null
        -- One of a payment that payrun has not made is not waited for without an end.
        and (payments.payment_id is not null or first_seen_at > clock_timestamp() - interval '30 days')
    ) as open;
    select array_agg(entry_id order by dated_at, entry_id), array_agg(dated_at order by dated_at, entry_id) into v_entries, v_dates
    from (
      select entry_id, dated_at from receipts
      where account = p_account and currency = v_group.currency and amount = v_group.amount and explained_by is null
        and dated_at >= v_since[1] and seen_at < v_listed
      order by follows_debit desc, dated_at, entry_id limit cardinality(v_refunds)
    ) as candidates;
    continue when v_refunds is null or cardinality(v_entries) is distinct from cardinality(v_refunds)
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

-- Explains receipts, and notes at payments what came back of them. Answers the paid payments that have come back as a whole.
-- Called whenever receipts, refunds or payments may have changed.
create function settle_receipts(p_account text) returns table (payment uuid, run uuid) language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform match_refunds(p_account);
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
