-- Up Migration

-- Tokens: everyone makes their own; a new user's first one comes by an invitation.

create function issue_token(p_proof bytea, p_new_proof bytea, p_label text, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_token uuid;
begin
  select * into me from session_of(p_proof);
  -- Whatever ends the user's tokens at this moment comes before or after.
  perform from users where user_id = me.user_id for share;
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  insert into api_tokens (user_id, proof_hash, label, expires_at)
  values (me.user_id, sha256(p_new_proof), p_label, p_expires_at) returning token_id into v_token;
  perform note(me.user_id::text, 'token_issued', null, null, jsonb_build_object('token', v_token, 'by', me.token_id));
  return jsonb_build_object('tokenId', v_token);
end $$;

-- One's own, or anyone's as an administrator.
create function revoke_token(p_proof bytea, p_token uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_owner uuid;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select user_id into v_owner from api_tokens where token_id = p_token;
  if me.user_id is null or v_owner is distinct from me.user_id then
    v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'revoke_token');
    if v_refusal is not null then return v_refusal; end if;
  end if;
  update api_tokens set revoked_at = clock_timestamp() where token_id = p_token and revoked_at is null;
  if not found then return refused('not_found', 'there is no such token, or it is revoked already'); end if;
  perform note(me.user_id::text, 'token_revoked', null, null, jsonb_build_object('token', p_token, 'by', me.token_id));
  perform after_removal(v_owner, me.user_id, decides(v_owner));
  return jsonb_build_object('done', true);
end $$;

-- At once for a user who decides on nothing, nor is about to, and never had a token; for others once such a change is
-- effective and the roles are there, since whoever makes an invitation could use it.
create function invite_user(p_proof bytea, p_user uuid, p_code_hash bytea, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_change uuid;
  v_begun jsonb;
  v_roles uuid;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'invite_user');
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from users where user_id = p_user and disabled_at is null) then
    return refused('not_found', 'there is no such user, or they are disabled');
  end if;
  select change_id into v_roles from changes
  where kind = 'grant_roles' and user_id = p_user and state = 'pending' and exists (
    select from jsonb_array_elements_text(detail -> 'roles') as roles (role) where is_deciding(role))
  order by proposed_at limit 1;
  if exists (select from api_tokens where user_id = p_user)
    or v_roles is not null
    or decides(p_user) then
    select change_id into v_change from changes
    where kind = 'invite_again' and user_id = p_user and state = 'effective' and not detail ? 'used'
    order by decided_at desc limit 1 for update;
    if v_change is null then
      v_begun := begin_change(me.user_id, me.token_id, 'invite_again', p_user, '{}');
      if v_begun ->> 'state' <> 'effective' then return jsonb_build_object('change', v_begun); end if;
      v_change := (v_begun ->> 'changeId')::uuid;
    end if;
    if v_roles is not null then return jsonb_build_object('change', change_state(v_roles)); end if;
    update changes set detail = detail || '{"used": true}' where change_id = v_change;
  end if;
  -- A newer code takes the place of an older one.
  update invitations set expires_at = clock_timestamp()
  where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp();
  insert into invitations (user_id, code_hash, created_by, expires_at) values (p_user, p_code_hash, me.user_id, p_expires_at);
  perform note(me.user_id::text, 'user_invited', null, null, jsonb_build_object('user', p_user, 'token', me.token_id));
  return jsonb_build_object('invited', true);
end $$;

create function redeem_invitation(p_code bytea, p_new_proof bytea, p_label text, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v invitations%rowtype;
  v_token uuid;
begin
  select invitations.* into v from invitations join users using (user_id)
  where code_hash = sha256(p_code) and redeemed_at is null and expires_at > clock_timestamp() and disabled_at is null
  for share of users for update of invitations;
  if not found then return refused('unauthenticated', 'the code is unknown, used already, or its time is over'); end if;
  insert into api_tokens (user_id, proof_hash, label, expires_at)
  values (v.user_id, sha256(p_new_proof), p_label, p_expires_at) returning token_id into v_token;
  update invitations set redeemed_at = clock_timestamp(), token_id = v_token where invitation_id = v.invitation_id;
  perform note(v.user_id::text, 'invitation_redeemed', null, null, jsonb_build_object('token', v_token));
  return jsonb_build_object('tokenId', v_token, 'userId', v.user_id);
end $$;

-- For the owner of the database alone: the first administrator, or a new code for one when none of them can sign in.
create function invite_administrator(p_login text, p_name text, p_code_hash bytea, p_expires_at timestamptz, p_recover boolean)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  if not p_recover and exists (
    select from users join user_roles using (user_id) join api_tokens using (user_id)
    where user_roles.role = 'administrator' and disabled_at is null and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp())) then
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

-- For the owner of the database alone: a user with their roles and a token, for examples and tests.
create function install_user(p_login text, p_name text, p_roles text[], p_new_proof bytea, p_expires_at timestamptz)
returns uuid language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  insert into users (login, name) values (p_login, p_name)
  on conflict (login) do update set disabled_at = null returning user_id into v_user;
  delete from user_roles where user_id = v_user and role <> all(p_roles);
  perform grant_role(v_user, role) from unnest(p_roles) as given (role);
  update api_tokens set revoked_at = clock_timestamp()
  where user_id = v_user and label = 'example' and revoked_at is null;
  insert into api_tokens (user_id, proof_hash, label, expires_at) values (v_user, sha256(p_new_proof), 'example', p_expires_at);
  perform note('owner', 'example_user', null, null, jsonb_build_object('user', v_user));
  return v_user;
end $$;
