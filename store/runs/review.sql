-- The rows by which money was sent to a bank account, also those that name the beneficiary by its id. It is planned with the query
-- that asks, as a function with a search path of its own would not be: its tables are written in full instead.
-- Called by: server.
create or replace function paid_to_account(p_account text, p_account_hash text)
returns table (run_id uuid, payment_id uuid, account_hash text, routing_hash text, name_hash text, currency text, amount numeric, paid_at timestamptz)
language sql stable as $$
  select run_id, payment_id, account_hash, routing_hash, name_hash, case amount_side when 'sell' then sell_currency else buy_currency end,
    amount, coalesce(funded_at, ended_at, changed_at)
  from public.payments
  where account = p_account and account_hash = p_account_hash and public.payment_money_has_left(state)
  union all
  select paid.run_id, paid.payment_id, named.account_hash, named.routing_hash, named.name_hash, paid.currency, paid.amount, paid.paid_at
  from public.provider_beneficiaries named
  cross join lateral public.paid_to_beneficiary(named.account, named.beneficiary_id) paid
  where named.account = p_account and named.account_hash = p_account_hash
$$;

-- The rows by which money was sent to a beneficiary that is named by the provider's id. Without a search path, as
-- `paid_to_account`.
-- Called by: server.
create or replace function paid_to_beneficiary(p_account text, p_beneficiary text)
returns table (run_id uuid, payment_id uuid, currency text, amount numeric, paid_at timestamptz) language sql stable as $$
  select run_id, payment_id, case amount_side when 'sell' then sell_currency else buy_currency end, amount,
    coalesce(funded_at, ended_at, changed_at)
  from public.payments
  where account = p_account and instruction #>> '{beneficiary,beneficiaryId}' = p_beneficiary and account_hash is null
    and public.payment_money_has_left(state)
$$;

-- The rows by which money was sent under a name, also those that name the beneficiary by its id. Without a search path, as
-- `paid_to_account`.
-- Called by: server.
create or replace function paid_under_name(p_account text, p_name_hash text)
returns table (run_id uuid, payment_id uuid, account_hash text, routing_hash text, name_hash text, currency text, amount numeric, paid_at timestamptz)
language sql stable as $$
  select run_id, payment_id, account_hash, routing_hash, name_hash,
    case amount_side when 'sell' then sell_currency else buy_currency end, amount, coalesce(funded_at, ended_at, changed_at)
  from public.payments
  where account = p_account and name_hash = p_name_hash and public.payment_money_has_left(state)
  union all
  select paid.run_id, paid.payment_id, named.account_hash, named.routing_hash, named.name_hash, paid.currency, paid.amount,
    paid.paid_at
  from public.provider_beneficiaries named
  cross join lateral public.paid_to_beneficiary(named.account, named.beneficiary_id) paid
  where named.account = p_account and named.name_hash = p_name_hash
$$;

-- The rows that people approved to be paid under a name, and that may still be paid or were: `paid_at` is when they were approved. Without a
-- search path, as `paid_to_account`.
-- Called by: server.
create or replace function approved_under_name(p_account text, p_name_hash text)
returns table (run_id uuid, payment_id uuid, account_hash text, paid_at timestamptz) language sql stable as $$
  select approved.run_id, approved.payment_id, coalesce(approved.account_hash, named.account_hash), runs.decided_at
  from (
    select payments.*, null as beneficiary from public.payments where account = p_account and name_hash = p_name_hash
    union all
    select payments.*, known.beneficiary_id from public.provider_beneficiaries known
    join public.payments on payments.account = known.account and payments.account_hash is null
      and payments.instruction #>> '{beneficiary,beneficiaryId}' = known.beneficiary_id
    where known.account = p_account and known.name_hash = p_name_hash
  ) as approved
  join public.runs on runs.run_id = approved.run_id
  left join public.provider_beneficiaries named on named.account = p_account and named.beneficiary_id = approved.beneficiary
  where (public.payment_is_pending(approved.state) or public.payment_is_unresolved(approved.state)
      or public.payment_money_has_left(approved.state))
    and exists (select from public.approved_payments frozen
      where frozen.payment_id = approved.payment_id and frozen.attempt = approved.attempt)
$$;
