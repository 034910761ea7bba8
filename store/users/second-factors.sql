-- Whether a second factor that a user adds now counts at once: an earlier one that counts was shown for it, or the code by which the user
-- has signed in came from the owner of the database. Else whoever made that code could have added it.
-- Called by: other functions.
create or replace function factor_counts_at_once(p_user uuid, p_session uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select has_code_of_owner(p_user) or exists (select from sessions where session_id = p_session and method <> 'link')
    and second_factors_of(p_user) <> '[]'
$$;

-- Has a second factor that was just added count, or proposes that it does: another administrator than who made the user's code
-- confirms it. An earlier proposal of the user is replaced.
-- Called by: other functions.
create or replace function begin_factor(p_user uuid, p_session uuid, p_factor text, p_id uuid, p_counts boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- guard: factor-confirmed
  if p_counts then
    perform let_factor_count(p_user, p_id);
    return;
  end if;
  -- guard: replaced-factor-is-dropped (2 lines)
  perform drop_factor(p_user, (detail ->> 'id')::uuid) from changes
  where kind = 'add_factor' and user_id = p_user and state = 'pending' and detail ->> 'id' <> p_id::text;
  perform end_change(change_id, 'replaced', p_user, 'another_factor') from changes
  where kind = 'add_factor' and user_id = p_user and state = 'pending';
  perform begin_change(p_user, p_session, 'add_factor', p_user, jsonb_build_object('factor', p_factor, 'id', p_id, 'codeBy', (
    select created_by from invitations where user_id = p_user and redeemed_at is not null order by redeemed_at desc limit 1)));
end $$;

-- Lets a second factor of a user count for decisions.
-- Called by: other functions.
create or replace function let_factor_count(p_user uuid, p_id uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update totp_factors set counts_at = clock_timestamp() where totp_id = p_id and user_id = p_user;
  update passkeys set counts_at = clock_timestamp() where passkey_id = p_id and user_id = p_user;
$$;

-- Removes a second factor that was not confirmed.
-- Called by: other functions.
create or replace function drop_factor(p_user uuid, p_id uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from totp_factors where totp_id = p_id and user_id = p_user;
  delete from passkeys where passkey_id = p_id and user_id = p_user;
$$;

-- Whether the user has a passkey or a confirmed authenticator app.
-- Called by: other functions.
create or replace function has_second_factor(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from passkeys where user_id = p_user)
    or exists (select from totp_factors where user_id = p_user and confirmed_at is not null)
$$;

-- Where tries of codes are counted: those by a token or session that has shown a factor before, and those at a browser at which the user
-- has shown one, are its own; all others those of their user by this way of signing in. So whoever knows a password keeps nobody from
-- going on, and has no more tries by many sessions.
-- Called by: other functions.
create or replace function totp_tries(p_user uuid, p_token uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select 'totp ' || case
    -- guard: tries-of-ones-own
    when exists (select from step_ups where session_id = p_token) then p_token::text
    else coalesce(
      -- guard: tries-of-a-known-browser (2 lines)
      (select 'browser ' || known_id from sessions join known_browsers using (known_id)
        where session_id = p_token and user_id = p_user and factor_shown_at is not null),
      p_user || ' ' || coalesce((select method from sessions where session_id = p_token), 'token')) end
$$;

-- Accepts a code of an authenticator app once: the time step that it belongs to is later than that of any code before it. False:
-- it is not.
-- Called by: other functions.
create or replace function accept_totp(p_totp uuid, p_step bigint, p_token uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  update totp_factors set last_step = p_step, last_used_at = clock_timestamp()
  -- guard: code-of-app-once
  where totp_id = p_totp and last_step < p_step and abs(p_step - floor(extract(epoch from clock_timestamp()) / 30)) <= 1
  returning user_id into v_user;
  if not found then return false; end if;
  -- Of the tries of before, others may have been somebody else's.
  -- guard: other-tries-stay-counted
  update sign_in_tries set failures = failures - 1 where bucket = totp_tries(v_user, p_token);
  return true;
end $$;

-- Stores a new seed, encrypted by the server. It counts once a code of it was confirmed in the same session.
-- Called by: server.
create or replace function begin_totp(p_token_hash bytea, p_totp uuid, p_wrapped bytea, p_wrapped_by text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_token_hash);
  v_refusal := authorize_sign_in_change(me.user_id, me.token_id, 'begin_totp');
  if v_refusal is not null then return v_refusal; end if;
  delete from totp_factors where user_id = me.user_id and confirmed_at is null;
  insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by, counts_at)
  values (p_totp, me.user_id, me.token_id, p_wrapped, p_wrapped_by, null);
  return jsonb_build_object('done', true);
end $$;

-- The encrypted seed by which the server verifies a code. Each call counts as a failed try until a code was right.
-- Called by: server.
create or replace function begin_totp_try(p_token_hash bytea, p_is_new boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v totp_factors%rowtype;
  v_wait integer;
begin
  select * into me from holder_of(p_token_hash);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v from totp_factors where user_id = me.user_id
    and case when p_is_new then not awaits_factor(me.token_id) and confirmed_at is null and session_id = me.token_id else confirmed_at is not null end;
  if v.totp_id is null then return refused('conflict', 'no app that shows codes is set up'); end if;
  -- guard: codes-by-what-may-act
  if not exists (select from api_tokens where token_id = me.token_id and scopes && '{submit,decide}') then
    return refused('not_allowed', 'a token that only reads has nothing to show a code for');
  end if;
  v_wait := take_try(totp_tries(me.user_id, me.token_id));
  if v_wait > 0 then return refused_until(v_wait); end if;
  -- guard: many-codes-are-told
  if exists (select from sign_in_tries where bucket = totp_tries(me.user_id, me.token_id) and failures = 10) then
    perform note('database', 'codes_tried', null, null, jsonb_build_object('user', me.user_id, 'token', me.token_id));
  end if;
  return jsonb_build_object('totpId', v.totp_id, 'wrapped', encode(v.wrapped, 'hex'), 'wrappedBy', v.wrapped_by);
end $$;

-- Confirms an authenticator app by a code of it, in the session that has set it up; it replaces the one before.
-- Called by: server.
create or replace function confirm_totp(p_token_hash bytea, p_step bigint, p_new_token_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_totp uuid;
  v_counts boolean;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_alone(p_token_hash);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  -- guard: app-added-by-policy-of-now (2 lines)
  v_refusal := authorize_first_factor(me.user_id, me.token_id, 'confirm_totp');
  if v_refusal is not null then return v_refusal; end if;
  v_counts := factor_counts_at_once(me.user_id, me.token_id);
  select totp_id into v_totp from totp_factors where user_id = me.user_id and confirmed_at is null and session_id = me.token_id for update;
  if v_totp is null then return refused('conflict', 'no app that shows codes is being set up'); end if;
  if not accept_totp(v_totp, p_step, me.token_id) then return refused('invalid_input', 'the code is wrong, or its time is over'); end if;
  delete from totp_factors where user_id = me.user_id and confirmed_at is not null;
  update totp_factors set confirmed_at = clock_timestamp() where totp_id = v_totp;
  perform note(me.user_id::text, 'totp_added', null, null, jsonb_build_object('token', me.token_id));
  perform begin_factor(me.user_id, me.token_id, 'totp', v_totp, v_counts);
  perform rotate_session(me.token_id, p_new_token_hash);
  return jsonb_build_object('done', true);
end $$;

-- Removes the authenticator app of the user.
-- Called by: server.
create or replace function remove_totp(p_token_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_token_hash);
  v_refusal := authorize_sign_in_change(me.user_id, me.token_id, 'remove_totp');
  if v_refusal is not null then return v_refusal; end if;
  delete from totp_factors where user_id = me.user_id;
  if not found then return refused('not_found', 'no app that shows codes is set up'); end if;
  perform note(me.user_id::text, 'totp_removed', null, null, jsonb_build_object('token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- The challenge for a new passkey.
-- Called by: server.
create or replace function begin_passkey(p_token_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_challenge bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  select * into me from session_alone(p_token_hash);
  v_refusal := authorize_sign_in_change(me.user_id, me.token_id, 'begin_passkey');
  if v_refusal is not null then return v_refusal; end if;
  delete from passkey_challenges where expires_at < clock_timestamp();
  insert into passkey_challenges (challenge, session_id, user_id, nonce, expires_at)
  values (v_challenge, me.token_id, me.user_id, v_challenge, clock_timestamp() + interval '5 minutes');
  return jsonb_build_object('challenge', encode(v_challenge, 'hex'));
end $$;

-- Adds a passkey of the user, for a challenge that was made for it in the same session.
-- Called by: server.
create or replace function add_passkey(p_token_hash bytea, p_challenge bytea, p_credential bytea, p_public_key bytea, p_counter bigint,
  p_transports text[], p_label text, p_new_token_hash bytea)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_passkey uuid;
  v_counts boolean;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_alone(p_token_hash);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  -- guard: passkey-added-by-policy-of-now (2 lines)
  v_refusal := authorize_first_factor(me.user_id, me.token_id, 'add_passkey');
  if v_refusal is not null then return v_refusal; end if;
  delete from passkey_challenges where challenge = p_challenge and session_id = me.token_id and kind is null
    and expires_at > clock_timestamp();
  if not found then return refused('conflict', 'the passkey took too long: begin again'); end if;
  v_counts := factor_counts_at_once(me.user_id, me.token_id);
  insert into passkeys (user_id, credential_id, public_key, counter, transports, label, counts_at)
  values (me.user_id, p_credential, p_public_key, p_counter, p_transports, p_label, null)
  on conflict (credential_id) do nothing returning passkey_id into v_passkey;
  if v_passkey is null then return refused('conflict', 'the passkey is in use already'); end if;
  perform note(me.user_id::text, 'passkey_added', null, null, jsonb_build_object('passkey', v_passkey, 'token', me.token_id));
  perform begin_factor(me.user_id, me.token_id, 'passkey', v_passkey, v_counts);
  perform rotate_session(me.token_id, p_new_token_hash);
  return jsonb_build_object('passkeyId', v_passkey);
end $$;

-- Removes a passkey of the user.
-- Called by: server.
create or replace function remove_passkey(p_token_hash bytea, p_passkey uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_token_hash);
  v_refusal := authorize_sign_in_change(me.user_id, me.token_id, 'remove_passkey');
  if v_refusal is not null then return v_refusal; end if;
  delete from passkeys where passkey_id = p_passkey and user_id = me.user_id;
  if not found then return refused('not_found', 'you have no such passkey'); end if;
  perform note(me.user_id::text, 'passkey_removed', null, null, jsonb_build_object('passkey', p_passkey, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
