-- What a manual outcome of a row says, as one hash: who confirms it with a second factor confirms exactly this.
-- Called by: other functions.
create or replace function manual_outcome_hash(p_manual_outcome uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(concat_ws(' ', 'payrun manual outcome', manual_outcome_id, payment_id, resolved_as,
    coalesce(provider_payment_id, '-'), coalesce(evidence_hash, '-')), 'UTF8')), 'hex')
  from payment_manual_outcomes where manual_outcome_id = p_manual_outcome
$$;

-- A maker or checker proposes how an unknown row ended. One proposal of a row is open at a time.
-- Called by: server.
create or replace function propose_manual_outcome(
  p_token_hash bytea, p_payment uuid, p_as text, p_provider_payment text, p_reason text, p_evidence_hash text
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_payment payments%rowtype;
  v_refusal jsonb;
  v_remark uuid;
  v_manual_outcome uuid;
begin
  select * into me from session_of(p_token_hash);
  select * into v_payment from payments where payment_id = p_payment for update;
  -- guard: may-propose-manual-outcome
  v_refusal := authorize_user(me.user_id, me.token_id, 'propose_manual_outcome', v_payment.run_id, 'propose_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: unknown-rows-alone
  if v_payment.state is distinct from 'unknown' then
    return refused('conflict', 'only an unknown row is resolved by people');
  end if;
  v_remark := keep_remark(me.user_id, v_payment.run_id, p_reason);
  insert into payment_manual_outcomes (payment_id, resolved_as, provider_payment_id, reason, remark_id, evidence_hash, proposed_by)
  values (p_payment, p_as, p_provider_payment, '', v_remark, p_evidence_hash, me.user_id)
  on conflict (payment_id) where state = 'proposed' do nothing returning manual_outcome_id into v_manual_outcome;
  if v_manual_outcome is null then
    return refused('conflict', 'there is an open proposal for this row: have it confirmed or rejected first');
  end if;
  perform note(me.user_id::text, 'manual_outcome_proposed', v_payment.run_id, p_payment, jsonb_build_object(
    'manualOutcome', v_manual_outcome, 'as', p_as, 'providerPaymentId', p_provider_payment, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('manualOutcomeId', v_manual_outcome);
end $$;

-- A checker confirms how an unknown row ended: neither who proposed it nor the run's maker. The worker asks the provider before
-- the row changes.
-- Called by: server.
create or replace function confirm_manual_outcome(p_token_hash bytea, p_manual_outcome uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v record;
  v_refusal jsonb;
  v_why text;
begin
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  select payment_manual_outcomes.state, proposed_by, payment_id, runs.run_id, runs.submitted_by into v
  from payment_manual_outcomes join payments using (payment_id) join runs using (run_id)
  where manual_outcome_id = p_manual_outcome for update of payment_manual_outcomes;
  -- guard: may-confirm-manual-outcome
  v_refusal := authorize_user(me.user_id, me.token_id, 'decide_run', v.run_id, 'confirm_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  if v.run_id is null then return refused('not_found', 'there is no such proposal'); end if;
  -- guard: resolved-by-another, not-resolved-by-maker
  v_why := case when v.proposed_by = me.user_id then 'proposer_confirms' when v.submitted_by = me.user_id then 'maker_confirms' end;
  if v_why is not null then
    perform note(me.user_id::text, 'manual_outcome_refused', v.run_id, v.payment_id,
      jsonb_build_object('manualOutcome', p_manual_outcome, 'why', v_why, 'token', me.token_id));
    return refused('not_allowed', case v_why
      when 'proposer_confirms' then 'who proposed a manual outcome cannot confirm it; ask a second person'
      else 'the maker of a run cannot confirm how a row of it ended; ask a checker' end);
  end if;
  -- guard: resolved-while-open
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_refusal := authorize_by_second_factor(me.user_id, me.token_id, v.run_id, 'manual_outcome', p_manual_outcome,
    -- guard: second-factor-for-manual-outcome (2 lines)
    manual_outcome_hash(p_manual_outcome), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  insert into payment_manual_outcome_confirmations (manual_outcome_id, confirmed_by, token_id) values (p_manual_outcome, me.user_id, me.token_id)
  on conflict do nothing;
  perform note(me.user_id::text, 'manual_outcome_confirm_asked', v.run_id, v.payment_id,
    jsonb_build_object('manualOutcome', p_manual_outcome, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Rejects a proposed manual outcome: a checker, or who proposed it.
-- Called by: server.
create or replace function reject_manual_outcome(p_token_hash bytea, p_manual_outcome uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v record;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  select payment_manual_outcomes.state, proposed_by, payment_id, run_id into v
  from payment_manual_outcomes join payments using (payment_id) where manual_outcome_id = p_manual_outcome for update of payment_manual_outcomes;
  -- guard: may-reject-manual-outcome
  v_refusal := authorize_user(me.user_id, me.token_id, 'propose_manual_outcome', v.run_id, 'reject_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  if v.run_id is null then return refused('not_found', 'there is no such proposal'); end if;
  -- guard: rejected-by-checker
  if v.proposed_by <> me.user_id and not may_by_token(me.user_id, me.token_id, 'decide_run') then
    return refused('not_allowed', 'only who proposed it, or one who decides on runs, may reject a proposal');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  v_remark := keep_remark(me.user_id, v.run_id, p_reason);
  update payment_manual_outcomes set state = 'rejected', closed_by = me.user_id, closed_at = clock_timestamp(), closing_remark_id = v_remark
  where manual_outcome_id = p_manual_outcome;
  perform note(me.user_id::text, 'manual_outcome_rejected', v.run_id, v.payment_id,
    jsonb_build_object('manualOutcome', p_manual_outcome, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- Voids the open proposal about a row that is no longer unknown.
-- Called by: triggers.
create or replace function void_manual_outcomes() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  with voided as (
    update payment_manual_outcomes set state = 'voided', closed_at = clock_timestamp(),
      closing_reason = 'the row became ' || new.state || ' meanwhile'
    where payment_id = new.payment_id and state = 'proposed' returning manual_outcome_id
  )
  insert into audit_entries (actor, kind, run_id, payment_id, detail)
  select 'worker', 'manual_outcome_voided', new.run_id, new.payment_id,
    jsonb_build_object('manualOutcome', manual_outcome_id, 'state', new.state) from voided;
  return null;
end $$;

create or replace trigger open_manual_outcomes_rest_on_unknown after update of state on payments
  for each row when (old.state = 'unknown' and new.state <> 'unknown') execute function void_manual_outcomes();

-- The provider shows a payment of a row that two people resolved as never created, or shows one that they called rejected or failed as paid, or
-- as one that may be paid (`p_may_be_paid`): what they said is contradicted, and the row is unknown again, with its id there (null: it
-- shows several). False: the row is not resolved so. Needs a transaction that holds its run.
-- Called by: worker.
create or replace function reopen_resolved_row(p_payment uuid, p_provider_payment text, p_status text, p_may_be_paid boolean)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
  v_said record;
begin
  select * into v from payments where payment_id = p_payment and payment_was_never_paid(state)
    and (provider_payment_id is null or provider_payment_id = p_provider_payment) for update;
  update payment_manual_outcomes set state = 'contradicted', closing_reason = 'the provider shows a payment of the row'
  where payment_id = v.payment_id and state = 'confirmed'
    -- guard: unpaid-stays-unless-it-may-be-paid
    and (resolved_as = 'never_created' or p_may_be_paid)
  returning manual_outcome_id, resolved_as into v_said;
  if not found then return false; end if;
  update payments set state = 'unknown', ended_at = clock_timestamp(), changed_at = clock_timestamp(), provider_payment_id = p_provider_payment,
    provider_status = p_status,
    error_code = case when p_provider_payment is null then 'found_more_than_once' else 'resolution_contradicted' end,
    error_message = 'two people resolved it as ' || replace(v_said.resolved_as, '_', ' ')
      || ', and the provider shows it: if the row was submitted again, stop that run at once'
  where payment_id = p_payment;
  perform note('worker', 'resolution_contradicted', v.run_id, v.payment_id, jsonb_build_object('manualOutcome', v_said.manual_outcome_id,
    'attempt', v.attempt, 'providerPaymentId', p_provider_payment, 'providerStatus', p_status));
  return true;
end $$;
