-- A checker releases a suspected duplicate before its run is approved, having seen the rows that it may repeat. Earlier approvals
-- of the run are of another content, and no longer count.
-- Called by: server.
create or replace function release_row(p_token_hash bytea, p_payment uuid, p_similar uuid[], p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_run runs%rowtype;
  v_payment payments%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  select * into v_run from runs where run_id = (select run_id from payments where payment_id = p_payment) for update;
  -- guard: may-release-row
  v_refusal := authorize_user(me.user_id, me.token_id, 'decide_run', v_run.run_id, 'release_row');
  if v_refusal is not null then return v_refusal; end if;
  if v_run.run_id is null then return refused('not_found', 'there is no such row'); end if;
  -- guard: not-released-by-maker
  if v_run.submitted_by = me.user_id then
    return refuse_decision(me.user_id, me.token_id, v_run.run_id, 'not_allowed', 'maker_releases',
      'the maker of a run cannot release a row of it; ask a checker');
  end if;
  -- guard: released-before-approval
  if v_run.state <> 'in_approval' then
    return refused('conflict', 'a row is released while its run waits for a decision: this one is ' || replace(v_run.state, '_', ' '));
  end if;
  select * into v_payment from payments where payment_id = p_payment for update;
  -- guard: released-suspects-alone
  if v_payment.state <> 'duplicate_suspect' then
    return refused('conflict', 'only a suspected duplicate is released: this row is ' || replace(v_payment.state, '_', ' '));
  end if;
  -- guard: not-released-beside-unfunded
  if exists (select from payments where payment_id = any (p_similar) and payment_is_unresolved(state) and funded_at is null) then
    return refused('conflict', 'a row that it may repeat is unknown, and the provider could still pay it: have that payment '
      || 'cancelled with the provider, then resolve that row; this one can be released after that');
  end if;
  -- guard: second-factor-for-release (2 lines)
  v_refusal := authorize_by_second_factor(me.user_id, me.token_id, v_run.run_id, 'row', p_payment, v_payment.row_hash, 'released');
  if v_refusal is not null then return v_refusal; end if;
  v_remark := keep_remark(me.user_id, v_run.run_id, p_reason);
  if v_remark is null then return refused('invalid_input', 'say why the row is to be paid all the same'); end if;
  insert into row_releases (payment_id, attempt, run_id, row_hash, similar_payments, user_id, role, token_id, remark_id)
  values (p_payment, v_payment.attempt, v_run.run_id, v_payment.row_hash, p_similar, me.user_id, 'checker', me.token_id, v_remark);
  update payments set state = 'ready', error_code = null, error_message = null, changed_at = clock_timestamp()
  where payment_id = p_payment;
  -- guard: released-row-held-again
  perform hold_unconfirmed_accounts(v_run.run_id);
  update runs set proposal_is_stale = true where run_id = v_run.run_id;
  perform note(me.user_id::text, 'row_released', v_run.run_id, p_payment, jsonb_build_object('rowHash', v_payment.row_hash,
    'similar', to_jsonb(p_similar), 'role', 'checker', 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('approvals',
    (select count(*) from approvals where run_id = v_run.run_id and decision = 'approved'));
end $$;
