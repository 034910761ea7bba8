-- Up Migration

-- What those who decide are shown.

-- Beneficiaries that rows name by the provider's id, as the provider showed them. They cannot be changed there.
create table provider_beneficiaries (
  account text not null,
  beneficiary_id text not null,
  -- Its name and bank account, as far as the provider shows them; null: it had none of this id when it was asked.
  details jsonb,
  account_hash text,
  routing_hash text,
  name_hash text,
  -- What a worker has sealed with the provider's secret: that the provider has shown just these details.
  seal text,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, beneficiary_id)
);
create function refuse_other_beneficiary() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'what the provider has shown of a beneficiary does not change';
end $$;
create trigger beneficiaries_stay_as_shown before update on provider_beneficiaries
  for each row when (old.details is not null and (new.account, new.beneficiary_id, new.details, new.account_hash,
    new.routing_hash, new.name_hash) is distinct from (old.account, old.beneficiary_id, old.details, old.account_hash,
    old.routing_hash, old.name_hash)) execute function refuse_other_beneficiary();
create index provider_beneficiaries_by_account on provider_beneficiaries (account, account_hash);
create index provider_beneficiaries_by_name on provider_beneficiaries (account, name_hash);
-- Rows that name their beneficiary so have no hash of its account.
create index payments_by_named_beneficiary on payments (account, (instruction #>> '{beneficiary,beneficiaryId}'))
  where account_hash is null;

-- Rows by which money was sent: to a beneficiary named by the provider's id, to a bank account, under a name. The latter
-- two also find the rows that name the beneficiary by the id. Each is a query that is planned with the one that asks, as a
-- function with a search path of its own would not be: its tables are written in full instead.
create function paid_to_beneficiary(p_account text, p_beneficiary text)
returns table (run_id uuid, payment_id uuid, currency text, amount numeric, paid_at timestamptz) language sql stable as $$
  select run_id, payment_id, case amount_side when 'sell' then sell_currency else buy_currency end, amount,
    coalesce(funded_at, settled_at, changed_at)
  from public.payments
  where account = p_account and instruction #>> '{beneficiary,beneficiaryId}' = p_beneficiary and account_hash is null
    and state in ('funded', 'processing', 'paid')
$$;

create function paid_to_account(p_account text, p_account_hash text)
returns table (run_id uuid, payment_id uuid, account_hash text, name_hash text, currency text, amount numeric, paid_at timestamptz)
language sql stable as $$
  select run_id, payment_id, account_hash, name_hash, case amount_side when 'sell' then sell_currency else buy_currency end,
    amount, coalesce(funded_at, settled_at, changed_at)
  from public.payments
  where account = p_account and account_hash = p_account_hash and state in ('funded', 'processing', 'paid')
  union all
  select paid.run_id, paid.payment_id, named.account_hash, named.name_hash, paid.currency, paid.amount, paid.paid_at
  from public.provider_beneficiaries named
  cross join lateral public.paid_to_beneficiary(named.account, named.beneficiary_id) paid
  where named.account = p_account and named.account_hash = p_account_hash
$$;

create function paid_under_name(p_account text, p_name_hash text)
returns table (run_id uuid, payment_id uuid, account_hash text, routing_hash text, name_hash text, currency text, amount numeric, paid_at timestamptz)
language sql stable as $$
  select run_id, payment_id, account_hash, routing_hash, name_hash,
    case amount_side when 'sell' then sell_currency else buy_currency end, amount, coalesce(funded_at, settled_at, changed_at)
  from public.payments
  where account = p_account and name_hash = p_name_hash and state in ('funded', 'processing', 'paid')
  union all
  select paid.run_id, paid.payment_id, named.account_hash, named.routing_hash, named.name_hash, paid.currency, paid.amount,
    paid.paid_at
  from public.provider_beneficiaries named
  cross join lateral public.paid_to_beneficiary(named.account, named.beneficiary_id) paid
  where named.account = p_account and named.name_hash = p_name_hash
$$;

-- When the run's workflow was seen to have learnt of the decision.
alter table runs add column told_at timestamptz;
update runs set told_at = decided_at where decided_at is not null;

-- What was done once to the records of the version before (store/database/upgrade-records.ts).
create table record_upgrades (
  name text primary key,
  done_at timestamptz not null default clock_timestamp()
);

create index audit_of_no_run on audit_entries (entry_id) where run_id is null;
