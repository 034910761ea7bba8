-- Up Migration

-- What counts as a failed try of whom, by what a browser is known, and when somebody has shown who they are.

-- A user at a browser, whatever secret the browser has meanwhile: tries are counted by it.
alter table known_browsers add column known_id uuid not null default gen_random_uuid();
create index known_browsers_by_browser on known_browsers (browser_hash);
-- The secret that the browser has shown at this try; null: none.
alter table password_tries add column browser_hash bytea;
-- When the user has last shown who they are. Null: not known, as where the sign-in of the company does not say it.
alter table sessions add column authenticated_at timestamptz;
update sessions set authenticated_at = begun_at where method <> 'oidc';

-- A try with a password: the salt of the login, or one that looks like it. A user has tries of their own at each browser that they have
-- signed in with before: whoever else signs in there resets none of them.
create or replace function begin_password_sign_in(p_login text, p_browser bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_bucket text;
  v_wait integer;
  v_try uuid;
begin
  select 'browser ' || known_id into v_bucket from known_browsers join users using (user_id)
  where users.login = p_login and browser_hash = sha256(p_browser);
  v_bucket := coalesce(v_bucket, 'login ' || p_login);
  v_wait := take_try(v_bucket);
  if v_wait > 0 then return refused_until(v_wait); end if;
  delete from password_tries where begun_at < clock_timestamp() - interval '5 minutes';
  insert into password_tries (login, bucket, browser_hash) values (p_login, v_bucket, sha256(p_browser)) returning try_id into v_try;
  return jsonb_build_object('tryId', v_try, 'salt', encode(coalesce(
    (select salt from passwords join users using (user_id) where users.login = p_login),
    substring(sha256((select secret from sign_in_secrets) || convert_to(p_login, 'UTF8')) from 1 for 16)), 'hex'));
end $$;

-- `p_key` is what Argon2id makes of the password and the salt. `p_browser` is the secret of the browser from now on: all who are known
-- there are known by it, and by the one before no longer.
create or replace function sign_in_with_password(p_try uuid, p_key bytea, p_new_proof bytea, p_browser bytea, p_browser_name text, p_address text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_try password_tries%rowtype;
  v_user uuid;
begin
  delete from password_tries where try_id = p_try and begun_at > clock_timestamp() - interval '5 minutes' returning * into v_try;
  if not found then return refused('unauthenticated', 'the try took too long: sign in again'); end if;
  -- Whatever ends the user's sign-ins at this moment comes before or after.
  perform from users where login = v_try.login for share;
  select users.user_id into v_user from users join passwords using (user_id)
  where login = v_try.login and users.disabled_at is null and verifier = sha256(p_key);
  if not found then
    return refused('unauthenticated', 'the login or the password is wrong')
      || jsonb_build_object('userId', (select user_id from users where login = v_try.login));
  end if;
  perform forget_tries(v_try.bucket);
  -- Of another user whose sign-ins end at this moment, or who signs in, nothing is waited for: they are strangers here then, once.
  update known_browsers set browser_hash = sha256(p_browser) where (user_id, browser_hash) in (
    select user_id, browser_hash from known_browsers where browser_hash = v_try.browser_hash for update skip locked);
  -- Of two tabs that sign in at the same moment either may keep its secret, so both are known.
  insert into known_browsers (user_id, browser_hash) values (v_user, sha256(p_browser))
  on conflict (user_id, browser_hash) do update set seen_at = clock_timestamp();
  delete from known_browsers where user_id = v_user and seen_at < clock_timestamp() - interval '400 days';
  return jsonb_build_object('sessionId', open_session(v_user, 'password', p_new_proof, p_browser_name, p_address), 'userId', v_user);
end $$;

-- A new session of a user who has shown who they are. Ends after half an hour without use, and after twelve hours. Whoever comes from the
-- sign-in of the company may have shown it there long ago, so `authenticated_at` is not known here.
create or replace function open_session(p_user uuid, p_method text, p_new_proof bytea, p_browser text, p_address text) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_token uuid;
begin
  insert into api_tokens (user_id, proof_hash, label, expires_at)
  values (p_user, sha256(p_new_proof), 'console', clock_timestamp() + interval '12 hours') returning token_id into v_token;
  insert into sessions (session_id, method, idle_seconds, browser, address, authenticated_at)
  values (v_token, p_method, 1800, left(p_browser, 200), left(p_address, 100), case when p_method <> 'oidc' then clock_timestamp() end);
  perform note(p_user::text, 'session_begun', null, null, jsonb_build_object('token', v_token, 'method', p_method));
  return v_token;
end $$;

-- A session by the sign-in of the company, of the user that the identity was connected with; or connects it, where the
-- request was begun for that. The user has shown who they are when the company says so (`auth_time`).
create or replace function sign_in_with_id_token(p_token text, p_request bytea, p_new_proof bytea, p_browser_name text, p_address text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v jsonb := accept_id_token(p_token, p_request);
  v_link identity_links%rowtype;
  v_user uuid;
  v_session uuid;
  v_auth_time numeric;
begin
  if v is null then return refused('unauthenticated', 'the answer of the company''s sign-in is not valid, or was used already'); end if;
  delete from identity_links where request_hash = sha256(p_request) returning * into v_link;
  if v_link.user_id is not null then
    perform from users where user_id = v_link.user_id for share;
    if v_link.expires_at <= clock_timestamp() or not exists (select from api_tokens join users using (user_id)
      where token_id = v_link.session_id and revoked_at is null and expires_at > clock_timestamp() and users.disabled_at is null) then
      return refused('unauthenticated', 'it took too long: sign in again');
    end if;
    insert into user_identities (issuer, subject, user_id) values (v ->> 'iss', v ->> 'sub', v_link.user_id) on conflict do nothing;
    if not found then return refused('conflict', 'this identity, or this user, is connected already'); end if;
    perform note(v_link.user_id::text, 'identity_connected', null, null, jsonb_build_object('issuer', v ->> 'iss', 'token', v_link.session_id));
    return jsonb_build_object('connected', true);
  end if;
  select user_id into v_user from user_identities where issuer = v ->> 'iss' and subject = v ->> 'sub';
  perform from users where user_id = v_user for share;
  select user_id into v_user from user_identities join users using (user_id)
  where issuer = v ->> 'iss' and subject = v ->> 'sub' and users.disabled_at is null;
  if not found then
    return refused('unauthenticated', 'this identity is not connected with a user: sign in another way, and connect it under your sign-in');
  end if;
  v_session := open_session(v_user, 'oidc', p_new_proof, p_browser_name, p_address);
  if jsonb_typeof(v -> 'auth_time') = 'number' then v_auth_time := (v ->> 'auth_time')::numeric; end if;
  -- The clock of the company may be ahead by a minute; what is later than that is no time of a sign-in.
  if v_auth_time between 0 and extract(epoch from clock_timestamp()) + 60 then
    update sessions set authenticated_at = least(to_timestamp(v_auth_time::double precision), clock_timestamp())
    where session_id = v_session;
  end if;
  return jsonb_build_object('sessionId', v_session, 'userId', v_user);
end $$;

-- Null when the user may change how they sign in: in a session, soon after they have shown who they are, and if they have a second
-- factor, after they have shown it. A one-time link takes its place: it is how somebody comes back who has lost theirs. If the
-- policy requires second factors, adding the first one takes such a link too: else somebody who learned the password could add their own.
create or replace function sign_in_objection_to(p_user uuid, p_session uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v sessions%rowtype;
begin
  if p_user is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v from sessions where session_id = p_session;
  if v.session_id is null or v.authenticated_at is null or v.authenticated_at < clock_timestamp() - interval '15 minutes' then
    return refused('conflict', case v.method
      when 'oidc' then 'this takes a sign-in of the last 15 minutes, and your company''s does not show one: sign in there again, or with your password'
      else 'this takes a sign-in at the console that is not older than 15 minutes: sign in again' end);
  end if;
  if v.method = 'link' then return null; end if;
  if has_second_factor(p_user) then
    if use_step_up(p_session, 'sign_in', p_user, '', 'changed') is not null then return null; end if;
    perform note(p_user::text, 'refused', null, null, jsonb_build_object('what', p_what, 'why', 'second_factor', 'token', p_session));
    return refused('second_factor_needed', 'show one of your second factors first; without them, a one-time link of an administrator helps');
  end if;
  if p_what in ('begin_totp', 'begin_passkey') and approvals_need_second_factor() then
    perform note(p_user::text, 'refused', null, null, jsonb_build_object('what', p_what, 'why', 'first_factor', 'token', p_session));
    return refused('not_allowed', 'the policy asks for second factors: sign in by a one-time link of an administrator to add your first one');
  end if;
  return null;
end $$;
