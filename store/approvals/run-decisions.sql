-- The rows of a run that would be paid, as an approval covers them.
-- Called by: other functions.
create or replace function run_content(p_run uuid)
returns table (row_number integer, payment_id uuid, attempt integer, row_hash text, beneficiary_hash text, files jsonb,
  fee_percent numeric, least_rate numeric)
language sql stable security definer set search_path = public, pg_temp as $$
  select payments.row_number, payments.payment_id, payments.attempt, payments.row_hash, payments.beneficiary_hash,
    case when jsonb_array_length(instruction -> 'supportingFiles') = 0 then '{}'::jsonb else (
      select coalesce(jsonb_object_agg(named.name, supporting_files.sha256), '{}')
      from jsonb_array_elements_text(instruction -> 'supportingFiles') as named (name)
      left join supporting_files on supporting_files.run_id = p_run and supporting_files.name = named.name) end,
    bound.fee_percent, least_rate(sell_currency, buy_currency, reference_rates, rate_basis_points)
  from payments join runs using (run_id) cross join lateral cost_bound(current_policy()) as bound
  -- guard: ready-rows-alone
  where payments.run_id = p_run and payments.state = 'ready'
$$;

-- What an approval of a run covers, as one hash: SHA-256, hex, over every row to be paid, in the order of the file. jsonb writes
-- its keys in one order.
-- Called by: server and worker.
create or replace function run_content_hash(p_run uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(coalesce(string_agg(
    -- guard: hash-of-row-hash, hash-of-beneficiary-hash, hash-of-attempt, hash-of-files, hash-of-cost-bound
    concat_ws(' ', payment_id, attempt, row_hash, beneficiary_hash, files, fee_percent, coalesce(least_rate::text, 'any')), e'\n' order by row_number), ''), 'UTF8')), 'hex')
  from run_content(p_run)
$$;

