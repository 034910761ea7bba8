-- Records a proposed change and when it takes effect by itself. Until the first run is approved, it is effective at once.
-- Called by: other functions.
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
  insert into changes (kind, user_id, detail, basis, proposed_by, takes_effect_at)
  values (p_kind, p_user, p_detail, basis_of_change(p_kind, p_detail), p_by, clock_timestamp() + v_hours * interval '1 hour')
  returning change_id into v_change;
  perform note(p_by::text, 'change_proposed', null, null,
    jsonb_build_object('change', v_change, 'kind', p_kind, 'user', p_user, 'roles', p_detail -> 'roles', 'token', p_token)
      || case p_kind when 'set_accounts' then jsonb_build_object('accounts', p_detail -> 'accounts') else '{}' end);
  -- guard: change-waits
  if is_setting_up() then perform make_effective(v_change, null); end if;
  return change_state(v_change);
end $$;

-- What a change replaces as a whole, as it is now: the policy in force, or the provider of an account. Null: it replaces nothing.
-- Called by: other functions.
create or replace function basis_of_change(p_kind text, p_detail jsonb) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select case p_kind
    when 'set_policy' then (select to_jsonb(max(policy_id)) from policies)
    when 'change_provider' then (select jsonb_build_object('apiAddress', api_address, 'accessKey', access_key)
      from provider_accounts where account = p_detail ->> 'account')
  end
$$;

