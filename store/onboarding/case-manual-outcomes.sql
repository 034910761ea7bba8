-- An onboarder proposes what became of a sign-up with an unknown outcome. Another person confirms it; a worker then reads the
-- user, or ends the case.
-- Called by: server.
create or replace function propose_case_manual_outcome(p_token_hash bytea, p_case uuid, p_outcome text, p_user_id text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_state text;
  v_refusal jsonb;
  v_remark uuid;
  v_manual_outcome uuid;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_for_case(me.user_id, me.token_id, 'onboard', p_case, 'propose_case_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  select state into v_state from cases where case_id = p_case for update;
  if v_state <> 'unknown' then return refused('conflict', 'only an unknown case is resolved by people'); end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  insert into case_manual_outcomes (case_id, outcome, user_id, remark_id, proposed_by)
  values (p_case, p_outcome, p_user_id, v_remark, me.user_id)
  on conflict (case_id) where state = 'proposed' do nothing returning manual_outcome_id into v_manual_outcome;
  if v_manual_outcome is null then
    return refused('conflict', 'there is an open proposal for this case: have it confirmed or rejected first');
  end if;
  perform note(me.user_id::text, 'case_manual_outcome_proposed', null, null, jsonb_build_object(
    'case', p_case, 'manualOutcome', v_manual_outcome, 'outcome', p_outcome, 'userId', p_user_id, 'token', me.token_id)
    || remark_note(v_remark));
  return jsonb_build_object('manualOutcomeId', v_manual_outcome);
end $$;

-- Another person confirms what became of a sign-up; a worker then acts on it.
-- Called by: server.
create or replace function confirm_case_manual_outcome(p_token_hash bytea, p_manual_outcome uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v case_manual_outcomes%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  select * into v from case_manual_outcomes where manual_outcome_id = p_manual_outcome for update;
  v_refusal := authorize_for_case(me.user_id, me.token_id, 'confirm_case', v.case_id, 'confirm_case_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: case-manual-outcome-by-another (2 lines)
  if v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'case_manual_outcome_refused', null, null,
      jsonb_build_object('case', v.case_id, 'manualOutcome', p_manual_outcome, 'why', 'proposer_confirms', 'token', me.token_id));
    return refused('not_allowed', 'who proposed a manual outcome cannot confirm it; ask a second person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  -- guard: second-factor-for-case (2 lines)
  v_refusal := authorize_by_second_factor(me.user_id, me.token_id, null, 'manual_outcome', p_manual_outcome, proposal_hash('case', v.case_id, p_manual_outcome, array[v.outcome, v.user_id]), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  update case_manual_outcomes set confirmed_by = me.user_id, confirmed_at = clock_timestamp()
  where manual_outcome_id = p_manual_outcome and confirmed_by is null;
  update cases set changes = changes + 1, changed_at = clock_timestamp() where case_id = v.case_id;
  perform note(me.user_id::text, 'case_manual_outcome_confirm_requested', null, null,
    jsonb_build_object('case', v.case_id, 'manualOutcome', p_manual_outcome, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Rejects what was proposed about a sign-up; who proposed it may withdraw it.
-- Called by: server.
create or replace function reject_case_manual_outcome(p_token_hash bytea, p_manual_outcome uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v case_manual_outcomes%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  select * into v from case_manual_outcomes where manual_outcome_id = p_manual_outcome for update;
  v_refusal := authorize_for_case(me.user_id, me.token_id, 'confirm_case', v.case_id, 'reject_case_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  -- Also one that was confirmed: if the named user cannot be read, it is never concluded.
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update case_manual_outcomes set state = 'rejected', closed_by = me.user_id, closed_at = clock_timestamp(), closing_remark_id = v_remark
  where manual_outcome_id = p_manual_outcome;
  perform note(me.user_id::text, 'case_manual_outcome_rejected', null, null, jsonb_build_object(
    'case', v.case_id, 'manualOutcome', p_manual_outcome, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- Users that events named since the sign-up of a case, and that are still to be read before two people's word counts that it never
-- took effect: not read yet, or not there when they were read before the second person confirmed. `is_unreadable`: read since then, and
-- the provider does not let them be read.
-- Called by: worker.
create or replace function users_to_read(p_case uuid) returns table (user_id text, is_unreadable boolean) language sql stable
security definer set search_path = public, pg_temp as $$
  select distinct inbox.resource_id, coalesce(read.result = 'unreadable' and read.read_at > said.confirmed_at, false)
  from cases cross join lateral (select max(confirmed_at) as confirmed_at from case_manual_outcomes
    where case_id = p_case and manual_outcome_holds(state)) as said
  join webhook_inbox inbox on inbox.account = cases.account and kind = 'user' and resource_id is not null
    and last_received_at > (select min(begun_at) from case_requests where case_id = p_case and operation = 'sign_up')
  left join case_candidates read on read.account = cases.account and read.user_id = inbox.resource_id
  where cases.case_id = p_case
    and not exists (select from cases other where other.account = cases.account and other.user_id = inbox.resource_id)
    and not coalesce(read.result = 'shown' or read.result = 'absent' and read.read_at > said.confirmed_at, false)
$$;