-- Null when the user may take the next step of an approval of this content, by the steps of the policy, of which these are taken; else the
-- refusal, which is in the audit trail by then. Whoever decides counts them once: counted again, an earlier approval may count, and the limits
-- would not have been asked of the last one.
-- Called by: other functions.
create or replace function authorize_run_approval(p_user uuid, p_token uuid, p_run uuid, p_content_hash text, p_steps jsonb, p_taken uuid[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_open integer[] := open_steps(p_taken);
  v_refusal jsonb;
begin
  -- guard: approved-once-live (2 lines)
  v_refusal := authorize_when_live(p_user, p_token, p_run, 'approve_run');
  if v_refusal is not null then return v_refusal; end if;
  -- As `run_content` has it. The policy has nothing to say about a run that pays nothing.
  if not exists (select from payments where run_id = p_run and state = 'ready') then
    return refused('conflict', 'no row of this run can be paid: release suspected duplicates first, or reject it');
  end if;
  if p_steps is null or p_steps = '[]' then
    return refuse_decision(p_user, p_token, p_run, 'conflict', 'no_rule',
      'no rule of the approval policy covers this run; an administrator must add one');
  end if;
  if exists (select from approvals where run_id = p_run and decision = 'approved'
    -- guard: different-people
    and content_hash = p_content_hash and user_id = p_user) then
    return refused('conflict', 'you have approved this run already; the next step is for someone else');
  end if;
  -- guard: step-asked
  if not exists (select from people_for_step(p_run, p_content_hash, p_steps, p_taken, v_open[1]) where user_id = p_user) then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'not_this_step', case
      when exists (select from approver_acts_for(p_user, p_steps -> (v_open[1] - 1)))
        then 'a user and their deputies count as one, and one of them has approved this run already'
      else 'step ' || v_open[1] || ' of the approval is for someone else, by the policy' end);
  end if;
  v_refusal := authorize_by_cost_bound(p_user, p_token, p_run, current_policy());
  if v_refusal is not null or cardinality(v_open) > 1 then return v_refusal; end if;
  return authorize_by_limits(p_user, p_token, p_run, current_policy());
end $$;

-- Null when the user may decide on the run now; else the refusal, which is in the audit trail by then. The run is locked.
-- Called by: other functions.
create or replace function authorize_run_decision(p_user uuid, p_token uuid, p_run uuid, p_decision text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run runs%rowtype;
  v_refusal jsonb;
begin
  -- guard: may-decide-run
  v_refusal := authorize_user(p_user, p_token, 'decide_run', p_run, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
  if not found then return refused('not_found', 'there is no such run'); end if;
  -- guard: not-ones-own-run
  if v_run.submitted_by = p_user then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'maker_decides',
      'the maker of a run cannot decide on it; ask a second person');
  end if;
  if run_is_being_prepared(v_run.state) then
    return refused('conflict', 'the run is still being checked; try again in a moment');
  end if;
  -- guard: decided-while-open
  if v_run.state <> 'in_approval' then
    return refused('conflict', 'the run is not waiting for a decision: it is ' || replace(v_run.state, '_', ' '));
  end if;
  return null;
end $$;

-- Approves or rejects a run whose content is the one that was seen (`p_content_hash`). Only a checker who did not submit it decides, on
-- a run that waits for it; an approval takes the next step of the policy, and a second factor where the policy asks for one. The
-- approval that takes the last step freezes the content and starts the run; a rejection ends it.
-- Called by: server.
create or replace function decide_run(p_token_hash bytea, p_run uuid, p_decision text, p_content_hash text, p_comment text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_run runs%rowtype;
  v_refusal jsonb;
  v_steps jsonb;
  v_taken uuid[];
  v_open integer[];
  v_count integer;
  v_remark uuid;
  v_is_of uuid;
  v_is_last boolean := false;
begin
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_run_decision(me.user_id, me.token_id, p_run, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
  -- guard: content-as-seen
  if p_content_hash is distinct from run_content_hash(p_run) then
    return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'content_changed',
      'the content is not the one that was seen: look at the run again');
  end if;
  -- guard: rows-as-submitted
  if p_decision = 'approved' and (select count(*) from payments where run_id = p_run) <> v_run.row_count then
    return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'other_rows',
      'the run has other rows than its maker submitted: it is never paid; reject it, and have the database looked at');
  end if;
  -- Since duplicates were looked for, the account of a beneficiary became known that a row names by the provider's id.
  if p_decision = 'approved' and exists (select from payments join provider_beneficiaries named
    on named.account = payments.account and named.beneficiary_id = payments.instruction #>> '{beneficiary,beneficiaryId}'
    where payments.run_id = p_run and payments.state = 'ready' and payments.account_hash is null
      -- guard: compared-since-read
      and named.encrypted is not null and named.read_at > v_run.duplicates_checked_at) then
    return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'read_since',
      'the account of a beneficiary became known after duplicates were looked for: reject the run, and have it submitted again');
  end if;
  -- The same of one that another row names, which pays what a row of the run pays.
  if p_decision = 'approved' and exists (select from payments cross join lateral beneficiary_of(payments) paid
    join provider_beneficiaries named on named.account_hash = paid.account_hash
    join payments other on other.account_hash is null and other.account = named.account
      and other.beneficiary_fingerprint = encode(sha256(convert_to('beneficiary ' || named.beneficiary_id, 'UTF8')), 'hex')
      and other.amount = payments.amount
    where payments.run_id = p_run and payments.state = 'ready' and other.run_id <> p_run and not payment_was_never_paid(other.state)
      and other.amount_currency = payments.amount_currency
      -- guard: others-compared-since-read
      and named.encrypted is not null and named.read_at > v_run.duplicates_checked_at) then
    return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'paid_since',
      'after duplicates were looked for, it became known that another row pays the same amount to an account of the run: reject the run, and have it submitted again');
  end if;
  -- Since its rows were held, an account has ended, or another policy is in force.
  -- guard: accounts-confirmed-at-approval
  if p_decision = 'approved' and hold_unconfirmed_accounts(p_run) > 0 then
    update runs set proposal_is_stale = true where run_id = p_run;
    return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'account_unconfirmed',
      'an account of the run is not confirmed in the book of beneficiaries: its rows are held now; look at the run again');
  end if;
  if p_decision = 'approved' then
    -- What two approvals add up to is seen by the second one, also where a policy with limits takes effect between them.
    -- guard: limits-one-at-a-time
    perform pg_advisory_xact_lock(hashtextextended('limits of approvals', 0));
    v_steps := steps_for(p_run, current_policy());
    v_taken := taken_steps(p_run, p_content_hash, coalesce(v_steps, '[]'));
    v_refusal := authorize_run_approval(me.user_id, me.token_id, p_run, p_content_hash, v_steps, v_taken);
    if v_refusal is not null then return v_refusal; end if;
    -- guard: steps-counted-once
    v_open := open_steps(v_taken);
    v_count := jsonb_array_length(v_steps) - cardinality(v_open) + 1;
    select acts_for into v_is_of from people_for_step(p_run, p_content_hash, v_steps, v_taken, v_open[1]) where user_id = me.user_id;
    -- guard: all-steps
    v_is_last := cardinality(v_open) <= 1;
    -- The last check, since it uses up the second factor.
    -- guard: second-factor-demanded (2 lines)
    v_refusal := authorize_by_second_factor(me.user_id, me.token_id, p_run, 'run', p_run, p_content_hash, p_decision);
    if v_refusal is not null then return v_refusal; end if;
  end if;
  v_remark := keep_remark(me.user_id, p_run, p_comment);
  insert into approvals (run_id, decision, content_hash, user_id, acts_for, role, token_id, remark_id)
  values (p_run, p_decision, p_content_hash, me.user_id, nullif(v_is_of, me.user_id), 'checker', me.token_id, v_remark);
  perform note(me.user_id::text, 'decision_' || p_decision, p_run, null, jsonb_build_object(
    'stepsTaken', v_count, 'contentHash', p_content_hash, 'role', 'checker', 'token', me.token_id)
    || case when v_is_of <> me.user_id then jsonb_build_object('for', v_is_of) else '{}' end || remark_note(v_remark));
  -- guard: frozen-by-the-last (2 lines)
  if v_is_last then
    insert into approved_payments (payment_id, attempt, run_id, row_hash, beneficiary_hash, files, fee_percent, least_rate)
    select payment_id, attempt, p_run, row_hash, beneficiary_hash, files, fee_percent, least_rate from run_content(p_run);
    -- Nobody has approved them: they are submitted again once their accounts are confirmed.
    update payments set state = 'held', changed_at = clock_timestamp(),
      error_message = 'the run was approved before its account was confirmed in the book of beneficiaries'
    where run_id = p_run and state = 'account_unconfirmed';
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
  return jsonb_build_object('decision', p_decision, 'stepsTaken', v_count, 'steps', jsonb_array_length(v_steps), 'isLast', v_is_last);
