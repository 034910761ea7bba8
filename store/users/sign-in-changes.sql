-- The salt of one's own password, for a try with the present one.
-- Called by: server.
create or replace function begin_password_change(p_token_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_wait integer;
  v_try uuid;
  v_salt bytea;
begin
  select * into me from session_of(p_token_hash);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select salt into v_salt from passwords where user_id = me.user_id;
  if v_salt is null then return jsonb_build_object('salt', null); end if;
  v_wait := take_try('present ' || me.user_id);
  if v_wait > 0 then return refused_until(v_wait); end if;
  insert into password_tries (login, bucket) values ('', 'present ' || me.user_id) returning try_id into v_try;
  return jsonb_build_object('tryId', v_try, 'salt', encode(v_salt, 'hex'));
end $$;

-- Sets one's password, ends all other sessions and all tokens, and gives this one another token hash. `p_present_key` of the password of before.
-- Called by: server.
create or replace function set_password(p_token_hash bytea, p_try uuid, p_present_key bytea, p_salt bytea, p_key bytea, p_new_token_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_session sessions%rowtype;
  v_password passwords%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_token_hash);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v_session from sessions where session_id = me.token_id;
  if v_session.session_id is null then return refused('conflict', 'a password is set at the console, not with a token'); end if;
  -- guard: no-password-set (2 lines)
  v_refusal := refuse_password();
  if v_refusal is not null then return v_refusal; end if;
  select * into v_password from passwords where user_id = me.user_id for update;
  if v_password.user_id is null or (v_session.method = 'link' and p_try is null) then
    v_refusal := authorize_sign_in_change(me.user_id, me.token_id, 'set_password');
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
  perform forget_codes_tried(me.user_id);
  -- guard: tokens-end-with-password
  perform end_tokens(me.user_id, me.token_id, 'password_set');
  perform rotate_session(me.token_id, p_new_token_hash);
  return jsonb_build_object('done', true);
end $$;

-- Begins to connect an identity: the next answer of the company's sign-in to this request connects it with the user.
-- Called by: server.
create or replace function begin_identity_link(p_token_hash bytea, p_request_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_token_hash);
  v_refusal := authorize_sign_in_change(me.user_id, me.token_id, 'begin_identity_link');
  if v_refusal is not null then return v_refusal; end if;
  delete from identity_links where expires_at < clock_timestamp();
  insert into identity_links (request_hash, user_id, session_id, expires_at)
  values (p_request_hash, me.user_id, me.token_id, clock_timestamp() + interval '10 minutes') on conflict do nothing;
  return jsonb_build_object('done', true);
end $$;

-- Disconnects the sign-in of the company from the user, and ends all other sessions and all tokens: they may have been made by it.
-- Called by: server.
create or replace function remove_identity(p_token_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_token_hash);
  v_refusal := authorize_sign_in_change(me.user_id, me.token_id, 'remove_identity');
  if v_refusal is not null then return v_refusal; end if;
  delete from user_identities where user_id = me.user_id;
  if not found then return refused('not_found', 'no sign-in of the company is connected'); end if;
  perform note(me.user_id::text, 'identity_removed', null, null, jsonb_build_object('token', me.token_id));
  perform end_sessions(me.user_id, me.token_id, 'identity_removed');
  -- guard: tokens-end-with-identity
  perform end_tokens(me.user_id, me.token_id, 'identity_removed');
  return jsonb_build_object('done', true);
end $$;
