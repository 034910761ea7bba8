-- Begins a try with a password: the salt of the login, or one that looks like it. A user has tries of their own at each browser
-- that they have signed in with before: whoever else signs in there resets none of them.
-- Called by: server.
create or replace function begin_password_sign_in(p_login text, p_browser bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_bucket text;
  v_wait integer;
  v_try uuid;
  v_refusal jsonb := refuse_password();
begin
  if v_refusal is not null then return v_refusal; end if;
  -- guard: tries-of-each-user
  select 'browser ' || known_id into v_bucket from known_browsers join users using (user_id)
  where users.login = p_login and browser_hash = sha256(p_browser);
  v_bucket := coalesce(v_bucket, 'login ' || p_login);
  -- guard: tries-slowed (2 lines)
  v_wait := take_try(v_bucket);
  if v_wait > 0 then return refused_until(v_wait); end if;
  delete from password_tries where begun_at < clock_timestamp() - interval '5 minutes';
  insert into password_tries (login, bucket, browser_hash) values (p_login, v_bucket, sha256(p_browser)) returning try_id into v_try;
  return jsonb_build_object('tryId', v_try, 'salt', encode(coalesce(
    (select salt from passwords join users using (user_id) where users.login = p_login),
    substring(sha256((select secret from sign_in_secrets) || convert_to(p_login, 'UTF8')) from 1 for 16)), 'hex'));
end $$;

-- Opens a session by a password. `p_key` is what Argon2id makes of the password and the salt. `p_browser` is the secret of the
-- browser from now on: all who are known there are known by it, and no longer by the one before.
-- Called by: server.
create or replace function sign_in_with_password(p_try uuid, p_key bytea, p_new_token_hash bytea, p_browser bytea, p_browser_name text, p_address text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_try password_tries%rowtype;
  v_user uuid;
  v_known uuid;
  v_session uuid;
  v_refusal jsonb := refuse_password();
begin
  -- guard: no-session-by-password
  if v_refusal is not null then return v_refusal; end if;
  delete from password_tries where try_id = p_try and begun_at > clock_timestamp() - interval '5 minutes' returning * into v_try;
  if not found then return refused('unauthenticated', 'the try took too long: sign in again'); end if;
  -- Whatever ends the user's sign-ins at this moment comes before or after.
  perform from users where login = v_try.login for share;
  select users.user_id into v_user from users join passwords using (user_id)
  -- guard: password-verified
  where login = v_try.login and users.disabled_at is null and verifier = sha256(p_key);
  if not found then
    return refused('unauthenticated', 'the login or the password is wrong')
      || jsonb_build_object('userId', (select user_id from users where login = v_try.login));
  end if;
  perform forget_tries(v_try.bucket);
  -- Of another user whose sign-ins end at this moment, or who signs in, nothing is waited for: they are strangers here then, once.
  -- guard: browser-secret-renewed
  update known_browsers set browser_hash = sha256(p_browser) where (user_id, browser_hash) in (
    select user_id, browser_hash from known_browsers where browser_hash = v_try.browser_hash for update skip locked);
  -- Of two tabs that sign in at the same moment either may keep its secret, so both are known.
  insert into known_browsers (user_id, browser_hash) values (v_user, sha256(p_browser))
  on conflict (user_id, browser_hash) do update set seen_at = clock_timestamp() returning known_id into v_known;
  delete from known_browsers where user_id = v_user and seen_at < clock_timestamp() - interval '400 days';
  v_session := open_session(v_user, 'password', p_new_token_hash, p_browser_name, p_address);
  update sessions set known_id = v_known where session_id = v_session;
  return jsonb_build_object('sessionId', v_session, 'userId', v_user);
end $$;

-- Opens a session by a one-time link, which has the code of an invitation: one that was exchanged for a token opens no session,
-- and the reverse. It ends all by which the user could sign in before.
-- Called by: server.
create or replace function sign_in_with_link(p_code bytea, p_new_token_hash bytea, p_browser_name text, p_address text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v invitations%rowtype;
  v_session uuid;
begin
  select invitations.* into v from invitations join users using (user_id)
  -- guard: link-once
  where code_hash = sha256(p_code) and redeemed_at is null and expires_at > clock_timestamp() and disabled_at is null
  for no key update of users for update of invitations;
  if not found then return refused('unauthenticated', 'the link is unknown, was used already, or its time is over'); end if;
  -- guard: link-ends-sign-ins
  if not v.keeps_sign_ins then perform end_sign_ins(v.user_id); end if;
  v_session := open_session(v.user_id, 'link', p_new_token_hash, p_browser_name, p_address);
  update invitations set redeemed_at = clock_timestamp(), token_id = v_session where invitation_id = v.invitation_id;
  return jsonb_build_object('sessionId', v_session, 'userId', v.user_id);
end $$;

-- Opens a session by the sign-in of the company, of the user with whom the identity was connected; or connects it, where the
-- request was begun for that. The user has shown who they are when the company says so (`auth_time`); how it has asked is what the
-- policy requires (`acr`, `amr`).
-- Called by: server.
create or replace function sign_in_with_id_token(p_token text, p_request bytea, p_new_token_hash bytea, p_browser_name text, p_address text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v jsonb := accept_id_token(p_token, p_request);
  v_link identity_links%rowtype;
  v_user uuid;
  v_session uuid;
  v_auth_time numeric;
  v_refusal jsonb := refuse_weak_sign_in(v);
begin
  if v is null then return refused('unauthenticated', 'the answer of the company''s sign-in is not valid, or was used already'); end if;
  -- guard: company-asked-enough (5 lines)
  if v_refusal is not null then
    perform note('database', 'refused', null, null,
      jsonb_build_object('what', 'sign_in_with_id_token', 'why', 'company_sign_in', 'acr', v -> 'acr', 'amr', v -> 'amr'));
    return v_refusal;
  end if;
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
  v_session := open_session(v_user, 'oidc', p_new_token_hash, p_browser_name, p_address);
  if jsonb_typeof(v -> 'auth_time') = 'number' then v_auth_time := (v ->> 'auth_time')::numeric; end if;
  -- The clock of the company may be ahead by a minute; what is later than that is no time of a sign-in.
  if v_auth_time between 0 and extract(epoch from clock_timestamp()) + 60 then
    -- guard: asked-lately-by-company
    update sessions set authenticated_at = least(to_timestamp(v_auth_time::double precision), clock_timestamp())
    where session_id = v_session;
  end if;
  return jsonb_build_object('sessionId', v_session, 'userId', v_user);
end $$;

-- Whether the user of a login has signed in at this browser. Its tries have a place of their own at the server; `p_browser` is a
-- secret of the browser, so this tells nobody else anything.
-- Called by: server.
create or replace function is_known_browser(p_login text, p_browser bytea) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from known_browsers join users using (user_id)
    where users.login = p_login and users.disabled_at is null and browser_hash = sha256(p_browser))
$$;

-- The claims of an id token (OpenID Connect Core 1.0, 3.1.3.7) that a known key has signed for us, for this request, once;
-- null: it is not such a token.
-- Called by: other functions.
create or replace function accept_id_token(p_token text, p_request bytea) returns jsonb
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

-- The bytes of a text in base64url.
-- Called by: other functions.
create or replace function base64url_bytes(p_text text) returns bytea language sql immutable set search_path = public, pg_temp as $$
  select decode(translate(p_text, '-_', '+/') || repeat('=', (4 - length(p_text) % 4) % 4), 'base64')
$$;

-- The number that bytes are, the most significant one first.
-- Called by: other functions.
create or replace function number_of_bytes(p_bytes bytea) returns numeric language plpgsql immutable set search_path = public, pg_temp as $$
declare
  v numeric := 0;
begin
  for i in 0 .. length(p_bytes) - 1 loop v := v * 256 + get_byte(p_bytes, i); end loop;
  return v;
end $$;

-- RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.2): the signature to the power of the exponent is the padded hash.
-- Called by: other functions.
create or replace function rsa_signature_holds(p_modulus bytea, p_exponent integer, p_message bytea, p_signature bytea) returns boolean
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
  -- guard: id-token-signed
  return v_power = number_of_bytes(decode('0001' || repeat('ff', v_length - 54) || '00'
    || '3031300d060960864801650304020105000420', 'hex') || sha256(p_message));
end $$;

-- How many seconds to wait for the next try. 0: this one may be made, and counts as failed until `forget_tries`. After five failed
-- ones each takes twice as long as the one before, up to a minute; after an hour they are forgotten.
-- Called by: other functions.
create or replace function take_try(p_bucket text) returns integer
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

-- Forgets failed tries, after one that was right.
-- Called by: other functions.
create or replace function forget_tries(p_bucket text) returns void language sql security definer set search_path = public, pg_temp as $$
  delete from sign_in_tries where bucket = p_bucket
$$;

-- Forgets wrong codes of a user: from now on the user signs in by something else, which nobody else knows.
-- Called by: other functions.
create or replace function forget_codes_tried(p_user uuid) returns void language sql security definer set search_path = public, pg_temp as $$
  delete from sign_in_tries where starts_with(bucket, 'totp ' || p_user)
$$;

-- The refusal of a try that comes too early.
-- Called by: other functions.
create or replace function refused_until(p_seconds integer) returns jsonb language sql immutable set search_path = public, pg_temp as $$
  select refused('too_many', 'too many failed tries: wait ' || p_seconds || case p_seconds when 1 then ' second' else ' seconds' end)
    || jsonb_build_object('retryAfterSeconds', p_seconds)
$$;
