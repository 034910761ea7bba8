-- What is released, as one hash: SHA-256, hex, over the rows as they are, and all rows that they may repeat.
-- Called by: server.
create or replace function release_hash(p_payments uuid[], p_similar uuid[]) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(coalesce((
    select string_agg(payment_id || ' ' || attempt || ' ' || row_hash, e'\n' order by payment_id)
    from payments where payment_id = any (p_payments)), '') || e'\n\n' || coalesce((
    select string_agg(other::text, ' ' order by other) from unnest(p_similar) as other), ''), 'UTF8')), 'hex')
$$;

-- Null when the user may release these rows of a run now, without a second factor; else the refusal, which is in the audit trail by then. The
-- run is locked.
-- Called by: other functions.
create or replace function authorize_release(p_user uuid, p_token uuid, p_run uuid, p_payments uuid[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run runs%rowtype;
  v_refusal jsonb;
  v_state text;
begin
  select * into v_run from runs where run_id = p_run for update;
  -- guard: may-release-row
  v_refusal := authorize_user(p_user, p_token, 'decide_run', v_run.run_id, 'release_rows');
  if v_refusal is not null then return v_refusal; end if;
  if v_run.run_id is null then return refused('not_found', 'there is no such run'); end if;
  -- guard: not-released-by-maker
  if v_run.submitted_by = p_user then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'maker_releases',
      'the maker of a run cannot release a row of it; ask a checker');
  end if;
  -- guard: released-before-approval
  if v_run.state <> 'in_approval' then
    return refused('conflict', 'a row is released while its run waits for a decision: this one is ' || replace(v_run.state, '_', ' '));
  end if;
  if cardinality(p_payments) = 0 then
    return refused('conflict', 'there is no such suspected duplicate in this run');
  end if;
  -- guard: released-suspects-alone
  select coalesce(max(case when run_id <> p_run then 'of another run' else state end), 'missing') into v_state
  from (select run_id, state from payments where payment_id = any (p_payments) for update) as chosen
  where run_id <> p_run or state <> 'duplicate_suspect';
  if v_state <> 'missing' then
    return refused('conflict', 'only a suspected duplicate is released: this row is ' || replace(v_state, '_', ' '));
  end if;
  return null;
end $$;

-- A checker releases suspected duplicates before their run is approved, having seen the rows that they may repeat (`p_seen`, their
-- `release_hash`), which are looked for here: no server says what they are. Earlier approvals of the run are of another content, and no longer
-- count.
-- Called by: server.
create or replace function release_rows(p_token_hash bytea, p_run uuid, p_payments uuid[], p_seen text, p_reason text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_similar uuid[];
  v_remark uuid;
  v_detail jsonb;
begin
  perform lock_duplicate_check();
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_release(me.user_id, me.token_id, p_run, p_payments);
  if v_refusal is not null then return v_refusal; end if;
  -- guard: released-beside-all
  v_similar := array(select payment_id from similar_payments(p_payments));
  -- guard: released-as-seen
  if p_seen is distinct from release_hash(p_payments, v_similar) then
    return refused('conflict', 'not released: these are other rows than those that were seen, or they are similar to others by now; look at them again');
  end if;
  -- guard: not-released-beside-unfunded
  if exists (select from payments where payment_id = any (v_similar) and payment_is_unresolved(state) and funded_at is null) then
    return refused('conflict', 'a row that is repeated perhaps is unknown, and the provider could still pay it: have that payment '
      || 'cancelled with the provider, then resolve that row; what is like it can be released after that');
  end if;
  -- guard: second-factor-for-release (2 lines)
  v_refusal := authorize_by_second_factor(me.user_id, me.token_id, p_run, 'run', p_run, p_seen, 'released');
  if v_refusal is not null then return v_refusal; end if;
  v_remark := keep_remark(me.user_id, p_run, p_reason);
  if v_remark is null then return refused('invalid_input', 'say why it is to be paid all the same'); end if;
  v_detail := jsonb_build_object('releaseHash', p_seen, 'role', 'checker', 'token', me.token_id) || remark_note(v_remark);
  with released as (
    update payments set state = 'ready', error_code = null, error_message = null, changed_at = clock_timestamp()
    where payment_id = any (p_payments) returning payment_id, attempt, row_hash
  ), recorded as (
    insert into row_releases (payment_id, attempt, run_id, row_hash, user_id, role, token_id, remark_id)
    select payment_id, attempt, p_run, row_hash, me.user_id, 'checker', me.token_id, v_remark from released
  )
  insert into audit_entries (actor, kind, run_id, payment_id, detail)
  select me.user_id::text, 'row_released', p_run, payment_id, v_detail || jsonb_build_object('rowHash', row_hash) from released;
  -- guard: released-row-held-again
  perform hold_unconfirmed_accounts(p_run);
  update runs set proposal_is_stale = true where run_id = p_run;
  perform note(me.user_id::text, 'rows_released', p_run, null, v_detail
    || jsonb_build_object('rows', cardinality(p_payments), 'similar', cardinality(v_similar)));
  return jsonb_build_object('rowCount', cardinality(p_payments), 'approvals',
    (select count(*) from approvals where run_id = p_run and decision = 'approved'));
end $$;
