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
  if p_kind = 'set_policy' and unknown_time_zone(p_detail -> 'policy') is not null then
    raise exception 'the database does not know the time zone %: give another name of it', unknown_time_zone(p_detail -> 'policy')
      using errcode = 'check_violation';
  end if;
  insert into changes (kind, user_id, detail, basis, proposed_by, takes_effect_at)
  values (p_kind, p_user, p_detail, basis_of_change(p_kind, p_detail), p_by,
    -- Who removes those who may object, or who are told, arranges a silence: it is no consent.
    -- guard: removed-by-two
    case when not always_takes_two(p_kind) then clock_timestamp() + v_hours * interval '1 hour' end)
  returning change_id into v_change;
  perform note(p_by::text, 'change_proposed', null, null,
    jsonb_build_object('change', v_change, 'kind', p_kind, 'user', p_user, 'roles', p_detail -> 'roles', 'token', p_token)
      || case p_kind when 'set_accounts' then jsonb_build_object('accounts', p_detail -> 'accounts') else '{}' end);
  -- guard: change-waits, live-by-two
  -- guard: erased-by-two-from-the-start
  if is_setting_up() and p_kind <> 'go_live' and not erases_a_person(p_kind) then perform make_effective(v_change, null); end if;
  return change_state(v_change);
end $$;

