-- An administrator has no other role.
-- Called by: triggers.
create or replace function administrators_hold_no_other_role() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- guard: administrators-apart
  if (select count(*) > 1 and bool_or(role = 'administrator') from user_roles where user_id = new.user_id) then
    raise exception 'an administrator holds no other role' using errcode = 'check_violation';
  end if;
  return null;
end $$;

drop trigger if exists administrators_apart on user_roles;
create constraint trigger administrators_apart after insert or update on user_roles
  for each row execute function administrators_hold_no_other_role();

-- Adds a user, with a code to sign in if one is given: one act, which one second factor is shown for. Roles that one administrator gives
-- are there at once, the others are a change; so is then the invitation.
-- Called by: server.
create or replace function add_user(
  p_token_hash bytea, p_login text, p_name text, p_roles text[], p_mail text, p_code_hash bytea, p_expires_at timestamptz, p_by_mail boolean)
returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_user uuid;
  v_later text[] := array(select role from unnest(p_roles) as given (role) where is_granted_by_two(role));
  v_change jsonb;
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- guard: may-add-user
  v_refusal := authorize_user(me.user_id, me.token_id, 'manage_users', null, 'add_user');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := refuse_code_without_mail(p_by_mail, p_mail);
  if v_refusal is not null then return v_refusal; end if;
  -- guard: factor-to-add-user (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'add_user', jsonb_build_array(p_login, p_name, p_roles, p_mail));
  if v_refusal is not null then return v_refusal; end if;
  insert into users (login, name, mail) values (p_login, p_name, p_mail) returning user_id into v_user;
  perform note(me.user_id::text, 'user_added', null, null, jsonb_build_object('user', v_user, 'token', me.token_id));
  -- guard: deciding-roles-wait
  perform grant_role(v_user, role) from unnest(p_roles) as given (role) where not is_granted_by_two(role);
  v_change := case when v_later <> '{}' then begin_change(me.user_id, me.token_id, 'grant_roles', v_user, jsonb_build_object('roles', to_jsonb(v_later))) end;
  return jsonb_build_object('userId', v_user, 'change', v_change)
    || case when p_code_hash is null then '{}' else jsonb_build_object('invited', make_code(me.user_id, me.token_id, v_user, p_code_hash, p_expires_at)) end;
exception
  when unique_violation then return refused('conflict', 'there is a user of that login or name already');
  when check_violation then
    return refused('invalid_input', 'a login has small letters, digits and . _ @ + -; a mail address one @; an administrator holds no other role');
end $$;

