-- Up Migration

-- Users may be limited to accounts with the provider: one without an entry here may use all of them.
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

-- Null when the user may use the account; else the refusal, which is in the audit trail by then.
create function account_objection_to(p_user uuid, p_token uuid, p_account text, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if user_may_use(p_user, p_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'account', p_account, 'token', p_token));
  return refused('not_allowed', case when p_account is null
    then 'you are limited to some of the accounts: name one of them'
    else format('you are limited to other accounts than "%s"', p_account) end);
end $$;

-- What concerns a run of an account that the user may not use is refused as if there were no such run.
create or replace function objection_to(p_user uuid, p_token uuid, p_permission text, p_run uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_user is null then
    return refused('unauthenticated', 'the token is unknown, expired or revoked');
  end if;
  if not user_may(p_user, p_permission) then
    perform note(p_user::text, 'refused', p_run, null,
      jsonb_build_object('what', p_what, 'why', 'permission', 'permission', p_permission, 'token', p_token));
    return refused('not_allowed', 'none of your roles may do this: it needs ' || replace(p_permission, '_', ' '));
  end if;
  if exists (select from runs where run_id = p_run and not user_may_use(p_user, account)) then
    perform note(p_user::text, 'refused', p_run, null,
      jsonb_build_object('what', p_what, 'why', 'account', 'token', p_token));
    return refused('not_found', 'there is no such run');
  end if;
  return null;
end $$;

-- `p_accounts` is a JSON array, or null for all accounts.
create function set_accounts(p_user uuid, p_accounts jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from user_accounts where user_id = p_user;
  if jsonb_typeof(p_accounts) = 'array' then
    insert into user_accounts (user_id, account)
    select distinct p_user, account from jsonb_array_elements_text(p_accounts) as named (account);
  end if;
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
    jsonb_build_object('change', p_change, 'kind', v.kind, 'user', v.user_id, 'roles', v.detail -> 'roles',
      'accounts', v.detail -> 'accounts'));
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
    jsonb_build_object('change', v_change, 'kind', p_kind, 'user', p_user, 'roles', p_detail -> 'roles',
      'accounts', p_detail -> 'accounts', 'token', p_token));
  if is_setting_up() then perform make_effective(v_change, null); end if;
  return change_state(v_change);
end $$;

-- Limits a user to accounts (`p_accounts` null: to none of them in particular, so to all). Fewer than before is in force at
-- once; more is a change, where the user decides on something.
create function limit_user(p_proof bytea, p_user uuid, p_accounts text[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_before text[];
  v_unknown text;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'limit_user');
  if v_refusal is not null then return v_refusal; end if;
  perform from users where user_id = p_user for update;
  if not found then return refused('not_found', 'there is no such user'); end if;
  if p_accounts = '{}' then return refused('invalid_input', 'name an account, or none to give all'); end if;
  select account into v_unknown from unnest(p_accounts) as named (account)
  where account not in (select account from known_accounts()) limit 1;
  if v_unknown is not null then
    return refused('not_found', format('there is no account "%s"; there is %s', v_unknown,
      coalesce((select string_agg('"' || account || '"', ', ' order by account) from known_accounts()), 'none yet')));
  end if;
  select array_agg(account) into v_before from user_accounts where user_id = p_user;
  if v_before is null and p_accounts is null then return jsonb_build_object('change', null); end if;
  if decides(p_user) and v_before is not null and (p_accounts is null or not p_accounts <@ v_before) then
    return jsonb_build_object('change',
      begin_change(me.user_id, me.token_id, 'set_accounts', p_user, jsonb_build_object('accounts', to_jsonb(p_accounts))));
  end if;
  perform set_accounts(p_user, to_jsonb(p_accounts));
  -- What was proposed before would give back what is taken now.
  update changes set state = 'rejected', decided_by = me.user_id, decided_at = clock_timestamp()
  where user_id = p_user and kind = 'set_accounts' and state = 'pending';
  perform note(me.user_id::text, 'user_limited', null, null,
    jsonb_build_object('user', p_user, 'accounts', to_jsonb(p_accounts), 'token', me.token_id));
  return jsonb_build_object('change', null);
end $$;

create or replace function add_run(p_proof bytea, p_run uuid, p_account text, p_file_name text, p_file_sha256 text, p_header jsonb, p_rows integer)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'submit_run', null, 'submit_run');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'submit_run');
  if v_refusal is not null then return v_refusal; end if;
  insert into runs (run_id, account, file_name, file_sha256, header, row_count, state, submitted_by)
  values (p_run, p_account, p_file_name, p_file_sha256, p_header, p_rows, 'validating', me.user_id);
  perform note(me.user_id::text, 'run_submitted', p_run, null,
    jsonb_build_object('rows', p_rows, 'fileSha256', p_file_sha256, 'token', me.token_id));
  return jsonb_build_object('userId', me.user_id);
end $$;

