-- The steps of a rule as a run of this maker has to take them: one for each approval that a step asks for, with the logins of its
-- group, and with `deputies`: who may act today for one of these users, as {deputy's login: [logins]}. Nobody acts for the maker,
-- or for somebody who may not decide themselves, or not with this account.
-- Called by: server.
create or replace function asked_steps(p_policy jsonb, p_steps jsonb, p_account text, p_maker uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(
    case when deputies is null then step else step || jsonb_build_object('deputies', deputies) end order by position, n), '[]')
  from jsonb_array_elements(p_steps) with ordinality as given (asked, position),
    lateral (select asked - 'approvals' || case when asked ? 'group'
      then jsonb_build_object('logins', coalesce(p_policy -> 'groups' -> (asked ->> 'group'), '[]')) else '{}' end as step) as named,
    -- guard: as-many-approvals
    generate_series(1, coalesce((asked ->> 'approvals')::integer, 1)) as n,
    lateral (
      select jsonb_object_agg(deputy, logins) as deputies from (
        select acting ->> 'deputy' as deputy, jsonb_agg(users.login order by users.login) as logins
        from jsonb_array_elements(p_policy -> 'deputies') as acting join users on users.login = acting ->> 'for'
        where step -> 'logins' ? users.login
          -- guard: no-deputy-of-the-maker
          and users.user_id is distinct from p_maker
          -- guard: deputy-of-a-decider
          and user_may(users.user_id, 'decide_run') and user_may_use(users.user_id, p_account)
          -- guard: deputy-in-time (2 lines)
          and (clock_timestamp() at time zone coalesce(p_policy ->> 'timeZone', 'UTC'))::date
            between (acting ->> 'from')::date and (acting ->> 'until')::date
        group by deputy) as acting) as active
$$;
