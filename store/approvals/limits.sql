-- What the limits of a policy allow to be approved in a day and in a week, in the currency that they name: what of it is used, and what
-- the run asks for. For a beneficiary, the row of the run that comes closest. Amounts are null while a currency has no reference rate:
-- `missing` names it. Days and weeks are those of the policy's time zone; a week begins on Monday. What was approved counts, save for
-- rows that ended without ever being paid.
-- Called by: server.
create or replace function limits_of_run(p_run uuid, p_policy jsonb)
returns table (scope text, period text, allowed numeric, used numeric, asked numeric, row_ref text, missing text[])
language sql stable security definer set search_path = public, pg_temp as $$
  with limits as (
    select scope, period, (p_policy #>> array['limits', scope, period])::numeric as allowed,
      date_trunc(period, clock_timestamp() at time zone zone) at time zone zone as since
    from (select coalesce(p_policy ->> 'timeZone', 'UTC') as zone) as policy,
      unnest(array['all', 'maker', 'beneficiary']) as scope, unnest(array['day', 'week']) as period
    where p_policy #>> array['limits', scope, period] is not null
  ), counted as (
    select true as is_asked, null::timestamptz as decided_at, submitted_by, amount_currency as currency, amount, row_ref, row_number, paid_to
    from runs join payments using (run_id) cross join lateral beneficiary_of(payments) where run_id = p_run and payments.state = 'ready'
    union all
    select false, decided_at, submitted_by, amount_currency, amount, row_ref, row_number, paid_to
    from runs join payments using (run_id) cross join lateral beneficiary_of(payments)
    -- guard: limits-count-the-approved (2 lines)
    where started_at is not null and decided_at >= (select min(since) from limits) and run_id <> p_run
      and not payment_was_never_paid(payments.state)
  ), sums as (
    select is_asked, decided_at, submitted_by, currency, paid_to, sum(amount) as amount, (array_agg(row_ref order by row_number))[1] as row_ref
    from counted group by is_asked, decided_at, submitted_by, currency, paid_to
  ), valued as (
    select sums.*, sums.amount * rate as value, case when rate is null then sums.currency end as missing
    from sums join (
      select currency, reference_rate(currency, p_policy #>> '{limits,currency}') as rate
      from (select distinct currency from sums) as currencies) as rates using (currency)
  ), compared as (
    select limits.scope, period, allowed, case limits.scope when 'beneficiary' then paid_to end as subject,
      coalesce(sum(value) filter (where not is_asked), 0) as used, sum(value) filter (where is_asked) as asked,
      min(valued.row_ref) filter (where is_asked) as row_ref,
      array_agg(distinct missing) filter (where missing is not null) as missing
    from limits join valued on is_asked or decided_at >= since
    where case limits.scope
      -- guard: limit-of-maker
      when 'maker' then submitted_by = (select submitted_by from runs where run_id = p_run) else true end
    group by limits.scope, period, allowed, subject having bool_or(is_asked)
  )
  select distinct on (compared.scope, compared.period) compared.scope, compared.period, compared.allowed,
    case when compared.missing is null then compared.used end, case when compared.missing is null then compared.asked end,
    case compared.scope when 'beneficiary' then compared.row_ref end, coalesce(compared.missing, '{}')
  from compared
  order by compared.scope, compared.period, compared.missing is null, compared.used + compared.asked desc, compared.row_ref
$$;

-- Null when the run passes no limit of the policy; else the refusal, which is in the audit trail by then.
-- Called by: other functions.
create or replace function authorize_by_limits(p_user uuid, p_token uuid, p_run uuid, p_policy jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v record;
  v_currency text := p_policy #>> '{limits,currency}';
begin
  if not p_policy ? 'limits' then return null; end if;
  select * into v from limits_of_run(p_run, p_policy) where cardinality(missing) > 0 limit 1;
  -- guard: limits-need-rates
  if found then
    return refuse_decision(p_user, p_token, p_run, 'conflict', 'rate_missing',
      'the limits of the policy are in ' || v_currency || ', and the record has no reference rate for '
      || array_to_string(v.missing, ', ') || ' of the last five days that is not in doubt: nothing in it is approved until there is one');
  end if;
  select * into v from limits_of_run(p_run, p_policy) where used + asked > allowed limit 1;
  -- guard: limit-not-passed
  if found then
    return refuse_decision(p_user, p_token, p_run, 'conflict', 'limit_passed',
      'with this run, what was approved '
      || case v.scope when 'maker' then 'of its maker ' when 'beneficiary' then 'for the beneficiary of ' || v.row_ref || ' ' else '' end
      || case v.period when 'day' then 'today' else 'this week' end || ' would be ' || round(v.used + v.asked, 2) || ' ' || v_currency
      || ', and the policy allows ' || v.allowed || ' ' || v_currency);
  end if;
  return null;
end $$;
