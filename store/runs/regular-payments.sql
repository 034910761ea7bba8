-- What the policy (`duplicates`) says of rows that others may repeat: for how many days after a payment, how far amounts that are nearly the
-- same may differ, as a part of them, and whether regular payments are warned of instead of suspected.
-- Called by: server and worker.
create or replace function duplicate_terms(out days integer, out tolerance numeric, out is_regular_warned boolean) language sql stable
security definer set search_path = public, pg_temp as $$
  select coalesce((terms ->> 'days')::integer, 60), coalesce((terms ->> 'tolerancePercent')::numeric, 1) / 100,
    coalesce(terms ->> 'regularPayments' = 'warn', false)
  from (select current_policy() -> 'duplicates' as terms) as in_force
$$;

-- Whether a row goes on with a regular payment, and is no second one: its account was paid nearly the same amount three times or more under
-- this name, in steady gaps of five days or more, of which the last goes on until its own day; its reference has the number of an invoice, which
-- no other row to the account has; and nothing else like it may still be paid.
-- Called by: worker.
create or replace function is_regular_payment(p_payment uuid) returns boolean language sql stable
security definer set search_path = public, pg_temp as $$
  with mine as (
    select payments.*, coalesce((instruction ->> 'payOn')::date, local_day(account, clock_timestamp())::date) as day
    from payments where payment_id = p_payment
  ), alike as (
    select other.state, other.name_hash, other.account, local_day(other.account, coalesce(other.funded_at, other.ended_at))::date as day
    from mine join payments other on other.account_hash = mine.account_hash and other.amount_currency = mine.amount_currency
      and other.amount between mine.amount * (1 - (select tolerance from duplicate_terms()))
        and mine.amount * (1 + (select tolerance from duplicate_terms()))
    join runs on runs.run_id = other.run_id
    where other.payment_id <> mine.payment_id and payment_counts_as_duplicate(other.state) and (runs.finished_at is null or runs.started_at is not null)
  ), days as (
    (select day, name_hash, account from alike where payment_was_paid(state) order by day desc limit 3) union all select day, name_hash, account from mine
  ), gaps as (select day - lag(day) over (order by day) as gap, name_hash, account from days)
  -- guard: regular-in-steady-gaps
  select (select count(*) = 4 and min(gap) >= 5 and max(gap) <= 1.4 * min(gap) and count(distinct (account, name_hash)) = 1 from gaps)
    -- guard: regular-with-nothing-open
    and not exists (select from alike where not payment_was_paid(state))
    -- guard: regular-with-another-invoice (2 lines)
    and exists (select from mine where invoice_key is not null and not exists (select from payments other
      where other.invoice_key = mine.invoice_key and other.account_hash = mine.account_hash and other.payment_id <> mine.payment_id))
$$;
