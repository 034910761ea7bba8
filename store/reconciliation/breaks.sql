-- Null when the user may work on this break; else the refusal. A break of another account is refused as if there were none.
-- Called by: other functions.
create or replace function authorize_for_break(p_user uuid, p_token uuid, p_permission text, p_break uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb := authorize_user(p_user, p_token, p_permission, null, p_what);
  v_account text;
begin
  if v_refusal is not null then return v_refusal; end if;
  select account into v_account from reconciliation_breaks where break_id = p_break for update;
  -- guard: break-of-own-account
  if not found or authorize_for_account(p_user, p_token, v_account, p_what) is not null then
    return refused('not_found', 'there is no such break');
  end if;
  return null;
end $$;

-- Records who finds out about a break: a user who may work on breaks of its account.
-- Called by: server.
create or replace function assign_break(p_token_hash bytea, p_break uuid, p_owner uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v reconciliation_breaks%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-assign-break
  v_refusal := authorize_for_break(me.user_id, me.token_id, 'propose_manual_outcome', p_break, 'assign_break');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from reconciliation_breaks where break_id = p_break;
  if not break_is_unresolved(v.state) then return refused('conflict', 'the break is ' || v.state || ' already'); end if;
  if not user_may(p_owner, 'propose_manual_outcome') or not user_may_use(p_owner, v.account) then
    return refused('conflict', 'this user may not work on breaks of the account');
  end if;
  update reconciliation_breaks set owner_id = p_owner where break_id = p_break;
  perform note(me.user_id::text, 'break_assigned', null, null,
    jsonb_build_object('break', p_break, 'owner', p_owner, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- The first of two people explains a break: why there is a difference, and what follows from it. Another explanation replaces the
-- one before.
-- Called by: server.
create or replace function explain_break(p_token_hash bytea, p_break uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v reconciliation_breaks%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-explain-break
  v_refusal := authorize_for_break(me.user_id, me.token_id, 'propose_manual_outcome', p_break, 'explain_break');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from reconciliation_breaks where break_id = p_break;
  if not break_is_unresolved(v.state) then return refused('conflict', 'the break is ' || v.state || ' already'); end if;
  if coalesce(trim(p_reason), '') = '' then return refused('invalid_input', 'say why there is a difference'); end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update reconciliation_breaks set state = 'explained', explained_by = me.user_id, explained_at = clock_timestamp(),
    remark_id = v_remark, owner_id = coalesce(owner_id, me.user_id)
  where break_id = p_break;
  perform note(me.user_id::text, 'break_explained', null, null,
    jsonb_build_object('break', p_break, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- The second of two people accepts the explanation of a break that they have seen.
-- Called by: server.
create or replace function close_break(p_token_hash bytea, p_break uuid, p_remark uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v reconciliation_breaks%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-close-break
  v_refusal := authorize_for_break(me.user_id, me.token_id, 'decide_run', p_break, 'close_break');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from reconciliation_breaks where break_id = p_break;
  if v.state = 'open' then return refused('conflict', 'the break is not explained yet'); end if;
  if v.state <> 'explained' then return refused('conflict', 'the break is ' || v.state || ' already'); end if;
  -- guard: explanation-as-seen
  if v.remark_id is distinct from p_remark then
    return refused('conflict', 'the explanation is not the one that was seen: look at the break again');
  end if;
  -- guard: break-closed-by-another
  if v.explained_by = me.user_id then
    perform note(me.user_id::text, 'refused', null, null,
      jsonb_build_object('what', 'close_break', 'why', 'explainer_closes', 'break', p_break, 'token', me.token_id));
    return refused('not_allowed', 'who explained a break cannot close it; ask a second person');
  end if;
  update reconciliation_breaks set state = 'closed', closed_by = me.user_id, closed_at = clock_timestamp() where break_id = p_break;
  perform note(me.user_id::text, 'break_closed', null, null, jsonb_build_object('break', p_break, 'token', me.token_id));
  perform close_signed_days(v.account);
  return jsonb_build_object('done', true);
end $$;

-- Reopens an explained break: a user who may close it refuses the explanation, or the one who gave it takes it back.
-- Called by: server.
create or replace function reopen_break(p_token_hash bytea, p_break uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v reconciliation_breaks%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-reopen-break
  v_refusal := authorize_for_break(me.user_id, me.token_id, 'propose_manual_outcome', p_break, 'reopen_break');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from reconciliation_breaks where break_id = p_break;
  if v.state <> 'explained' then return refused('conflict', 'only an explained break is opened again; this one is ' || v.state); end if;
  if v.explained_by <> me.user_id and not may_by_token(me.user_id, me.token_id, 'decide_run') then
    return refused('not_allowed', 'only who explained it, or one who may close it, may open a break again');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update reconciliation_breaks set state = 'open', explained_by = null, explained_at = null, remark_id = null where break_id = p_break;
  perform note(me.user_id::text, 'break_reopened', null, null,
    jsonb_build_object('break', p_break, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;
