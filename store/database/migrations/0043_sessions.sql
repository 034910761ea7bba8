-- Up Migration

-- How people sign in at the console. A session is a token with an end of its own: what it may do is decided as before, by
-- the proof. What makes a session is verified here, so that a server that was taken over cannot make one: a password by a
-- hash of the key that Argon2id derives from it, a link by its code, an identity by the signature of its provider.

create table sessions (
  session_id uuid primary key references api_tokens (token_id),
  method text not null check (method in ('password', 'link', 'oidc')),
  begun_at timestamptz not null default clock_timestamp(),
  idle_seconds integer not null check (idle_seconds > 0),
  -- Requests that were under way when the cookie changed may still read with the former one.
  previous_hash bytea,
  previous_until timestamptz,
  browser text,
  address text
);
create unique index sessions_by_previous on sessions (previous_hash);

create table passwords (
  user_id uuid primary key references users,
  salt bytea not null check (length(salt) = 16),
  -- SHA-256 of the derived key: who reads it cannot sign in with it.
  verifier bytea not null,
  -- Since when the user could sign in by a password all the time.
  since timestamptz not null default clock_timestamp(),
  set_at timestamptz not null default clock_timestamp()
);

-- Failed tries, for all servers. A browser that has signed in before counts by itself, so that nobody who tries passwords of
-- others elsewhere can keep it out.
create table sign_in_tries (
  bucket text primary key,
  failures integer not null default 0,
  last_at timestamptz not null default clock_timestamp()
);
create table password_tries (
  try_id uuid primary key default gen_random_uuid(),
  login text not null,
  bucket text not null,
  begun_at timestamptz not null default clock_timestamp()
);
create table known_browsers (
  user_id uuid not null references users,
  browser_hash bytea not null,
  seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, browser_hash)
);
-- Of it the salts of logins without a password are made, which look like any other and never change.
create table sign_in_secrets (
  only_one boolean primary key default true check (only_one),
  secret bytea not null
);
insert into sign_in_secrets (secret) values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- Second factors. The seed of an app that shows codes is sealed with a data key.
create table totp_factors (
  totp_id uuid primary key,
  user_id uuid not null references users,
  session_id uuid not null references api_tokens (token_id),
  wrapped bytea not null,
  wrapped_by text not null,
  wrapped_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  last_used_at timestamptz
);
create unique index one_totp on totp_factors (user_id) where confirmed_at is not null;
create unique index one_totp_to_confirm on totp_factors (user_id) where confirmed_at is null;

create table passkeys (
  passkey_id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  label text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);

create table passkey_challenges (
  challenge bytea primary key,
  session_id uuid not null references api_tokens (token_id),
  user_id uuid not null references users,
  nonce bytea not null,
  -- Null: of a new passkey.
  kind text,
  subject_id uuid,
  decision text,
  content_hash text,
  expires_at timestamptz not null
);

-- A second factor that was shown for one decision. Of a passkey everything is kept that its signature can be verified by.
create table step_ups (
  step_up_id uuid primary key default gen_random_uuid(),
  session_id uuid not null references api_tokens (token_id),
  user_id uuid not null references users,
  kind text not null check (kind in ('run', 'order', 'sign_in')),
  subject_id uuid not null,
  decision text not null,
  content_hash text not null,
  factor text not null check (factor in ('totp', 'passkey')),
  made_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  nonce bytea,
  public_key bytea,
  client_data bytea,
  authenticator_data bytea,
  signature bytea
);
create index step_ups_to_use on step_ups (session_id) where used_at is null;

-- Identities of a company's own sign-in (OpenID Connect). Workers write the keys, servers verify with them: neither can sign
-- somebody in alone.
create table identity_keys (
  issuer text not null,
  audience text not null,
  key_id text not null,
  modulus bytea not null,
  exponent integer not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (issuer, audience, key_id)
);
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null unique references users,
  since timestamptz not null default clock_timestamp(),
  primary key (issuer, subject)
);
create table identity_links (
  request_hash bytea primary key,
  user_id uuid not null references users,
  session_id uuid not null references api_tokens (token_id),
  expires_at timestamptz not null
);
create table used_identity_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);