-- Disables a user other than oneself, and ends all their tokens and codes. Of one who decides it is a change.
-- Called by: server.
create or replace function disable_user(p_token_hash bytea, p_user uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  -- guard: may-disable-user
  v_refusal := authorize_user(me.user_id, me.token_id, 'manage_users', null, 'disable_user');
  if v_refusal is not null then return v_refusal; end if;
  if me.user_id = p_user then return refused('conflict', 'you cannot disable yourself'); end if;
  if not exists (select from users where user_id = p_user and disabled_at is null) then
    return refused('not_found', 'there is no such user, or they are disabled already');
  end if;
  -- guard: factor-to-disable-user (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'disable_user', jsonb_build_array(p_user));
  if v_refusal is not null then return v_refusal; end if;
  -- guard: deciders-disabled-by-two
  if decides(p_user) then return begin_change_once(me.user_id, me.token_id, 'disable_user', p_user, '{}'); end if;
  perform disable(p_user, me.user_id);
  return jsonb_build_object('change', null);
end $$;

-- Disables a user, as `p_by` asked, and ends what is pending for them.
-- Called by: other functions.
create or replace function disable(p_user uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change uuid;
begin
  update users set disabled_at = clock_timestamp() where user_id = p_user and disabled_at is null;
  if not found then return; end if;
  perform end_sign_ins(p_user);
  perform note(p_by::text, 'user_disabled', null, null, jsonb_build_object('user', p_user));
  for v_change in select change_id from changes where user_id = p_user and state = 'pending' for update loop
    -- guard: disabled-stays-disabled
    perform reject_change(v_change, p_by, 'user_disabled');
  end loop;
  -- guard: invitation-of-disabled
  perform end_invitations(p_user, 'infinity', p_by, 'user_disabled');
  perform after_removal(p_user, p_by, decides(p_user));
end $$;

-- Gives a user a role.
-- Called by: other functions.
create or replace function grant_role(p_user uuid, p_role text) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into user_roles (user_id, role) values (p_user, p_role) on conflict do nothing
$$;

-- Removes a role of a user: at once, or of a role that decides by a change.
-- Called by: server.
create or replace function remove_role(p_token_hash bytea, p_user uuid, p_role text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  -- guard: may-remove-role
  v_refusal := authorize_user(me.user_id, me.token_id, 'manage_users', null, 'remove_role');
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from user_roles where user_id = p_user and role = p_role) then
    return refused('not_found', 'the user does not have that role');
  end if;
  -- guard: factor-to-remove-role (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'remove_role', jsonb_build_array(p_user, p_role));
  if v_refusal is not null then return v_refusal; end if;
  -- guard: deciding-roles-removed-by-two
  if is_deciding(p_role) then
    return begin_change_once(me.user_id, me.token_id, 'remove_role', p_user, jsonb_build_object('role', p_role));
  end if;
  perform take_role_away(p_user, p_role, me.user_id);
  return jsonb_build_object('change', null);
end $$;

-- Takes a role from a user, as `p_by` asked, and ends what is pending that would give it back.
-- Called by: other functions.
create or replace function take_role_away(p_user uuid, p_role text, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change uuid;
begin
  delete from user_roles where user_id = p_user and role = p_role;
  if not found then return; end if;
  perform note(p_by::text, 'role_removed', null, null, jsonb_build_object('user', p_user, 'role', p_role));
  for v_change in select change_id from changes where kind = 'grant_roles' and user_id = p_user and state = 'pending'
    and detail -> 'roles' ? p_role for update loop
    -- guard: removed-role-stays-removed
    perform reject_change(v_change, p_by, 'role_removed');
  end loop;
  -- guard: invitation-of-removed-role
  perform end_invitations(p_user, 'infinity', p_by, 'role_removed');
  perform after_removal(p_user, p_by, is_deciding(p_role));
end $$;

-- Replaces the accounts that a user is limited to. `p_accounts` is a JSON array, or JSON null for all accounts.
-- Called by: other functions.
create or replace function set_accounts(p_user uuid, p_accounts jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_before jsonb := (select jsonb_agg(account) from user_accounts where user_id = p_user);
begin
  -- guard: reach-ends-with-accounts
  if v_before is not null and (p_accounts = 'null' or not v_before @> p_accounts) then perform end_reach_of_before(p_user, 'accounts_given'); end if;
  delete from user_accounts where user_id = p_user;
  if p_accounts = 'null' then return; end if;
  insert into user_accounts (user_id, account)
  select distinct p_user, account from jsonb_array_elements_text(p_accounts) as named (account);
  -- Without an entry the user could use all of them.
  -- guard: limited-to-something
  if not found then raise exception 'a user is limited to at least one account'; end if;
end $$;

-- Limits a user to accounts, or to none in particular (`p_accounts` null). Where this takes accounts away and gives none, it
-- is in force at once, unless the user decides: then it is a change, as when a role is taken away. Accounts that are given to a user with a role that two administrators give, or who is about to get one, are a change; until it is
-- effective the user keeps the accounts of before. What was pending for the user's accounts is rejected: this replaces it.
-- Called by: server.
create or replace function limit_user(p_token_hash bytea, p_user uuid, p_accounts text[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_before text[];
  v_gives boolean;
  v_waits boolean;
  v_unknown text;
  v_change uuid;
  v_accounts jsonb := coalesce(to_jsonb(p_accounts), 'null');
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- guard: may-limit-user
  v_refusal := authorize_user(me.user_id, me.token_id, 'manage_users', null, 'limit_user');
  if v_refusal is not null then return v_refusal; end if;
  -- One after another, so that each sees the accounts of before.
  perform from users where user_id = p_user for no key update;
  if not found then return refused('not_found', 'there is no such user'); end if;
  -- An administrator who is limited manages no users.
  if me.user_id = p_user then return refused('conflict', 'you cannot limit yourself: ask another administrator'); end if;
  if cardinality(p_accounts) = 0 then return refused('invalid_input', 'name at least one account, or give all'); end if;
  select account into v_unknown from unnest(p_accounts) as named (account)
  where not exists (select from known_accounts() as known where known.account = named.account) limit 1;
  if found then
    return refused('not_found', format('there is no account "%s"; there is %s', v_unknown,
      coalesce((select string_agg('"' || account || '"', ', ' order by account) from known_accounts()), 'none yet')));
  end if;
  -- guard: factor-to-limit-user (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'limit_user', jsonb_build_array(p_user, p_accounts));
  if v_refusal is not null then return v_refusal; end if;
  for v_change in select change_id from changes
    where kind = 'set_accounts' and user_id = p_user and state = 'pending' for update loop
    -- guard: fewer-accounts-end-more
    perform end_change(v_change, 'replaced', me.user_id, 'accounts_limited');
  end loop;
  select array_agg(account) into v_before from user_accounts where user_id = p_user;
  v_gives := v_before is not null and (p_accounts is null or not p_accounts <@ v_before);
  -- Who decides on an account, or may object there, is kept from it by two, as by taking a role away.
  -- guard: deciders-limited-by-two
  v_waits := decides(p_user) and p_accounts is not null and (v_before is null or not v_before <@ p_accounts);
  -- guard: more-accounts-wait, more-accounts-wait-for-roles
  if v_waits or v_gives and (has_role_of_two(p_user) or exists (
      select from changes where kind = 'grant_roles' and user_id = p_user and state = 'pending' and exists (
        select from jsonb_array_elements_text(detail -> 'roles') as roles (role) where is_granted_by_two(role)))) then
    return jsonb_build_object('change', begin_change(me.user_id, me.token_id, 'set_accounts', p_user,
      jsonb_build_object('accounts', v_accounts)));
  end if;
  perform set_accounts(p_user, v_accounts);
  perform note(me.user_id::text, 'user_limited', null, null,
    jsonb_build_object('user', p_user, 'accounts', v_accounts, 'token', me.token_id));
  -- guard: invitation-before-accounts-at-once
  if v_gives then perform end_invitations(p_user, 'infinity', me.user_id, 'accounts_given'); end if;
  -- An administrator who is limited from now on no longer manages users: what they proposed is rejected.
  perform after_removal(p_user, me.user_id, false);
  return jsonb_build_object('change', null);
end $$;

-- Rejects what a user who was disabled, or lost a role, has proposed and may no longer propose. What is pending of the
-- administrator who did it waits for a second one: otherwise one alone could silence all who might object.
-- Called by: other functions.
create or replace function after_removal(p_user uuid, p_by uuid, p_decided boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change uuid;
begin
  -- guard: proposals-end-with-proposer
  if not user_may(p_user, 'manage_users') then
    -- That somebody adds a second factor to their own sign-in goes on: another administrator confirms it anyway.
    for v_change in select change_id from changes where proposed_by = p_user and state = 'pending' and kind <> 'add_factor' for update loop
      perform reject_change(v_change, p_by, 'proposer_gone');
    end loop;
  end if;
  -- guard: proposer-removed-others
  if p_decided and p_user <> p_by then
    for v_change in select change_id from changes
      where proposed_by = p_by and state = 'pending' and takes_effect_at is not null for update loop
      perform wait_for_confirmation(v_change, p_by::text, 'proposer_removed_others');
    end loop;
  end if;
end $$;

-- The roles that a user has, and those that wait for a second administrator: whoever confirms an invitation sees both.
-- Called by: other functions.
create or replace function roles_in_sight(p_user uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(distinct role), '[]') from (
    select role from user_roles where user_id = p_user
    union all select jsonb_array_elements_text(detail -> 'roles') from changes
      where kind = 'grant_roles' and user_id = p_user and state = 'pending') as roles (role)
$$;

-- Ends what a user acts by who has been given more: whoever else has it would reach further.
-- Called by: other functions.
create or replace function end_reach_of_before(p_user uuid, p_why text) returns void
language sql security definer set search_path = public, pg_temp as $$
  select end_sessions(p_user, null, p_why);
  select end_tokens(p_user, null, p_why);
$$;

-- Ends the sessions of a user who loses a role, and those and the tokens of one who gets one.
-- Called by: triggers.
create or replace function end_sessions_of_role() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- guard: reach-ends-with-role
  if tg_op = 'INSERT' then perform end_reach_of_before(new.user_id, 'role_granted');
  else perform end_sessions(old.user_id, null, 'role_removed'); end if;
  return null;
end $$;

create or replace trigger sessions_end_with_roles after insert or delete on user_roles
  for each row execute function end_sessions_of_role();

-- What a notification says of a user.
-- Called by: worker.
create or replace function user_facts(p_user uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select jsonb_build_object('userId', user_id, 'name', name) from users where user_id = p_user
$$;
