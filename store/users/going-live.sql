-- Whether two people have gone live.
-- Called by: other functions.
create or replace function is_live() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from changes where kind = 'go_live' and state = 'effective')
$$;

-- Whether the record may belong to a real provider: it is not known to be that of payrun's own sandbox. What is approved before the
-- first worker has recorded the provider would outlive going live.
-- Called by: other functions.
create or replace function may_have_real_provider() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: unknown-provider-is-real
  select not coalesce((select bool_and(is_sandbox) from provider_accounts), false)
$$;

-- Whether the record may belong to a real provider, and nobody has gone live: nothing is approved until then.
-- Called by: server and worker.
create or replace function awaits_going_live() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: real-provider-awaits
  select may_have_real_provider() and not is_live()
$$;

-- Null when something may be approved, or asked of the provider; else the refusal, which is in the audit trail by then.
-- Called by: other functions.
create or replace function authorize_when_live(p_user uuid, p_token uuid, p_run uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not awaits_going_live() then return null; end if;
  perform note(p_user::text, 'refused', p_run, null, jsonb_build_object('what', p_what, 'why', 'not_live', 'token', p_token));
  return refused('conflict', case when not exists (select from provider_accounts)
    then 'no provider is recorded yet, and it may be a real one: the first worker records it'
    else 'this payrun is not live: with a real provider nothing is approved before two administrators have gone '
      || 'live (payrun go-live)' end);
end $$;

-- Whether the code by which the user has signed in was made by the owner of the database. Whoever makes a code could use it, so
-- codes of users would let one administrator be both.
-- Called by: other functions.
create or replace function has_code_of_owner(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((select created_by is null from invitations
    where user_id = p_user and redeemed_at is not null order by redeemed_at desc limit 1), true)
$$;

-- Whether the user has never signed in.
-- Called by: other functions.
create or replace function is_unused(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select not exists (select from api_tokens where user_id = p_user)
$$;

-- What somebody may have set up alone, a line each, in words: going live is for exactly this, and whoever confirms it is shown it.
-- Called by: other functions.
create or replace function set_up_so_far() returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select line from (
    select format('policy %s', max(policy_id)) from policies
    union all select format('%s is %s', login, role)
      -- guard: live-with-administrators-who-stay
      || case when role = 'administrator' and is_unused(user_id) then ', has never signed in, and is disabled by going live' else '' end
      from user_roles join users using (user_id) where disabled_at is null
    -- guard: live-with-mail-addresses
    union all select format('codes of %s go to %s', login, mail) from users where mail is not null and disabled_at is null
    union all select format('%s may use the account %s', login, account) from user_accounts join users using (user_id)
    union all select format('provider %s at %s, with the access key whose SHA-256 is %s', account, api_address, access_key) from provider_accounts
    -- Nothing secret of an address; what has this id keeps its address.
    -- guard: live-with-endpoints (2 lines)
    union all select format('notifications to %s at %s, %s (%s)', name, coalesce(substring(url from '^[a-z]+://[^/]+'), array_to_string(addresses, ', ')),
      state, endpoint_id) from endpoints where removed_at is null
    -- guard: live-with-schedules (2 lines)
    union all select format('schedule %s, version %s, of the account %s, is %s (%s)', name, version, account, state, schedule_id)
      from schedules where version is not null
    -- guard: live-with-virtual-accounts
    union all select format('virtual account %s of the account %s (%s)', name, account, virtual_account_id) from virtual_accounts
  ) as made (line) order by line
$$;

-- Null when the user may go live now, as one of two; else the refusal.
-- Called by: other functions.
create or replace function authorize_going_live(p_user uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select case
    when not exists (select from provider_accounts) then
      refused('conflict', 'no provider is recorded yet: the first worker records it')
    when not may_have_real_provider() then
      refused('conflict', 'this is the database of a sandbox: a real provider needs a database of its own, and goes live there')
    when is_live() then refused('conflict', 'this payrun is live already')
    -- guard: codes-of-the-owner
    when not has_code_of_owner(p_user) then
      refused('not_allowed', 'your code was made by another user, who could have used it: each of the two who go live has a code of the '
        || 'owner of the database (payrun administrator)')
  end
$$;

-- Ends whatever anybody could sign in by so far: it may have been made by the one administrator who has set up. Of the two who have gone
-- live, whose codes came from the owner, the tokens or sessions stay with which they did, and the passwords and second factors. Administrators who
-- have never signed in are disabled.
-- Called by: other functions.
create or replace function end_sign_ins_before_live(p_users uuid[], p_tokens uuid[], p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Such as the one that `payrun up` makes: nobody needs them, and nobody would notice that they are back.
  -- guard: live-disables-the-unused (2 lines)
  perform disable(user_id, p_by) from users where user_id <> all(p_users) and is_unused(user_id)
    and exists (select from user_roles where user_roles.user_id = users.user_id and role = 'administrator');
  -- guard: live-ends-sign-ins
  perform end_sign_ins(user_id) from (select user_id from users where user_id <> all(p_users) order by user_id) as others;
  perform from users where user_id = any(p_users) order by user_id for no key update;
  -- guard: live-ends-other-tokens (2 lines)
  update api_tokens set revoked_at = clock_timestamp()
  where user_id = any(p_users) and token_id <> all(p_tokens) and revoked_at is null;
  update invitations set expires_at = clock_timestamp() where redeemed_at is null and expires_at > clock_timestamp();
  -- One that the administrator has confirmed alone would serve for days.
  -- guard: live-ends-invitations
  perform end_invitations(user_id, 'infinity', p_by, 'went_live') from users;
end $$;

-- Whether payrun is live, and who has gone live or wants to.
-- Called by: server.
create or replace function going_live() returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select jsonb_build_object('state', case
      when is_live() then 'live'
      when not exists (select from provider_accounts) then 'no_provider'
      when not awaits_going_live() then 'sandbox'
      when step.change_id is not null then 'proposed'
      else 'not_live' end,
    'changeId', step.change_id, 'proposedBy', proposer.name, 'confirmedBy', decider.name, 'since', step.decided_at)
  from (select true) as always
  left join lateral (select * from changes where kind = 'go_live' and state in ('pending', 'effective')
    order by state limit 1) as step on true
  left join users proposer on proposer.user_id = step.proposed_by
  left join users decider on decider.user_id = step.decided_by
$$;
