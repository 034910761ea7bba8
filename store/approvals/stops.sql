-- Whether a stop of everything, of the account or of the run is in force.
-- Called by: server and worker.
create or replace function is_stopped(p_account text, p_run uuid) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from stops where lifted_at is null
    -- guard: stop-of-run, stop-of-account, stop-of-all
    and (scope = 'all' or (scope = 'account' and account = p_account) or (scope = 'run' and run_id = p_run)))
$$;

-- The accounts with the provider that have a run or a worker.
-- Called by: other functions.
create or replace function known_accounts() returns table (account text)
language sql stable security definer set search_path = public, pg_temp as $$
  select account from provider_accounts union select account from runs
$$;

-- Stops everything before payrun starts, for the owner of the database alone. Null: it is stopped already.
-- Called by: other functions.
create or replace function stop_at_start() returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_stop uuid;
begin
  insert into stops (scope) values ('all') on conflict do nothing returning stop_id into v_stop;
  if v_stop is not null then
    perform note('owner', 'stopped', null, null, jsonb_build_object('stop', v_stop, 'scope', 'all'));
  end if;
  return v_stop;
end $$;

-- Before payrun starts with a restored backup, for the owner of the database alone: stops everything; pauses every schedule, so that
-- nothing that it has converted since the backup is taken for missed, and made up for; and leaves orders that may have been created
-- since to a search by their reference and to people.
-- Called by: other functions.
create or replace function after_restore() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  perform stop_at_start();
  -- guard: restored-schedules-pause
  perform pause_by_payrun(schedule_id, 'restored') from schedules where state = 'active' order by schedule_id;
  for v in
    update conversion_orders set state = 'unknown', state_reason = 'restored', changed_at = clock_timestamp(), changes = changes + 1
    -- guard: restored-orders-are-looked-up
    where ended_at is null and conversion_id is null and state <> 'unknown'
    returning order_id, account
  loop
    perform note('owner', 'conversion_moved', null, null,
      jsonb_build_object('order', v.order_id, 'account', v.account, 'state', 'unknown', 'reason', 'restored'));
  end loop;
end $$;