end $$;

-- What people did with a run, and for whom: who approved, rejected or withdrew it, and who cancelled it after a stop. What they wrote
-- with it is a remark, if it was not erased.
-- Called by: server and worker.
create or replace function run_decisions(p_run uuid)
returns table (decision text, user_id uuid, name text, acts_for uuid, acts_for_name text, decided_at timestamptz,
  remark_id uuid, is_current boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select made.decision, made.user_id, people.name, made.acts_for, others.name, made.at, made.remark_id, made.is_current
  from (
    select decision, user_id, acts_for, approvals.decided_at as at, remark_id,
      content_hash = coalesce(runs.proposal ->> 'contentHash', '')
        and not (runs.state = 'in_approval' and runs.proposal_is_stale) as is_current
    from approvals join runs using (run_id) where approvals.run_id = p_run
    union all
    select 'cancelled', cancelled_by, null, cancelled_at, (
      select (detail ->> 'remark')::uuid from audit_entries where audit_entries.run_id = p_run and kind = 'run_cancel_asked'
        -- As the index of what people did has it.
        and actor like '________-____-____-____-____________' order by entry_id desc limit 1), true
    from stops where stops.run_id = p_run and cancelled_at is not null
  ) as made join users people on people.user_id = made.user_id left join users others on others.user_id = made.acts_for
$$;

-- Records that a decision was refused, and returns the refusal.
-- Called by: other functions.
create or replace function refuse_decision(p_user uuid, p_token uuid, p_run uuid, p_code text, p_why text, p_message text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note(p_user::text, 'decision_refused', p_run, null, jsonb_build_object('why', p_why, 'token', p_token));
  return refused(p_code, p_message);
end $$;

-- Refuses every change of approvals, frozen rows, confirmations, releases, and decisions on schedules: they are append-only.
-- Called by: triggers.
create or replace function refuse_append_only_change() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception '% can only be added to', tg_table_name;
end $$;

-- guard: approvals-kept (2 lines)
create or replace trigger approvals_are_append_only before update or delete or truncate on approvals
  for each statement execute function refuse_append_only_change();
-- guard: frozen-rows-kept (2 lines)
create or replace trigger approved_payments_are_append_only before update or delete or truncate on approved_payments
  for each statement execute function refuse_append_only_change();
-- guard: confirmations-kept (2 lines)
create or replace trigger confirmations_are_append_only before update or delete or truncate on payment_manual_outcome_confirmations
  for each statement execute function refuse_append_only_change();
create or replace trigger releases_are_append_only before update or delete or truncate on row_releases
  for each statement execute function refuse_append_only_change();
create or replace trigger assignments_are_append_only before update or delete or truncate on receipt_assignments
  for each statement execute function refuse_append_only_change();
create or replace trigger schedule_decisions_are_kept before update or delete or truncate on schedule_decisions
  for each statement execute function refuse_append_only_change();
create or replace trigger scheduled_orders_are_kept before update or delete or truncate on scheduled_orders
  for each statement execute function refuse_append_only_change();

-- Null when the user may withdraw the run now; else the refusal, which is in the audit trail by then. The run is locked.
-- Called by: other functions.
create or replace function authorize_run_withdrawal(p_user uuid, p_token uuid, p_run uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run runs%rowtype;
  v_refusal jsonb;
begin
  -- guard: may-withdraw-run
  v_refusal := authorize_user(p_user, p_token, 'submit_run', p_run, 'withdraw_run');
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
  if not found then return refused('not_found', 'there is no such run'); end if;
  -- guard: withdrawn-by-maker
  if v_run.submitted_by <> p_user then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'not_the_maker',
      'only its maker withdraws a run; a checker rejects it');
  end if;
  -- guard: withdrawn-undecided
  if not run_is_undecided(v_run.state) then
    return refused('conflict', 'the run is ' || replace(v_run.state, '_', ' ')
      || ': what is undecided can be withdrawn; what pays can be stopped');
  end if;
  return null;
end $$;

-- The maker withdraws a run before it is decided: nothing of it is paid, and its rows may be submitted again.
-- Called by: server.
create or replace function withdraw_run(p_token_hash bytea, p_run uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_run_withdrawal(me.user_id, me.token_id, p_run);
  if v_refusal is not null then return v_refusal; end if;
  v_remark := keep_remark(me.user_id, p_run, p_reason);
  insert into approvals (run_id, decision, content_hash, user_id, role, token_id, remark_id)
  values (p_run, 'withdrawn', run_content_hash(p_run), me.user_id, 'maker', me.token_id, v_remark);
  update payments set state = 'cancelled', ended_at = clock_timestamp(), changed_at = clock_timestamp(),
    error_code = 'withdrawn', error_message = 'its maker withdrew the run before it was decided on'
  where run_id = p_run and payment_is_unsent(state) and not payment_needs_approval(state);
  update runs set state = 'cancelled', state_reason = 'withdrawn by its maker', finished_at = clock_timestamp()
  where run_id = p_run;
  perform note(me.user_id::text, 'run_withdrawn', p_run, null, jsonb_build_object('token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- Null when the user may send the run for approval now; else the refusal, which is in the audit trail by then. The run is locked.
-- Called by: other functions.
create or replace function authorize_run_sending(p_user uuid, p_token uuid, p_run uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run runs%rowtype;
  v_refusal jsonb;
begin
  -- guard: may-send-run
  v_refusal := authorize_user(p_user, p_token, 'submit_run', p_run, 'send_run');
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
  if not found then return refused('not_found', 'there is no such run'); end if;
  -- guard: sent-by-maker
  if v_run.submitted_by <> p_user then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'not_the_maker', 'only its maker sends a run for approval');
  end if;
  if v_run.waits_for_maker and run_is_being_prepared(v_run.state) then
    return refused('conflict', 'the run is still being checked; try again in a moment');
  end if;
  if v_run.state <> 'checked' then
    return refused('conflict', 'the run does not wait for its maker: it is ' || replace(v_run.state, '_', ' '));
  end if;
  return null;
end $$;

-- The maker sends a run for approval that was checked only, and whose content is the one that they saw (`p_content_hash`). From then on
-- people decide on it, and have the whole time for it; its proposal is composed again, as days may have passed.
-- Called by: server.
create or replace function send_run(p_token_hash bytea, p_run uuid, p_content_hash text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_run_sending(me.user_id, me.token_id, p_run);
  if v_refusal is not null then return v_refusal; end if;
  -- guard: sent-as-seen
  if p_content_hash is distinct from run_content_hash(p_run) then
    return refuse_decision(me.user_id, me.token_id, p_run, 'conflict', 'content_changed',
      'the content is not the one that was seen: look at the run again');
  end if;
  update runs set waits_for_maker = false, state = 'in_approval', state_reason = null, proposal_is_stale = true where run_id = p_run;
  perform note(me.user_id::text, 'run_sent', p_run, null, jsonb_build_object('contentHash', p_content_hash, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