create or replace function stop_payments(p_proof bytea, p_scope text, p_run uuid, p_account text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_state text;
  v_refusal jsonb;
  v_remark uuid;
  v_stop uuid;
  v_is_new boolean := false;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'stop_payments', p_run, 'stop_' || p_scope);
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := case when p_scope <> 'run' then account_objection_to(me.user_id, me.token_id, p_account, 'stop_' || p_scope) end;
  if v_refusal is not null then return v_refusal; end if;
  if p_scope = 'run' then
    select state into v_state from runs where run_id = p_run for update;
    if not found then return refused('not_found', 'there is no such run'); end if;
    if v_state not in ('running', 'paused', 'scheduled', 'awaiting_funds') then
      return refused('conflict', 'the run is ' || replace(v_state, '_', ' ')
        || case when v_state in ('validating', 'proposed', 'in_approval')
             then ': nothing of it is paid yet; reject it, or have its maker withdraw it' else ': there is nothing to stop' end);
    end if;
  elsif p_scope = 'account' and not exists (select from known_accounts() where account = p_account) then
    return refused('not_found', format('there is no account "%s"; there is %s', p_account,
      coalesce((select string_agg('"' || account || '"', ', ' order by account) from known_accounts()), 'none yet')));
  end if;
  -- Until there is one that holds: somebody else may make or lift it at the same moment.
  loop
    select stop_id into v_stop from stops where lifted_at is null and scope = p_scope
      and run_id is not distinct from p_run and account is not distinct from p_account for update;
    exit when v_stop is not null;
    insert into stops (scope, run_id, account, stopped_by) values (p_scope, p_run, p_account, me.user_id)
    on conflict do nothing returning stop_id into v_stop;
    v_is_new := v_stop is not null;
    exit when v_is_new;
  end loop;
  if v_is_new then
    v_remark := keep_remark(me.user_id, p_run, p_reason);
    update stops set remark_id = v_remark where stop_id = v_stop;
    perform note(me.user_id::text, 'stopped', p_run, null, jsonb_build_object(
      'stop', v_stop, 'scope', p_scope, 'account', p_account, 'token', me.token_id) || remark_note(v_remark));
  else
    -- Someone who stops again does not want it lifted.
    update stops set lift_asked_by = null, lift_asked_at = null where stop_id = v_stop;
  end if;
  update runs set state = 'paused', state_reason = 'stopped' where run_id = p_run and state <> 'paused';
  -- Rows are counted afterwards: until this is committed, they are sent.
  return jsonb_build_object('stopId', v_stop);
end $$;

create or replace function lift_stop(p_proof bytea, p_stop uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v stops%rowtype;
  v_refusal jsonb;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  -- In the order in which a stop takes them.
  perform from runs where run_id = (select run_id from stops where stop_id = p_stop) for update;
  select * into v from stops where stop_id = p_stop for update;
  v_refusal := objection_to(me.user_id, me.token_id, 'lift_stop', v.run_id, 'lift_stop');
  if v_refusal is not null then return v_refusal; end if;
  if v.stop_id is null then return refused('not_found', 'there is no such stop'); end if;
  v_refusal := case when v.scope <> 'run' then account_objection_to(me.user_id, me.token_id, v.account, 'lift_stop') end;
  if v_refusal is not null then return v_refusal; end if;
  if v.lifted_at is not null then return refused('conflict', 'the stop was lifted already'); end if;
  if v.cancelled_at is not null then return refused('conflict', 'the run was cancelled: what is left of it is never sent'); end if;
  -- Who may lift no longer has not asked. After a checker's word, that of one who is none is the first: the checker says
  -- it again.
  if v.lift_asked_by is null
    or (user_may(v.lift_asked_by, 'decide_run') and not user_may(me.user_id, 'decide_run'))
    or not user_may(v.lift_asked_by, 'lift_stop') then
    update stops set lift_asked_by = me.user_id, lift_asked_at = clock_timestamp() where stop_id = p_stop;
    perform note(me.user_id::text, 'lift_asked', v.run_id, null, jsonb_build_object('stop', p_stop, 'token', me.token_id));
    return jsonb_build_object('stopId', p_stop, 'state', 'asked');
  end if;
  if v.lift_asked_by = me.user_id then
    return refused('not_allowed', 'you have asked for it already; a checker other than you lifts the stop');
  end if;
  if not user_may(me.user_id, 'decide_run') then
    return refused('not_allowed', 'somebody has asked for it already; a checker lifts the stop');
  end if;
  if exists (select from runs where run_id = v.run_id and submitted_by = me.user_id) then
    return refused('not_allowed', 'the maker of a run cannot lift its stop; ask another checker');
  end if;
  if v.scope <> 'run' and exists (select from runs where submitted_by = me.user_id
    and state in ('running', 'paused', 'scheduled', 'awaiting_funds') and (v.scope = 'all' or account = v.account)) then
    return refused('not_allowed', 'a run of yours would go on with it; ask another checker');
  end if;
  update stops set lifted_by = me.user_id, lifted_at = clock_timestamp() where stop_id = p_stop;
  update runs set state = 'running', state_reason = null where run_id = v.run_id and state = 'paused';
  perform note(me.user_id::text, 'stop_lifted', v.run_id, null, jsonb_build_object('stop', p_stop, 'token', me.token_id));
  return jsonb_build_object('stopId', p_stop, 'state', 'lifted');
end $$;
