-- If two runs are checked, or rows of them released, at the same time, the second sees the result of the first.
-- Called by: other functions.
create or replace function lock_duplicate_check() returns void language sql security definer set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('duplicates', 0))
$$;

-- Whether a second row that pays the same may be paid twice: this one was paid, or may be. Of a returned one, other money of the same amount may
-- have been taken for its refund. A condition on one row, planned with the query that asks.
-- Called by: server and worker.
create or replace function may_be_repeated(p_state text, p_account text, p_provider_payment text) returns boolean language sql stable as $$
  select public.payment_counts_as_duplicate(p_state)
    -- guard: returned-by-its-transaction
    or public.payment_was_paid(p_state) and not public.is_returned_for_certain(p_account, p_provider_payment)
$$;

-- Whether a row may still be paid, or was paid lately, however long ago its run was submitted. `p_days`: `duplicate_terms`. A condition, as
-- `may_be_repeated`.
-- Called by: server and worker.
create or replace function may_still_be_repeated(p_state text, p_ended_at timestamptz, p_days integer) returns boolean language sql as $$
  -- guard: paid-lately-or-payable
  select not public.payment_was_paid(p_state) or coalesce(p_ended_at > clock_timestamp() - make_interval(days => p_days), true)
$$;

-- The rows of any account with the provider that pay the same to a bank account, however its holder is spelt: those that give the account, and
-- those that name a beneficiary by the provider's id, which is one of an account. Without a search path, as `paid_to_account`.
-- Called by: server and worker.
create or replace function same_payments(p_account text, p_fingerprint text, p_account_hash text, p_amount numeric, p_side text, p_sell text, p_buy text)
returns setof public.payments language sql stable as $$
  select other.* from public.payments other
  -- guard: paid-from-any-account
  where other.account_hash = p_account_hash
    and other.amount = p_amount and other.amount_side = p_side and other.sell_currency = p_sell and other.buy_currency = p_buy
    and public.may_be_repeated(other.state, other.account, other.provider_payment_id)
    and public.may_still_be_repeated(other.state, other.ended_at, (select days from public.duplicate_terms()))
  union all
  select other.* from (
    select p_account, p_fingerprint union all
    select named.account, encode(sha256(convert_to('beneficiary ' || named.beneficiary_id, 'UTF8')), 'hex')
    from public.provider_beneficiaries named where named.account_hash = p_account_hash
  ) as named (account, fingerprint)
  join public.payments other on other.account_hash is null and other.account = named.account and other.beneficiary_fingerprint = named.fingerprint
  where other.amount = p_amount and other.amount_side = p_side and other.sell_currency = p_sell and other.buy_currency = p_buy
    and public.may_be_repeated(other.state, other.account, other.provider_payment_id)
    and public.may_still_be_repeated(other.state, other.ended_at, (select days from public.duplicate_terms()))
$$;

-- All rows that suspects may repeat, besides one another: those that pay the same to the same account, and those with the reference of one of
-- them. The time grows with the number of rows, not of pairs.
-- Called by: server.
create or replace function similar_payments(p_payments uuid[]) returns table (payment_id uuid) language sql stable security definer
set search_path = public, pg_temp as $$
  with asked as materialized (
    select payments.payment_id, payments.account, payments.row_ref, payments.beneficiary_fingerprint, beneficiary.account_hash,
      payments.amount, payments.amount_side, payments.sell_currency, payments.buy_currency
    from payments cross join lateral beneficiary_of(payments) as beneficiary where payments.payment_id = any (p_payments)
  ), alike as (
    select other.payment_id from (select distinct account, row_ref from asked) as refs
    join payments other on other.account = refs.account and other.row_ref = refs.row_ref
      and may_be_repeated(other.state, other.account, other.provider_payment_id)
    union
    select other.payment_id
    from (select distinct account, beneficiary_fingerprint, account_hash, amount, amount_side, sell_currency, buy_currency from asked) as paid
    cross join lateral same_payments(paid.account, paid.beneficiary_fingerprint, paid.account_hash, paid.amount, paid.amount_side,
      paid.sell_currency, paid.buy_currency) as other
  )
  select other.payment_id from alike join payments other using (payment_id) join runs using (run_id)
  where other.payment_id not in (select payment_id from asked) and run_counts_as_submitted(runs.state)
$$;
