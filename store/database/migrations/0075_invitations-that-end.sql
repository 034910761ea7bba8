-- Up Migration

-- What two administrators have agreed on, or one has taken away, stays so: an invitation that was confirmed counts for days, for
-- the roles of then, and nothing that was pending gives a role or a sign-in back.

-- Ends the invitations of a user that were proposed before a time: those that wait, and those in effect for which nobody has made a code.
create function end_invitations(p_user uuid, p_before timestamptz, p_by uuid, p_why text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v changes%rowtype;
begin
  for v in select * from changes where kind = 'invite_again' and user_id = p_user and proposed_at < p_before
    and (state = 'pending' or state = 'effective' and not detail ?| array['used', 'ended']) for update loop
    if v.state = 'pending' then
      perform reject_change(v.change_id, p_by, p_why);
    else
      update changes set detail = detail || jsonb_build_object('ended', p_why) where change_id = v.change_id;
      perform note(coalesce(p_by::text, 'record'), 'invitation_ended', null, null,
        jsonb_build_object('change', v.change_id, 'user', p_user, 'why', p_why));
    end if;
  end loop;
end $$;

-- The roles that a user has, and those that wait for a second administrator: whoever confirms an invitation sees both.
create function roles_in_sight(p_user uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(distinct role), '[]') from (
    select role from user_roles where user_id = p_user
    union all select jsonb_array_elements_text(detail -> 'roles') from changes
      where kind = 'grant_roles' and user_id = p_user and state = 'pending') as roles (role)
$$;

-- Whether a code may be made by this invitation: it is in effect, for no longer than a code is valid, no code was made by it, and the
-- user has no role beyond those that could be seen when it took effect.
create function invitation_is_open(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select p_change.kind = 'invite_again' and p_change.state = 'effective' and not p_change.detail ?| array['used', 'ended']
    and p_change.decided_at > clock_timestamp() - interval '72 hours'
    and not exists (select from user_roles where user_id = p_change.user_id
      and not coalesce(p_change.detail -> 'forRoles' ? role, false))
$$;

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
      -- Whoever confirmed one that was proposed since knew of these roles.
      perform end_invitations(v.user_id, v.proposed_at, p_by, 'roles_granted');
    when 'enable_user' then
      -- The owner of the database may have enabled them since: what they sign in by now is theirs.
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
      perform end_invitations(v.user_id, v.proposed_at, p_by, 'accounts_given');
    when 'change_provider' then
      update provider_accounts set api_address = v.detail ->> 'apiAddress', access_key = v.detail ->> 'accessKey',
        recorded_at = clock_timestamp()
      where account = v.detail ->> 'account';
    when 'add_endpoint' then
      -- What add_endpoint has proposed, and nothing that a change only names.
      update endpoints set state = 'enabled', state_changed_at = clock_timestamp()
      where change_id = p_change and state = 'pending' and removed_at is null;
  end case;
  perform note(coalesce(p_by::text, 'record'), 'change_effective', null, null,
    jsonb_build_object('change', p_change, 'kind', v.kind, 'user', v.user_id, 'roles', v.detail -> 'roles')
      || case v.kind when 'set_accounts' then jsonb_build_object('accounts', v.detail -> 'accounts') else '{}' end);
end $$;

create or replace function propose_change(p_proof bytea, p_kind text, p_user uuid, p_detail jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, p_kind);
  if v_refusal is not null then return v_refusal; end if;
  -- limit_user and invite_user propose these: they know what takes a second administrator.
  if p_kind = 'set_accounts' then return refused('invalid_input', 'accounts are changed by limit_user'); end if;
  if p_kind = 'invite_again' then return refused('invalid_input', 'users are invited by invite_user'); end if;
  if p_kind in ('grant_roles', 'enable_user') and not exists (select from users where user_id = p_user) then
    return refused('not_found', 'there is no such user');
  end if;
  -- What looks like nothing could undo what is taken away before it takes effect.
  if p_kind = 'enable_user' and exists (select from users where user_id = p_user and disabled_at is null) then
    return refused('conflict', 'the user is not disabled');
  end if;
  if p_kind = 'enable_user' and exists (
    select from changes where kind = 'enable_user' and user_id = p_user and state = 'pending') then
    return refused('conflict', 'a change that enables the user is pending already');
  end if;
  if p_kind = 'grant_roles' and not exists (
    select from jsonb_array_elements_text(p_detail -> 'roles') as roles (role)
    where role not in (select user_roles.role from user_roles where user_id = p_user)) then
    return refused('conflict', 'the user has these roles already');
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

create or replace function disable_user(p_proof bytea, p_user uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_change uuid;
begin
  perform lock_authority();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'disable_user');
  if v_refusal is not null then return v_refusal; end if;
  if me.user_id = p_user then return refused('conflict', 'you cannot disable yourself'); end if;
  update users set disabled_at = clock_timestamp() where user_id = p_user and disabled_at is null;
  if not found then return refused('not_found', 'there is no such user, or they are disabled already'); end if;
  perform end_sign_ins(p_user);
  perform note(me.user_id::text, 'user_disabled', null, null, jsonb_build_object('user', p_user, 'token', me.token_id));
  for v_change in select change_id from changes where user_id = p_user and state = 'pending' for update loop
    perform reject_change(v_change, me.user_id, 'user_disabled');
  end loop;
  perform end_invitations(p_user, 'infinity', me.user_id, 'user_disabled');
  perform after_removal(p_user, me.user_id, decides(p_user));
  return jsonb_build_object('done', true);
end $$;

create or replace function remove_role(p_proof bytea, p_user uuid, p_role text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_change uuid;
begin
  perform lock_authority();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'remove_role');
  if v_refusal is not null then return v_refusal; end if;
  delete from user_roles where user_id = p_user and role = p_role;
  if not found then return refused('not_found', 'the user does not have that role'); end if;
  perform note(me.user_id::text, 'role_removed', null, null,
    jsonb_build_object('user', p_user, 'role', p_role, 'token', me.token_id));
  for v_change in select change_id from changes where kind = 'grant_roles' and user_id = p_user and state = 'pending'
    and detail -> 'roles' ? p_role for update loop
    perform reject_change(v_change, me.user_id, 'role_removed');
  end loop;
  perform end_invitations(p_user, 'infinity', me.user_id, 'role_removed');
  perform after_removal(p_user, me.user_id, is_deciding(p_role));
  return jsonb_build_object('done', true);
end $$;

-- Limits a user to accounts, or to none in particular (`p_accounts` null). Where this takes accounts away and gives none, it
-- is in force at once. Accounts that are given to a user who decides on something, or is about to, are a change; until it is
-- effective the user keeps the accounts of before. What was pending for the user's accounts is rejected: this replaces it.
create or replace function limit_user(p_proof bytea, p_user uuid, p_accounts text[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_before text[];
  v_gives boolean;
  v_unknown text;
  v_change uuid;
  v_accounts jsonb := coalesce(to_jsonb(p_accounts), 'null');
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'limit_user');
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
  for v_change in select change_id from changes
    where kind = 'set_accounts' and user_id = p_user and state = 'pending' for update loop
    perform reject_change(v_change, me.user_id, 'replaced');
  end loop;
  select array_agg(account) into v_before from user_accounts where user_id = p_user;
  v_gives := v_before is not null and (p_accounts is null or not p_accounts <@ v_before);
  if v_gives and (decides(p_user) or exists (
      select from changes where kind = 'grant_roles' and user_id = p_user and state = 'pending' and exists (
        select from jsonb_array_elements_text(detail -> 'roles') as roles (role) where is_deciding(role)))) then
    return jsonb_build_object('change', begin_change(me.user_id, me.token_id, 'set_accounts', p_user,
      jsonb_build_object('accounts', v_accounts)));
  end if;
  perform set_accounts(p_user, v_accounts);
  perform note(me.user_id::text, 'user_limited', null, null,
    jsonb_build_object('user', p_user, 'accounts', v_accounts, 'token', me.token_id));
  if v_gives then perform end_invitations(p_user, 'infinity', me.user_id, 'accounts_given'); end if;
  -- An administrator who is limited from now on no longer manages users: what they proposed is rejected.
  perform after_removal(p_user, me.user_id, false);
  return jsonb_build_object('change', null);
end $$;

-- At once for a user who decides on nothing, nor is about to, and never had a token; for others once such a change is
-- effective and the roles are there, since whoever makes an invitation could use it. It serves for one code.
create or replace function invite_user(p_proof bytea, p_user uuid, p_code_hash bytea, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_change uuid;
  v_begun jsonb;
  v_roles uuid;
begin
  perform lock_authority();
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
    where user_id = p_user and invitation_is_open(changes) order by decided_at desc limit 1 for update;
    if v_change is null then
      select change_state(change_id) into v_begun from changes
      where kind = 'invite_again' and user_id = p_user and state = 'pending' order by proposed_at limit 1;
      if v_begun is null then v_begun := begin_change(me.user_id, me.token_id, 'invite_again', p_user, '{}'); end if;
      if v_begun ->> 'state' <> 'effective' then return jsonb_build_object('change', v_begun); end if;
      v_change := (v_begun ->> 'changeId')::uuid;
    end if;
    if v_roles is not null then return jsonb_build_object('change', change_state(v_roles)); end if;
    update changes set detail = detail || jsonb_build_object('used', me.user_id) where change_id = v_change;
  end if;
  -- Nothing is left that a further code could be made by, and a newer code takes the place of an older one.
  perform end_invitations(p_user, 'infinity', me.user_id, 'replaced');
  update invitations set expires_at = clock_timestamp()
  where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp();
  insert into invitations (user_id, code_hash, created_by, expires_at) values (p_user, p_code_hash, me.user_id, p_expires_at);
  perform note(me.user_id::text, 'user_invited', null, null, jsonb_build_object('user', p_user, 'token', me.token_id)
    || case when v_change is null then '{}' else jsonb_build_object('change', v_change) end);
  return jsonb_build_object('invited', true);
end $$;

-- What a notification says of a change, also who has made the code of an invitation: the worker reads neither changes nor users.
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
