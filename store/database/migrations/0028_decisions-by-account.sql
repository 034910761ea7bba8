-- Up Migration

-- What users do with runs, stops and remarks, limited to the accounts that they may use.

-- A run in its maker's name. Its rows and files are added by the same transaction, and never after it.
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

-- Approves or rejects what was seen. The approval that satisfies the policy freezes the content and sets the run going.
create or replace function decide_run(p_proof bytea, p_run uuid, p_decision text, p_content_hash text, p_comment text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_run runs%rowtype;
  v_refusal jsonb;
  v_steps jsonb;
  v_open integer[];
  v_later jsonb;
  v_step integer;
  v_remark uuid;
  v_is_last boolean := false;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'decide_run', p_run, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
  if not found then return refused('not_found', 'there is no such run'); end if;
  if v_run.submitted_by = me.user_id then
    return refuse_decision(me.user_id, me.token_id, p_run, 'not_allowed', 'maker_decides',
      'the maker of a run cannot decide on it; ask a second person');
  end if;
  if v_run.state in ('validating', 'proposed') then
    return refused('conflict', 'the run is still being checked; try again in a moment');
  end if;
  if v_run.state <> 'in_approval' then
    return refused('conflict', 'the run is not waiting for a decision: it is ' || replace(v_run.state, '_', ' '));
  end if;
  if p_content_hash is distinct from run_content_hash(p_run) then
    return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'content_changed',
      'the content is not the one that was seen: look at the run again');
  end if;
  if p_decision = 'approved' and (select count(*) from payments where run_id = p_run) <> v_run.row_count then
    return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'other_rows',
      'the run has other rows than its maker submitted: it is never paid; reject it, and have the database looked at');
  end if;
  if p_decision = 'approved' then
    v_steps := steps_for(p_run, current_policy());
    if v_steps is null or v_steps = '[]' then
      return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'no_rule',
        'no rule of the approval policy covers this run; an administrator must add one');
    end if;
    -- An approval counts while whoever gave it may still give it, and for a step that the policy still asks of them.
    v_open := array(select n from generate_series(1, jsonb_array_length(v_steps)) as steps (n)
      where not exists (select from approvals where run_id = p_run and decision = 'approved'
        and content_hash = p_content_hash and step = n
        and user_may(user_id, 'decide_run') and user_may_use(user_id, v_run.account)
        and satisfies_step(user_id, v_steps -> (n - 1)))
      order by n);
    v_step := coalesce(v_open[1], jsonb_array_length(v_steps) + 1);
    if exists (select from approvals where run_id = p_run and decision = 'approved'
      and content_hash = p_content_hash and user_id = me.user_id) then
      return refused('conflict', 'you have approved this run already; the next step is for someone else');
    end if;
    -- With a policy that asks for less by now, what is there already may be enough.
    if v_step <= jsonb_array_length(v_steps) and not satisfies_step(me.user_id, v_steps -> (v_step - 1)) then
      return refuse_decision(me.user_id, me.token_id, p_run, 'not_allowed', 'not_this_step',
        'step ' || v_step || ' of the approval is for someone else, by the policy');
    end if;
    -- One person counts once: a later step that needs this one, by name, would stay open for good.
    select coalesce(jsonb_agg((select coalesce(jsonb_agg(user_id), '[]') from users
      where user_id <> v_run.submitted_by and user_may(user_id, 'decide_run') and user_may_use(user_id, v_run.account)
        and satisfies_step(user_id, v_steps -> (n - 1))
        and not exists (select from approvals given where given.run_id = p_run and given.decision = 'approved'
          and given.content_hash = p_content_hash and given.user_id = users.user_id))), '[]')
    into v_later from unnest(v_open[2:]) as later (n) where v_steps -> (n - 1) ? 'logins';
    if most_taken(v_later) > most_taken(
      (select coalesce(jsonb_agg(people - me.user_id::text), '[]') from jsonb_array_elements(v_later) as step (people))) then
      return refuse_decision(me.user_id, me.token_id, p_run, 'not_allowed', 'later_step',
        'by the policy, a later step needs you: somebody else approves first');
    end if;
    v_is_last := cardinality(v_open) <= 1;
  end if;
  v_remark := keep_remark(me.user_id, p_run, p_comment);
  insert into approvals (run_id, decision, step, content_hash, user_id, role, token_id, remark_id)
  values (p_run, p_decision, v_step, p_content_hash, me.user_id, 'checker', me.token_id, v_remark);
  perform note(me.user_id::text, 'decision_' || p_decision, p_run, null, jsonb_build_object(
    'step', v_step, 'contentHash', p_content_hash, 'role', 'checker', 'token', me.token_id) || remark_note(v_remark));
  if v_is_last then
    insert into approved_payments (payment_id, attempt, run_id, row_hash, beneficiary_hash, files)
    select payment_id, attempt, p_run, row_hash, beneficiary_hash, files from run_content(p_run);
  end if;
  if v_is_last or p_decision = 'rejected' then
    update runs set state = case p_decision when 'approved' then 'running' else 'rejected' end, state_reason = null,
      decided_by = me.user_id, decided_at = clock_timestamp(),
      started_at = case p_decision when 'approved' then clock_timestamp() end,
      finished_at = case p_decision when 'rejected' then clock_timestamp() end
    where run_id = p_run;
    perform note(me.user_id::text, case p_decision when 'approved' then 'run_running' else 'run_rejected' end, p_run, null,
      jsonb_build_object('contentHash', p_content_hash));
  end if;
  return jsonb_build_object('decision', p_decision, 'step', v_step, 'steps', jsonb_array_length(v_steps), 'isLast', v_is_last);
end $$;

-- Of a run, of an account, or of everything.
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

-- The first call asks for it, the second one, by another user who decides on runs, lifts it.
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
    or not user_may(v.lift_asked_by, 'lift_stop')
    or not user_may_use(v.lift_asked_by, coalesce(v.account, (select account from runs where run_id = v.run_id))) then
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

create or replace function erase_remark(p_proof bytea, p_remark uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_run uuid;
begin
  select * into me from session_of(p_proof);
  select run_id into v_run from remarks where remark_id = p_remark;
  v_refusal := objection_to(me.user_id, me.token_id, 'erase_remark', v_run, 'erase_remark');
  if v_refusal is not null then return v_refusal; end if;
  -- Only the reason of a stop of an account, or of all, belongs to no run.
  select account_objection_to(me.user_id, me.token_id, account, 'erase_remark') into v_refusal
  from stops where remark_id = p_remark and run_id is null;
  if v_refusal is not null then return v_refusal; end if;
  update remarks set body = null, salt = null, erased_at = clock_timestamp()
  where remark_id = p_remark and erased_at is null;
  if not found then return refused('not_found', 'there is no such remark, or it is erased already'); end if;
  perform note(me.user_id::text, 'remark_erased', v_run, null, jsonb_build_object('remark', p_remark, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
