-- Up Migration

-- What the console reads: windows over the rows of large runs, drafts of refused files, and what a user may do now.

-- Names as they are compared: in small letters and without accents, whatever the locale of the database.
create function folded_name(p_name text) returns text language sql immutable set search_path = public, pg_temp as $$
  select lower(translate(p_name,
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚ' ||
    'ěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž',
    'aaaaaaaceeeeiiiidnoooooouuuuytsaaaaaaaceeeeiiiidnoooooouuuuytyaaaaaaccccccccddddeeeeeeeee' ||
    'egggggggghhhhiiiiiiiiiijjkkllllllllnnnnnnoooooooorrrrrrssssssssttttuuuuuuuuuuuuwwyyyzzzzzz'))
$$;

-- The currency that a row fixes, and the name that rows are sorted by. PostgreSQL rewrites the table for these.
alter table payments
  add column amount_currency text
    generated always as (case amount_side when 'sell' then sell_currency when 'buy' then buy_currency end) stored,
  add column sort_name text collate "C"
    generated always as (left(folded_name(coalesce(instruction #>> '{beneficiary,details,bankAccount,bankAccountHolderName}',
      instruction #>> '{beneficiary,beneficiaryId}', '')), 200)) stored;

-- Any position among the rows of a state is found in the index alone; it replaces one without the row's number.
create index payments_by_state_in_order on payments (run_id, state, row_number);
drop index payments_by_run_state;
create index payments_by_amount on payments (run_id, amount_currency, amount, row_number);
create index payments_by_sort_name on payments (run_id, sort_name, row_number);
-- A search by the last characters of an account number.
create index payments_by_account_end on payments (account, right(coalesce(
  instruction #>> '{beneficiary,details,bankAccount,iban}', instruction #>> '{beneficiary,details,bankAccount,accountNumber}'), 4));

-- Rows that people have to look at, of all runs.
create index run_counts_for_people on run_counts (run_id) where state in ('unknown', 'held', 'duplicate_suspect');

-- A payment file that its maker corrects before it is submitted. Personal data: it is deleted once it was submitted, or when
-- it was not changed for a while.
create table drafts (
  draft_id uuid primary key,
  made_by uuid not null references users,
  account text not null,
  file_name text not null,
  columns jsonb not null,
  mapping jsonb not null,
  defaults jsonb not null,
  revision integer not null default 1,
  -- What the last check found.
  found jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create index drafts_by_maker on drafts (made_by, changed_at desc);
create index drafts_by_age on drafts (changed_at);

create table draft_rows (
  draft_id uuid not null references drafts on delete cascade,
  row_number integer not null,
  cells jsonb not null,
  primary key (draft_id, row_number)
);

create table draft_files (
  draft_id uuid not null references drafts on delete cascade,
  name text not null,
  content bytea not null,
  primary key (draft_id, name)
);

-- Decisions on runs: what speaks against one is said by functions of their own, which change nothing, so that it can be
-- asked before it is tried.

-- The rule of the policy that each currency of a run falls under, the first that fits it: [{currency, name, steps}]. Null: for
-- some currency there is none, so that the run cannot be approved.
create function rules_for(p_run uuid, p_policy jsonb) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v_sum record;
  v_rule jsonb;
  v_fitting jsonb;
  v_rules jsonb := '[]';
begin
  for v_sum in
    select case amount_side when 'sell' then sell_currency else buy_currency end as currency,
      mine.account, sum(amount) as total, max(amount) as largest,
      -- The account of a beneficiary that is named by the provider's id is known where the provider has shown it.
      bool_or(not exists (select from paid_to_account(mine.account, coalesce(mine.account_hash, named.account_hash)) earlier
          where earlier.run_id <> mine.run_id)
        and not exists (select from paid_to_beneficiary(mine.account, mine.instruction #>> '{beneficiary,beneficiaryId}') earlier
          where earlier.run_id <> mine.run_id)) as has_new
    from payments mine
    left join provider_beneficiaries named on mine.account_hash is null and named.account = mine.account
      and named.beneficiary_id = mine.instruction #>> '{beneficiary,beneficiaryId}'
    where mine.run_id = p_run and state = 'ready'
    group by 1, 2 order by 1, 2
  loop
    v_fitting := null;
    for v_rule in select value from jsonb_array_elements(p_policy -> 'rules') loop
      if (v_rule #> '{when,currencies}' is null or v_rule #> '{when,currencies}' ? v_sum.currency)
        and (v_rule #> '{when,accounts}' is null or v_rule #> '{when,accounts}' ? v_sum.account)
        and v_sum.total >= coalesce((v_rule #>> '{when,totalAtLeast}')::numeric, 0)
        and v_sum.largest >= coalesce((v_rule #>> '{when,largestAtLeast}')::numeric, 0)
        and (not coalesce((v_rule #>> '{when,newBeneficiary}')::boolean, false) or v_sum.has_new)
      then
        v_fitting := v_rule;
        exit;
      end if;
    end loop;
    if v_fitting is null then return null; end if;
    v_rules := v_rules || jsonb_build_array(jsonb_build_object('currency', v_sum.currency, 'name', v_fitting -> 'name',
      'steps', v_fitting -> 'steps'));
  end loop;
  return v_rules;
end $$;

-- The steps of all these rules are needed. Null: no rule covers some currency.
create or replace function steps_for(p_run uuid, p_policy jsonb) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v_rules jsonb := rules_for(p_run, p_policy);
begin
  if v_rules is null then return null; end if;
  return merge_steps((select coalesce(jsonb_agg(rule -> 'steps'), '[]') from jsonb_array_elements(v_rules) as rule));
end $$;

-- Null when the user may decide on the run now; else the refusal, which is in the audit trail by then. The run is locked.
create function decision_objection_to(p_user uuid, p_token uuid, p_run uuid, p_decision text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run runs%rowtype;
  v_refusal jsonb;
begin
  v_refusal := objection_to(p_user, p_token, 'decide_run', p_run, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
  if not found then return refused('not_found', 'there is no such run'); end if;
  if v_run.submitted_by = p_user then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'maker_decides',
      'the maker of a run cannot decide on it; ask a second person');
  end if;
  if v_run.state in ('validating', 'proposed') then
    return refused('conflict', 'the run is still being checked; try again in a moment');
  end if;
  if v_run.state <> 'in_approval' then
    return refused('conflict', 'the run is not waiting for a decision: it is ' || replace(v_run.state, '_', ' '));
  end if;
  return null;
end $$;

-- The steps of the policy, from 1, that no approval of this content has taken. An approval counts while whoever gave it may
-- still give it, and for a step that the policy still asks of them.
create function open_steps(p_run uuid, p_content_hash text, p_steps jsonb) returns integer[]
language sql stable security definer set search_path = public, pg_temp as $$
  select array(select n from generate_series(1, jsonb_array_length(p_steps)) as steps (n)
    where not exists (select from approvals join runs using (run_id) where run_id = p_run and decision = 'approved'
      and content_hash = p_content_hash and step = n
      and user_may(user_id, 'decide_run') and user_may_use(user_id, runs.account)
      and satisfies_step(user_id, p_steps -> (n - 1)))
    order by n)
$$;

-- Who could take a step of a run, and has approved none of it.
create function people_for_step(p_run uuid, p_content_hash text, p_step jsonb) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select users.user_id from users join runs on runs.run_id = p_run
  where users.user_id <> runs.submitted_by and user_may(users.user_id, 'decide_run') and user_may_use(users.user_id, runs.account)
    and satisfies_step(users.user_id, p_step)
    and not exists (select from approvals given where given.run_id = p_run and given.decision = 'approved'
      and given.content_hash = p_content_hash and given.user_id = users.user_id)
$$;

-- Null when the user may take the next step of an approval of this content, by steps of the policy; else the refusal, which
-- is in the audit trail by then.
create function approval_objection_to(p_user uuid, p_token uuid, p_run uuid, p_content_hash text, p_steps jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_open integer[];
  v_step integer;
  v_later jsonb;
begin
  if p_steps is null or p_steps = '[]' then
    return refuse_decision(p_user, p_token, p_run, 'conflict', 'no_rule',
      'no rule of the approval policy covers this run; an administrator must add one');
  end if;
  if exists (select from approvals where run_id = p_run and decision = 'approved'
    and content_hash = p_content_hash and user_id = p_user) then
    return refused('conflict', 'you have approved this run already; the next step is for someone else');
  end if;
  v_open := open_steps(p_run, p_content_hash, p_steps);
  v_step := coalesce(v_open[1], jsonb_array_length(p_steps) + 1);
  -- With a policy that asks for less by now, what is there already may be enough.
  if v_step <= jsonb_array_length(p_steps) and not satisfies_step(p_user, p_steps -> (v_step - 1)) then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'not_this_step',
      'step ' || v_step || ' of the approval is for someone else, by the policy');
  end if;
  -- A person takes one step only. If a later step names this person, and nobody else can take it, this approval would leave the run
  -- without anyone who can finish it.
  select coalesce(jsonb_agg((select coalesce(jsonb_agg(person), '[]')
    from people_for_step(p_run, p_content_hash, p_steps -> (n - 1)) as person)), '[]')
  into v_later from unnest(v_open[2:]) as later (n) where p_steps -> (n - 1) ? 'logins';
  if most_taken(v_later) > most_taken(
    (select coalesce(jsonb_agg(people - p_user::text), '[]') from jsonb_array_elements(v_later) as step (people))) then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'later_step',
      'by the policy, a later step needs you: somebody else approves first');
  end if;
  return null;
end $$;

-- Approves or rejects what was seen. The approval that satisfies the policy freezes the content and sets the run going.
create or replace function record_run_decision(p_proof bytea, p_run uuid, p_decision text, p_content_hash text, p_comment text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_run runs%rowtype;
  v_refusal jsonb;
  v_steps jsonb;
  v_open integer[];
  v_step integer;
  v_remark uuid;
  v_is_last boolean := false;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := decision_objection_to(me.user_id, me.token_id, p_run, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
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
    v_refusal := approval_objection_to(me.user_id, me.token_id, p_run, p_content_hash, v_steps);
    if v_refusal is not null then return v_refusal; end if;
    v_open := open_steps(p_run, p_content_hash, v_steps);
    v_step := coalesce(v_open[1], jsonb_array_length(v_steps) + 1);
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

-- Null when the user may withdraw the run now; else the refusal, which is in the audit trail by then. The run is locked.
create function withdrawal_objection_to(p_user uuid, p_token uuid, p_run uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run runs%rowtype;
  v_refusal jsonb;
begin
  v_refusal := objection_to(p_user, p_token, 'submit_run', p_run, 'withdraw_run');
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
  if not found then return refused('not_found', 'there is no such run'); end if;
  if v_run.submitted_by <> p_user then
    return refuse_decision(p_user, p_token, p_run, 'not_allowed', 'not_the_maker',
      'only its maker withdraws a run; a checker rejects it');
  end if;
  if v_run.state not in ('validating', 'proposed', 'in_approval') then
    return refused('conflict', 'the run is ' || replace(v_run.state, '_', ' ')
      || ': what is undecided can be withdrawn; what pays can be stopped');
  end if;
  return null;
end $$;

create or replace function withdraw_run(p_proof bytea, p_run uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := withdrawal_objection_to(me.user_id, me.token_id, p_run);
  if v_refusal is not null then return v_refusal; end if;
  v_remark := keep_remark(me.user_id, p_run, p_reason);
  insert into approvals (run_id, decision, content_hash, user_id, role, token_id, remark_id)
  values (p_run, 'withdrawn', run_content_hash(p_run), me.user_id, 'maker', me.token_id, v_remark);
  update payments set state = 'cancelled', ended_at = clock_timestamp(), changed_at = clock_timestamp(),
    error_code = 'withdrawn', error_message = 'its maker withdrew the run before it was decided on'
  where run_id = p_run and state in ('ready', 'duplicate_suspect', 'held');
  update runs set state = 'cancelled', state_reason = 'withdrawn by its maker', finished_at = clock_timestamp()
  where run_id = p_run;
  perform note(me.user_id::text, 'run_withdrawn', p_run, null, jsonb_build_object('token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- Null when the user may cancel the run now; else the refusal, which is in the audit trail by then. The run and its stop are
-- locked.
create function cancellation_objection_to(p_user uuid, p_token uuid, p_run uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb;
begin
  v_refusal := objection_to(p_user, p_token, 'lift_stop', p_run, 'cancel_run');
  if v_refusal is not null then return v_refusal; end if;
  perform from runs where run_id = p_run for update;
  perform from stops where run_id = p_run and lifted_at is null and cancelled_at is null for update;
  if not found then
    return refused('conflict', 'only a stopped run is cancelled; stop it first');
  end if;
  return null;
end $$;

create or replace function cancel_run(p_proof bytea, p_run uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_stop uuid;
  v_refusal jsonb;
  v_remark uuid;
  v_cancelled integer;
begin
  select * into me from session_of(p_proof);
  v_refusal := cancellation_objection_to(me.user_id, me.token_id, p_run);
  if v_refusal is not null then return v_refusal; end if;
  select stop_id into v_stop from stops where run_id = p_run and lifted_at is null and cancelled_at is null for update;
  v_remark := keep_remark(me.user_id, p_run, p_reason);
  update stops set cancelled_by = me.user_id, cancelled_at = clock_timestamp() where stop_id = v_stop;
  v_cancelled := cancel_unsent(p_run);
  update runs set state_reason = 'cancelled; what is on its way is finished' where run_id = p_run;
  perform note(me.user_id::text, 'run_cancel_asked', p_run, null,
    jsonb_build_object('stop', v_stop, 'rows', v_cancelled, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('cancelled', v_cancelled, 'counts', stop_counts(p_run));
end $$;

-- What a run, a row, an order, a case, a break, a stop or a change would answer to an action of the user. `p_given` has the
-- steps of a run, where they are known. The cheap functions that act are called themselves; `allowed_action` undoes it.
create function answer_to_action(p_proof bytea, p_kind text, p_id uuid, p_action text, p_given jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_answer jsonb;
  v_open uuid;
  v_hash text;
begin
  select * into me from session_of(p_proof);
  case p_kind || ' ' || p_action
    when 'run approve' then
      v_answer := decision_objection_to(me.user_id, me.token_id, p_id, 'approved');
      if v_answer is null then
        -- The hash is known without reading every row once there is a proposal.
        select coalesce(proposal ->> 'contentHash', run_content_hash(run_id)) into v_hash from runs where run_id = p_id;
        v_answer := approval_objection_to(me.user_id, me.token_id, p_id, v_hash,
          coalesce(p_given, steps_for(p_id, current_policy())));
      end if;
    when 'run reject' then v_answer := decision_objection_to(me.user_id, me.token_id, p_id, 'rejected');
    when 'run withdraw' then v_answer := withdrawal_objection_to(me.user_id, me.token_id, p_id);
    when 'run cancel' then v_answer := cancellation_objection_to(me.user_id, me.token_id, p_id);
    when 'run stop' then v_answer := stop_payments(p_proof, 'run', p_id, null, null);
    when 'row release' then v_answer := release_row(p_proof, p_id, '{}', 'x');
    when 'row proposeResolution' then v_answer := propose_resolution(p_proof, p_id, 'failed', null, null, 'x');
    when 'row confirmResolution', 'row denyResolution' then
      select resolution_id into v_open from resolutions where payment_id = p_id and state = 'proposed';
      v_answer := case p_action when 'confirmResolution' then confirm_resolution(p_proof, v_open)
        else deny_resolution(p_proof, v_open, null) end;
    when 'order approve', 'order decline', 'order withdraw', 'order release' then
      select order_hash into v_hash from conversion_orders where order_id = p_id;
      v_answer := decide_conversion(p_proof, p_id, case p_action when 'approve' then 'approved' when 'decline' then 'declined'
        when 'withdraw' then 'withdrawn' else 'released' end, v_hash, null);
    when 'order proposeResolution' then
      foreach v_hash in array array['never_created', 'funded', 'fund_again', 'lapsed'] loop
        v_answer := propose_conversion_resolution(p_proof, p_id, v_hash, 'x');
        exit when not v_answer ? 'refused';
      end loop;
    when 'order confirmResolution', 'order denyResolution' then
      select resolution_id into v_open from conversion_resolutions where order_id = p_id and state = 'proposed';
      v_answer := case p_action when 'confirmResolution' then confirm_conversion_resolution(p_proof, v_open)
        else deny_conversion_resolution(p_proof, v_open, null) end;
    when 'case supply' then
      v_answer := supply_case(p_proof, p_id, (select revision from cases where case_id = p_id), ''::bytea);
    when 'case withdraw' then v_answer := withdraw_case(p_proof, p_id, null);
    when 'case retry' then v_answer := retry_case(p_proof, p_id);
    when 'case erase' then v_answer := erase_case(p_proof, p_id);
    when 'case proposeResolution' then v_answer := propose_case_resolution(p_proof, p_id, 'never_created', null, 'x');
    when 'case confirmResolution', 'case denyResolution' then
      select resolution_id into v_open from case_resolutions where case_id = p_id and state = 'proposed';
      v_answer := case p_action when 'confirmResolution' then confirm_case_resolution(p_proof, v_open)
        else deny_case_resolution(p_proof, v_open, null) end;
    when 'break explain' then v_answer := explain_break(p_proof, p_id, 'x');
    when 'break close' then
      v_answer := close_break(p_proof, p_id, (select remark_id from reconciliation_breaks where break_id = p_id));
    when 'break reopen' then v_answer := reopen_break(p_proof, p_id, null);
    when 'stop lift' then v_answer := lift_stop(p_proof, p_id);
    when 'change confirm' then v_answer := decide_change(p_proof, p_id, true);
    when 'change reject' then v_answer := decide_change(p_proof, p_id, false);
  end case;
  -- A second factor is shown with the decision itself.
  return case when v_answer ? 'refused' and v_answer ->> 'refused' <> 'second_factor_needed' then v_answer else '{}' end;
end $$;

-- Asks for an action and undoes what it did, the entries of the audit trail among it: a question is no attempt. Null: it is
-- allowed; else the refusal. The error that undoes it is raised in any case, so that nothing can be left.
create function allowed_action(p_proof bytea, p_kind text, p_id uuid, p_action text, p_given jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
  v_answer jsonb;
begin
  begin
    v_answer := answer_to_action(p_proof, p_kind, p_id, p_action, p_given);
    raise exception 'undone' using errcode = 'PR044';
  exception
    when sqlstate 'PR044' then null;
    when lock_not_available then
      v_answer := refused('conflict', 'somebody is changing it at this moment: look again');
  end;
  return nullif(v_answer, '{}');
end $$;

-- The account of what an action is about, if the user may use it: all of them for a change, or a stop of everything. No line:
-- there is no such thing for this user.
create function account_of_target(p_user uuid, p_kind text, p_id uuid) returns table (account text)
language sql stable security definer set search_path = public, pg_temp as $$
  select targets.account from (
    select 'run' as kind, runs.account from runs where run_id = p_id and p_kind = 'run'
    union all select 'row', payments.account from payments where payment_id = p_id and p_kind = 'row'
    union all select 'order', orders.account from conversion_orders orders where order_id = p_id and p_kind = 'order'
    union all select 'case', cases.account from cases where case_id = p_id and p_kind = 'case'
    union all select 'break', breaks.account from reconciliation_breaks breaks where break_id = p_id and p_kind = 'break'
    union all select 'stop', coalesce(stops.account, runs.account) from stops left join runs using (run_id)
      where stop_id = p_id and p_kind = 'stop'
    union all select 'change', null from changes where change_id = p_id and p_kind = 'change'
  ) as targets where targets.account is null or user_may_use(p_user, targets.account)
$$;

-- For each action of a resource: null when the user may do it now, else the refusal. Empty: there is no such resource for this
-- user.
create function allowed_actions(p_proof bytea, p_kind text, p_id uuid, p_actions text[], p_given jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
begin
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  if not exists (select from account_of_target(me.user_id, p_kind, p_id)) then return '{}'; end if;
  return (select jsonb_object_agg(action, allowed_action(p_proof, p_kind, p_id, action, p_given)) from unnest(p_actions) as action);
end $$;
