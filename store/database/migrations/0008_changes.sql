-- Up Migration

-- Changes of users, roles, policy and provider: those that one administrator may make alone, and those that take two.

create function grant_role(p_user uuid, p_role text) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into user_roles (user_id, role) values (p_user, p_role) on conflict do nothing
$$;

-- Nothing by which a user could sign in so far works any longer. Waits for a token that is being made for them.
create function end_sign_ins(p_user uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users where user_id = p_user for update;
  update api_tokens set revoked_at = clock_timestamp() where user_id = p_user and revoked_at is null;
  update invitations set expires_at = clock_timestamp()
  where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp();
end $$;

create function decides(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from user_roles where user_id = p_user and is_deciding(role))
$$;

-- Makes a pending change effective. `p_by` null: its time has come, or setting up.
create function make_effective(p_change uuid, p_by uuid) returns void
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
    when 'change_provider' then
      update provider_accounts set api_address = v.detail ->> 'apiAddress', access_key = v.detail ->> 'accessKey',
        recorded_at = clock_timestamp()
      where account = v.detail ->> 'account';
  end case;
  perform note(coalesce(p_by::text, 'record'), 'change_effective', null, null,
    jsonb_build_object('change', p_change, 'kind', v.kind, 'user', v.user_id, 'roles', v.detail -> 'roles'));
end $$;

-- Whether somebody could have objected to a change all the time: neither who proposed it nor who gains by it, in their
-- role and with a token that works since before. Whoever was disabled in between has lost their tokens.
create function could_be_objected_to(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from users join user_roles using (user_id) join api_tokens using (user_id)
    where user_id is distinct from p_change.proposed_by and user_id is distinct from p_change.user_id
      and users.disabled_at is null and role_may(user_roles.role, 'object_to_change')
      and user_roles.granted_at <= p_change.proposed_at and api_tokens.created_at <= p_change.proposed_at
      and revoked_at is null and (expires_at is null or expires_at > clock_timestamp()))
$$;

-- From now on a second administrator alone makes it effective.
create function wait_for_confirmation(p_change uuid, p_actor text, p_why text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update changes set takes_effect_at = null where change_id = p_change;
  select note(p_actor, 'change_waits', null, null, jsonb_build_object('change', p_change, 'why', p_why));
$$;

create function reject_change(p_change uuid, p_by uuid, p_why text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update changes set state = 'rejected', decided_by = p_by, decided_at = clock_timestamp() where change_id = p_change;
  select note(coalesce(p_by::text, 'record'), 'change_rejected', null, null,
    jsonb_build_object('change', p_change, 'why', p_why));
$$;

-- Changes whose time has come. Called before anything is decided by roles, and by servers every minute.
create function apply_due_changes() returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v changes%rowtype;
  v_count integer := 0;
begin
  for v in
    select * from changes where state = 'pending' and takes_effect_at <= clock_timestamp()
    order by takes_effect_at for update skip locked
  loop
    if not user_may(v.proposed_by, 'manage_users') then
      perform reject_change(v.change_id, null, 'proposer_gone');
    elsif v.kind <> 'enable_user' and exists (select from users where user_id = v.user_id and disabled_at is not null) then
      perform reject_change(v.change_id, null, 'user_disabled');
    elsif not could_be_objected_to(v) then
      perform wait_for_confirmation(v.change_id, 'record', 'nobody_to_object');
    else
      begin
        perform make_effective(v.change_id, null);
        v_count := v_count + 1;
      exception when check_violation then
        -- What was possible when it was proposed no longer is.
        perform reject_change(v.change_id, null, 'not_possible');
      end;
    end if;
  end loop;
  return v_count;
end $$;

create function change_state(p_change uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select jsonb_build_object('changeId', change_id, 'state', state, 'takesEffectAt', takes_effect_at)
  from changes where change_id = p_change
$$;

-- Proposes a change as an administrator who is known to be one. Answers what became of it.
create function begin_change(p_by uuid, p_token uuid, p_kind text, p_user uuid, p_detail jsonb) returns jsonb
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
    jsonb_build_object('change', v_change, 'kind', p_kind, 'user', p_user, 'roles', p_detail -> 'roles', 'token', p_token));
  if is_setting_up() then perform make_effective(v_change, null); end if;
  return change_state(v_change);
end $$;

create function propose_change(p_proof bytea, p_kind text, p_user uuid, p_detail jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, p_kind);
  if v_refusal is not null then return v_refusal; end if;
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

-- A second administrator confirms; anyone who may object, and the proposer, rejects.
create function decide_change(p_proof bytea, p_change uuid, p_confirm boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v changes%rowtype;
  v_refusal jsonb;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id,
    case when p_confirm then 'confirm_change' else 'object_to_change' end, null, 'decide_change');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from changes where change_id = p_change for update;
  if not found then return refused('not_found', 'there is no such change'); end if;
  if v.state <> 'pending' then return refused('conflict', 'the change is ' || v.state || ' already'); end if;
  if p_confirm and (v.proposed_by = me.user_id or v.user_id = me.user_id) then
    perform note(me.user_id::text, 'refused', null, null,
      jsonb_build_object('what', 'decide_change', 'why', 'own_change', 'change', p_change, 'token', me.token_id));
    return refused('not_allowed', 'a change is confirmed by an administrator who neither proposed it nor gains by it');
  end if;
  if p_confirm then
    perform make_effective(p_change, me.user_id);
  else
    update changes set state = 'rejected', decided_by = me.user_id, decided_at = clock_timestamp()
    where change_id = p_change;
    perform note(me.user_id::text, 'change_rejected', null, null, jsonb_build_object('change', p_change, 'token', me.token_id));
  end if;
  return change_state(p_change);
exception when check_violation then
  return refused('conflict', 'an administrator holds no other role');
end $$;

-- Takes the roles of a user as they should be: what is taken away goes at once, what is added is a change. A new user's
-- roles that decide on nothing are there at once.
create function add_user(p_proof bytea, p_login text, p_name text, p_roles text[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_user uuid;
  v_later text[] := array(select role from unnest(p_roles) as given (role) where is_deciding(role));
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'add_user');
  if v_refusal is not null then return v_refusal; end if;
  insert into users (login, name) values (p_login, p_name) returning user_id into v_user;
  perform note(me.user_id::text, 'user_added', null, null, jsonb_build_object('user', v_user, 'token', me.token_id));
  perform grant_role(v_user, role) from unnest(p_roles) as given (role) where not is_deciding(role);
  return jsonb_build_object('userId', v_user, 'change', case when v_later = '{}' then null
    else begin_change(me.user_id, me.token_id, 'grant_roles', v_user, jsonb_build_object('roles', to_jsonb(v_later))) end);
exception
  when unique_violation then return refused('conflict', 'there is a user of that login or name already');
  when check_violation then
    return refused('invalid_input', 'a login has small letters, digits and . _ @ + -; an administrator holds no other role');
end $$;

-- After somebody was kept out, or lost a role. What they proposed is rejected when they may no longer propose. What is
-- pending of whoever did it waits for a second administrator: else one alone could silence all who might object.
create function after_removal(p_user uuid, p_by uuid, p_decided boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change uuid;
begin
  if not user_may(p_user, 'manage_users') then
    for v_change in select change_id from changes where proposed_by = p_user and state = 'pending' for update loop
      perform reject_change(v_change, p_by, 'proposer_gone');
    end loop;
  end if;
  if p_decided and p_user <> p_by then
    for v_change in select change_id from changes
      where proposed_by = p_by and state = 'pending' and takes_effect_at is not null for update loop
      perform wait_for_confirmation(v_change, p_by::text, 'proposer_removed_others');
    end loop;
  end if;
end $$;

create function remove_role(p_proof bytea, p_user uuid, p_role text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'remove_role');
  if v_refusal is not null then return v_refusal; end if;
  delete from user_roles where user_id = p_user and role = p_role;
  if not found then return refused('not_found', 'the user does not have that role'); end if;
  perform note(me.user_id::text, 'role_removed', null, null,
    jsonb_build_object('user', p_user, 'role', p_role, 'token', me.token_id));
  perform after_removal(p_user, me.user_id, is_deciding(p_role));
  return jsonb_build_object('done', true);
end $$;

create function disable_user(p_proof bytea, p_user uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'disable_user');
  if v_refusal is not null then return v_refusal; end if;
  if me.user_id = p_user then return refused('conflict', 'you cannot disable yourself'); end if;
  update users set disabled_at = clock_timestamp() where user_id = p_user and disabled_at is null;
  if not found then return refused('not_found', 'there is no such user, or they are disabled already'); end if;
  perform end_sign_ins(p_user);
  perform note(me.user_id::text, 'user_disabled', null, null, jsonb_build_object('user', p_user, 'token', me.token_id));
  perform after_removal(p_user, me.user_id, decides(p_user));
  return jsonb_build_object('done', true);
end $$;
