-- Up Migration

-- Users may be limited to accounts with the provider. A user without an entry here may use all of them.
create table user_accounts (
  user_id uuid not null references users,
  account text not null,
  limited_at timestamptz not null default clock_timestamp(),
  primary key (user_id, account)
);

-- expands: one more kind of change
alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check
  check (kind in ('grant_roles', 'enable_user', 'invite_again', 'set_policy', 'change_provider', 'set_accounts')) not valid;

-- `p_account` null: all accounts together.
create function user_may_use(p_user uuid, p_account text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select not exists (select from user_accounts where user_id = p_user)
    or exists (select from user_accounts where user_id = p_user and account = p_account)
$$;

-- Users, policy and providers concern all accounts: an administrator who is limited could otherwise add a user who is not.
create or replace function user_may(p_user uuid, p_permission text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from user_roles join users using (user_id)
    where users.user_id = p_user and disabled_at is null and role_may(user_roles.role, p_permission))
    and (p_permission not in ('manage_users', 'confirm_change') or user_may_use(p_user, null))
$$;

-- Null when the user has the permission, and may use the account of the run if one is given; else the refusal, which is in
-- the audit trail by then. A run of another account is refused as if there were no such run.
create or replace function objection_to(p_user uuid, p_token uuid, p_permission text, p_run uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_user is null then
    return refused('unauthenticated', 'the token is unknown, expired or revoked');
  end if;
  if not user_may(p_user, p_permission) then
    perform note(p_user::text, 'refused', p_run, null,
      jsonb_build_object('what', p_what, 'why', 'permission', 'permission', p_permission, 'token', p_token));
    return refused('not_allowed', case when p_permission in ('manage_users', 'confirm_change') and not user_may_use(p_user, null)
      then 'this concerns all accounts, and you are limited to some of them'
      else 'none of your roles may do this: it needs ' || replace(p_permission, '_', ' ') end);
  end if;
  if exists (select from runs where run_id = p_run and not user_may_use(p_user, account)) then
    perform note(p_user::text, 'refused', p_run, null, jsonb_build_object('what', p_what, 'why', 'account', 'token', p_token));
    return refused('not_found', 'there is no such run');
  end if;
  return null;
end $$;

-- Null when the user may use the account; else the refusal, which is in the audit trail by then.
create function account_objection_to(p_user uuid, p_token uuid, p_account text, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if user_may_use(p_user, p_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'account', p_account, 'token', p_token));
  return refused('not_allowed', case when p_account is null
    then 'this concerns all accounts, and you are limited to some of them'
    else format('you may not use the account "%s"', p_account) end);
end $$;

-- `p_accounts` is a JSON array, or JSON null for all accounts.
create function set_accounts(p_user uuid, p_accounts jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from user_accounts where user_id = p_user;
  if p_accounts = 'null' then return; end if;
  insert into user_accounts (user_id, account)
  select distinct p_user, account from jsonb_array_elements_text(p_accounts) as named (account);
  -- Without an entry the user could use all of them.
  if not found then raise exception 'a user is limited to at least one account'; end if;
end $$;

create or replace function make_effective(p_change uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v changes%rowtype;
begin
  update changes set state = 'effective', decided_by = p_by, decided_at = clock_timestamp()
  where change_id = p_change and state = 'pending' returning * into v;
  if not found then return; end if;
  case v.kind
    when 'grant_roles' then
      -- Whoever invited a user who decided on nothing did so alone, and may hold their token.
      if not is_setting_up() and not decides(v.user_id)
        and exists (select from jsonb_array_elements_text(v.detail -> 'roles') as roles (role) where is_deciding(role)) then
        perform end_sign_ins(v.user_id);
      end if;
      perform grant_role(v.user_id, role) from jsonb_array_elements_text(v.detail -> 'roles') as roles (role);
    when 'enable_user' then
      perform end_sign_ins(v.user_id);
      update users set disabled_at = null where user_id = v.user_id;
    when 'invite_again' then
      null;
    when 'set_policy' then
      insert into policies (policy, change_id) values (v.detail -> 'policy', p_change);
    when 'set_accounts' then
      perform set_accounts(v.user_id, v.detail -> 'accounts');
    when 'change_provider' then
      update provider_accounts set api_address = v.detail ->> 'apiAddress', access_key = v.detail ->> 'accessKey',
        recorded_at = clock_timestamp()
      where account = v.detail ->> 'account';
  end case;
  perform note(coalesce(p_by::text, 'record'), 'change_effective', null, null,
    jsonb_build_object('change', p_change, 'kind', v.kind, 'user', v.user_id, 'roles', v.detail -> 'roles')
      || case v.kind when 'set_accounts' then jsonb_build_object('accounts', v.detail -> 'accounts') else '{}' end);
end $$;

create or replace function begin_change(p_by uuid, p_token uuid, p_kind text, p_user uuid, p_detail jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_hours numeric := (current_policy() #>> '{changes,delayHours}')::numeric;
  v_change uuid;
begin
  -- Said at once, and not when its time has come.
  if p_kind = 'grant_roles' and (select count(*) > 1 and bool_or(role = 'administrator') from (
      select role from user_roles where user_id = p_user
      union select jsonb_array_elements_text(p_detail -> 'roles')) as roles (role)) then
    raise exception 'an administrator holds no other role' using errcode = 'check_violation';
  end if;
  insert into changes (kind, user_id, detail, proposed_by, takes_effect_at)
  values (p_kind, p_user, p_detail, p_by, clock_timestamp() + v_hours * interval '1 hour')
  returning change_id into v_change;
  perform note(p_by::text, 'change_proposed', null, null,
    jsonb_build_object('change', v_change, 'kind', p_kind, 'user', p_user, 'roles', p_detail -> 'roles', 'token', p_token)
      || case p_kind when 'set_accounts' then jsonb_build_object('accounts', p_detail -> 'accounts') else '{}' end);
  if is_setting_up() then perform make_effective(v_change, null); end if;
  return change_state(v_change);
end $$;

create or replace function propose_change(p_proof bytea, p_kind text, p_user uuid, p_detail jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, p_kind);
  if v_refusal is not null then return v_refusal; end if;
  -- limit_user proposes these: it knows what takes a second administrator.
  if p_kind = 'set_accounts' then return refused('invalid_input', 'accounts are changed by limit_user'); end if;
  if p_kind in ('grant_roles', 'enable_user', 'invite_again') and not exists (select from users where user_id = p_user) then
    return refused('not_found', 'there is no such user');
  end if;
  if p_kind = 'change_provider' and not exists (
    select from provider_accounts where account = p_detail ->> 'account') then
    return refused('not_found', 'no provider is recorded under that name yet: the first worker records it');
  end if;
  -- What was paid there never was, and anyone who runs it may add users.
  if p_kind = 'change_provider' and exists (
    select from provider_accounts where account = p_detail ->> 'account' and is_sandbox) then
    return refused('conflict', 'this is the record of a sandbox: a real provider needs a database of its own');
  end if;
  return begin_change(me.user_id, me.token_id, p_kind, p_user, p_detail);
exception when check_violation then
  return refused('conflict', 'an administrator holds no other role');
end $$;

-- Limits a user to accounts, or to none in particular (`p_accounts` null). Where this takes accounts away and gives none, it
-- is in force at once. Accounts that are given to a user who decides on something, or is about to, are a change; until it is
-- effective the user keeps the accounts of before. What was pending for the user's accounts is rejected: this replaces it.
create function limit_user(p_proof bytea, p_user uuid, p_accounts text[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_before text[];
  v_unknown text;
  v_change uuid;
  v_accounts jsonb := coalesce(to_jsonb(p_accounts), 'null');
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'limit_user');
  if v_refusal is not null then return v_refusal; end if;
  -- One after another, so that each sees the accounts of before.
  perform from users where user_id = p_user for update;
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
  for v_change in select change_id from changes
    where kind = 'set_accounts' and user_id = p_user and state = 'pending' for update loop
    perform reject_change(v_change, me.user_id, 'replaced');
  end loop;
  select array_agg(account) into v_before from user_accounts where user_id = p_user;
  if v_before is not null and (p_accounts is null or not p_accounts <@ v_before) and (decides(p_user) or exists (
      select from changes where kind = 'grant_roles' and user_id = p_user and state = 'pending' and exists (
        select from jsonb_array_elements_text(detail -> 'roles') as roles (role) where is_deciding(role)))) then
    return jsonb_build_object('change', begin_change(me.user_id, me.token_id, 'set_accounts', p_user,
      jsonb_build_object('accounts', v_accounts)));
  end if;
  perform set_accounts(p_user, v_accounts);
  perform note(me.user_id::text, 'user_limited', null, null,
    jsonb_build_object('user', p_user, 'accounts', v_accounts, 'token', me.token_id));
  -- An administrator who is limited from now on no longer manages users: what they proposed is rejected.
  perform after_removal(p_user, me.user_id, false);
  return jsonb_build_object('change', null);
end $$;
