-- The account of what an action is about, if the user may use it: all of them for a change, or a stop of everything. No line:
-- there is no such thing for this user.
-- Called by: other functions.
create or replace function account_of_target(p_user uuid, p_kind text, p_id uuid) returns table (account text)
language sql stable security definer set search_path = public, pg_temp as $$
  select targets.account from (
    select 'run' as kind, runs.account from runs where run_id = p_id and p_kind = 'run'
    union all select 'row', payments.account from payments where payment_id = p_id and p_kind = 'row'
    union all select 'order', orders.account from conversion_orders orders where order_id = p_id and p_kind = 'order'
    union all select 'case', cases.account from cases where case_id = p_id and p_kind = 'case'
    union all select 'break', breaks.account from reconciliation_breaks breaks where break_id = p_id and p_kind = 'break'
    union all select 'stop', coalesce(stops.account, runs.account) from stops left join runs using (run_id)
      where stop_id = p_id and p_kind = 'stop'
    union all select 'schedule', schedules.account from schedules where schedule_id = p_id and p_kind = 'schedule'
    union all select 'virtual_account', virtuals.account from virtual_accounts virtuals
      where virtual_account_id = p_id and p_kind = 'virtual_account'
    union all select 'change', null from changes where change_id = p_id and p_kind = 'change'
  ) as targets where targets.account is null or user_may_use(p_user, targets.account)
$$;

-- The account of what has no id, if the user may use it: of a receipt, by its entry of the history, or of a day of the books. No
-- line: there is no such thing for this user.
-- Called by: other functions.
create or replace function account_of_named_target(p_user uuid, p_kind text, p_given jsonb) returns table (account text)
language sql stable security definer set search_path = public, pg_temp as $$
  select targets.account from (
    select receipts.account from receipts where p_kind = 'receipt' and receipts.account = p_given ->> 'account'
      and currency = p_given ->> 'currency' and entry_id = p_given ->> 'entryId'
    union all select days.account from book_days days where p_kind = 'day' and days.account = p_given ->> 'account'
      and day = (p_given ->> 'day')::date
  ) as targets where user_may_use(p_user, targets.account)
$$;

