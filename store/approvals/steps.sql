-- For whom a user could take a step of the policy: themselves, by role or login, and every user who is named and whose deputy they
-- are today. Of no step, themselves.
-- Called by: other functions.
create or replace function approver_acts_for(p_user uuid, p_step jsonb) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select named.user_id from users me, users named
  where me.user_id = p_user and case
    -- guard: step-of-login (2 lines)
    when p_step ? 'logins' then p_step -> 'logins' ? named.login
      and (named.user_id = p_user or p_step -> 'deputies' -> me.login ? named.login)
    -- guard: step-of-role
    else named.user_id = p_user and (p_step is null or exists (select from user_roles where user_id = p_user and role = p_step ->> 'role')) end
$$;

-- The users who could take a step of a run of this maker and account.
-- Called by: server.
create or replace function people_who_could(p_maker uuid, p_account text, p_step jsonb) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select users.user_id from users
  where users.user_id is distinct from p_maker and user_may(users.user_id, 'decide_run') and user_may_use(users.user_id, p_account)
    and exists (select from approver_acts_for(users.user_id, p_step))
$$;

-- The approvals of a content that count for a step, by their users, each with the user for whom it was given. One counts while the user who gave it may still give it, and the
-- step asks for them, or names the user whose deputy they were and who may decide themselves.
-- Called by: other functions.
create or replace function approvals_for_step(p_run uuid, p_content_hash text, p_step jsonb)
returns table (user_id uuid, counts_for uuid, decided_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select given.user_id, coalesce(given.acts_for, given.user_id), given.decided_at from approvals given join runs using (run_id)
  where run_id = p_run and given.decision = 'approved'
    -- guard: steps-of-same-content
    and content_hash = p_content_hash
    -- guard: approver-may-still
    and user_may(given.user_id, 'decide_run')
    -- guard: approver-may-still-use
    and user_may_use(given.user_id, runs.account)
    -- guard: step-still-asked (3 lines)
    and (given.user_id in (select approver_acts_for(given.user_id, p_step - 'deputies'))
      or p_step -> 'logins' ? (select login from users where users.user_id = acts_for)
        and user_may(acts_for, 'decide_run') and user_may_use(acts_for, runs.account))
$$;

-- The approvals of a content that count for some step of the policy, each with the user for whom it was given. Of a user and their
-- deputies it is one: the first that counts.
-- Called by: other functions.
create or replace function counting_approvals(p_run uuid, p_content_hash text, p_steps jsonb) returns table (user_id uuid, counts_for uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: deputies-never-count-twice
  select distinct on (given.counts_for) given.user_id, given.counts_for
  from jsonb_array_elements(p_steps) as steps (asked), approvals_for_step(p_run, p_content_hash, asked) as given
  order by given.counts_for, given.decided_at
$$;

-- Gives a step to an approval that counts for it, also to one of another step where a further approval can take that one: an
-- augmenting path of a bipartite matching. `p_counting`: the users of the approvals that count for each step, from 1.
-- Called by: other functions.
create or replace function assign_step(p_step integer, p_counting jsonb, inout p_taken uuid[], inout p_tried uuid[], out p_found boolean)
language plpgsql immutable set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  p_found := false;
  for v_user in select value::uuid from jsonb_array_elements_text(p_counting -> (p_step - 1)) with ordinality as given (value, n)
    order by array_position(p_taken, value::uuid) is not null, n
  loop
    continue when v_user = any(p_tried);
    p_tried := p_tried || v_user;
    -- guard: one-approval-one-step (5 lines)
    if v_user = any(p_taken) then
      select moved.p_taken, moved.p_tried, moved.p_found into p_taken, p_tried, p_found
      from assign_step(array_position(p_taken, v_user), p_counting, p_taken, p_tried) as moved;
      continue when not p_found;
    end if;
    p_taken[p_step] := v_user;
    p_found := true;
    return;
  end loop;
end $$;

-- Who has taken each step of the policy by an approval of this content; null: nobody. As many steps as can be, the first ones first,
-- whichever was the next one when an approval was given: with the hour, a deputy's last day or the policy, the steps may have changed.
-- Called by: server.
create or replace function taken_steps(p_run uuid, p_content_hash text, p_steps jsonb) returns uuid[]
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v_taken uuid[] := array_fill(null::uuid, array[jsonb_array_length(p_steps)]);
  v_counting jsonb;
begin
  select jsonb_agg((select coalesce(jsonb_agg(user_id order by decided_at), '[]')
    from approvals_for_step(p_run, p_content_hash, step) join counting_approvals(p_run, p_content_hash, p_steps) using (user_id)) order by n)
  into v_counting from jsonb_array_elements(p_steps) with ordinality as steps (step, n);
  for n in 1 .. jsonb_array_length(p_steps) loop
    v_taken := (assign_step(n, v_counting, v_taken, '{}')).p_taken;
  end loop;
  return v_taken;
end $$;

-- The steps that nobody has taken, from 1.
-- Called by: server.
create or replace function open_steps(p_taken uuid[]) returns integer[] language sql immutable set search_path = public, pg_temp as $$
  select array(select n from generate_subscripts(p_taken, 1) as n where p_taken[n] is null order by n)
$$;

-- The users whose approval of this content would take an open step, be it that another one moves to it; each with the user for whom
-- they would approve. A user and their deputies count as one, as long as what one of them has approved counts. Who is named in a step themselves is nobody's deputy: that step would be left
-- to nobody. Of no step: whoever may still approve. `p_taken`: as `taken_steps` answers.
-- Called by: server.
create or replace function people_for_step(p_run uuid, p_content_hash text, p_steps jsonb, p_taken uuid[], p_step integer)
returns table (user_id uuid, acts_for uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with recursive reached (step) as (
    select p_step
    union
    select taken.step::integer from reached
    join unnest(p_taken) with ordinality as taken (by_user, step)
      on by_user in (select counting.user_id from approvals_for_step(p_run, p_content_hash, p_steps -> (reached.step - 1)) as counting)
  )
  select distinct on (person) person, candidate
  from runs, reached, people_who_could(runs.submitted_by, runs.account, p_steps -> (reached.step - 1)) as person,
    approver_acts_for(person, p_steps -> (reached.step - 1)) as candidate
  where runs.run_id = p_run and person not in (
      select given.user_id from approvals given where run_id = p_run and decision = 'approved' and content_hash = p_content_hash)
    -- guard: named-for-themselves (2 lines)
    and (candidate = person or not exists (
      select from users, jsonb_array_elements(p_steps) as steps (asked) where user_id = person and asked -> 'logins' ? login))
    -- guard: deputy-and-user-count-once
    and candidate not in (select counts_for from counting_approvals(p_run, p_content_hash, p_steps))
  order by person, candidate <> person, candidate
$$;
