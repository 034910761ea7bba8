-- Issues a further token of the user who asks, with some of the scopes, and that of reading. In a session this is a change of how they
-- sign in: a token outlives the session. It ends within a day if it decides. One that is made with a token ends with it: otherwise whoever finds a token would have it for years.
-- Called by: server.
create or replace function issue_token(p_token_hash bytea, p_new_token_hash bytea, p_label text, p_expires_at timestamptz, p_scopes text[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_end timestamptz := p_expires_at;
  v_scopes text[] := array(select distinct scope from unnest(p_scopes || 'read'::text) as asked (scope));
  v_token uuid;
begin
  select * into me from session_of(p_token_hash);
  -- Whatever ends the user's tokens at this moment comes before or after.
  -- guard: no-further-token-meanwhile (3 lines)
  perform from users where user_id = me.user_id for share;
  select * into me from session_of(p_token_hash);
  -- guard: may-issue-token
  if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  if exists (select from sessions where session_id = me.token_id) then
    -- guard: token-of-session
    v_refusal := authorize_sign_in_change(me.user_id, me.token_id, 'issue_token');
    if v_refusal is not null then return v_refusal; end if;
  else
    -- guard: token-ends-with-its-maker
    v_end := least(p_expires_at, (select expires_at from api_tokens where token_id = me.token_id));
    -- guard: scopes-of-its-maker (3 lines)
    if not v_scopes <@ (select scopes from api_tokens where token_id = me.token_id) then
      return refused('not_allowed', 'a token is made with the scopes of the token that it is made with; one with others is made at the console');
    end if;
  end if;
  -- guard: token-ends (3 lines)
  if p_expires_at is null or p_expires_at > clock_timestamp() + interval '731 days' then
    return refused('invalid_input', 'a token ends within two years');
  end if;
  v_end := least(v_end, latest_end(v_scopes));
  insert into api_tokens (user_id, stored_hash, label, expires_at, issued_by, scopes)
  values (me.user_id, sha256(p_new_token_hash), p_label, v_end, me.token_id, v_scopes) returning token_id into v_token;
  perform note(me.user_id::text, 'token_issued', null, null,
    jsonb_build_object('token', v_token, 'by', me.token_id, 'scopes', to_jsonb(v_scopes)));
  return jsonb_build_object('tokenId', v_token, 'expiresAt', v_end, 'scopes', to_jsonb(v_scopes));
end $$;

-- Null when the user may end a session or token by the one that they use; else the refusal. One of their own that may do no more than that
-- one, or itself: what only reads could otherwise keep its user out. Of others as an administrator, with a second factor, and not so often in a day
-- that nobody else works.
-- Called by: other functions.
create or replace function authorize_ending(p_token_hash bytea, p_user uuid, p_token uuid, p_owner uuid, p_ended uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb;
begin
  -- guard: own-tokens
  if p_user = p_owner then
    return case when p_ended <> p_token
      -- guard: ended-by-what-may-as-much
      and not exists (select from api_tokens used join api_tokens ended on ended.scopes <@ used.scopes
        where used.token_id = p_token and ended.token_id = p_ended)
      then refused('not_allowed', 'a token ends itself, and what may do no more than it: end the others at the console') end;
  end if;
  -- guard: may-revoke-token
  v_refusal := authorize_user(p_user, p_token, 'manage_users', null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  if p_owner is null then return refused('not_found', 'there is no such session or token, or it has ended'); end if;
  -- guard: factor-to-end-of-others (2 lines)
  v_refusal := authorize_change(p_user, p_token, p_what, jsonb_build_array(p_ended));
  if v_refusal is not null then return v_refusal; end if;
  -- guard: endings-a-day
  v_refusal := use_daily(p_token_hash, 'ending', 0, 20, null);
  return case when v_refusal ? 'refused' then v_refusal end;
end $$;

-- Revokes one's own token, or anyone's as an administrator, and every token that was made with it, or with one of those.
-- Called by: server.
create or replace function revoke_token(p_token_hash bytea, p_token uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_owner uuid;
  v_refusal jsonb;
  v_more uuid[];
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  select user_id into v_owner from api_tokens where token_id = p_token;
  v_refusal := authorize_ending(p_token_hash, me.user_id, me.token_id, v_owner, p_token, 'revoke_token');
  if v_refusal is not null then return v_refusal; end if;
  -- One that is being made with it comes before or after.
  -- guard: token-revoked-while-it-makes-one
  perform from users where user_id = v_owner for no key update;
  update api_tokens set revoked_at = clock_timestamp() where token_id = p_token and revoked_at is null;
  if not found then return refused('not_found', 'there is no such token, or it is revoked already'); end if;
  with recursive chain as (
    select p_token as token_id
    union select api_tokens.token_id from api_tokens join chain on api_tokens.issued_by = chain.token_id
  ), ended as (
    update api_tokens set revoked_at = clock_timestamp()
    -- guard: token-revoked-with-its-maker
    where token_id in (select token_id from chain) and token_id <> p_token and revoked_at is null returning token_id
  )
  select array_agg(token_id) into v_more from ended;
  perform note(me.user_id::text, 'token_revoked', null, null, jsonb_build_object('token', p_token, 'by', me.token_id)
    || case when v_more is null then '{}' else jsonb_build_object('madeWithIt', to_jsonb(v_more)) end);
  perform after_removal(v_owner, me.user_id, decides(v_owner));
  return jsonb_build_object('done', true);
end $$;

-- Notes that a token or session is in use, for whoever has its token hash. Refused if it has ended.
-- Called by: server.
create or replace function note_use(p_token_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update api_tokens set last_used_at = clock_timestamp()
  -- guard: use-by-token-hash
  where token_id = (select holder.token_id from session_of(p_token_hash) as holder);
  if not found then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  return jsonb_build_object('done', true);
end $$;
