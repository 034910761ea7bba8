-- Locks who may do what until the transaction ends. One order of locks everywhere: this one, then changes, users, runs, and what
-- belongs to them. Code that locks changes or users takes this lock first, while it holds no other. Decisions on runs only
-- reference users; the locks of users below do not block them.
-- Called by: other functions.
create or replace function lock_authority() returns void language sql security definer set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('payrun: who may do what', 0))
$$;

-- The user, and the token or session, of a valid token hash, also of a session that awaits its second factor. Null user: the token hash
-- is unknown, expired or revoked.
-- Called by: other functions.
create or replace function holder_of(p_token_hash bytea, out user_id uuid, out token_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select tokens.user_id, tokens.token_id from api_tokens tokens join users using (user_id)
    left join sessions on session_id = tokens.token_id
  -- guard: token-revoked, user-disabled, token-hash-hashed
  where stored_hash = sha256(p_token_hash) and revoked_at is null and users.disabled_at is null
    -- guard: token-expires (2 lines)
    and (expires_at is null or expires_at > clock_timestamp())
    -- guard: session-idle (2 lines)
    and (session_id is null
      or coalesce(last_used_at, tokens.created_at) + idle_seconds * interval '1 second' > clock_timestamp())
$$;

-- Whether a session awaits the second factor of its sign-in: until then it does nothing else.
-- Called by: other functions.
create or replace function awaits_factor(p_session uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from sessions where session_id = p_session and awaits_factor)
$$;

-- The user, and the token or session, in whose name something is done. Null user: the token hash is unknown, expired or revoked, or of a
-- session that awaits its second factor.
-- Called by: other functions.
create or replace function session_of(p_token_hash bytea, out user_id uuid, out token_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select holder.user_id, holder.token_id from holder_of(p_token_hash) as holder
  -- guard: nothing-before-the-factor
  where not awaits_factor(holder.token_id)
$$;

-- As `session_of`, for what only reads: shortly after a session got another token hash, the former one still does.
-- Called by: other functions.
create or replace function reader_of(p_token_hash bytea, out user_id uuid, out token_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select * from session_of(p_token_hash) holder where holder.user_id is not null
  union all
  select tokens.user_id, tokens.token_id
  from sessions join api_tokens tokens on tokens.token_id = session_id join users using (user_id)
  where previous_hash = sha256(p_token_hash) and previous_until > clock_timestamp() and not awaits_factor
    and revoked_at is null and expires_at > clock_timestamp() and users.disabled_at is null
$$;

-- As `session_of`, and until the transaction ends nobody else changes how the user signs in, or ends it.
-- Called by: other functions.
create or replace function session_alone(p_token_hash bytea, out user_id uuid, out token_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select holder.user_id, holder.token_id into user_id, token_id from session_of(p_token_hash) as holder;
  -- guard: factor-of-a-live-session
  perform from users where users.user_id = session_alone.user_id for no key update;
  -- What held the lock before may have ended it.
  select holder.user_id, holder.token_id into user_id, token_id from session_of(p_token_hash) as holder;
end $$;

-- A refusal, as JSON: its code and message.
-- Called by: other functions.
create or replace function refused(p_code text, p_message text) returns jsonb language sql immutable
set search_path = public, pg_temp as $$
  select jsonb_build_object('refused', p_code, 'message', p_message)
$$;

-- Whether a role has a permission. The table is that of `domain/users/role.ts`.
-- Called by: other functions.
create or replace function role_may(p_role text, p_permission text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_role
    when 'maker' then p_permission in
      ('submit_run', 'edit_beneficiaries', 'propose_manual_outcome', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions')
    when 'checker' then p_permission in
      ('edit_beneficiaries', 'decide_run', 'propose_manual_outcome', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions', 'read_audit',
       'object_to_change', 'read_cases', 'confirm_case',
       'decide_conversion', 'confirm_virtual_account')
    when 'treasurer' then p_permission in
      ('read_runs', 'read_instructions', 'convert', 'decide_conversion', 'assign_receipt', 'request_virtual_account',
       'confirm_virtual_account')
    when 'onboarder' then p_permission in ('read_runs', 'read_cases', 'read_applicants', 'onboard', 'confirm_case')
    when 'viewer' then p_permission in ('read_runs', 'read_instructions', 'read_audit', 'read_cases', 'read_applicants')
    when 'auditor' then p_permission in ('read_runs', 'read_audit', 'read_cases')
    when 'administrator' then p_permission in
      ('stop_payments', 'read_runs', 'read_audit', 'manage_users', 'confirm_change', 'object_to_change', 'erase_remark',
       -- guard: permissions-of-roles
       'read_cases', 'erase_case', 'erase_run')
    else false
  end
$$;

-- Whether a user has a permission, by one of their roles. Users, policy and providers concern all accounts: an administrator who
-- is limited to some could otherwise add a user who is not.
-- Called by: other functions.
create or replace function user_may(p_user uuid, p_permission text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from user_roles join users using (user_id)
    -- guard: roles-of-disabled
    where users.user_id = p_user and disabled_at is null and role_may(user_roles.role, p_permission))
    -- guard: limited-administrators
    and (p_permission not in ('manage_users', 'confirm_change') or user_may_use(p_user, null))
$$;

-- Whether a user may use an account. `p_account` null: all accounts together.
-- Called by: other functions.
create or replace function user_may_use(p_user uuid, p_account text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select not exists (select from user_accounts where user_id = p_user)
    -- guard: all-accounts-for-nobody-limited
    or exists (select from user_accounts where user_id = p_user and account = p_account)
$$;

-- Null when the user may use the account; else the refusal, which is in the audit trail by then.
-- Called by: other functions.
create or replace function authorize_for_account(p_user uuid, p_token uuid, p_account text, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if user_may_use(p_user, p_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'account', p_account, 'token', p_token));
  return refused('not_allowed', case when p_account is null
    then 'this concerns all accounts, and you are limited to some of them'
    else format('you may not use the account "%s"', p_account) end);
end $$;

-- Null when the user has the permission, by a token with its scope, and may use the account of the run if one is given; else the refusal,
-- which is in the audit trail by then. A run of another account is refused as if there were no such run.
-- Called by: other functions.
create or replace function authorize_user(p_user uuid, p_token uuid, p_permission text, p_run uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_user is null then
    return refused('unauthenticated', 'the token is unknown, expired or revoked');
  end if;
  -- guard: permission-asked
  if not user_may(p_user, p_permission) then
    perform note(p_user::text, 'refused', p_run, null,
      jsonb_build_object('what', p_what, 'why', 'permission', 'permission', p_permission, 'token', p_token));
    return refused('not_allowed', case when p_permission in ('manage_users', 'confirm_change') and not user_may_use(p_user, null)
      then 'this concerns all accounts, and you are limited to some of them'
      else 'none of your roles may do this: it needs ' || replace(p_permission, '_', ' ') end);
  end if;
  -- guard: scope-asked-by-database
  if not token_may(p_token, p_permission) then
    perform note(p_user::text, 'refused', p_run, null,
      jsonb_build_object('what', p_what, 'why', 'scope', 'scope', scope_of(p_permission), 'token', p_token));
    return refused('not_allowed', 'your token does not have the scope ' || scope_of(p_permission));
  end if;
  -- guard: run-of-other-account
  if exists (select from runs where run_id = p_run and not user_may_use(p_user, account)) then
    perform note(p_user::text, 'refused', p_run, null, jsonb_build_object('what', p_what, 'why', 'account', 'token', p_token));
    return refused('not_found', 'there is no such run');
  end if;
  return null;
end $$;

-- Whether two administrators give a role: it decides on something, or reads personal data or instructions.
-- Called by: other functions.
create or replace function is_granted_by_two(p_role text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  -- guard: reading-roles
  select is_deciding(p_role) or role_may(p_role, 'read_instructions') or role_may(p_role, 'read_applicants')
$$;

-- Whether the user has a role that two administrators give.
-- Called by: other functions.
create or replace function has_role_of_two(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from user_roles where user_id = p_user and is_granted_by_two(role))
$$;

-- Whether the user has a deciding role.
-- Called by: other functions.
create or replace function decides(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from user_roles where user_id = p_user and is_deciding(role))
$$;

-- Whether a role decides on something, so that two administrators give it and take it away. Onboarders say, by two, what became of a sign-up.
-- Called by: other functions.
create or replace function is_deciding(p_role text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  -- guard: deciding-roles
  select p_role in ('checker', 'treasurer', 'onboarder', 'administrator')
$$;

-- Whether one administrator may set up alone: nobody has gone live, and no run was ever approved.
-- Called by: other functions.
create or replace function is_setting_up() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: live-ends-setting-up
  select not is_live() and not exists (select from approvals where decision = 'approved')
    and not exists (select from runs where started_at is not null)
$$;
