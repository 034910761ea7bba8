-- What a resolution of a row says, as one hash: who confirms it with a second factor confirms exactly this.
-- Called by: other functions.
create or replace function resolution_hash(p_resolution uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(concat_ws(' ', 'payrun resolution', resolution_id, payment_id, resolved_as,
    coalesce(provider_payment_id, '-'), coalesce(evidence_hash, '-')), 'UTF8')), 'hex')
  from resolutions where resolution_id = p_resolution
$$;

-- A maker or checker proposes how an unknown row ended. One proposal of a row is open at a time.
-- Called by: server.
create or replace function propose_resolution(
  p_proof bytea, p_payment uuid, p_as text, p_provider_payment text, p_reason text, p_evidence_hash text
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_payment payments%rowtype;
  v_refusal jsonb;
  v_remark uuid;
  v_resolution uuid;
begin
  select * into me from session_of(p_proof);
  select * into v_payment from payments where payment_id = p_payment for update;
  -- guard: may-propose-resolution
  v_refusal := authorize_user(me.user_id, me.token_id, 'propose_resolution', v_payment.run_id, 'propose_resolution');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: unknown-rows-alone
  if v_payment.state is distinct from 'unknown' then
    return refused('conflict', 'only an unknown row is resolved by people');
  end if;
  v_remark := keep_remark(me.user_id, v_payment.run_id, p_reason);
  insert into resolutions (payment_id, resolved_as, provider_payment_id, reason, remark_id, evidence_hash, proposed_by)
  values (p_payment, p_as, p_provider_payment, '', v_remark, p_evidence_hash, me.user_id)
  on conflict (payment_id) where state = 'proposed' do nothing returning resolution_id into v_resolution;
  if v_resolution is null then
    return refused('conflict', 'there is an open proposal for this row: have it confirmed or denied first');
  end if;
  perform note(me.user_id::text, 'resolution_proposed', v_payment.run_id, p_payment, jsonb_build_object(
    'resolution', v_resolution, 'as', p_as, 'providerPaymentId', p_provider_payment, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('resolutionId', v_resolution);
end $$;

-- A checker confirms how an unknown row ended: neither who proposed it nor the run's maker. The worker asks the provider before
-- the row changes.
-- Called by: server.
create or replace function confirm_resolution(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v record;
  v_refusal jsonb;
  v_why text;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  select resolutions.state, proposed_by, payment_id, runs.run_id, runs.submitted_by into v
  from resolutions join payments using (payment_id) join runs using (run_id)
  where resolution_id = p_resolution for update of resolutions;
  -- guard: may-confirm-resolution
  v_refusal := authorize_user(me.user_id, me.token_id, 'decide_run', v.run_id, 'confirm_resolution');
  if v_refusal is not null then return v_refusal; end if;
  if v.run_id is null then return refused('not_found', 'there is no such proposal'); end if;
  -- guard: settled-by-another, not-settled-by-maker
  v_why := case when v.proposed_by = me.user_id then 'proposer_confirms' when v.submitted_by = me.user_id then 'maker_confirms' end;
  if v_why is not null then
    perform note(me.user_id::text, 'resolution_refused', v.run_id, v.payment_id,
      jsonb_build_object('resolution', p_resolution, 'why', v_why, 'token', me.token_id));
    return refused('not_allowed', case v_why
      when 'proposer_confirms' then 'who proposed a resolution cannot confirm it; ask a second person'
      else 'the maker of a run cannot confirm how a row of it ended; ask a checker' end);
  end if;
  -- guard: settled-while-open
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_refusal := authorize_by_second_factor(me.user_id, me.token_id, v.run_id, 'resolution', p_resolution,
    -- guard: second-factor-for-resolution (2 lines)
    resolution_hash(p_resolution), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  insert into resolution_confirmations (resolution_id, confirmed_by, token_id) values (p_resolution, me.user_id, me.token_id)
  on conflict do nothing;
  perform note(me.user_id::text, 'resolution_confirm_asked', v.run_id, v.payment_id,
    jsonb_build_object('resolution', p_resolution, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Denies a proposed resolution: a checker, or who proposed it.
-- Called by: server.
create or replace function deny_resolution(p_proof bytea, p_resolution uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v record;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  select resolutions.state, proposed_by, payment_id, run_id into v
  from resolutions join payments using (payment_id) where resolution_id = p_resolution for update of resolutions;
  -- guard: may-deny-resolution
  v_refusal := authorize_user(me.user_id, me.token_id, 'propose_resolution', v.run_id, 'deny_resolution');
  if v_refusal is not null then return v_refusal; end if;
  if v.run_id is null then return refused('not_found', 'there is no such proposal'); end if;
  -- guard: denied-by-checker
  if v.proposed_by <> me.user_id and not user_may(me.user_id, 'decide_run') then
    return refused('not_allowed', 'only who proposed it, or one who decides on runs, may deny a proposal');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  v_remark := keep_remark(me.user_id, v.run_id, p_reason);
  update resolutions set state = 'denied', closed_by = me.user_id, closed_at = clock_timestamp(), closing_remark_id = v_remark
  where resolution_id = p_resolution;
  perform note(me.user_id::text, 'resolution_denied', v.run_id, v.payment_id,
    jsonb_build_object('resolution', p_resolution, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- Voids the open proposal about a row that is no longer unknown.
-- Called by: triggers.
create or replace function void_resolutions() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  with voided as (
    update resolutions set state = 'voided', closed_at = clock_timestamp(),
      closing_reason = 'the row became ' || new.state || ' meanwhile'
    where payment_id = new.payment_id and state = 'proposed' returning resolution_id
  )
  insert into audit_entries (actor, kind, run_id, payment_id, detail)
  select 'worker', 'resolution_voided', new.run_id, new.payment_id,
    jsonb_build_object('resolution', resolution_id, 'state', new.state) from voided;
  return null;
end $$;

create or replace trigger resolutions_rest_on_unknown after update of state on payments
  for each row when (old.state = 'unknown' and new.state <> 'unknown') execute function void_resolutions();
