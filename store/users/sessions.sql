-- Opens a session of a user who has shown who they are. It ends after half an hour without use, and after twelve hours. Who comes
-- from the sign-in of the company may have shown it there long ago, so `authenticated_at` is not known here.
-- Called by: other functions.
create or replace function open_session(p_user uuid, p_method text, p_new_token_hash bytea, p_browser text, p_address text) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_token uuid;
begin
  insert into api_tokens (user_id, stored_hash, label, expires_at, scopes)
  values (p_user, sha256(p_new_token_hash), 'console', clock_timestamp() + interval '12 hours', '{read,submit,decide}') returning token_id into v_token;
  insert into sessions (session_id, method, idle_seconds, browser, address, awaits_factor, authenticated_at)
  -- guard: asked-at-a-known-time
  values (v_token, p_method, 1800, left(p_browser, 200), left(p_address, 100), sign_in_takes_factor(p_user, p_method), case when p_method <> 'oidc' then clock_timestamp() end);
  perform note(p_user::text, 'session_begun', null, null, jsonb_build_object('token', v_token, 'method', p_method));
  return v_token;
end $$;

-- Whether a user who signs in so shows a second factor first: where it is asked for, and of every role but viewer and auditor. A one-time
-- link is how somebody comes back who has lost theirs, and adds the first one.
-- Called by: other functions.
create or replace function sign_in_takes_factor(p_user uuid, p_method text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select p_method <> 'link' and needs_second_factor(current_policy(), 'signIn')
    -- guard: factor-at-sign-in
    and exists (select from user_roles where user_id = p_user and (is_deciding(role) or role_may(role, 'submit_run')))
$$;

-- Gives a session another token hash. A token of a program keeps its own.
-- Called by: other functions.
create or replace function rotate_session(p_session uuid, p_new_token_hash bytea) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sessions set previous_hash = stored_hash, previous_until = clock_timestamp() + interval '30 seconds'
  from api_tokens where session_id = p_session and token_id = p_session;
  if found then update api_tokens set stored_hash = sha256(p_new_token_hash) where token_id = p_session; end if;
end $$;

-- Ends one's own session, or anyone's as an administrator, whose pending changes then wait for a second one.
-- Called by: server.
create or replace function end_session(p_token_hash bytea, p_session uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_owner uuid;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  select user_id into v_owner from api_tokens join sessions on session_id = token_id where token_id = p_session;
  -- One that awaits its second factor may end itself.
  if exists (select from holder_of(p_token_hash) as holder where holder.token_id = p_session) then
    me.user_id := v_owner;
    me.token_id := p_session;
  end if;
  -- guard: may-end-session (2 lines)
  v_refusal := authorize_ending(p_token_hash, me.user_id, me.token_id, v_owner, p_session, 'end_session');
  if v_refusal is not null then return v_refusal; end if;
  perform from users where user_id = v_owner for no key update;
  update api_tokens set revoked_at = clock_timestamp() where token_id = p_session and revoked_at is null and v_owner is not null;
  if not found then return refused('not_found', 'there is no such session, or it has ended'); end if;
  perform note(me.user_id::text, 'session_ended', null, null,
    jsonb_build_object('session', p_session, 'user', v_owner, 'token', me.token_id)
      -- guard: ended-by-another-is-told
      || case when me.user_id <> v_owner then '{"state": "by_another"}' else '{}' end::jsonb);
  -- guard: who-ended-sessions-waits
  perform after_removal(v_owner, me.user_id, decides(v_owner));
  return jsonb_build_object('done', true);
end $$;

-- Ends the sessions of a user, or the tokens that are none, but one; answers how many.
-- Called by: other functions.
create or replace function revoke_all_but(p_user uuid, p_but uuid, p_are_sessions boolean) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ended integer;
begin
  perform from users where user_id = p_user for no key update;
  update api_tokens set revoked_at = clock_timestamp()
  where user_id = p_user and revoked_at is null and token_id is distinct from p_but
    and exists (select from sessions where session_id = token_id) = p_are_sessions;
  get diagnostics v_ended = row_count;
  return v_ended;
end $$;

-- Ends the sessions of a user, but one.
-- Called by: other functions.
create or replace function end_sessions(p_user uuid, p_but uuid, p_why text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ended integer := revoke_all_but(p_user, p_but, true);
begin
  if v_ended > 0 then
    perform note('database', 'sessions_ended', null, null, jsonb_build_object('user', p_user, 'sessions', v_ended, 'why', p_why));
  end if;
end $$;

-- Ends everything by which a user could sign in so far. Waits for a token that is being created for them.
-- Called by: other functions.
create or replace function end_sign_ins(p_user uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users where user_id = p_user for no key update;
  -- guard: tokens-end-with-user
  update api_tokens set revoked_at = clock_timestamp() where user_id = p_user and revoked_at is null;
  update invitations set expires_at = clock_timestamp()
  where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp();
  delete from passwords where user_id = p_user;
  delete from totp_factors where user_id = p_user;
  delete from passkeys where user_id = p_user;
  delete from user_identities where user_id = p_user;
  delete from known_browsers where user_id = p_user;
  -- guard: other-sign-in-has-tries-again
  perform forget_codes_tried(p_user);
end $$;

-- Null when the user may change how they sign in: in a session, soon after they have shown who they are, and if they have a second
-- factor, after they have shown it. A one-time link, or a code at the command line, takes its place: it is how somebody comes back who has lost theirs. If the
-- policy requires second factors, adding the first one takes such a link too: else somebody who learned the password could add their own.
-- Called by: other functions.
create or replace function authorize_sign_in_change(p_user uuid, p_session uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v sessions%rowtype;
begin
  if p_user is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v from sessions where session_id = p_session;
  -- The command line has used a code, which is what a one-time link is at the console.
  if v.session_id is null and exists (
    -- guard: code-used-just-now
    select from invitations where token_id = p_session and redeemed_at > clock_timestamp() - interval '15 minutes') then
    return null;
  end if;
  if v.session_id is null or v.authenticated_at is null or v.authenticated_at < clock_timestamp() - interval '15 minutes' then
    return refused('conflict', case v.method
      when 'oidc' then 'this takes a sign-in of the last 15 minutes, and your company''s does not show one: sign in there again, or with your password'
      else 'this takes a sign-in at the console that is not older than 15 minutes: sign in again' end);
  end if;
  if v.method = 'link' then return null; end if;
  -- guard: factor-by-factor
  if has_second_factor(p_user) then
    if use_step_up(p_session, 'sign_in', p_user, '', 'changed') is not null then return null; end if;
    perform note(p_user::text, 'refused', null, null, jsonb_build_object('what', p_what, 'why', 'second_factor', 'token', p_session));
    return refused('second_factor_needed', 'show one of your second factors first; without them, a one-time link of an administrator helps');
  end if;
  return case when p_what in ('begin_totp', 'begin_passkey') then authorize_first_factor(p_user, p_session, p_what) end;
end $$;

-- Null when the user may add a second factor to their sign-in as the policy is now: a first one, where it asks for factors, only in a session by
-- a one-time link or with a token; else the refusal. Asked when it is begun and when it is added, since the policy may change between.
-- Called by: other functions.
create or replace function authorize_first_factor(p_user uuid, p_session uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- guard: first-factor-by-link
  if exists (select from sessions where session_id = p_session and method <> 'link') and not has_second_factor(p_user)
    and (needs_second_factor(current_policy(), 'approvals') or needs_second_factor(current_policy(), 'changes')) then
    perform note(p_user::text, 'refused', null, null, jsonb_build_object('what', p_what, 'why', 'first_factor', 'token', p_session));
    return refused('not_allowed', 'the policy asks for second factors: sign in by a one-time link of an administrator to add your first one');
  end if;
  return null;
end $$;

-- Whether the user could sign in all the time since then, by a password or by the sign-in of the company, with a second factor where that
-- takes one.
-- Called by: other functions.
create or replace function has_sign_in_since(p_user uuid, p_time timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select (refuse_password() is null and exists (select from passwords where user_id = p_user and since <= p_time)
      or exists (select from user_identities where user_id = p_user and since <= p_time))
    -- guard: sign-in-with-its-factor
    and (has_second_factor(p_user) or not sign_in_takes_factor(p_user, 'password'))
$$;