-- Who holds the token of this proof, when it is valid: null user otherwise.
create or replace function session_of(p_proof bytea, out user_id uuid, out token_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select tokens.user_id, tokens.token_id from api_tokens tokens join users using (user_id)
    left join sessions on session_id = tokens.token_id
  where proof_hash = sha256(p_proof) and revoked_at is null and users.disabled_at is null
    and (expires_at is null or expires_at > clock_timestamp())
    and (session_id is null
      or coalesce(last_used_at, tokens.created_at) + idle_seconds * interval '1 second' > clock_timestamp())
$$;

-- Seconds until the next try may be made. 0: this one may, and it counts as failed until `forget_tries`. After five failed
-- ones each takes twice as long as the one before, up to a minute; after an hour they are forgotten.
create function take_try(p_bucket text) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v sign_in_tries%rowtype;
  v_wait double precision := 0;
begin
  delete from sign_in_tries where bucket in (select bucket from sign_in_tries
    where last_at < clock_timestamp() - interval '1 hour' and bucket <> p_bucket limit 10 for update skip locked);
  insert into sign_in_tries (bucket) values (p_bucket)
  on conflict (bucket) do update set bucket = excluded.bucket returning * into v;
  if v.last_at < clock_timestamp() - interval '1 hour' then v.failures := 0; end if;
  if v.failures >= 5 then
    v_wait := least(60, power(2, v.failures - 5)) - extract(epoch from clock_timestamp() - v.last_at)::double precision;
  end if;
  if v_wait > 0 then return ceil(v_wait)::integer; end if;
  update sign_in_tries set failures = least(v.failures + 1, 20), last_at = clock_timestamp() where bucket = p_bucket;
  return 0;
end $$;

create function forget_tries(p_bucket text) returns void language sql security definer set search_path = public, pg_temp as $$
  delete from sign_in_tries where bucket = p_bucket
$$;

create function refused_until(p_seconds integer) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  select refused('too_many', 'too many failed tries: wait ' || p_seconds || case p_seconds when 1 then ' second' else ' seconds' end)
    || jsonb_build_object('retryAfterSeconds', p_seconds)
$$;

-- A new session of a user who has shown who they are. Ends after half an hour without use, and after twelve hours.
create function open_session(p_user uuid, p_method text, p_new_proof bytea, p_browser text, p_address text) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_token uuid;
begin
  insert into api_tokens (user_id, proof_hash, label, expires_at)
  values (p_user, sha256(p_new_proof), 'console', clock_timestamp() + interval '12 hours') returning token_id into v_token;
  insert into sessions (session_id, method, idle_seconds, browser, address)
  values (v_token, p_method, 1800, left(p_browser, 200), left(p_address, 100));
  perform note(p_user::text, 'session_begun', null, null, jsonb_build_object('token', v_token, 'method', p_method));
  return v_token;
end $$;

-- Gives a session another proof. A token of a program keeps its own.
create function rotate_session(p_session uuid, p_new_proof bytea) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sessions set previous_hash = proof_hash, previous_until = clock_timestamp() + interval '30 seconds'
  from api_tokens where session_id = p_session and token_id = p_session;
  if found then update api_tokens set proof_hash = sha256(p_new_proof) where token_id = p_session; end if;
end $$;

-- Ends the sessions of a user, but one.
create function end_sessions(p_user uuid, p_but uuid, p_why text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ended integer;
begin
  update api_tokens set revoked_at = clock_timestamp()
  where user_id = p_user and revoked_at is null and token_id is distinct from p_but
    and exists (select from sessions where session_id = token_id);
  get diagnostics v_ended = row_count;
  if v_ended > 0 then
    perform note('record', 'sessions_ended', null, null, jsonb_build_object('user', p_user, 'sessions', v_ended, 'why', p_why));
  end if;
end $$;

create function end_sessions_of_role() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform end_sessions(old.user_id, null, 'role_removed');
  return null;
end $$;
create trigger sessions_end_with_roles after delete on user_roles for each row execute function end_sessions_of_role();

-- Nothing by which a user could sign in so far works any longer. Waits for a token that is being created for them.
create or replace function end_sign_ins(p_user uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users where user_id = p_user for update;
  update api_tokens set revoked_at = clock_timestamp() where user_id = p_user and revoked_at is null;
  update invitations set expires_at = clock_timestamp()
  where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp();
  delete from passwords where user_id = p_user;
  delete from totp_factors where user_id = p_user;
  delete from passkeys where user_id = p_user;
  delete from user_identities where user_id = p_user;
  delete from known_browsers where user_id = p_user;
end $$;

-- Since when the user could sign in at any time: by a password, or by the sign-in of the company.
create function has_sign_in_since(p_user uuid, p_time timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from passwords where user_id = p_user and since <= p_time)
    or exists (select from user_identities where user_id = p_user and since <= p_time)
$$;

-- Whether somebody could have objected to a change all the time: neither who proposed it nor who gains by it, in their
-- role, and with a token or a sign-in that works since before. Whoever was disabled in between has lost both.
create or replace function could_be_objected_to(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from users join user_roles using (user_id)
    where user_id is distinct from p_change.proposed_by and user_id is distinct from p_change.user_id
      and users.disabled_at is null and role_may(user_roles.role, 'object_to_change')
      and user_roles.granted_at <= p_change.proposed_at
      and (has_sign_in_since(users.user_id, p_change.proposed_at) or exists (
        select from api_tokens where api_tokens.user_id = users.user_id and api_tokens.created_at <= p_change.proposed_at
          and not exists (select from sessions where session_id = token_id)
          and revoked_at is null and (expires_at is null or expires_at > clock_timestamp()))))
$$;

-- A try with a password: the salt of the login, or one that looks like it. A browser that the user has signed in with before
-- has tries of its own.
create function begin_password_sign_in(p_login text, p_browser bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_bucket text;
  v_wait integer;
  v_try uuid;
begin
  select 'browser ' || encode(browser_hash, 'hex') into v_bucket from known_browsers join users using (user_id)
  where users.login = p_login and browser_hash = sha256(p_browser);
  v_bucket := coalesce(v_bucket, 'login ' || p_login);
  v_wait := take_try(v_bucket);
  if v_wait > 0 then return refused_until(v_wait); end if;
  delete from password_tries where begun_at < clock_timestamp() - interval '5 minutes';
  insert into password_tries (login, bucket) values (p_login, v_bucket) returning try_id into v_try;
  return jsonb_build_object('tryId', v_try, 'salt', encode(coalesce(
    (select salt from passwords join users using (user_id) where users.login = p_login),
    substring(sha256((select secret from sign_in_secrets) || convert_to(p_login, 'UTF8')) from 1 for 16)), 'hex'));
end $$;

-- `p_key` is what Argon2id makes of the password and the salt.
create function sign_in_with_password(p_try uuid, p_key bytea, p_new_proof bytea, p_browser bytea, p_browser_name text, p_address text)
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
  insert into known_browsers (user_id, browser_hash) values (v_user, sha256(p_browser))
  on conflict (user_id, browser_hash) do update set seen_at = clock_timestamp();
  delete from known_browsers where user_id = v_user and seen_at < clock_timestamp() - interval '400 days';
  return jsonb_build_object('sessionId', open_session(v_user, 'password', p_new_proof, p_browser_name, p_address), 'userId', v_user);
end $$;

-- A one-time link carries the code of an invitation: one that was exchanged for a token makes no session, and the reverse.
create function sign_in_with_link(p_code bytea, p_new_proof bytea, p_browser_name text, p_address text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v invitations%rowtype;
  v_session uuid;
begin
  select invitations.* into v from invitations join users using (user_id)
  where code_hash = sha256(p_code) and redeemed_at is null and expires_at > clock_timestamp() and disabled_at is null
  for share of users for update of invitations;
  if not found then return refused('unauthenticated', 'the link is unknown, was used already, or its time is over'); end if;
  v_session := open_session(v.user_id, 'link', p_new_proof, p_browser_name, p_address);
  update invitations set redeemed_at = clock_timestamp(), token_id = v_session where invitation_id = v.invitation_id;
  return jsonb_build_object('sessionId', v_session, 'userId', v.user_id);
end $$;

-- Uses up a second factor that was shown for exactly this in this session; null: there is none.
create function use_step_up(p_session uuid, p_kind text, p_subject uuid, p_hash text, p_decision text) returns uuid
language sql security definer set search_path = public, pg_temp as $$
  update step_ups set used_at = clock_timestamp()
  where used_at is null and step_up_id = (select step_up_id from step_ups
    where session_id = p_session and kind = p_kind and subject_id = p_subject and content_hash = p_hash
      and decision = p_decision and used_at is null and expires_at > clock_timestamp()
    order by made_at limit 1 for update skip locked)
  returning step_up_id
$$;

create function has_second_factor(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from passkeys where user_id = p_user)
    or exists (select from totp_factors where user_id = p_user and confirmed_at is not null)
$$;

-- Null when the user may change how they sign in: in a session, soon after they have signed in, and if they have a second
-- factor, after they have shown it. A one-time link takes its place: it is how somebody comes back who has lost theirs.
create function sign_in_objection_to(p_user uuid, p_session uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v sessions%rowtype;
begin
  if p_user is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v from sessions where session_id = p_session;
  if v.session_id is null or v.begun_at < clock_timestamp() - interval '15 minutes' then
    return refused('conflict', 'this takes a sign-in at the console that is not older than 15 minutes: sign in again');
  end if;
  if v.method <> 'link' and has_second_factor(p_user)
    and use_step_up(p_session, 'sign_in', p_user, '', 'changed') is null then
    perform note(p_user::text, 'refused', null, null, jsonb_build_object('what', p_what, 'why', 'second_factor', 'token', p_session));
    return refused('second_factor_needed', 'show one of your second factors first; without them, a one-time link of an administrator helps');
  end if;
  return null;
end $$;

-- A further token of the user who asks. In a session it is a change of how they sign in: a token outlives the session, and
-- a new password.
create or replace function issue_token(p_proof bytea, p_new_proof bytea, p_label text, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_token uuid;
begin
  select * into me from session_of(p_proof);
  -- Whatever ends the user's tokens at this moment comes before or after.
  perform from users where user_id = me.user_id for share;
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  if exists (select from sessions where session_id = me.token_id) then
    v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'issue_token');
    if v_refusal is not null then return v_refusal; end if;
  end if;
  insert into api_tokens (user_id, proof_hash, label, expires_at)
  values (me.user_id, sha256(p_new_proof), p_label, p_expires_at) returning token_id into v_token;
  perform note(me.user_id::text, 'token_issued', null, null, jsonb_build_object('token', v_token, 'by', me.token_id));
  return jsonb_build_object('tokenId', v_token);
end $$;

-- The salt of one's own password, for a try with the present one.
create function begin_password_change(p_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_wait integer;
  v_try uuid;
  v_salt bytea;
begin
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select salt into v_salt from passwords where user_id = me.user_id;
  if v_salt is null then return jsonb_build_object('salt', null); end if;
  v_wait := take_try('present ' || me.user_id);
  if v_wait > 0 then return refused_until(v_wait); end if;
  insert into password_tries (login, bucket) values ('', 'present ' || me.user_id) returning try_id into v_try;
  return jsonb_build_object('tryId', v_try, 'salt', encode(v_salt, 'hex'));
end $$;

-- Sets one's password, ends all other sessions, and gives this one another proof. `p_present_key` of the password of before.
create function set_password(p_proof bytea, p_try uuid, p_present_key bytea, p_salt bytea, p_key bytea, p_new_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_session sessions%rowtype;
  v_password passwords%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  perform from users where user_id = me.user_id for share;
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v_session from sessions where session_id = me.token_id;
  if v_session.session_id is null then return refused('conflict', 'a password is set at the console, not with a token'); end if;
  select * into v_password from passwords where user_id = me.user_id for update;
  if v_password.user_id is null or (v_session.method = 'link' and p_try is null) then
    v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'set_password');
    if v_refusal is not null then return v_refusal; end if;
  else
    delete from password_tries where try_id = p_try and bucket = 'present ' || me.user_id;
    if not found then return refused('invalid_input', 'give the present password as well'); end if;
    if v_password.verifier is distinct from sha256(p_present_key) then
      perform note(me.user_id::text, 'refused', null, null,
        jsonb_build_object('what', 'set_password', 'why', 'wrong_password', 'token', me.token_id));
      return refused('not_allowed', 'the present password is wrong');
    end if;
    perform forget_tries('present ' || me.user_id);
  end if;
  insert into passwords (user_id, salt, verifier) values (me.user_id, p_salt, sha256(p_key))
  on conflict (user_id) do update set salt = excluded.salt, verifier = excluded.verifier, set_at = clock_timestamp();
  perform note(me.user_id::text, 'password_set', null, null, jsonb_build_object('token', me.token_id));
  perform end_sessions(me.user_id, me.token_id, 'password_set');
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('done', true);
end $$;

-- One's own session, or anyone's as an administrator.
create function end_session(p_proof bytea, p_session uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_owner uuid;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select user_id into v_owner from api_tokens join sessions on session_id = token_id where token_id = p_session;
  if me.user_id is null or v_owner is distinct from me.user_id then
    v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'end_session');
    if v_refusal is not null then return v_refusal; end if;
  end if;
  update api_tokens set revoked_at = clock_timestamp() where token_id = p_session and revoked_at is null and v_owner is not null;
  if not found then return refused('not_found', 'there is no such session, or it has ended'); end if;
  perform note(me.user_id::text, 'session_ended', null, null,
    jsonb_build_object('session', p_session, 'user', v_owner, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- A new seed, sealed by the server. It counts once a code of it was confirmed in the same session.
create function begin_totp(p_proof bytea, p_totp uuid, p_wrapped bytea, p_wrapped_by text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'begin_totp');
  if v_refusal is not null then return v_refusal; end if;
  delete from totp_factors where user_id = me.user_id and confirmed_at is null;
  insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by)
  values (p_totp, me.user_id, me.token_id, p_wrapped, p_wrapped_by);
  return jsonb_build_object('done', true);
end $$;

-- The sealed seed by which the server verifies a code. Each call counts as a failed try until a code was right.
create function begin_totp_try(p_proof bytea, p_is_new boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v totp_factors%rowtype;
  v_wait integer;
begin
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v from totp_factors where user_id = me.user_id
    and case when p_is_new then confirmed_at is null and session_id = me.token_id else confirmed_at is not null end;
  if v.totp_id is null then return refused('conflict', 'no app that shows codes is set up'); end if;
  v_wait := take_try('totp ' || me.user_id);
  if v_wait > 0 then return refused_until(v_wait); end if;
  return jsonb_build_object('totpId', v.totp_id, 'wrapped', encode(v.wrapped, 'hex'), 'wrappedBy', v.wrapped_by);
end $$;

-- A code counts once: the time step that it belongs to is later than that of any code before it.
create function accept_totp(p_totp uuid, p_step bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  update totp_factors set last_step = p_step, last_used_at = clock_timestamp()
  where totp_id = p_totp and last_step < p_step and abs(p_step - floor(extract(epoch from clock_timestamp()) / 30)) <= 1
  returning user_id into v_user;
  if not found then return false; end if;
  perform forget_tries('totp ' || v_user);
  return true;
end $$;

create function confirm_totp(p_proof bytea, p_step bigint, p_new_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_totp uuid;
begin
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select totp_id into v_totp from totp_factors where user_id = me.user_id and confirmed_at is null and session_id = me.token_id for update;
  if v_totp is null then return refused('conflict', 'no app that shows codes is being set up'); end if;
  if not accept_totp(v_totp, p_step) then return refused('invalid_input', 'the code is wrong, or its time is over'); end if;
  delete from totp_factors where user_id = me.user_id and confirmed_at is not null;
  update totp_factors set confirmed_at = clock_timestamp() where totp_id = v_totp;
  perform note(me.user_id::text, 'totp_added', null, null, jsonb_build_object('token', me.token_id));
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('done', true);
end $$;

create function remove_totp(p_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'remove_totp');
  if v_refusal is not null then return v_refusal; end if;
  delete from totp_factors where user_id = me.user_id;
  if not found then return refused('not_found', 'no app that shows codes is set up'); end if;
  perform note(me.user_id::text, 'totp_removed', null, null, jsonb_build_object('token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- The challenge for a new passkey.
create function begin_passkey(p_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_challenge bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  select * into me from session_of(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'begin_passkey');
  if v_refusal is not null then return v_refusal; end if;
  delete from passkey_challenges where expires_at < clock_timestamp();
  insert into passkey_challenges (challenge, session_id, user_id, nonce, expires_at)
  values (v_challenge, me.token_id, me.user_id, v_challenge, clock_timestamp() + interval '5 minutes');
  return jsonb_build_object('challenge', encode(v_challenge, 'hex'));
end $$;

create function add_passkey(p_proof bytea, p_challenge bytea, p_credential bytea, p_public_key bytea, p_counter bigint,
  p_transports text[], p_label text, p_new_proof bytea)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_passkey uuid;
begin
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  delete from passkey_challenges where challenge = p_challenge and session_id = me.token_id and kind is null
    and expires_at > clock_timestamp();
  if not found then return refused('conflict', 'the passkey took too long: begin again'); end if;
  insert into passkeys (user_id, credential_id, public_key, counter, transports, label)
  values (me.user_id, p_credential, p_public_key, p_counter, p_transports, p_label)
  on conflict (credential_id) do nothing returning passkey_id into v_passkey;
  if v_passkey is null then return refused('conflict', 'the passkey is in use already'); end if;
  perform note(me.user_id::text, 'passkey_added', null, null, jsonb_build_object('passkey', v_passkey, 'token', me.token_id));
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('passkeyId', v_passkey);
end $$;

create function remove_passkey(p_proof bytea, p_passkey uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'remove_passkey');
  if v_refusal is not null then return v_refusal; end if;
  delete from passkeys where passkey_id = p_passkey and user_id = me.user_id;
  if not found then return refused('not_found', 'you have no such passkey'); end if;
  perform note(me.user_id::text, 'passkey_removed', null, null, jsonb_build_object('passkey', p_passkey, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Null when a second factor may be shown for this; else the refusal.
create function step_up_objection_to(p_user uuid, p_kind text, p_subject uuid, p_hash text, p_decision text) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select case
    when p_user is null then refused('unauthenticated', 'nobody is signed in any longer: sign in again')
    when p_kind = 'sign_in' and p_subject = p_user and p_hash = '' and p_decision = 'changed' then null
    when p_kind = 'run' and p_hash ~ '^[0-9a-f]{64}$' and p_decision = 'approved' then null
    when p_kind = 'order' and p_hash ~ '^[0-9a-f]{64}$' and p_decision in ('approved', 'released') then null
    else refused('invalid_input', 'a second factor is shown for a decision on a run or an order, or for a change of one''s own sign-in')
  end
$$;

-- `p_step` is the time step of a code that the server has verified.
create function step_up_with_totp(p_proof bytea, p_kind text, p_subject uuid, p_hash text, p_decision text, p_step bigint, p_new_proof bytea)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_totp uuid;
  v step_ups%rowtype;
begin
  select * into me from session_of(p_proof);
  v_refusal := step_up_objection_to(me.user_id, p_kind, p_subject, p_hash, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select totp_id into v_totp from totp_factors where user_id = me.user_id and confirmed_at is not null;
  if v_totp is null then return refused('conflict', 'no app that shows codes is set up'); end if;
  if not accept_totp(v_totp, p_step) then return refused('invalid_input', 'the code is wrong, or was used already'); end if;
  insert into step_ups (session_id, user_id, kind, subject_id, decision, content_hash, factor, expires_at)
  values (me.token_id, me.user_id, p_kind, p_subject, p_decision, p_hash, 'totp', clock_timestamp() + interval '5 minutes')
  returning * into v;
  perform note(me.user_id::text, 'second_factor_shown', null, null,
    jsonb_build_object('stepUp', v.step_up_id, 'factor', 'totp', 'kind', p_kind, 'subject', p_subject, 'token', me.token_id));
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('validUntil', v.expires_at);
end $$;

-- What a passkey signs: a hash of exactly what is decided, and of a number that is used once.
create function begin_passkey_step_up(p_proof bytea, p_kind text, p_subject uuid, p_hash text, p_decision text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_nonce bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  v_challenge bytea := sha256(v_nonce || convert_to(concat_ws(' ', 'payrun', p_kind, p_subject, p_decision, p_hash), 'UTF8'));
begin
  select * into me from session_of(p_proof);
  v_refusal := step_up_objection_to(me.user_id, p_kind, p_subject, p_hash, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from passkeys where user_id = me.user_id) then
    return refused('conflict', 'you have no passkey');
  end if;
  delete from passkey_challenges where expires_at < clock_timestamp();
  insert into passkey_challenges (challenge, session_id, user_id, nonce, kind, subject_id, decision, content_hash, expires_at)
  values (v_challenge, me.token_id, me.user_id, v_nonce, p_kind, p_subject, p_decision, p_hash, clock_timestamp() + interval '5 minutes');
  return jsonb_build_object('challenge', encode(v_challenge, 'hex'));
end $$;

-- The server has verified the signature. Here it is made sure that the challenge is that of this decision and session, and
-- everything is kept by which anyone can verify it again.
create function step_up_with_passkey(p_proof bytea, p_challenge bytea, p_credential bytea, p_counter bigint, p_client_data bytea,
  p_authenticator_data bytea, p_signature bytea, p_new_proof bytea)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_challenge passkey_challenges%rowtype;
  v_passkey passkeys%rowtype;
  v_client jsonb;
  v step_ups%rowtype;
begin
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  delete from passkey_challenges where challenge = p_challenge and session_id = me.token_id and kind is not null
    and expires_at > clock_timestamp() returning * into v_challenge;
  if not found then return refused('conflict', 'the passkey took too long, or was used already: begin again'); end if;
  begin
    v_client := convert_from(p_client_data, 'UTF8')::jsonb;
  exception when data_exception then
    return refused('invalid_input', 'what the browser has sent cannot be read');
  end;
  if length(p_authenticator_data) < 37 or (v_client ->> 'type' = 'webauthn.get'
    and v_client ->> 'challenge' = rtrim(translate(encode(p_challenge, 'base64'), '+/', '-_'), '=')
    -- The user was present, and was verified by the authenticator.
    and get_byte(p_authenticator_data, 32) & 5 = 5) is not true then
    return refused('invalid_input', 'the passkey has signed something else');
  end if;
  update passkeys set counter = p_counter, last_used_at = clock_timestamp()
  where credential_id = p_credential and user_id = me.user_id and (p_counter > counter or (p_counter = 0 and counter = 0))
  returning * into v_passkey;
  if not found then return refused('not_allowed', 'the passkey is not yours, or was copied: have it removed'); end if;
  insert into step_ups (session_id, user_id, kind, subject_id, decision, content_hash, factor, expires_at, nonce, public_key,
    client_data, authenticator_data, signature)
  values (me.token_id, me.user_id, v_challenge.kind, v_challenge.subject_id, v_challenge.decision, v_challenge.content_hash,
    'passkey', clock_timestamp() + interval '5 minutes', v_challenge.nonce, v_passkey.public_key, p_client_data,
    p_authenticator_data, p_signature)
  returning * into v;
  perform note(me.user_id::text, 'second_factor_shown', null, null, jsonb_build_object('stepUp', v.step_up_id,
    'factor', 'passkey', 'kind', v.kind, 'subject', v.subject_id, 'passkey', v_passkey.passkey_id, 'token', me.token_id));
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('validUntil', v.expires_at);
end $$;

create function approvals_need_second_factor() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((current_policy() #>> '{secondFactor,approvals}')::boolean, false)
$$;

-- expands: a function of the same name and parameters takes its place
alter function decide_run(bytea, uuid, text, text, text) rename to record_run_decision;

-- Approves or rejects the content with the given hash, as `record_run_decision` does. Where the policy asks for a second
-- factor, an approval without one is undone and refused.
create function decide_run(p_proof bytea, p_run uuid, p_decision text, p_content_hash text, p_comment text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_answer jsonb;
  v_step_up uuid;
begin
  perform apply_due_changes();
  if p_decision is distinct from 'approved' or not approvals_need_second_factor() then
    return record_run_decision(p_proof, p_run, p_decision, p_content_hash, p_comment);
  end if;
  select * into me from session_of(p_proof);
  begin
    v_answer := record_run_decision(p_proof, p_run, p_decision, p_content_hash, p_comment);
    if v_answer ? 'refused' then return v_answer; end if;
    v_step_up := use_step_up(me.token_id, 'run', p_run, p_content_hash, p_decision);
    if v_step_up is null then raise exception 'no second factor' using errcode = 'PR001'; end if;
    perform note(me.user_id::text, 'second_factor_used', p_run, null,
      jsonb_build_object('stepUp', v_step_up, 'contentHash', p_content_hash, 'token', me.token_id));
    return v_answer;
  exception when sqlstate 'PR001' then
    null;
  end;
  return refuse_decision(me.user_id, me.token_id, p_run, 'second_factor_needed', 'second_factor',
    'the policy asks for a second factor at every approval: show one for this run');
end $$;

-- expands: a function of the same name and parameters takes its place
alter function decide_conversion(bytea, uuid, text, text, text) rename to record_conversion_decision;

-- Approves, declines, withdraws or releases an order, as `record_conversion_decision` does, with a second factor where the
-- policy asks for one.
create function decide_conversion(p_proof bytea, p_order uuid, p_decision text, p_hash text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_answer jsonb;
  v_step_up uuid;
begin
  perform apply_due_changes();
  if p_decision in ('declined', 'withdrawn') or not approvals_need_second_factor() then
    return record_conversion_decision(p_proof, p_order, p_decision, p_hash, p_reason);
  end if;
  select * into me from session_of(p_proof);
  begin
    v_answer := record_conversion_decision(p_proof, p_order, p_decision, p_hash, p_reason);
    if v_answer ? 'refused' then return v_answer; end if;
    v_step_up := use_step_up(me.token_id, 'order', p_order, p_hash, p_decision);
    if v_step_up is null then raise exception 'no second factor' using errcode = 'PR001'; end if;
    perform note(me.user_id::text, 'second_factor_used', null, null,
      jsonb_build_object('order', p_order, 'stepUp', v_step_up, 'hash', p_hash, 'token', me.token_id));
    return v_answer;
  exception when sqlstate 'PR001' then
    null;
  end;
  perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'conversion_' || p_decision,
    'why', 'second_factor', 'order', p_order, 'token', me.token_id));
  return refused('second_factor_needed', 'the policy asks for a second factor at every approval: show one for this order');
end $$;

-- For the owner of the database alone: the first administrator, or a new code for one when none of them can sign in.
create or replace function invite_administrator(p_login text, p_name text, p_code_hash bytea, p_expires_at timestamptz, p_recover boolean)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  if not p_recover and exists (
    select from users join user_roles using (user_id)
    where user_roles.role = 'administrator' and disabled_at is null
      and (has_sign_in_since(users.user_id, 'infinity') or exists (select from api_tokens
        where api_tokens.user_id = users.user_id and revoked_at is null
          and (expires_at is null or expires_at > clock_timestamp())))) then
    return refused('conflict', 'there is an administrator who can sign in; they add users');
  end if;
  select user_id into v_user from users where login = p_login;
  if v_user is null then
    insert into users (login, name) values (p_login, p_name) returning user_id into v_user;
  end if;
  perform grant_role(v_user, 'administrator');
  update users set disabled_at = null where user_id = v_user;
  update invitations set expires_at = clock_timestamp()
  where user_id = v_user and redeemed_at is null and expires_at > clock_timestamp();
  insert into invitations (user_id, code_hash, expires_at) values (v_user, p_code_hash, p_expires_at);
  perform note('owner', case when p_recover then 'administrator_recovered' else 'first_administrator' end, null, null,
    jsonb_build_object('user', v_user));
  return jsonb_build_object('userId', v_user);
exception
  when unique_violation then return refused('conflict', 'there is a user of that name already; give another');
  when check_violation then
    return refused('invalid_input', 'a login has small letters, digits and . _ @ + -; an administrator holds no other role');
end $$;

-- For the owner of the database alone: a code with which a user of the sandbox signs in once.
create function install_link(p_login text, p_code_hash bytea, p_expires_at timestamptz) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  select user_id into strict v_user from users where login = p_login;
  insert into invitations (user_id, code_hash, expires_at) values (v_user, p_code_hash, p_expires_at);
  return v_user;
end $$;

create function number_of_bytes(p_bytes bytea) returns numeric language plpgsql immutable set search_path = public, pg_temp as $$
declare
  v numeric := 0;
begin
  for i in 0 .. length(p_bytes) - 1 loop v := v * 256 + get_byte(p_bytes, i); end loop;
  return v;
end $$;

-- RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.2): the signature to the power of the exponent is the padded hash.
create function rsa_signature_holds(p_modulus bytea, p_exponent integer, p_message bytea, p_signature bytea) returns boolean
language plpgsql immutable set search_path = public, pg_temp as $$
declare
  v_length integer := length(p_modulus);
  v_modulus numeric := number_of_bytes(p_modulus);
  v_base numeric := number_of_bytes(p_signature);
  v_power numeric := 1;
  v_exponent integer := p_exponent;
begin
  if (v_length between 256 and 512 and length(p_signature) = v_length and v_base < v_modulus and p_exponent >= 3) is not true then
    return false;
  end if;
  while v_exponent > 0 loop
    if v_exponent % 2 = 1 then v_power := mod(v_power * v_base, v_modulus); end if;
    v_base := mod(v_base * v_base, v_modulus);
    v_exponent := v_exponent / 2;
  end loop;
  return v_power = number_of_bytes(decode('0001' || repeat('ff', v_length - 54) || '00'
    || '3031300d060960864801650304020105000420', 'hex') || sha256(p_message));
end $$;

create function base64url_bytes(p_text text) returns bytea language sql immutable set search_path = public, pg_temp as $$
  select decode(translate(p_text, '-_', '+/') || repeat('=', (4 - length(p_text) % 4) % 4), 'base64')
$$;

-- The claims of an id token (OpenID Connect Core 1.0, 3.1.3.7) that a known key has signed for us, for this request, once;
-- null: it is not such a token.
create function accept_id_token(p_token text, p_request bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_parts text[] := string_to_array(p_token, '.');
  v_header jsonb;
  v jsonb;
  v_key identity_keys%rowtype;
begin
  begin
    v_header := convert_from(base64url_bytes(v_parts[1]), 'UTF8')::jsonb;
    v := convert_from(base64url_bytes(v_parts[2]), 'UTF8')::jsonb;
    select * into v_key from identity_keys
    where issuer = v ->> 'iss' and key_id = v_header ->> 'kid' and (v -> 'aud' = to_jsonb(audience)
      or (v -> 'aud' @> jsonb_build_array(audience) and v ->> 'azp' = audience));
    if (cardinality(v_parts) = 3 and v_header ->> 'alg' = 'RS256' and v_key.issuer is not null
      and rsa_signature_holds(v_key.modulus, v_key.exponent, convert_to(v_parts[1] || '.' || v_parts[2], 'UTF8'), base64url_bytes(v_parts[3]))
      and v ->> 'nonce' = encode(sha256(convert_to('nonce', 'UTF8') || p_request), 'hex')
      and to_timestamp((v ->> 'exp')::double precision) > clock_timestamp() - interval '1 minute'
      and to_timestamp((v ->> 'exp')::double precision) < clock_timestamp() + interval '1 day'
      and v ->> 'sub' <> '') is not true then
      return null;
    end if;
  exception when data_exception then
    return null;
  end;
  delete from used_identity_tokens where expires_at < clock_timestamp() - interval '1 day';
  insert into used_identity_tokens (token_hash, expires_at)
  values (sha256(p_request), to_timestamp((v ->> 'exp')::double precision)) on conflict do nothing;
  return case when found then v end;
end $$;

-- A session by the sign-in of the company, of the user that the identity was connected with; or connects it, where the
-- request was begun for that.
create function sign_in_with_id_token(p_token text, p_request bytea, p_new_proof bytea, p_browser_name text, p_address text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v jsonb := accept_id_token(p_token, p_request);
  v_link identity_links%rowtype;
  v_user uuid;
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
  return jsonb_build_object('sessionId', open_session(v_user, 'oidc', p_new_proof, p_browser_name, p_address), 'userId', v_user);
end $$;

-- The next answer of the company's sign-in to this request connects its identity with the user.
create function begin_identity_link(p_proof bytea, p_request_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'begin_identity_link');
  if v_refusal is not null then return v_refusal; end if;
  delete from identity_links where expires_at < clock_timestamp();
  insert into identity_links (request_hash, user_id, session_id, expires_at)
  values (p_request_hash, me.user_id, me.token_id, clock_timestamp() + interval '10 minutes') on conflict do nothing;
  return jsonb_build_object('done', true);
end $$;

create function remove_identity(p_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'remove_identity');
  if v_refusal is not null then return v_refusal; end if;
  delete from user_identities where user_id = me.user_id;
  if not found then return refused('not_found', 'no sign-in of the company is connected'); end if;
  perform note(me.user_id::text, 'identity_removed', null, null, jsonb_build_object('token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
