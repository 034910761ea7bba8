-- Null when the user has the permission and may use the account of the virtual account; else the refusal. One of another
-- account is refused as if it did not exist.
-- Called by: other functions.
create or replace function authorize_for_virtual_account(p_user uuid, p_token uuid, p_permission text, p_virtual_account uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb;
begin
  v_refusal := authorize_user(p_user, p_token, p_permission, null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  if exists (select from virtual_accounts where virtual_account_id = p_virtual_account and user_may_use(p_user, account)) then
    return null;
  end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'virtualAccount', p_virtual_account, 'token', p_token));
  return refused('not_found', 'there is no such virtual account');
end $$;

-- Records that a treasurer requests a virtual account. A worker sends the request, once.
-- Called by: server.
create or replace function request_virtual_account(p_token_hash bytea, p_virtual_account uuid, p_account text, p_tag text, p_order jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-request-virtual-account
  v_refusal := authorize_user(me.user_id, me.token_id, 'request_virtual_account', null, 'request_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := authorize_for_account(me.user_id, me.token_id, p_account, 'request_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: virtual-account-once-live (2 lines)
  v_refusal := authorize_when_live(me.user_id, me.token_id, null, 'request_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  insert into virtual_accounts (virtual_account_id, account, name, tag, provider, currency, description, type, amount, expiry_duration,
    approve_async, requested_by)
  values (p_virtual_account, p_account, p_order ->> 'name', p_tag, p_order ->> 'provider', p_order ->> 'currency',
    p_order ->> 'description', p_order ->> 'type', (p_order ->> 'amount')::numeric, (p_order ->> 'expiryDuration')::numeric,
    coalesce((p_order ->> 'approveAsync')::boolean, false), me.user_id);
  perform note(me.user_id::text, 'virtual_account_asked', null, null,
    jsonb_build_object('virtualAccount', p_virtual_account, 'account', p_account, 'token', me.token_id));
  return jsonb_build_object('done', true);
exception when unique_violation then return refused('conflict', 'there is such a request already');
  when not_null_violation or check_violation then return refused('invalid_input', 'a virtual account has a name, a provider, a currency, a description and a type');
end $$;

-- A virtual account moves as `may_move_virtual_account` allows, and keeps its request and its number; each move is in the audit
-- trail.
-- Called by: triggers.
create or replace function guard_virtual_account() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if old.state <> new.state and not may_move_virtual_account(old.state, new.state) then
    raise exception 'a virtual account that is % cannot become %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.provider_request_id is not null and new.provider_request_id is distinct from old.provider_request_id
    or old.state = 'approved' and old.account_number is not null and new.account_number is distinct from old.account_number then
    raise exception 'a virtual account keeps its request and its number' using errcode = 'check_violation';
  end if;
  if old.state <> new.state then
    perform note('database', 'virtual_account_moved', null, null, jsonb_build_object('account', new.account,
      'virtualAccount', new.virtual_account_id, 'state', new.state, 'reason', new.state_reason, 'request', new.provider_request_id));
  end if;
  return new;
end $$;

create or replace trigger virtual_accounts_move_by_the_table before update on virtual_accounts
  for each row execute function guard_virtual_account();

-- The outcome of a request for a virtual account is written once; requests and answers are in the audit trail.
-- Called by: triggers.
create or replace function guard_account_request() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.outcome is not null and new.outcome is distinct from old.outcome then
    raise exception 'the outcome of a request is written once' using errcode = 'check_violation';
  end if;
  perform note('database', case tg_op when 'INSERT' then 'virtual_account_requested' else 'virtual_account_answered' end, null, null,
    jsonb_build_object('virtualAccount', new.virtual_account_id, 'request', new.request_id, 'outcome', new.outcome, 'answer', new.answer));
  return new;
end $$;

create or replace trigger account_requests_are_noted before insert or update on virtual_account_requests
  for each row execute function guard_account_request();

-- A treasurer says what became of a pending or unknown virtual account, with a reason; it changes nothing before another person
-- confirms it.
-- Called by: server.
create or replace function propose_virtual_account(
  p_token_hash bytea, p_virtual_account uuid, p_outcome text, p_request text, p_number text, p_reason text
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v virtual_accounts;
  v_refusal jsonb;
  v_remark uuid;
  v_manual_outcome uuid;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-propose-virtual-account
  v_refusal := authorize_for_virtual_account(me.user_id, me.token_id, 'request_virtual_account', p_virtual_account, 'propose_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from virtual_accounts where virtual_account_id = p_virtual_account for update;
  if not virtual_account_may_be_resolved(v.state) then
    return refused('conflict', 'only a pending or unknown virtual account is resolved by people');
  end if;
  if v.state = 'pending' and p_outcome in ('pending', 'never_created') then
    return refused('conflict', 'the provider has the request: it is approved, cancelled or rejected');
  end if;
  if v.provider_request_id is not null and p_request is distinct from v.provider_request_id and p_request is not null then
    return refused('conflict', 'the provider has given the request another id');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  if v_remark is null then return refused('invalid_input', 'give a reason'); end if;
  insert into virtual_account_manual_outcomes (virtual_account_id, outcome, provider_request_id, account_number, remark_id, proposed_by)
  values (p_virtual_account, p_outcome, p_request, p_number, v_remark, me.user_id)
  on conflict (virtual_account_id) where state = 'proposed' do nothing returning manual_outcome_id into v_manual_outcome;
  if v_manual_outcome is null then
    return refused('conflict', 'there is an open proposal: have it confirmed or rejected first');
  end if;
  perform note(me.user_id::text, 'virtual_account_proposed', null, null, jsonb_build_object('virtualAccount', p_virtual_account,
    'manualOutcome', v_manual_outcome, 'outcome', p_outcome, 'request', p_request, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('manualOutcomeId', v_manual_outcome);
exception when check_violation then return refused('invalid_input', 'an approved virtual account has a number, and no other has');
end $$;

-- Another person than who proposed it confirms what became of a virtual account, which then has this state, and its number if it
-- is approved.
-- Called by: server.
create or replace function confirm_virtual_account(p_token_hash bytea, p_manual_outcome uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v virtual_account_manual_outcomes;
  v_state text;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  select * into v from virtual_account_manual_outcomes where manual_outcome_id = p_manual_outcome for update;
  -- guard: may-confirm-virtual-account
  v_refusal := authorize_for_virtual_account(me.user_id, me.token_id, 'confirm_virtual_account', v.virtual_account_id, 'confirm_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: account-confirmed-by-another (2 lines)
  if v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'virtual_account_refused', null, null, jsonb_build_object('virtualAccount', v.virtual_account_id,
      'manualOutcome', p_manual_outcome, 'why', 'proposer_confirms', 'token', me.token_id));
    return refused('not_allowed', 'who proposed a manual outcome cannot confirm it; ask a second person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_state := case v.outcome when 'never_created' then 'cancelled' else v.outcome end;
  if not exists (select from virtual_accounts where virtual_account_id = v.virtual_account_id and may_move_virtual_account(state, v_state)) then
    return refused('conflict', 'the provider has shown what became of it meanwhile');
  end if;
  v_refusal := authorize_by_second_factor(me.user_id, me.token_id, null, 'manual_outcome', p_manual_outcome, proposal_hash('virtual account', v.virtual_account_id, p_manual_outcome,
    -- guard: second-factor-for-virtual-account (2 lines)
    array[v.outcome, v.provider_request_id, v.account_number]), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  update virtual_account_manual_outcomes set state = 'confirmed', closed_by = me.user_id, closed_at = clock_timestamp()
  where manual_outcome_id = p_manual_outcome;
  perform note(me.user_id::text, 'virtual_account_confirmed', null, null,
    jsonb_build_object('virtualAccount', v.virtual_account_id, 'manualOutcome', p_manual_outcome, 'token', me.token_id));
  update virtual_accounts set state = v_state, state_reason = case v.outcome when 'never_created' then 'never_created' else 'resolved' end,
    provider_request_id = coalesce(provider_request_id, v.provider_request_id),
    account_number = coalesce(v.account_number, account_number), changed_at = clock_timestamp()
  where virtual_account_id = v.virtual_account_id;
  return jsonb_build_object('done', true);
exception when unique_violation then return refused('conflict', 'another virtual account has this request of the provider');
end $$;

-- Rejects what was proposed about a virtual account; who proposed it may withdraw it.
-- Called by: server.
create or replace function reject_virtual_account(p_token_hash bytea, p_manual_outcome uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v virtual_account_manual_outcomes;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  select * into v from virtual_account_manual_outcomes where manual_outcome_id = p_manual_outcome for update;
  -- guard: may-reject-virtual-account
  v_refusal := authorize_for_virtual_account(me.user_id, me.token_id, 'confirm_virtual_account', v.virtual_account_id, 'reject_virtual_account');
  if v_refusal is not null then return v_refusal; end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  update virtual_account_manual_outcomes set state = 'rejected', closed_by = me.user_id, closed_at = clock_timestamp()
  where manual_outcome_id = p_manual_outcome;
  v_remark := keep_remark(me.user_id, null, p_reason);
  perform note(me.user_id::text, 'virtual_account_rejected', null, null, jsonb_build_object('virtualAccount', v.virtual_account_id,
    'manualOutcome', p_manual_outcome, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;
