-- Up Migration

-- Submitting, deciding, withdrawing: each in the name of the user whose token's proof came with the request.

create function refuse_decision(p_user uuid, p_token uuid, p_run uuid, p_code text, p_why text, p_message text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform note(p_user::text, 'decision_refused', p_run, null, jsonb_build_object('why', p_why, 'token', p_token));
  return refused(p_code, p_message);
end $$;

-- A run in its maker's name. Its rows and files are added by the same transaction, and never after it.
create function add_run(p_proof bytea, p_run uuid, p_account text, p_file_name text, p_file_sha256 text, p_header jsonb, p_rows integer)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'submit_run', null, 'submit_run');
  if v_refusal is not null then return v_refusal; end if;
  insert into runs (run_id, account, file_name, file_sha256, header, row_count, state, submitted_by)
  values (p_run, p_account, p_file_name, p_file_sha256, p_header, p_rows, 'validating', me.user_id);
  perform note(me.user_id::text, 'run_submitted', p_run, null,
    jsonb_build_object('rows', p_rows, 'fileSha256', p_file_sha256, 'token', me.token_id));
  return jsonb_build_object('userId', me.user_id);
end $$;

create function only_with_their_run() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from added join runs using (run_id)
    where runs.xmin::text <> (pg_current_xact_id()::text::numeric % 4294967296)::text) then
    raise exception 'what belongs to a run is added together with it, and never after';
  end if;
  return null;
end $$;
create trigger payments_come_with_their_run after insert on payments
  referencing new table as added for each statement execute function only_with_their_run();
create trigger files_come_with_their_run after insert on supporting_files
  referencing new table as added for each statement execute function only_with_their_run();

-- The policy judges a run by the columns of its rows, and knows by their states which accounts were paid before. Whoever
-- adds rows could otherwise spare them an approval, while what is paid stands in their instructions.
create function only_as_it_says() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from added join runs using (run_id)
    where added.state not in ('ready', 'invalid')
      or added.account <> runs.account
      or (amount, amount_side, sell_currency, buy_currency) is distinct from
         ((instruction ->> 'amount')::numeric, instruction ->> 'amountSide', instruction ->> 'sellCurrency',
          instruction ->> 'buyCurrency')) then
    raise exception 'a row is added as what it says, and unpaid';
  end if;
  return null;
end $$;
create trigger payments_say_what_they_are after insert on payments
  referencing new table as added for each statement execute function only_as_it_says();

-- How many steps can be taken, each by another person. `p_steps`: for each of them, those who may take it. No more than ten
-- are looked at. By Hall's theorem: as many are left over as the worst choice of steps has more steps than people.
create function most_taken(p_steps jsonb) returns bigint language sql immutable set search_path = public, pg_temp as $$
  select min(n - steps + people) from (
    select n, (select count(*) from generate_series(0, n - 1) as at where mask >> at & 1 = 1) as steps,
      (select count(distinct person) from generate_series(0, n - 1) as at, jsonb_array_elements_text(p_steps -> at) as person
       where mask >> at & 1 = 1) as people
    from (select least(jsonb_array_length(p_steps), 10) as n) as size, generate_series(0, (1 << n) - 1) as mask
  ) as choices
$$;

-- Approves or rejects what was seen. The approval that satisfies the policy freezes the content and sets the run going.
create function decide_run(p_proof bytea, p_run uuid, p_decision text, p_content_hash text, p_comment text) returns jsonb
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
        and user_may(user_id, 'decide_run') and satisfies_step(user_id, v_steps -> (n - 1)))
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
      where user_id <> v_run.submitted_by and user_may(user_id, 'decide_run') and satisfies_step(user_id, v_steps -> (n - 1))
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

-- Its maker takes back a run that nobody has decided on: nothing of it is ever paid, and its references are free.
create function withdraw_run(p_proof bytea, p_run uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_run runs%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'submit_run', p_run, 'withdraw_run');
  if v_refusal is not null then return v_refusal; end if;
  select * into v_run from runs where run_id = p_run for update;
  if not found then return refused('not_found', 'there is no such run'); end if;
  if v_run.submitted_by <> me.user_id then
    return refuse_decision(me.user_id, me.token_id, p_run, 'not_allowed', 'not_the_maker',
      'only its maker withdraws a run; a checker rejects it');
  end if;
  if v_run.state not in ('validating', 'proposed', 'in_approval') then
    return refused('conflict', 'the run is ' || replace(v_run.state, '_', ' ')
      || ': what is undecided can be withdrawn; what pays can be stopped');
  end if;
  v_remark := keep_remark(me.user_id, p_run, p_reason);
  insert into approvals (run_id, decision, content_hash, user_id, role, token_id, remark_id)
  values (p_run, 'withdrawn', run_content_hash(p_run), me.user_id, 'maker', me.token_id, v_remark);
  update payments set state = 'cancelled', settled_at = clock_timestamp(), changed_at = clock_timestamp(),
    error_code = 'withdrawn', error_message = 'its maker withdrew the run before it was decided on'
  where run_id = p_run and state in ('ready', 'duplicate_suspect', 'held');
  update runs set state = 'cancelled', state_reason = 'withdrawn by its maker', finished_at = clock_timestamp()
  where run_id = p_run;
  perform note(me.user_id::text, 'run_withdrawn', p_run, null, jsonb_build_object('token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;
