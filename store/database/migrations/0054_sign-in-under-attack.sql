-- Up Migration

-- What an attacker could still do around signing in and second factors.

-- Whether the user of a login has signed in at this browser. Its tries have a place of their own at the server; `p_browser` is a
-- secret of the browser, so this tells nobody else anything.
create function is_known_browser(p_login text, p_browser bytea) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from known_browsers join users using (user_id)
    where users.login = p_login and users.disabled_at is null and browser_hash = sha256(p_browser))
$$;

-- The token or session that it was made with. Null: by a code, or before this was kept.
alter table api_tokens add column issued_by uuid references api_tokens;

-- A further token of the user who asks. In a session it is a change of how they sign in: a token outlives the session, and
-- a new password. One that is made with a token ends with it, or whoever finds a token would have it for years.
create or replace function issue_token(p_proof bytea, p_new_proof bytea, p_label text, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_end timestamptz := p_expires_at;
  v_token uuid;
begin
  select * into me from session_of(p_proof);
  -- Whatever ends the user's tokens at this moment comes before or after.
  perform from users where user_id = me.user_id for share;
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  if exists (select from sessions where session_id = me.token_id) then
    v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'issue_token');
    if v_refusal is not null then return v_refusal; end if;
  else
    v_end := least(p_expires_at, (select expires_at from api_tokens where token_id = me.token_id));
  end if;
  if p_expires_at is null or p_expires_at > clock_timestamp() + interval '731 days' then
    return refused('invalid_input', 'a token ends within two years');
  end if;
  insert into api_tokens (user_id, proof_hash, label, expires_at, issued_by)
  values (me.user_id, sha256(p_new_proof), p_label, v_end, me.token_id) returning token_id into v_token;
  perform note(me.user_id::text, 'token_issued', null, null, jsonb_build_object('token', v_token, 'by', me.token_id));
  return jsonb_build_object('tokenId', v_token, 'expiresAt', v_end);
end $$;

-- One's own, or anyone's as an administrator; and every token that was made with it, or with one of those.
create or replace function revoke_token(p_proof bytea, p_token uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_owner uuid;
  v_refusal jsonb;
  v_more uuid[];
begin
  perform lock_authority();
  select * into me from session_of(p_proof);
  select user_id into v_owner from api_tokens where token_id = p_token;
  if me.user_id is null or v_owner is distinct from me.user_id then
    v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'revoke_token');
    if v_refusal is not null then return v_refusal; end if;
  end if;
  -- One that is being made with it comes before or after.
  perform from users where user_id = v_owner for no key update;
  update api_tokens set revoked_at = clock_timestamp() where token_id = p_token and revoked_at is null;
  if not found then return refused('not_found', 'there is no such token, or it is revoked already'); end if;
  with recursive chain as (
    select p_token as token_id
    union select api_tokens.token_id from api_tokens join chain on api_tokens.issued_by = chain.token_id
  ), ended as (
    update api_tokens set revoked_at = clock_timestamp()
    where token_id in (select token_id from chain) and token_id <> p_token and revoked_at is null returning token_id
  )
  select array_agg(token_id) into v_more from ended;
  perform note(me.user_id::text, 'token_revoked', null, null, jsonb_build_object('token', p_token, 'by', me.token_id)
    || case when v_more is null then '{}' else jsonb_build_object('madeWithIt', to_jsonb(v_more)) end);
  perform after_removal(v_owner, me.user_id, decides(v_owner));
  return jsonb_build_object('done', true);
end $$;

