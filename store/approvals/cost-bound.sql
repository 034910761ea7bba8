-- What a policy lets a payment cost: fees, as a percentage of the amount sold, and basis points that its rate may be worse than the
-- reference rate. `COST_BOUND` in domain/approvals/cost-bound.ts has the same where a policy does not say.
-- Called by: other functions.
create or replace function cost_bound(p_policy jsonb, out fee_percent numeric, out rate_basis_points numeric)
language sql immutable set search_path = public, pg_temp as $$
  select coalesce((p_policy #>> '{costBound,feePercent}')::numeric, 20), coalesce((p_policy #>> '{costBound,rateBasisPoints}')::numeric, 300)
$$;

-- What one unit sold has to buy at least, by the rates that a proposal was made with. Null: there is none of the pair.
-- Called by: other functions.
create or replace function least_rate(p_sell text, p_buy text, p_rates jsonb, p_basis_points numeric) returns numeric
language sql immutable set search_path = public, pg_temp as $$
  select case when p_sell = p_buy then 1 else round((p_rates ->> (p_sell || '/' || p_buy))::numeric * (1 - p_basis_points / 10000), 10) end
$$;

-- Keeps the reference rates of the pairs of a run that nobody has approved, for its proposal: what it may cost follows from them.
-- With them the indicative prices, by which people are shown what it is expected to cost.
-- Called by: worker.
create or replace function keep_rates_of_run(p_run uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update runs set reference_rates = (select jsonb_strip_nulls(coalesce(jsonb_object_agg(sell_currency || '/' || buy_currency,
      trim_scale(round(reference_rate(sell_currency, buy_currency), 10))), '{}'))
    from (select distinct sell_currency, buy_currency from payments
      where payments.run_id = p_run and sell_currency is not null and buy_currency is not null) as pairs),
    indicative_prices = indicative_prices_of_run(p_run)
  -- guard: rates-kept-until-approved
  where run_id = p_run and run_is_undecided(state)
$$;

-- What the rows of a run that would be paid may cost, as an approval covers it. `most` of a currency is what leaves the balance at most,
-- with the fees; null where a rate is not known.
-- Called by: server and worker.
create or replace function cost_bound_of_run(p_run uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  with rows as (
    select sell_currency, buy_currency, least_rate,
      case amount_side when 'sell' then amount else amount / nullif(least_rate, 0) end * (1 + fee_percent / 100) as most
    from run_content(p_run) join payments using (payment_id)
  )
  select jsonb_build_object('feePercent', bound.fee_percent::text, 'rateBasisPoints', bound.rate_basis_points,
    'totals', (select coalesce(jsonb_agg(jsonb_build_object('currency', sell_currency, 'most', most) order by sell_currency), '[]') from (
      select sell_currency, case when bool_and(most is not null) then round(sum(most), 2)::text end as most from rows group by sell_currency) as sums),
    'rates', (select coalesce(jsonb_agg(jsonb_build_object('sellCurrency', sell_currency, 'buyCurrency', buy_currency,
      'reference', run.reference_rates ->> (sell_currency || '/' || buy_currency), 'least', trim_scale(least_rate)::text)
      order by sell_currency, buy_currency), '[]')
      from (select distinct sell_currency, buy_currency, least_rate from rows where sell_currency <> buy_currency) as pairs))
  from runs run cross join lateral cost_bound(current_policy()) as bound where run_id = p_run
$$;

-- Null when every pair of a run has a bound, or the policy does not ask for one; else the refusal, which is in the audit trail by then.
-- Called by: other functions.
create or replace function authorize_by_cost_bound(p_user uuid, p_token uuid, p_run uuid, p_policy jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_missing text;
begin
  if not p_policy ? 'costBound' then return null; end if;
  select string_agg(distinct sell_currency || '/' || buy_currency, ', ') into v_missing
    from run_content(p_run) join payments using (payment_id) where least_rate is null;
  -- guard: bound-needs-rates
  if v_missing is not null then
    return refuse_decision(p_user, p_token, p_run, 'conflict', 'rate_missing',
      'the policy bounds what a payment may cost, and there was no reference rate for ' || v_missing
      || ' of the last five days that is not in doubt when the run was proposed: reject it, and have it submitted again once there is one');
  end if;
  return null;
end $$;

-- A payment whose price is beyond what was approved is not sent: it is held, or `unknown` where the provider has it.
-- Called by: triggers.
create or replace function hold_beyond_cost_bound() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v approved_payments%rowtype;
begin
  select * into v from approved_payments where payment_id = new.payment_id and attempt = new.attempt;
  -- guard: fees-limited
  if new.total_amount - new.sell_amount > new.sell_amount * v.fee_percent / 100 then
    new.error_code := 'fees_beyond_limit';
    new.error_message := 'the fees are more than ' || v.fee_percent || ' % of the amount sold, and no more was approved';
  -- guard: rate-limited
  elsif new.buy_amount < new.sell_amount * v.least_rate then
    new.error_code := 'rate_beyond_limit';
    new.error_message := 'one ' || new.sell_currency || ' buys ' || trim_scale(round(new.buy_amount / new.sell_amount, 10)) || ' '
      || new.buy_currency || ', and at least ' || trim_scale(v.least_rate) || ' was approved';
  else
    return new;
  end if;
  -- guard: beyond-bound-where-it-may-exist
  new.state := case when payment_is_unfunded(new.state) or may_have_been_created(new.payment_id, new.attempt) then 'unknown' else 'held' end;
  if payment_is_unresolved(new.state) then new.ended_at := coalesce(new.ended_at, clock_timestamp()); end if;
  perform note('database', 'request_refused', new.run_id, new.payment_id,
    jsonb_build_object('operation', 'price', 'why', new.error_code, 'state', new.state));
  return new;
end $$;

-- Before `payments_move_legally`, by its name.
create or replace trigger payments_cost_what_was_approved before update of sell_amount, buy_amount, total_amount, quote_id on payments
  for each row when (payment_is_pending(new.state) and (new.quote_id, new.sell_amount, new.buy_amount, new.total_amount)
    is distinct from (old.quote_id, old.sell_amount, old.buy_amount, old.total_amount)) execute function hold_beyond_cost_bound();
