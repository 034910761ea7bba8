-- The approval policy in force: the latest one.
-- Called by: server.
create or replace function current_policy() returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select policy from policies order by policy_id desc limit 1
$$;

-- The zone of the days on which the rows of an account are due, and of which its limits are. Without an account, that of the installation.
-- Called by: server and worker.
create or replace function time_zone_of(p_account text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(policy -> 'accountTimeZones' ->> p_account, policy ->> 'timeZone', 'UTC') from (select current_policy() as policy) as in_force
$$;

-- A time zone of a policy that the database does not know, so that it could tell no day of its account: its own list is another one than
-- that of the program. Null: there is none.
-- Called by: other functions.
create or replace function unknown_time_zone(p_policy jsonb) returns text
language sql stable set search_path = public, pg_temp as $$
  select zone from (select p_policy ->> 'timeZone' as zone union all
    select value from jsonb_each_text(coalesce(p_policy -> 'accountTimeZones', '{}'))) as named
  where zone is not null and not exists (select from pg_timezone_names where lower(name) = lower(zone)) limit 1
$$;

-- No policy gets in force with such a zone.
-- Called by: triggers.
create or replace function refuse_unknown_time_zone() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  -- guard: zones-the-database-knows
  if unknown_time_zone(new.policy) is not null then
    raise exception 'the database does not know the time zone %: give another name of it', unknown_time_zone(new.policy)
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace trigger policies_have_known_zones before insert on policies
  for each row execute function refuse_unknown_time_zone();

-- The day of an account at a time: YYYY-MM-DD.
-- Called by: server and worker.
create or replace function local_day(p_account text, p_at timestamptz) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select to_char(p_at at time zone time_zone_of(p_account), 'YYYY-MM-DD')
$$;

-- When a day (YYYY-MM-DD) of an account begins.
-- Called by: server and worker.
create or replace function day_begins_at(p_account text, p_day text) returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select p_day::timestamp at time zone time_zone_of(p_account)
$$;

-- The first rule of a policy that covers a run of these facts: `currency`, `account`, `total`, `largest`, `hasNewBeneficiary`,
-- `countries` (of the banks that are paid; an empty one is not known), and `at`, absent: now. Null: none does.
-- Called by: server.
create or replace function fitting_rule(p_policy jsonb, p_facts jsonb) returns jsonb
language sql stable set search_path = public, pg_temp as $$
  select rule from jsonb_array_elements(p_policy -> 'rules') with ordinality as rules (rule, position),
    lateral (select rule -> 'when' as asked) as conditions,
    lateral (select coalesce((p_facts ->> 'at')::timestamptz, clock_timestamp()) at time zone coalesce(p_policy ->> 'timeZone', 'UTC') as now) as clock
  where (asked -> 'currencies' is null or asked -> 'currencies' ? (p_facts ->> 'currency'))
    and (asked -> 'accounts' is null or asked -> 'accounts' ? (p_facts ->> 'account'))
    -- guard: sum-judged
    and (p_facts ->> 'total')::numeric >= coalesce((asked ->> 'totalAtLeast')::numeric, 0)
    -- guard: largest-judged
    and (p_facts ->> 'largest')::numeric >= coalesce((asked ->> 'largestAtLeast')::numeric, 0)
    -- guard: new-beneficiary-judged
    and (not coalesce((asked ->> 'newBeneficiary')::boolean, false) or (p_facts ->> 'hasNewBeneficiary')::boolean)
    -- guard: any-country-judged (2 lines)
    and (asked -> 'anyCountryOf' is null or p_facts -> 'countries' ? ''
      or asked -> 'anyCountryOf' ?| array(select jsonb_array_elements_text(p_facts -> 'countries')))
    -- guard: only-countries-judged
    and (asked -> 'onlyCountries' is null or asked -> 'onlyCountries' @> (p_facts -> 'countries'))
    -- guard: weekday-judged
    and (asked -> 'weekdays' is null or asked -> 'weekdays' ? to_char(now, 'fmday'))
    -- guard: hour-judged
    and (asked -> 'hours' is null or is_within_hours(now::time, (asked #>> '{hours,from}')::time, (asked #>> '{hours,until}')::time))
  order by position limit 1
$$;

-- Whether a time of day is in these hours, which may go over midnight; their end is not.
-- Called by: server.
create or replace function is_within_hours(p_time time, p_from time, p_until time) returns boolean
language sql immutable set search_path = public, pg_temp as $$
  select case when p_from < p_until then p_time >= p_from and p_time < p_until else p_time >= p_from or p_time < p_until end
$$;

-- What a policy asks of a run, for each currency: the facts of `fitting_rule`.
-- Called by: server.
create or replace function facts_of_run(p_run uuid) returns setof jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  -- Earlier payments are looked for once for each way to an account: for each row, the time would grow with the square of the rows.
  with mine as materialized (
    select amount_currency, mine.account, paid.account_hash, paid.routing_hash, paid.countries,
      mine.instruction #>> '{beneficiary,beneficiaryId}' as named, sum(amount) as total, max(amount) as largest
    from payments mine
    cross join lateral beneficiary_of(mine) as paid
    where mine.run_id = p_run and state = 'ready'
    group by 1, 2, 3, 4, 5, 6
  )
  select jsonb_build_object('currency', amount_currency, 'account', account, 'total', sum(total), 'largest', max(largest),
    -- The first new one is enough: the others are not looked for.
    'hasNewBeneficiary', exists (select from mine as one
      where one.amount_currency = mine.amount_currency and one.account = mine.account
        and not exists (select from paid_to_account(one.account, one.account_hash) earlier
          where earlier.run_id <> p_run
            -- The same account by another route may be somebody else's: its holder or the bank in between is another one.
            -- guard: another-route-is-new
            and earlier.routing_hash = one.routing_hash)
        and not exists (select from paid_to_beneficiary(one.account, one.named) earlier where earlier.run_id <> p_run)),
    -- An empty one is not known.
    'countries', (select jsonb_agg(distinct country) from unnest(array_agg(distinct coalesce(mine.countries, '[""]'))) as each (countries),
      jsonb_array_elements_text(countries) as country))
  from mine
  group by amount_currency, account order by amount_currency, account
$$;

-- The rule for each currency of a run, with its steps. Null: no rule covers some currency.
-- Called by: server.
create or replace function rules_for(p_run uuid, p_policy jsonb) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v_facts jsonb;
  v_fitting jsonb;
  v_rules jsonb := '[]';
begin
  for v_facts in select facts_of_run(p_run) loop
    v_fitting := fitting_rule(p_policy, v_facts);
    -- guard: no-rule-no-approval
    if v_fitting is null then return null; end if;
    -- guard: steps-of-all-currencies
    v_rules := v_rules || jsonb_build_array(jsonb_build_object('currency', v_facts -> 'currency', 'name', v_fitting -> 'name',
      'steps', asked_steps(p_policy, v_fitting -> 'steps', (select account from runs where run_id = p_run), (select submitted_by from runs where run_id = p_run))));
  end loop;
  return v_rules;
end $$;

-- All steps of several lists, each as often as in the list that requires it most often. One list keeps its order. Of several, the
-- steps that the fewest people may take come first, so that nobody takes another's and then lacks for their own.
-- Called by: server.
create or replace function merge_steps(p_lists jsonb) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  with lists as (
    select steps, min(n) as list, count(*) over () as count
    from jsonb_array_elements(p_lists) with ordinality as given (steps, n) group by steps
  ), asked as (
    -- guard: step-as-often
    select step, list, position, count, row_number() over (partition by list, step order by position) as nth
    from lists cross join jsonb_array_elements(steps) with ordinality as each (step, position)
  ), needed as (
    select step, max(count) as count, min(array[list, position]) as place from asked group by step, nth
  )
  select coalesce(jsonb_agg(step order by case when count > 1 then jsonb_array_length(step -> 'logins') end nulls last, place),
    '[]') from needed
$$;

-- The steps that a policy requires for a run: all those of the rules of its currencies. Null: no rule covers some currency.
-- Called by: server.
create or replace function steps_for(p_run uuid, p_policy jsonb) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v_rules jsonb := rules_for(p_run, p_policy);
begin
  if v_rules is null then return null; end if;
  return merge_steps((select coalesce(jsonb_agg(rule -> 'steps'), '[]') from jsonb_array_elements(v_rules) as rule));
end $$;