-- What a notification says of a change, and who has made the code of an invitation: the worker reads neither changes nor users.
-- Called by: worker.
create or replace function change_facts(p_change uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select jsonb_build_object('changeId', change_id, 'kind', kind, 'state', state, 'user', users.name,
    'roles', detail -> 'roles', 'proposedBy', proposer.name, 'decidedBy', decider.name, 'takesEffectAt', takes_effect_at,
    'usedBy', inviter.name)
  from changes
  left join users using (user_id)
  left join users proposer on proposer.user_id = proposed_by
  left join users decider on decider.user_id = decided_by
  left join users inviter on inviter.user_id::text = detail ->> 'used'
  where change_id = p_change
$$;

-- The state of a change, and when it takes effect, as JSON.
-- Called by: other functions.
create or replace function change_state(p_change uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select jsonb_build_object('changeId', change_id, 'state', state, 'takesEffectAt', takes_effect_at)
  from changes where change_id = p_change
$$;

-- An administrator proposes a change of roles, users, policy or provider. `p_basis` is the policy that a proposed one was made from;
-- null: the one in force.
-- Called by: server.
create or replace function propose_change(p_token_hash bytea, p_kind text, p_user uuid, p_detail jsonb, p_basis jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- guard: may-propose-change
  v_refusal := authorize_user(me.user_id, me.token_id, 'manage_users', null, p_kind);
  if v_refusal is not null then return v_refusal; end if;
  -- limit_user and invite_user propose these: they know what takes a second administrator.
  -- guard: accounts-by-their-function
  if p_kind = 'set_accounts' then return refused('invalid_input', 'accounts are changed by limit_user'); end if;
  -- guard: invitations-by-their-function
  if p_kind = 'invite_again' then return refused('invalid_input', 'users are invited by invite_user'); end if;
  if p_kind in ('grant_roles', 'enable_user') and not exists (select from users where user_id = p_user) then
    return refused('not_found', 'there is no such user');
  end if;
  -- What looks like nothing could undo what is taken away before it takes effect.
  -- guard: enabled-once-disabled
  if p_kind = 'enable_user' and exists (select from users where user_id = p_user and disabled_at is null) then
    return refused('conflict', 'the user is not disabled');
  end if;
  if p_kind = 'enable_user' and exists (
    -- guard: enabled-by-one-change
    select from changes where kind = 'enable_user' and user_id = p_user and state = 'pending') then
    return refused('conflict', 'a change that enables the user is pending already');
  end if;
  if p_kind = 'grant_roles' and not exists (
    select from jsonb_array_elements_text(p_detail -> 'roles') as roles (role)
    -- guard: granted-once-missing
    where role not in (select user_roles.role from user_roles where user_id = p_user)) then
    return refused('conflict', 'the user has these roles already');
  end if;
  -- guard: one-policy-pending
  if p_kind = 'set_policy' and exists (select from changes where kind = 'set_policy' and state = 'pending') then
    return refused('conflict', 'another policy is proposed already: it is confirmed or rejected first');
  end if;
  -- guard: policy-of-its-basis
  if p_kind = 'set_policy' and p_basis <> basis_of_change(p_kind, p_detail) then
    return refused('conflict', 'the policy has changed since: make the new one from the one in force');
  end if;
  if p_kind = 'change_provider' and not exists (
    select from provider_accounts where account = p_detail ->> 'account') then
    return refused('not_found', 'no provider is recorded under that name yet: the first worker records it');
  end if;
  -- What was paid there never was, and anyone who runs it may add users.
  if p_kind = 'change_provider' and exists (
    -- guard: sandbox-stays
    select from provider_accounts where account = p_detail ->> 'account' and is_sandbox) then
    return refused('conflict', 'this is the database of a sandbox: a real provider needs a database of its own');
  end if;
  return begin_change(me.user_id, me.token_id, p_kind, p_user, p_detail);
exception when check_violation then
  return refused('conflict', 'an administrator holds no other role');
end $$;

-- A second administrator confirms a change; anyone who may object, and the proposer, rejects it.
-- Called by: server.
create or replace function decide_change(p_token_hash bytea, p_change uuid, p_confirm boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v changes%rowtype;
  v_refusal jsonb;
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- guard: may-decide-change (2 lines)
  v_refusal := authorize_user(me.user_id, me.token_id,
    case when p_confirm then 'confirm_change' else 'object_to_change' end, null, 'decide_change');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from changes where change_id = p_change for update;
  if not found then return refused('not_found', 'there is no such change'); end if;
  -- guard: change-decided-once
  if v.state <> 'pending' then return refused('conflict', 'the change is ' || v.state || ' already'); end if;
  -- guard: own-change, own-gain
  if p_confirm and (v.proposed_by = me.user_id or v.user_id = me.user_id) then
    perform note(me.user_id::text, 'refused', null, null,
      jsonb_build_object('what', 'decide_change', 'why', 'own_change', 'change', p_change, 'token', me.token_id));
    return refused('not_allowed', 'a change is confirmed by an administrator who neither proposed it nor gains by it');
  end if;
  if p_confirm then
    perform make_effective(p_change, me.user_id);
    if (select state from changes where change_id = p_change) = 'replaced' then
      return refused('conflict', 'what the change was based on is in force no longer, so it is replaced: propose it again');
    end if;
  else
    -- guard: objection-ends
    update changes set state = 'rejected', decided_by = me.user_id, decided_at = clock_timestamp()
    where change_id = p_change;
    perform note(me.user_id::text, 'change_rejected', null, null, jsonb_build_object('change', p_change, 'token', me.token_id));
  end if;
  return change_state(p_change);
exception when check_violation then
  return refused('conflict', 'an administrator holds no other role');
end $$;

-- Applies a pending change, or ends it as replaced where what it was based on is in force no longer. Without a user: its delay is
-- over, or payrun is being set up.
-- Called by: other functions.
create or replace function make_effective(p_change uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v changes%rowtype;
begin
  -- guard: change-of-its-basis
  if exists (select from changes where change_id = p_change and basis is distinct from basis_of_change(kind, detail)) then
    perform end_change(p_change, 'replaced', p_by, 'basis_changed');
    return;
  end if;
  update changes set state = 'effective', decided_by = p_by, decided_at = clock_timestamp()
  -- guard: rejected-stays-rejected
  where change_id = p_change and state = 'pending' returning * into v;
  if not found then return; end if;
  case v.kind
    when 'grant_roles' then
      -- Whoever invited a user without such a role did so alone, and may hold their token.
      -- guard: signed-in-again
      if not is_setting_up() and not has_role_of_two(v.user_id)
        and exists (select from jsonb_array_elements_text(v.detail -> 'roles') as roles (role) where is_granted_by_two(role)) then
        perform end_sign_ins(v.user_id);
      end if;
      perform grant_role(v.user_id, role) from jsonb_array_elements_text(v.detail -> 'roles') as roles (role);
      -- Whoever confirmed one that was proposed since knew of these roles.
      -- guard: invitation-before-roles
      perform end_invitations(v.user_id, v.proposed_at, p_by, 'roles_granted');
    when 'enable_user' then
      -- The owner of the database may have enabled them since: what they sign in by now is theirs.
      -- guard: enabled-by-change
      if exists (select from users where user_id = v.user_id and disabled_at is not null) then
        perform end_sign_ins(v.user_id);
        update users set disabled_at = null where user_id = v.user_id;
      end if;
      perform end_invitations(v.user_id, 'infinity', p_by, 'user_enabled');
    when 'invite_again' then
      update changes set detail = detail || jsonb_build_object('forRoles', roles_in_sight(v.user_id)) where change_id = p_change;
    when 'set_policy' then
      insert into policies (policy, change_id) values (v.detail -> 'policy', p_change);
    when 'set_accounts' then
      perform set_accounts(v.user_id, v.detail -> 'accounts');
      -- guard: invitation-before-accounts
      perform end_invitations(v.user_id, v.proposed_at, p_by, 'accounts_given');
    when 'change_provider' then
      update provider_accounts set api_address = v.detail ->> 'apiAddress', access_key = v.detail ->> 'accessKey',
        recorded_at = clock_timestamp()
      where account = v.detail ->> 'account';
    when 'add_endpoint' then
      -- What add_endpoint has proposed, and nothing that a change only names.
      update endpoints set state = 'enabled', state_changed_at = clock_timestamp()
      -- guard: endpoint-of-its-change
      where change_id = p_change and state = 'pending' and removed_at is null;
  end case;
  perform note(coalesce(p_by::text, 'database'), 'change_effective', null, null,
    jsonb_build_object('change', p_change, 'kind', v.kind, 'user', v.user_id, 'roles', v.detail -> 'roles')
      || case v.kind when 'set_accounts' then jsonb_build_object('accounts', v.detail -> 'accounts') else '{}' end);
end $$;

-- Ends a pending change without effect, as rejected or replaced.
-- Called by: other functions.
create or replace function end_change(p_change uuid, p_state text, p_by uuid, p_why text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update changes set state = p_state, decided_by = p_by, decided_at = clock_timestamp()
  where change_id = p_change and state = 'pending';
  select note(coalesce(p_by::text, 'database'), 'change_' || p_state, null, null,
    jsonb_build_object('change', p_change, 'why', p_why));
$$;

-- Marks a change as rejected.
-- Called by: other functions.
create or replace function reject_change(p_change uuid, p_by uuid, p_why text) returns void
language sql security definer set search_path = public, pg_temp as $$
  select end_change(p_change, 'rejected', p_by, p_why)
$$;

-- Removes the delay of a change: from now on only a second administrator makes it effective.
-- Called by: other functions.
create or replace function wait_for_confirmation(p_change uuid, p_actor text, p_why text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update changes set takes_effect_at = null where change_id = p_change;
  select note(p_actor, 'change_waits', null, null, jsonb_build_object('change', p_change, 'why', p_why));
$$;

-- Whether somebody could have objected to a change all the time: neither who proposed it nor who gains by it, in their
-- role, and with a token or a sign-in that works since before. Whoever was disabled in between has lost both.
-- Called by: other functions.
create or replace function could_be_objected_to(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from users join user_roles using (user_id)
    -- guard: objected-by-another
    where user_id is distinct from p_change.proposed_by and user_id is distinct from p_change.user_id
      -- guard: objected-by-role
      and users.disabled_at is null and role_may(user_roles.role, 'object_to_change')
      -- guard: objected-since-before
      and user_roles.granted_at <= p_change.proposed_at
      and (has_sign_in_since(users.user_id, p_change.proposed_at) or exists (
        -- guard: objected-with-a-token (3 lines)
        select from api_tokens where api_tokens.user_id = users.user_id and api_tokens.created_at <= p_change.proposed_at
          and not exists (select from sessions where session_id = token_id)
          and revoked_at is null and (expires_at is null or expires_at > clock_timestamp()))))
$$;

-- Whether the delay of a change is over.
-- Called by: other functions.
create or replace function is_due(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: change-in-its-time
  select p_change.state = 'pending' and p_change.takes_effect_at <= clock_timestamp()
$$;

-- Applies the changes whose delay is over, and answers how many. Called before anything is decided by roles, and by servers every
-- minute.
-- Called by: server.
create or replace function apply_due_changes() returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v changes%rowtype;
  v_count integer := 0;
begin
  -- Nobody who decides on a run waits for those who change authority, unless there is something to apply.
  if not exists (select from changes where is_due(changes)) then return 0; end if;
  perform lock_authority();
  for v in
    select * from changes where is_due(changes)
    order by takes_effect_at for update skip locked
  loop
    -- guard: proposer-may-still
    if not user_may(v.proposed_by, 'manage_users') then
      perform reject_change(v.change_id, null, 'proposer_gone');
    -- guard: nothing-for-disabled
    elsif v.kind <> 'enable_user' and exists (select from users where user_id = v.user_id and disabled_at is not null) then
      perform reject_change(v.change_id, null, 'user_disabled');
    -- guard: somebody-to-object
    elsif not could_be_objected_to(v) then
      perform wait_for_confirmation(v.change_id, 'database', 'nobody_to_object');
    else
      begin
        perform make_effective(v.change_id, null);
        if (select state from changes where change_id = v.change_id) = 'effective' then v_count := v_count + 1; end if;
      exception when check_violation then
        -- What was possible when it was proposed no longer is.
        perform reject_change(v.change_id, null, 'not_possible');
      end;
    end if;
  end loop;
  return v_count;
end $$;
