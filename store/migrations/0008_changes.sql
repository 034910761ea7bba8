-- Up Migration

-- Changes of users, roles, policy and provider: those that one administrator may make alone, and those that take two.

create function grant_role(p_user uuid, p_role text) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into user_roles (user_id, role) values (p_user, p_role) on conflict do nothing
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
      perform grant_role(v.user_id, role) from jsonb_array_elements_text(v.detail -> 'roles') as roles (role);
    when 'enable_user' then
      update users set disabled_at = null where user_id = v.user_id;
    when 'invite_again' then
      null;
    when 'set_policy' then
      insert into policies (policy, change_id) values (v.detail -> 'policy', p_change);
    when 'change_provider' then
      -- A sandbox's record never becomes a real provider's, nor the other way round.
      update provider_accounts set api_address = v.detail ->> 'apiAddress', access_key = v.detail ->> 'accessKey',
        recorded_at = clock_timestamp()
      where account = v.detail ->> 'account';
  end case;
  perform note(coalesce(p_by::text, 'record'), 'change_effective', null, null,
    jsonb_build_object('change', p_change, 'kind', v.kind, 'user', v.user_id, 'roles', v.detail -> 'roles'));
end $$;

-- Changes whose time has come. Called before anything is decided by roles, and by servers every minute.
create function apply_due_changes() returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change uuid;
  v_count integer := 0;
begin
  for v_change in
    select change_id from changes where state = 'pending' and takes_effect_at <= clock_timestamp()
    order by takes_effect_at for update skip locked
  loop
    begin
      perform make_effective(v_change, null);
      v_count := v_count + 1;
    exception when check_violation then
      -- What was possible when it was proposed no longer is.
      update changes set state = 'rejected', decided_at = clock_timestamp() where change_id = v_change;
      perform note('record', 'change_rejected', null, null, jsonb_build_object('change', v_change, 'why', 'not_possible'));
    end;
  end loop;
  return v_count;
end $$;

-- Proposes a change as an administrator who is known to be one. Answers what became of it.
create function begin_change(p_by uuid, p_token uuid, p_kind text, p_user uuid, p_detail jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_hours numeric := (current_policy() #>> '{changes,delayHours}')::numeric;
  v_change uuid;
begin
  insert into changes (kind, user_id, detail, proposed_by, takes_effect_at)
  values (p_kind, p_user, p_detail, p_by, clock_timestamp() + v_hours * interval '1 hour')
  returning change_id into v_change;
  perform note(p_by::text, 'change_proposed', null, null,
    jsonb_build_object('change', v_change, 'kind', p_kind, 'user', p_user, 'roles', p_detail -> 'roles', 'token', p_token));
  if is_setting_up() then perform make_effective(v_change, null); end if;
  return (select jsonb_build_object('changeId', change_id, 'state', state, 'takesEffectAt', takes_effect_at)
    from changes where change_id = v_change);
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
  return (select jsonb_build_object('changeId', change_id, 'state', state, 'takesEffectAt', takes_effect_at)
    from changes where change_id = p_change);
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
  update api_tokens set revoked_at = clock_timestamp() where user_id = p_user and revoked_at is null;
  perform note(me.user_id::text, 'user_disabled', null, null, jsonb_build_object('user', p_user, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
