-- For the owner of the database alone: a code with which a user of the sandbox signs in once.
-- Called by: other functions.
create or replace function install_link(p_login text, p_code_hash bytea, p_expires_at timestamptz) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  select user_id into strict v_user from users where login = p_login;
  insert into invitations (user_id, code_hash, expires_at, keeps_sign_ins) values (v_user, p_code_hash, p_expires_at, true);
  return v_user;
end $$;

-- For the owner of the database alone: a user with their roles and a token, for examples and tests.
-- Called by: other functions.
create or replace function install_user(p_login text, p_name text, p_roles text[], p_new_token_hash bytea, p_expires_at timestamptz)
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
  insert into api_tokens (user_id, stored_hash, label, expires_at, scopes)
  values (v_user, sha256(p_new_token_hash), 'example', p_expires_at, '{read,submit,decide}');
  perform note('owner', 'example_user', null, null, jsonb_build_object('user', v_user));
  return v_user;
end $$;

-- For the owner of the database alone: the first administrator, those who go live with a real provider, or a new code for one when none
-- of them can sign in.
-- Called by: other functions.
create or replace function invite_administrator(p_login text, p_name text, p_code_hash bytea, p_expires_at timestamptz, p_recover boolean)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  -- Of the two who go live, each gets a code of the owner.
  -- guard: first-administrator
  if not p_recover and not awaits_going_live() and exists (
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
