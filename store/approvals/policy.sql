-- The approval policy in force: the latest one.
-- Called by: server.
create or replace function current_policy() returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select policy from policies order by policy_id desc limit 1
$$;

-- The first rule of a policy that covers a run of this amount. Null: none does.
-- Called by: server.
create or replace function fitting_rule(p_policy jsonb, p_currency text, p_account text, p_total numeric, p_largest numeric, p_has_new boolean)
returns jsonb language sql stable set search_path = public, pg_temp as $$
  select rule from jsonb_array_elements(p_policy -> 'rules') with ordinality as rules (rule, position)
  where (rule #> '{when,currencies}' is null or rule #> '{when,currencies}' ? p_currency)
    and (rule #> '{when,accounts}' is null or rule #> '{when,accounts}' ? p_account)
    -- guard: sum-judged
    and p_total >= coalesce((rule #>> '{when,totalAtLeast}')::numeric, 0)
    -- guard: largest-judged
    and p_largest >= coalesce((rule #>> '{when,largestAtLeast}')::numeric, 0)
    -- guard: new-beneficiary-judged
    and (not coalesce((rule #>> '{when,newBeneficiary}')::boolean, false) or p_has_new)
  order by position limit 1
$$;

-- The rule for each currency of a run, with its steps. Null: no rule covers some currency.
-- Called by: server.
create or replace function rules_for(p_run uuid, p_policy jsonb) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v_sum record;
  v_fitting jsonb;
  v_rules jsonb := '[]';
begin
  for v_sum in
    select case amount_side when 'sell' then sell_currency else buy_currency end as currency,
      mine.account, sum(amount) as total, max(amount) as largest,
      -- The account of a beneficiary that is named by the provider's id is known where the provider has shown it.
      bool_or(not exists (select from paid_to_account(mine.account, coalesce(mine.account_hash, named.account_hash)) earlier
          where earlier.run_id <> mine.run_id)
        and not exists (select from paid_to_beneficiary(mine.account, mine.instruction #>> '{beneficiary,beneficiaryId}') earlier
          where earlier.run_id <> mine.run_id)) as has_new
    from payments mine
    left join provider_beneficiaries named on mine.account_hash is null and named.account = mine.account
      and named.beneficiary_id = mine.instruction #>> '{beneficiary,beneficiaryId}'
    where mine.run_id = p_run and state = 'ready'
    group by 1, 2 order by 1, 2
  loop
    v_fitting := fitting_rule(p_policy, v_sum.currency, v_sum.account, v_sum.total, v_sum.largest, v_sum.has_new);
    -- guard: no-rule-no-approval
    if v_fitting is null then return null; end if;
    -- guard: steps-of-all-currencies
    v_rules := v_rules || jsonb_build_array(jsonb_build_object('currency', v_sum.currency, 'name', v_fitting -> 'name',
      'steps', v_fitting -> 'steps'));
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

-- The users who could take a step of a run of this maker and account.
-- Called by: server.
create or replace function people_who_could(p_maker uuid, p_account text, p_step jsonb) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select users.user_id from users
  where users.user_id is distinct from p_maker and user_may(users.user_id, 'decide_run') and user_may_use(users.user_id, p_account)
    and satisfies_step(users.user_id, p_step)
$$;

-- The users who could take a step of a run, and have approved none of it.
-- Called by: server.
create or replace function people_for_step(p_run uuid, p_content_hash text, p_step jsonb) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select person from runs, people_who_could(runs.submitted_by, runs.account, p_step) as person
  where runs.run_id = p_run
    and not exists (select from approvals given where given.run_id = p_run and given.decision = 'approved'
      and given.content_hash = p_content_hash and given.user_id = person)
$$;

-- How many steps can be taken, each by another person. `p_steps`: for each, the users who may take it, of which ten are looked at.
-- By Hall's theorem, as many are left over as the worst choice of steps has more steps than people.
-- Called by: other functions.
create or replace function most_taken(p_steps jsonb) returns bigint language sql immutable set search_path = public, pg_temp as $$
  select min(n - steps + people) from (
    select n, (select count(*) from generate_series(0, n - 1) as at where mask >> at & 1 = 1) as steps,
      (select count(distinct person) from generate_series(0, n - 1) as at, jsonb_array_elements_text(p_steps -> at) as person
       where mask >> at & 1 = 1) as people
    from (select least(jsonb_array_length(p_steps), 10) as n) as size, generate_series(0, (1 << n) - 1) as mask
  ) as choices
$$;