-- How many rows of a run were sent, were created without money, were not sent, or have a request under way. From the counts of the
-- run, but for the rows with an open request: those are few, and found by their requests.
-- Called by: server.
create or replace function stop_counts(p_run uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  with open as materialized (
    select distinct payment_id from provider_requests where non_idempotent and outcome is null
  ), under_way as (
    select state, funded_at is not null as is_funded from payments join open using (payment_id) where run_id = p_run
  ), others as (
    select state, is_funded, rows from run_counts where run_id = p_run union all
    select state, is_funded, -1 from under_way
  )
  select jsonb_build_object(
    'sent', coalesce(sum(rows) filter (where is_funded or payment_money_has_left(state) or payment_was_paid(state)), 0),
    'created', coalesce(sum(rows) filter (where not is_funded and payment_is_unfunded(state)), 0),
    'notSent', coalesce(sum(rows) filter (where payment_is_uncreated(state) or payment_is_on_hold(state)), 0),
    'underWay', (select count(*) from under_way))
  from others
$$;

-- Stops the payments of a run, of an account, or of everything, at once, by one user. Who stops again withdraws the request to
-- lift the stop.
-- Called by: server.
create or replace function stop_payments(p_token_hash bytea, p_scope text, p_run uuid, p_account text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_state text;
  v_refusal jsonb;
  v_remark uuid;
  v_stop uuid;
  v_is_new boolean := false;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-stop-payments
  v_refusal := authorize_user(me.user_id, me.token_id, 'stop_payments', p_run, 'stop_' || p_scope);
  if v_refusal is not null then return v_refusal; end if;
  -- guard: stop-of-own-account
  v_refusal := case when p_scope <> 'run' then authorize_for_account(me.user_id, me.token_id, p_account, 'stop_' || p_scope) end;
  if v_refusal is not null then return v_refusal; end if;
  if p_scope = 'run' then
    select state into v_state from runs where run_id = p_run for update;
    if not found then return refused('not_found', 'there is no such run'); end if;
    if not run_is_paying(v_state) then
      return refused('conflict', 'the run is ' || replace(v_state, '_', ' ')
        || case when run_is_undecided(v_state)
             then ': nothing of it is paid yet; reject it, or have its maker withdraw it' else ': there is nothing to stop' end);
    end if;
  -- guard: stop-of-known-account
  elsif p_scope = 'account' and not exists (select from known_accounts() where account = p_account) then
    return refused('not_found', format('there is no account "%s"; there is %s', p_account,
      coalesce((select string_agg('"' || account || '"', ', ' order by account) from known_accounts()), 'none yet')));
  end if;
  -- Until there is one that holds: somebody else may make or lift it at the same moment.
  loop
    select stop_id into v_stop from stops where lifted_at is null and scope = p_scope
      -- guard: stop-while-lifted
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
    -- guard: stopped-again
    update stops set lift_asked_by = null, lift_asked_at = null where stop_id = v_stop;
  end if;
  update runs set state = 'paused', state_reason = 'stopped' where run_id = p_run and state <> 'paused';
  -- Rows are counted afterwards: until this is committed, they are sent.
  return jsonb_build_object('stopId', v_stop);
end $$;

-- Stops a run whose rows are all refused alike, as far as a worker may: it can neither stop anything else nor lift a stop. False:
-- nothing of the run is left to create, it does not pay, or it is stopped already. Such a run ends or waits without this stop.
-- Called by: worker.
create or replace function stop_for_refusals(p_run uuid, p_refusals jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account text;
  v_stop uuid;
begin
  select account into v_account from runs
  where run_id = p_run and run_is_paying(state) for update;
  if not found or is_stopped(v_account, p_run) then return false; end if;
  -- guard: nothing-left-is-not-stopped
  if not exists (select from payments where run_id = p_run and payment_is_uncreated(state)) then return false; end if;
  insert into stops (scope, run_id, refusals) values ('run', p_run, p_refusals)
  on conflict do nothing returning stop_id into v_stop;
  if v_stop is null then return false; end if;
  -- Without the code: it is any text of the provider, and an entry is never erased.
  perform note('database', 'stopped', p_run, null,
    jsonb_build_object('stop', v_stop, 'scope', 'run', 'refusals', p_refusals - 'errorCode'));
  update runs set state = 'paused', state_reason = 'rows were refused with the same answer' where run_id = p_run;
  return true;
end $$;

-- Lifts a stop in two calls: the first asks for it, the second one, by another user who decides on runs and has none that would go
-- on with it, lifts it. `p_asked_by` is who had asked when the user looked: whoever only means to ask must not let money go because
-- somebody else has asked in the meantime.
-- Called by: server.
create or replace function lift_stop(p_token_hash bytea, p_stop uuid, p_asked_by uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v stops%rowtype;
  v_refusal jsonb;
begin
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- In the order in which a stop takes them.
  perform from runs where run_id = (select run_id from stops where stop_id = p_stop) for update;
  select * into v from stops where stop_id = p_stop for update;
  -- guard: may-lift-stop
  v_refusal := authorize_user(me.user_id, me.token_id, 'lift_stop', v.run_id, 'lift_stop');
  if v_refusal is not null then return v_refusal; end if;
  if v.stop_id is null then return refused('not_found', 'there is no such stop'); end if;
  -- guard: lifted-for-own-account
  v_refusal := case when v.scope <> 'run' then authorize_for_account(me.user_id, me.token_id, v.account, 'lift_stop') end;
  if v_refusal is not null then return v_refusal; end if;
  if v.lifted_at is not null then return refused('conflict', 'the stop was lifted already'); end if;
  -- guard: cancelled-for-good
  if v.cancelled_at is not null then return refused('conflict', 'the run was cancelled: what is left of it is never sent'); end if;
  -- guard: lifted-as-seen
  if v.lift_asked_by is distinct from p_asked_by then
    return refused('conflict', 'since you looked, somebody has asked to lift the stop, or has taken that back: look at it again');
  end if;
  -- guard: factor-to-lift-stop (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'lift_stop', jsonb_build_array(p_stop, p_asked_by));
  if v_refusal is not null then return v_refusal; end if;
  -- Who may lift no longer has not asked. After a checker's word, that of one who is none is the first: the checker says
  -- it again.
  if v.lift_asked_by is null
    or (user_may(v.lift_asked_by, 'decide_run') and not may_by_token(me.user_id, me.token_id, 'decide_run'))
    -- guard: asker-may-still
    or not user_may(v.lift_asked_by, 'lift_stop')
    -- guard: asker-may-still-use
    or not user_may_use(v.lift_asked_by, coalesce(v.account, (select account from runs where run_id = v.run_id))) then
    update stops set lift_asked_by = me.user_id, lift_asked_at = clock_timestamp() where stop_id = p_stop;
    perform note(me.user_id::text, 'lift_asked', v.run_id, null, jsonb_build_object('stop', p_stop, 'token', me.token_id));
    return jsonb_build_object('stopId', p_stop, 'state', 'asked');
  end if;
  -- guard: lifted-by-another
  if v.lift_asked_by = me.user_id then
    return refused('not_allowed', 'you have asked for it already; a checker other than you lifts the stop');
  end if;
  -- guard: lifted-by-checker
  if not may_by_token(me.user_id, me.token_id, 'decide_run') then
    return refused('not_allowed', 'somebody has asked for it already; a checker lifts the stop, with a token that has the scope decide');
  end if;
  -- guard: not-lifted-by-maker
  if exists (select from runs where run_id = v.run_id and submitted_by = me.user_id) then
    return refused('not_allowed', 'the maker of a run cannot lift its stop; ask another checker');
  end if;
  -- guard: not-lifted-for-own-run
  if v.scope <> 'run' and exists (select from runs where submitted_by = me.user_id
    and run_is_paying(state) and (v.scope = 'all' or account = v.account)) then
    return refused('not_allowed', 'a run of yours would go on with it; ask another checker');
  end if;
  update stops set lifted_by = me.user_id, lifted_at = clock_timestamp() where stop_id = p_stop;
  update runs set state = 'running', state_reason = null where run_id = v.run_id and state = 'paused';
  perform note(me.user_id::text, 'stop_lifted', v.run_id, null, jsonb_build_object('stop', p_stop, 'token', me.token_id));
  return jsonb_build_object('stopId', p_stop, 'state', 'lifted');
end $$;

-- Null when the user may cancel the run now; else the refusal, which is in the audit trail by then. The run and its stop are
-- locked.
-- Called by: other functions.
create or replace function authorize_run_cancellation(p_user uuid, p_token uuid, p_run uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb;
begin
  -- guard: may-cancel-run
  v_refusal := authorize_user(p_user, p_token, 'lift_stop', p_run, 'cancel_run');
  if v_refusal is not null then return v_refusal; end if;
  perform from runs where run_id = p_run for update;
  perform from stops where run_id = p_run and lifted_at is null and cancelled_at is null for update;
  -- guard: cancelled-when-stopped (3 lines)
  if not found then
    return refused('conflict', 'only a stopped run is cancelled; stop it first');
  end if;
  return null;
end $$;

-- Ends a stopped run. Rows that the provider does not have become `cancelled`; those that it has unfunded become `unknown`.
-- Called by: server.
create or replace function cancel_run(p_token_hash bytea, p_run uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_stop uuid;
  v_refusal jsonb;
  v_remark uuid;
  v_cancelled integer;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_run_cancellation(me.user_id, me.token_id, p_run);
  if v_refusal is not null then return v_refusal; end if;
  -- It cannot be taken back.
  -- guard: factor-to-cancel-run (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'cancel_run', jsonb_build_array(p_run));
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

-- Ends the rows of a cancelled run that have no request under way, and answers how many; it is called again while requests are
-- being looked up. Rows that the provider may have become `unknown`, for people to resolve.
-- Called by: worker.
create or replace function cancel_unsent(p_run uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_count integer;
begin
  -- guard: cancelled-by-people
  if not exists (select from stops where run_id = p_run and cancelled_at is not null) then return 0; end if;
  with ended as (
    update payments set
      state = case when payment_is_unfunded(state) then 'unknown' else 'cancelled' end,
      error_code = case when payment_is_unfunded(state) then 'created_not_funded' else 'run_cancelled' end,
      error_message = case when payment_is_unfunded(state)
        then 'the run was cancelled, but the provider has this payment unfunded and it could still be funded there: '
          || 'have it cancelled there, then resolve it'
        else 'the run was cancelled before this row was sent' end,
      ended_at = clock_timestamp(), changed_at = clock_timestamp(), notification_pending = true
    where run_id = p_run and payment_is_unsent(state)
      and not exists (select from provider_requests requests
        where requests.payment_id = payments.payment_id and non_idempotent and outcome is null)
    returning run_id, payment_id, state
  ), audited as (
    insert into audit_entries (actor, kind, run_id, payment_id, detail)
    select 'database', 'row_cancelled', run_id, payment_id, jsonb_build_object('state', state) from ended
  )
  select count(*) into v_count from ended;
  return v_count;
end $$;