-- Approves or rejects the content with the given hash, as `record_run_decision` does. Where the policy asks for a second
-- factor, an approval without one is undone and refused: one that is refused for another reason uses up none.
create or replace function decide_run(p_proof bytea, p_run uuid, p_decision text, p_content_hash text, p_comment text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_answer jsonb;
  v_refusal jsonb;
begin
  perform apply_due_changes();
  if p_decision is distinct from 'approved' then
    return record_run_decision(p_proof, p_run, p_decision, p_content_hash, p_comment);
  end if;
  select * into me from session_of(p_proof);
  begin
    v_answer := record_run_decision(p_proof, p_run, p_decision, p_content_hash, p_comment);
    if v_answer ? 'refused' then return v_answer; end if;
    v_refusal := second_factor_objection_to(me.user_id, me.token_id, p_run, 'run', p_run, p_content_hash, p_decision);
    if v_refusal is not null then raise exception 'no second factor' using errcode = 'PR001'; end if;
    return v_answer;
  exception when sqlstate 'PR001' then
    null;
  end;
  -- Its entry in the audit trail was undone with the decision.
  return coalesce(second_factor_objection_to(me.user_id, me.token_id, p_run, 'run', p_run, p_content_hash, p_decision), v_refusal);
end $$;

-- Approves, declines, withdraws or releases an order, as `record_conversion_decision` does, with a second factor where the
-- policy asks for one.
create or replace function decide_conversion(p_proof bytea, p_order uuid, p_decision text, p_hash text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_answer jsonb;
  v_refusal jsonb;
begin
  perform apply_due_changes();
  if p_decision in ('declined', 'withdrawn') then
    return record_conversion_decision(p_proof, p_order, p_decision, p_hash, p_reason);
  end if;
  select * into me from session_of(p_proof);
  begin
    v_answer := record_conversion_decision(p_proof, p_order, p_decision, p_hash, p_reason);
    if v_answer ? 'refused' then return v_answer; end if;
    v_refusal := second_factor_objection_to(me.user_id, me.token_id, null, 'order', p_order, p_hash, p_decision);
    if v_refusal is not null then raise exception 'no second factor' using errcode = 'PR001'; end if;
    return v_answer;
  exception when sqlstate 'PR001' then
    null;
  end;
  return coalesce(second_factor_objection_to(me.user_id, me.token_id, null, 'order', p_order, p_hash, p_decision), v_refusal);
end $$;

-- Null when the user may change how they sign in: in a session, soon after they have signed in, and if they have a second
-- factor, after they have shown it. A one-time link takes its place: it is how somebody comes back who has lost theirs. If the
-- policy requires second factors, adding the first one takes such a link too: else somebody who learned the password could add their own.
create or replace function sign_in_objection_to(p_user uuid, p_session uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v sessions%rowtype;
begin
  if p_user is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v from sessions where session_id = p_session;
  if v.session_id is null or v.begun_at < clock_timestamp() - interval '15 minutes' then
    return refused('conflict', 'this takes a sign-in at the console that is not older than 15 minutes: sign in again');
  end if;
  if v.method = 'link' then return null; end if;
  if has_second_factor(p_user) then
    if use_step_up(p_session, 'sign_in', p_user, '', 'changed') is not null then return null; end if;
    perform note(p_user::text, 'refused', null, null, jsonb_build_object('what', p_what, 'why', 'second_factor', 'token', p_session));
    return refused('second_factor_needed', 'show one of your second factors first; without them, a one-time link of an administrator helps');
  end if;
  if p_what in ('begin_totp', 'begin_passkey') and approvals_need_second_factor() then
    perform note(p_user::text, 'refused', null, null, jsonb_build_object('what', p_what, 'why', 'first_factor', 'token', p_session));
    return refused('not_allowed', 'the policy asks for second factors: sign in by a one-time link of an administrator to add your first one');
  end if;
  return null;
end $$;

-- What a proposal says of an order, a case or a virtual account, as one hash, as `resolution_hash` is of a row: who confirms it with a
-- second factor confirms exactly this.
create function proposal_hash(p_of text, p_subject uuid, p_resolution uuid, p_said text[]) returns text
language sql stable set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(jsonb_build_array('payrun resolution', p_of, p_subject, p_resolution, p_said)::text, 'UTF8')), 'hex')
$$;

-- What two people say of an order, a case or a virtual account takes a second factor of the one who confirms it, where the policy
-- asks for one: it may fund again, sign somebody up again, or give out the number that money is paid to.

create or replace function confirm_conversion_resolution(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_resolutions%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from conversion_resolutions where resolution_id = p_resolution;
  v_refusal := conversion_objection_to(me.user_id, me.token_id, 'decide_conversion', v.order_id, 'confirm_conversion_resolution');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_resolutions where resolution_id = p_resolution for update;
  if v.proposed_by = me.user_id then
    return refuse_conversion_decision(me.user_id, me.token_id, v.order_id, 'proposer_confirms',
      'who proposed a resolution cannot confirm it; ask a second person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_refusal := second_factor_objection_to(me.user_id, me.token_id, null, 'resolution', p_resolution, proposal_hash('order', v.order_id, p_resolution, array[v.outcome]), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  update conversion_resolutions set confirmed_by = me.user_id, confirmed_at = clock_timestamp()
  where resolution_id = p_resolution and confirmed_by is null;
  update conversion_orders set changes = changes + 1, changed_at = clock_timestamp() where order_id = v.order_id;
  perform note(me.user_id::text, 'conversion_resolution_confirm_requested', null, null,
    jsonb_build_object('order', v.order_id, 'resolution', p_resolution, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

create or replace function confirm_case_resolution(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v case_resolutions%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from case_resolutions where resolution_id = p_resolution for update;
  v_refusal := case_objection_to(me.user_id, me.token_id, 'confirm_case', v.case_id, 'confirm_case_resolution');
  if v_refusal is not null then return v_refusal; end if;
  if v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'case_resolution_refused', null, null,
      jsonb_build_object('case', v.case_id, 'resolution', p_resolution, 'why', 'proposer_confirms', 'token', me.token_id));
    return refused('not_allowed', 'who proposed a resolution cannot confirm it; ask a second person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_refusal := second_factor_objection_to(me.user_id, me.token_id, null, 'resolution', p_resolution, proposal_hash('case', v.case_id, p_resolution, array[v.outcome, v.user_id]), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  update case_resolutions set confirmed_by = me.user_id, confirmed_at = clock_timestamp()
  where resolution_id = p_resolution and confirmed_by is null;
  update cases set changes = changes + 1, changed_at = clock_timestamp() where case_id = v.case_id;
  perform note(me.user_id::text, 'case_resolution_confirm_requested', null, null,
    jsonb_build_object('case', v.case_id, 'resolution', p_resolution, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

create or replace function confirm_virtual_account(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v virtual_account_resolutions;
  v_state text;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from virtual_account_resolutions where resolution_id = p_resolution for update;
  v_refusal := virtual_objection_to(me.user_id, me.token_id, 'confirm_virtual_account', v.virtual_account_id, 'confirm_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  if v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'virtual_account_refused', null, null, jsonb_build_object('virtualAccount', v.virtual_account_id,
      'resolution', p_resolution, 'why', 'proposer_confirms', 'token', me.token_id));
    return refused('not_allowed', 'who proposed a resolution cannot confirm it; ask a second person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_state := case v.outcome when 'never_created' then 'cancelled' else v.outcome end;
  if not exists (select from virtual_accounts where virtual_account_id = v.virtual_account_id and may_move_virtual_account(state, v_state)) then
    return refused('conflict', 'the provider has shown what became of it meanwhile');
  end if;
  v_refusal := second_factor_objection_to(me.user_id, me.token_id, null, 'resolution', p_resolution, proposal_hash('virtual account', v.virtual_account_id, p_resolution,
    array[v.outcome, v.provider_request_id, v.account_number]), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  update virtual_account_resolutions set state = 'confirmed', closed_by = me.user_id, closed_at = clock_timestamp()
  where resolution_id = p_resolution;
  perform note(me.user_id::text, 'virtual_account_confirmed', null, null,
    jsonb_build_object('virtualAccount', v.virtual_account_id, 'resolution', p_resolution, 'token', me.token_id));
  update virtual_accounts set state = v_state, state_reason = case v.outcome when 'never_created' then 'never_created' else 'resolved' end,
    provider_request_id = coalesce(provider_request_id, v.provider_request_id),
    account_number = coalesce(v.account_number, account_number), changed_at = clock_timestamp()
  where virtual_account_id = v.virtual_account_id;
  return jsonb_build_object('done', true);
exception when unique_violation then return refused('conflict', 'another virtual account has this request of the provider');
end $$;