-- What a run, a row, an order, a case, a break, a stop, a change, a schedule, a virtual account, a receipt or a day of the books
-- would answer to an action of the user. `p_given` has the steps of a run, where they are known, and what names a receipt or a
-- day, which have no id. The cheap functions that act are called themselves; `allowed_action` undoes it.
-- Called by: other functions.
create or replace function answer_to_action(p_token_hash bytea, p_kind text, p_id uuid, p_action text, p_given jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_answer jsonb;
  v_open uuid;
  v_hash text;
  v_steps jsonb;
begin
  select * into me from session_of(p_token_hash);
  case p_kind || ' ' || p_action
    when 'run approve' then
      v_answer := authorize_run_decision(me.user_id, me.token_id, p_id, 'approved');
      if v_answer is null then
        -- The hash is known without reading every row once there is a proposal.
        select coalesce(proposal ->> 'contentHash', run_content_hash(run_id)) into v_hash from runs where run_id = p_id;
        v_steps := coalesce(p_given, steps_for(p_id, current_policy()));
        v_answer := authorize_run_approval(me.user_id, me.token_id, p_id, v_hash, v_steps, taken_steps(p_id, v_hash, coalesce(v_steps, '[]')));
      end if;
    when 'run reject' then v_answer := authorize_run_decision(me.user_id, me.token_id, p_id, 'rejected');
    when 'run withdraw' then v_answer := authorize_run_withdrawal(me.user_id, me.token_id, p_id);
    when 'run send' then v_answer := authorize_run_sending(me.user_id, me.token_id, p_id);
    when 'run cancel' then v_answer := authorize_run_cancellation(me.user_id, me.token_id, p_id);
    when 'run erase' then v_answer := authorize_run_erasure(me.user_id, me.token_id, p_id);
    when 'run stop' then v_answer := stop_payments(p_token_hash, 'run', p_id, null, null);
    when 'run release' then
      v_answer := authorize_release(me.user_id, me.token_id, p_id,
        array(select payment_id from payments where run_id = p_id and state = 'duplicate_suspect' limit 1));
    when 'row release' then
      v_answer := authorize_release(me.user_id, me.token_id, (select run_id from payments where payment_id = p_id), array[p_id]);
    when 'row proposeManualOutcome' then v_answer := propose_manual_outcome(p_token_hash, p_id, 'failed', null, null, 'x');
    when 'row confirmManualOutcome', 'row rejectManualOutcome' then
      select manual_outcome_id into v_open from payment_manual_outcomes where payment_id = p_id and state = 'proposed';
      v_answer := case p_action when 'confirmManualOutcome' then confirm_manual_outcome(p_token_hash, v_open)
        else reject_manual_outcome(p_token_hash, v_open, null) end;
    when 'order approve', 'order reject', 'order withdraw', 'order release' then
      select order_hash into v_hash from conversion_orders where order_id = p_id;
      v_answer := decide_conversion(p_token_hash, p_id, case p_action when 'approve' then 'approved' when 'reject' then 'rejected'
        when 'withdraw' then 'withdrawn' else 'released' end, v_hash, null);
    when 'order proposeManualOutcome' then
      foreach v_hash in array array['never_created', 'funded', 'fund_again', 'lapsed'] loop
        v_answer := propose_conversion_manual_outcome(p_token_hash, p_id, v_hash, 'x');
        exit when not v_answer ? 'refused';
      end loop;
    when 'order confirmManualOutcome', 'order rejectManualOutcome' then
      select manual_outcome_id into v_open from conversion_manual_outcomes where order_id = p_id and state = 'proposed';
      v_answer := case p_action when 'confirmManualOutcome' then confirm_conversion_manual_outcome(p_token_hash, v_open)
        else reject_conversion_manual_outcome(p_token_hash, v_open, null) end;
    when 'case supply' then
      v_answer := supply_case(p_token_hash, p_id, (select revision from cases where case_id = p_id), ''::bytea);
    when 'case withdraw' then v_answer := withdraw_case(p_token_hash, p_id, null);
    when 'case retry' then v_answer := retry_case(p_token_hash, p_id);
    when 'case erase' then v_answer := authorize_case_erasure(me.user_id, me.token_id, p_id);
    when 'case proposeManualOutcome' then v_answer := propose_case_manual_outcome(p_token_hash, p_id, 'never_created', null, 'x');
    when 'case confirmManualOutcome', 'case rejectManualOutcome' then
      select manual_outcome_id into v_open from case_manual_outcomes where case_id = p_id and state = 'proposed';
      v_answer := case p_action when 'confirmManualOutcome' then confirm_case_manual_outcome(p_token_hash, v_open)
        else reject_case_manual_outcome(p_token_hash, v_open, null) end;
    when 'break explain' then v_answer := explain_break(p_token_hash, p_id, 'x');
    when 'break close' then
      v_answer := close_break(p_token_hash, p_id, (select remark_id from reconciliation_breaks where break_id = p_id));
    when 'break reopen' then v_answer := reopen_break(p_token_hash, p_id, null);
    when 'stop lift' then v_answer := lift_stop(p_token_hash, p_id, (select lift_asked_by from stops where stop_id = p_id));
    when 'change confirm' then v_answer := decide_change(p_token_hash, p_id, true);
    when 'change reject' then v_answer := decide_change(p_token_hash, p_id, false);
    when 'receipt assign' then
      v_answer := assign_receipt(p_token_hash, p_given ->> 'account', p_given ->> 'currency', p_given ->> 'entryId', null, 'x');
    when 'day sign' then
      select content_hash into v_hash from book_days
      where account = p_given ->> 'account' and day = (p_given ->> 'day')::date;
      v_answer := sign_book_day(p_token_hash, p_given ->> 'account', (p_given ->> 'day')::date, v_hash);
    else
      v_answer := case p_kind when 'schedule' then answer_of_schedule(p_token_hash, p_id, p_action)
        when 'virtual_account' then answer_of_virtual_account(p_token_hash, p_id, p_action) end;
      if v_answer is null then raise case_not_found using message = 'there is no such action'; end if;
  end case;
  -- A second factor is shown with the decision itself.
  return case when v_answer ? 'refused' and v_answer ->> 'refused' <> 'second_factor_needed' then v_answer else '{}' end;
end $$;

-- What a schedule would answer to an action of the user. Only `answer_to_action` calls it.
-- Called by: other functions.
create or replace function answer_of_schedule(p_token_hash bytea, p_id uuid, p_action text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v schedule_versions%rowtype;
  v_definition jsonb := (select confirmed_definition(schedule_id, version) from schedules where schedule_id = p_id);
begin
  case p_action
    when 'confirm', 'reject' then
      select * into v from schedule_versions where schedule_id = p_id and state = 'proposed';
      return decide_schedule(p_token_hash, p_id, v.version, case p_action when 'confirm' then 'confirmed' else 'rejected' end,
        v.definition_hash, null);
    when 'edit' then
      -- With a blank more it is another text of the same schedule, so that it is never refused as the one in force.
      select * into v from schedule_versions where schedule_id = p_id order by version desc limit 1;
      return edit_schedule(p_token_hash, p_id, v.definition || ' ');
    when 'pause' then return pause_schedule(p_token_hash, p_id, null);
    when 'resume' then return resume_schedule(p_token_hash, p_id, null);
    when 'delete' then return delete_schedule(p_token_hash, p_id, null);
    when 'trigger' then return start_occurrence(p_token_hash, p_id, gen_random_uuid(),
      (clock_timestamp() at time zone coalesce(v_definition ->> 'time_zone', 'UTC'))::date, 0, '{}', 0);
    -- Of a date of the last year on which it was due, and nothing was started.
    when 'backfill' then return start_occurrence(p_token_hash, p_id, gen_random_uuid(),
      (select day::date from generate_series(current_date - 366, current_date - 2, interval '1 day') as days (day)
        where are_dates_of(v_definition, day::date, '{}') and not dates_were_used(p_id, v_definition, day::date, 1, '{}') limit 1), 1, '{}', 0);
    else return null;
  end case;
end $$;

-- What a virtual account would answer to an action of the user. Only `answer_to_action` calls it.
-- Called by: other functions.
create or replace function answer_of_virtual_account(p_token_hash bytea, p_id uuid, p_action text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_open uuid;
begin
  select manual_outcome_id into v_open from virtual_account_manual_outcomes where virtual_account_id = p_id and state = 'proposed';
  case p_action
    when 'proposeManualOutcome' then return propose_virtual_account(p_token_hash, p_id, 'cancelled', null, null, 'x');
    when 'confirmManualOutcome' then return confirm_virtual_account(p_token_hash, v_open);
    when 'rejectManualOutcome' then return reject_virtual_account(p_token_hash, v_open, null);
    else return null;
  end case;
end $$;

-- Asks for an action and undoes what it did, the entries of the audit trail among it: a question is no attempt. Null: it is
-- allowed; else the refusal. The error that undoes it is raised in any case, so that nothing can be left.
-- Called by: other functions.
create or replace function allowed_action(p_token_hash bytea, p_kind text, p_id uuid, p_action text, p_given jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
  v_answer jsonb;
begin
  begin
    v_answer := answer_to_action(p_token_hash, p_kind, p_id, p_action, p_given);
    -- guard: asking-is-no-doing
    raise exception 'undone' using errcode = 'PR044';
  exception
    when sqlstate 'PR044' then null;
    when lock_not_available then
      v_answer := refused('conflict', 'somebody is changing it at this moment: look again');
    when others then
      -- Nothing of the row: the message of an error may quote its values.
      raise warning 'whether % may be done could not be told: %', p_kind || ' ' || p_action, sqlstate;
      v_answer := refused('conflict', 'whether this is allowed cannot be told now: look again, or try it');
  end;
  return nullif(v_answer, '{}');
end $$;

-- For each action of a resource: null when the user may do it now, else the refusal. Empty: there is no such resource for this
-- user.
-- Called by: server.
create or replace function allowed_actions(p_token_hash bytea, p_kind text, p_id uuid, p_actions text[], p_given jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
begin
  select * into me from session_of(p_token_hash);
  if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  if not exists (select from account_of_target(me.user_id, p_kind, p_id))
    and not exists (select from account_of_named_target(me.user_id, p_kind, p_given)) then return '{}'; end if;
  return (select jsonb_object_agg(action, allowed_action(p_token_hash, p_kind, p_id, action, p_given)) from unnest(p_actions) as action);
end $$;