-- Whether a change takes away who decides and may object, or where they may, or where people are told of it. One of accounts may do so.
-- Called by: other functions.
create or replace function removes_somebody(p_kind text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  -- guard: accounts-never-by-time
  select p_kind in ('remove_role', 'disable_user', 'set_accounts', 'disable_endpoint', 'remove_endpoint')
$$;

-- Whether a change destroys what payrun has of a person: of payees or of an applicant.
-- Called by: other functions.
create or replace function erases_a_person(p_kind text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select p_kind in ('erase_run', 'erase_case')
$$;

-- Whether a change waits for a second administrator, whatever delay the policy sets.
-- Called by: other functions.
create or replace function always_takes_two(p_kind text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  -- guard: live-never-by-time, erased-never-by-time, mail-never-by-time
  select removes_somebody(p_kind) or erases_a_person(p_kind) or p_kind in ('go_live', 'add_factor', 'set_mail')
$$;

-- The change of a kind that waits for a user, or for what its detail names; else one that begins now. Asking twice is one change.
-- Called by: other functions.
create or replace function begin_change_once(p_by uuid, p_token uuid, p_kind text, p_user uuid, p_detail jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change uuid;
begin
  select change_id into v_change from changes
  where kind = p_kind and user_id is not distinct from p_user and detail = p_detail and state = 'pending';
  return jsonb_build_object('change', case when v_change is null then begin_change(p_by, p_token, p_kind, p_user, p_detail)
    else change_state(v_change) end);
end $$;

-- What a change replaces or confirms as a whole, as it is now: the policy in force, the provider of an account, or, of going live,
-- what is set up. Null: nothing.
-- Called by: other functions.
create or replace function basis_of_change(p_kind text, p_detail jsonb) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select case p_kind
    when 'set_policy' then (select to_jsonb(max(policy_id)) from policies)
    -- guard: erased-as-proposed
    when 'erase_run' then to_jsonb(objection_to_erasing_run((p_detail ->> 'run')::uuid))
    -- guard: case-erased-as-proposed
    when 'erase_case' then to_jsonb(objection_to_erasing_case((p_detail ->> 'case')::uuid))
    when 'change_provider' then (select jsonb_build_object('apiAddress', api_address, 'accessKey', access_key)
      from provider_accounts where account = p_detail ->> 'account')
    -- guard: live-as-set-up
    when 'go_live' then (select jsonb_build_object('setUp', encode(sha256(convert_to(string_agg(line, ','), 'UTF8')), 'hex'))
      from set_up_so_far() as made (line))
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
  -- guard: erased-by-its-function
  if erases_a_person(p_kind) then return refused('invalid_input', 'personal data is erased by ' || p_kind); end if;
  -- limit_user and invite_user propose these: they know what takes a second administrator.
  -- guard: accounts-by-their-function
  if p_kind = 'set_accounts' then return refused('invalid_input', 'accounts are changed by limit_user'); end if;
  -- guard: invitations-by-their-function
  if p_kind = 'invite_again' then return refused('invalid_input', 'users are invited by invite_user'); end if;
  if p_kind in ('grant_roles', 'enable_user', 'set_mail') and not exists (select from users where user_id = p_user) then
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
  if p_kind = 'go_live' then
    v_refusal := authorize_going_live(me.user_id);
    if v_refusal is not null then return v_refusal; end if;
    if exists (select from changes where kind = 'go_live' and state = 'pending') then
      return refused('conflict', 'going live is proposed already: another administrator confirms it');
    end if;
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
  -- The last check, since it uses up the second factor.
  -- guard: factor-to-propose-change (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'propose_change', jsonb_build_array(p_kind, p_user, p_detail, p_basis));
  if v_refusal is not null then return v_refusal; end if;
  return begin_change(me.user_id, me.token_id, p_kind, p_user,
    case p_kind when 'go_live' then jsonb_build_object('token', me.token_id, 'setUp', array(select set_up_so_far())) else p_detail end);
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
  -- guard: own-removal
  if not p_confirm and v.user_id = me.user_id and removes_somebody(v.kind) and v.proposed_by <> me.user_id then
    return refused('not_allowed', 'who is to be removed or limited does not object to it: another one may');
  end if;
  -- guard: factor-not-confirmed-by-issuer
  if p_confirm and v.kind = 'add_factor' and v.detail ->> 'codeBy' = me.user_id::text then
    return refused('not_allowed', 'you have made the code by which the user has signed in: another administrator confirms the second factor');
  end if;
  if p_confirm and v.kind = 'go_live' then
    v_refusal := coalesce(authorize_going_live(me.user_id), authorize_going_live(v.proposed_by));
    if v_refusal is not null then return v_refusal; end if;
  end if;
  if p_confirm then
    -- guard: factor-to-confirm-change (2 lines)
    v_refusal := authorize_change(me.user_id, me.token_id, 'confirm_change', jsonb_build_array(p_change));
    if v_refusal is not null then return v_refusal; end if;
    perform make_effective(p_change, me.user_id);
    if (select state from changes where change_id = p_change) = 'replaced' then
      return refused('conflict', 'what the change was based on is in force no longer, so it is replaced: propose it again');
    end if;
    if v.kind = 'go_live' then
      perform end_sign_ins_before_live(array[v.proposed_by, me.user_id], array[(v.detail ->> 'token')::uuid, me.token_id], me.user_id);
    end if;
  else
    -- guard: objection-ends
    update changes set state = 'rejected', decided_by = me.user_id, decided_at = clock_timestamp()
    where change_id = p_change;
    perform note(me.user_id::text, 'change_rejected', null, null, jsonb_build_object('change', p_change, 'token', me.token_id));
    if v.kind = 'add_factor' then perform drop_factor(v.user_id, (v.detail ->> 'id')::uuid); end if;
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
  -- Nobody reopens the case that is erased.
  perform from cases where case_id = (select (detail ->> 'case')::uuid from changes where change_id = p_change) for update;
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
    when 'remove_role' then perform take_role_away(v.user_id, v.detail ->> 'role', v.proposed_by);
    when 'disable_user' then perform disable(v.user_id, v.proposed_by);
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
    when 'set_mail' then
      update users set mail = v.detail ->> 'mail' where user_id = v.user_id;
      -- guard: code-of-former-address (2 lines)
      perform end_invitations(v.user_id, 'infinity', p_by, 'mail_changed');
      perform end_codes(v.user_id);
    when 'set_policy' then
      -- Another bound of what a payment may cost is another content: the runs that wait for a decision are proposed again.
      -- guard: another-bound-proposes-again
      -- So is another rule of which accounts hold their rows.
      if cost_bound(v.detail -> 'policy') is distinct from cost_bound(current_policy())
        or v.detail #> '{policy,unconfirmedAccounts}' is distinct from current_policy() -> 'unconfirmedAccounts' then
        update runs set proposal_is_stale = true where run_waits_for_people(state);
      end if;
      insert into policies (policy, change_id) values (v.detail -> 'policy', p_change);
      -- guard: relaxed-policy-releases
      perform release_confirmed_rows(null, p_by);
    when 'set_accounts' then
      perform set_accounts(v.user_id, v.detail -> 'accounts');
      -- guard: invitation-before-accounts
      perform end_invitations(v.user_id, v.proposed_at, p_by, 'accounts_given');
      -- An administrator who is limited from now on no longer manages users: what they proposed is rejected.
      -- guard: limited-by-change-loses-proposals
      perform after_removal(v.user_id, v.proposed_by, false);
    when 'change_provider' then
      update provider_accounts set api_address = v.detail ->> 'apiAddress', access_key = v.detail ->> 'accessKey',
        recorded_at = clock_timestamp()
      where account = v.detail ->> 'account';
    when 'add_endpoint' then
      -- What add_endpoint has proposed, and nothing that a change only names.
      update endpoints set state = 'enabled', state_changed_at = clock_timestamp()
      -- guard: endpoint-of-its-change
      where change_id = p_change and state = 'pending' and removed_at is null;
    when 'enable_endpoint' then perform let_endpoint_speak((v.detail ->> 'endpoint')::uuid, v.proposed_by);
    when 'disable_endpoint' then perform silence_endpoint((v.detail ->> 'endpoint')::uuid, v.proposed_by);
    when 'remove_endpoint' then perform drop_endpoint((v.detail ->> 'endpoint')::uuid, v.proposed_by);
    when 'erase_remark' then perform erase((v.detail ->> 'remark')::uuid, v.proposed_by);
    when 'erase_run' then perform erase_payees((v.detail ->> 'run')::uuid, v.proposed_by);
    when 'erase_case' then perform erase_applicant((v.detail ->> 'case')::uuid, v.proposed_by);
    when 'add_factor' then perform let_factor_count(v.user_id, (v.detail ->> 'id')::uuid);
    when 'go_live' then null; -- In force by being effective.
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
