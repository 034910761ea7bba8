-- The run that a run is compared with: the last one of its kind that has paid anything. Of its kind is a run of the same account whose
-- sheet had the same columns, whatever their order, and was read by a profile for the same headers. Null: there is none.
-- Called by: server.
create or replace function last_paid_run_like(p_run uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select earlier.run_id
  from runs mine join runs earlier on earlier.account = mine.account and earlier.run_id <> mine.run_id
    and earlier.submitted_at <= mine.submitted_at and earlier.started_at is not null
    and earlier.header -> 'names' @> (mine.header -> 'names') and earlier.header -> 'names' <@ (mine.header -> 'names')
  where mine.run_id = p_run
    and (select headers_key from run_profiles where run_id = earlier.run_id)
      is not distinct from (select headers_key from run_profiles where run_id = mine.run_id)
    and exists (select from payments where payments.run_id = earlier.run_id and payment_was_paid(state))
  order by earlier.submitted_at desc limit 1
$$;

-- By payee, currency and side, how a run differs from an earlier one: what it would pay (or was approved to pay), and what the earlier one has
-- paid. `kind`: `new`, `missing`, `account_changed` (an account that the earlier run has not paid), `amount_changed` (beyond the bound of the
-- policy, `changedAmountPercent`, or else a fifth), `held` (all of its rows are on hold) and `same`. `now_payment` and `before_payment` are the first rows.
-- Called by: server.
create or replace function differences_of_run(p_run uuid, p_earlier uuid) returns table (kind text, payee text, currency text, side text,
  now_rows int, now_amount numeric, before_rows int, before_amount numeric, now_payment uuid, before_payment uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with mine as materialized (
    select coalesce(beneficiary.name_hash, beneficiary.paid_to) collate "C" as payee, amount_currency, amount_side, count(*)::int as rows, sum(amount) as amount,
      array_agg(distinct beneficiary.paid_to) as accounts, (array_agg(payment_id order by row_number))[1] as payment_id
    from payments cross join lateral beneficiary_of(payments) as beneficiary
    -- As in the review of the run.
    where run_id = p_run and case when (select started_at from runs where run_id = p_run) is null then state = 'ready'
      else exists (select from approved_payments approved where approved.payment_id = payments.payment_id) end
    group by 1, 2, 3
  ), earlier as materialized (
    select coalesce(beneficiary.name_hash, beneficiary.paid_to) collate "C" as payee, amount_currency, amount_side, count(*)::int as rows, sum(amount) as amount,
      array_agg(distinct beneficiary.paid_to) as accounts, (array_agg(payment_id order by row_number))[1] as payment_id
    from payments cross join lateral beneficiary_of(payments) as beneficiary
    where run_id = p_earlier and payment_was_paid(state)
    group by 1, 2, 3
  ), held as materialized (
    select distinct coalesce(beneficiary.name_hash, beneficiary.paid_to) collate "C" as payee, amount_currency, amount_side
    from payments cross join lateral beneficiary_of(payments) as beneficiary
    where run_id = p_run and payment_is_on_hold(state)
  ), bound as (
    select coalesce((current_policy() ->> 'changedAmountPercent')::numeric, 20) as percent
  )
  select case when earlier.payee is null then 'new' 
      when mine.payee is null then case when held.payee is null then 'missing' else 'held' end
      when not mine.accounts <@ earlier.accounts then 'account_changed'
      when abs(mine.amount - earlier.amount) * 100 > earlier.amount * percent then 'amount_changed' else 'same' end,
    payee, amount_currency, amount_side, mine.rows, mine.amount, earlier.rows, earlier.amount, mine.payment_id, earlier.payment_id
  from mine full join earlier using (payee, amount_currency, amount_side)
  left join held using (payee, amount_currency, amount_side) cross join bound
$$;
