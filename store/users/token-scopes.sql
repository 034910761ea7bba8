-- The scope that a token needs to use a permission of its user. The table is that of `domain/users/token-scope.ts`.
-- Called by: other functions.
create or replace function scope_of(p_permission text) returns text language sql immutable
set search_path = public, pg_temp as $$
  select case
    when p_permission in ('read_runs', 'read_instructions', 'read_audit', 'read_cases', 'read_applicants') then 'read'
    when p_permission in ('submit_run', 'edit_beneficiaries', 'propose_manual_outcome', 'stop_payments', 'lift_stop', 'onboard', 'convert', 'assign_receipt',
      'request_virtual_account') then 'submit'
    else 'decide'
  end
$$;

-- Whether a token has the scope that a permission needs. A session has all of them.
-- Called by: other functions.
create or replace function token_may(p_token uuid, p_permission text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from api_tokens where token_id = p_token and scope_of(p_permission) = any(scopes))
$$;

-- Whether a user has a permission and uses it by a token that has its scope: for what is decided beyond the first permission of a call.
-- Called by: other functions.
create or replace function may_by_token(p_user uuid, p_token uuid, p_permission text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select user_may(p_user, p_permission)
    -- guard: scope-of-second-permission
    and token_may(p_token, p_permission)
$$;

-- When a token with these scopes ends at the latest: whoever finds one that decides can do so for a day.
-- Called by: other functions.
create or replace function latest_end(p_scopes text[]) returns timestamptz
language sql set search_path = public, pg_temp as $$
  select clock_timestamp() + case
    -- guard: deciding-token-short
    when 'decide' = any(p_scopes) then interval '24 hours'
    else interval '731 days' end
$$;

-- The scopes of a token that a user gets for a code: those that decide only if one of their roles does, so that all others need not
-- sign in each day.
-- Called by: other functions.
create or replace function scopes_for_code(p_user uuid) returns text[]
language sql stable security definer set search_path = public, pg_temp as $$
  select case when decides(p_user) then array['read', 'submit', 'decide'] else array['read', 'submit'] end
$$;

-- Ends the tokens of a user, but one: what signs in by itself outlives no password and no identity of the company.
-- Called by: other functions.
create or replace function end_tokens(p_user uuid, p_but uuid, p_why text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ended integer := revoke_all_but(p_user, p_but, false);
begin
  if v_ended > 0 then
    perform note('database', 'tokens_ended', null, null, jsonb_build_object('user', p_user, 'tokens', v_ended, 'why', p_why));
  end if;
end $$;
