-- Adds a run in its maker's name; `p_check_only`: nobody else decides on it until they send it for approval. Its rows and files are added by the same transaction, and never after it.
-- Called by: server.
create or replace function add_run(p_token_hash bytea, p_run uuid, p_account text, p_file_name text, p_file_sha256 text, p_header jsonb, p_rows integer,
  p_key bytea, p_key_by text, p_decide_within interval, p_check_only boolean)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-add-run
  v_refusal := authorize_user(me.user_id, me.token_id, 'submit_run', null, 'submit_run');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: submitted-to-own-account
  v_refusal := authorize_for_account(me.user_id, me.token_id, p_account, 'submit_run');
  if v_refusal is not null then return v_refusal; end if;
  insert into runs (run_id, account, file_name, file_sha256, header, row_count, state, submitted_by, token_id, decide_within, waits_for_maker)
  values (p_run, p_account, p_file_name, p_file_sha256, p_header, p_rows, 'validating', me.user_id, me.token_id, p_decide_within, p_check_only);
  -- Keys are backed up on their own: a restored backup may have that of a run which it does not have.
  insert into run_keys (run_id, wrapped, wrapped_by) values (p_run, p_key, p_key_by)
  on conflict (run_id) do update set wrapped = excluded.wrapped, wrapped_by = excluded.wrapped_by, wrapped_at = clock_timestamp();
  return jsonb_build_object('userId', me.user_id);
end $$;

-- Notes a run as its transaction ends, and that it is submitted now: what is noted earlier keeps the audit trail from being chained while rows
-- are stored. Of two runs with the same file that are stored at the same time, the one that is submitted later waits here for the other.
-- Called by: triggers.
create or replace function note_submission() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  -- guard: equal-files-in-order
  perform pg_advisory_xact_lock(hashtextextended('file ' || new.account || ' ' || new.file_sha256, 0));
  update runs set submitted_at = clock_timestamp() where run_id = new.run_id;
  perform note(new.submitted_by::text, 'run_submitted', new.run_id, null,
    jsonb_build_object('rows', new.row_count, 'fileSha256', new.file_sha256, 'token', new.token_id));
  return null;
end $$;

-- guard: run-noted-at-its-end (3 lines)
drop trigger if exists submissions_are_noted on runs;
create constraint trigger submissions_are_noted after insert on runs deferrable initially deferred
  for each row execute function note_submission();

-- Rows and files are added in the same transaction as their run, never later.
-- Called by: triggers.
-- guard: temporary-tables-passed (2 lines)
create or replace function only_with_their_run() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from added join runs using (run_id)
    -- Not the transaction that has changed it last: whoever stops a run changes it.
    -- guard: added-in-its-transaction
    where (runs.added_in, runs.submitted_at) is distinct from (pg_current_xact_id(), now())) then
    raise exception 'what belongs to a run is added together with it, and never after';
  end if;
  return null;
end $$;

-- guard: rows-with-their-run (2 lines)
create or replace trigger payments_come_with_their_run after insert on payments
  referencing new table as added for each statement execute function only_with_their_run();
-- guard: files-with-their-run (2 lines)
create or replace trigger files_come_with_their_run after insert on supporting_files
  referencing new table as added for each statement execute function only_with_their_run();
-- guard: warnings-with-their-run (2 lines)
create or replace trigger warnings_come_with_their_run after insert on run_warnings
  referencing new table as added for each statement execute function only_with_their_run();
-- guard: profiles-with-their-run (2 lines)
create or replace trigger profiles_come_with_their_run after insert on run_profiles
  referencing new table as added for each statement execute function only_with_their_run();

-- A row is added unpaid, in the account of its run, and with the columns that its instruction says. The policy judges a run by
-- these columns, and knows by states which accounts were paid before: whoever adds rows could otherwise spare them an approval.
-- Called by: triggers.
create or replace function only_as_it_says() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from added join runs using (run_id)
    -- guard: added-unpaid
    where not payment_is_initial(added.state)
      -- guard: account-of-the-run
      or added.account <> runs.account
      -- guard: columns-as-instructed
      or (amount, amount_side, sell_currency, buy_currency) is distinct from
         ((instruction ->> 'amount')::numeric, instruction ->> 'amountSide', instruction ->> 'sellCurrency',
          instruction ->> 'buyCurrency')) then
    raise exception 'a row is added as what it says, and unpaid';
  end if;
  return null;
end $$;

create or replace trigger payments_say_what_they_are after insert on payments
  referencing new table as added for each statement execute function only_as_it_says();

-- Has the database look at the rows again where many were added, as it does by itself after minutes: by what it knew of a small table, it
-- would look for each row among all others, and a page of the run would take minutes.
-- Called by: server.
create or replace function analyze_payments(p_added integer) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if p_added >= greatest(1000, (select reltuples from pg_class where oid = 'public.payments'::regclass) / 10) then
    analyze (skip_locked) payments;
  end if;
end $$;

-- Says that the rows of a run are compared with those of others: by the transaction that calls it, and only while the run is checked.
-- False: it no longer is. Nobody says later that what became known since was compared.
-- Called by: worker.
create or replace function note_duplicates_checked(p_run uuid) returns boolean language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform lock_duplicate_check();
  -- The time at which the transaction began: a beneficiary that was read meanwhile counts as not compared.
  -- guard: compared-while-checked
  update runs set duplicates_checked_at = now() where run_id = p_run and state = 'validating';
  return found;
end $$;

-- A run changes its state only as `may_move_run` allows, pays only once it is approved, is rejected only by people, and expires only
-- once the time to decide on it is over.
-- Called by: triggers.
create or replace function refuse_illegal_run_move() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- guard: runs-move-legally
  if not may_move_run(old.state, new.state) then
    raise exception 'a run that is % cannot become %', old.state, new.state;
  end if;
  -- Whoever reaches Temporal may propose a run by a workflow that looks for no duplicates.
  -- guard: proposed-once-checked
  if new.state = 'proposed' and new.duplicates_checked_at is null then
    raise exception 'a run is proposed once its rows were compared with those of others';
  end if;
  -- Who decided, and when, is written by the functions alone that ask for a token hash.
  -- guard: runs-once-approved (2 lines)
  if new.started_at is null
    and run_needs_approval(new.state) then
    raise exception 'a run becomes % once it is approved', new.state;
  end if;
  -- guard: rejected-by-people
  if new.decided_at is null and new.state = 'rejected' then
    raise exception 'a run is rejected by people alone';
  end if;
  -- A workflow is told by its input how long it waits, and anybody who reaches Temporal may start one.
  -- guard: expired-by-the-clock-of-the-database
  if new.state = 'expired' and coalesce(clock_timestamp() < old.opened_at + old.decide_within, true) then
    raise exception 'people may still decide on the run';
  end if;
  -- The time to decide begins again when its maker sends it.
  if run_waits_for_people(new.state) then new.opened_at := clock_timestamp(); end if;
  return new;
end $$;

create or replace trigger runs_move_legally before update of state on runs
  for each row when (old.state is distinct from new.state) execute function refuse_illegal_run_move();

-- A run that is not decided has no end: what was paid after its end is left out of its review.
-- Called by: triggers.
create or replace function refuse_early_end() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'a run that is % has not ended', new.state;
end $$;

-- guard: ended-once-over (4 lines)
create or replace trigger runs_end_once_over before update of state, finished_at on runs
  for each row when (new.finished_at is not null
    and run_is_undecided(new.state))
  execute function refuse_early_end();

-- Notes that a file was refused. Nothing else of it is kept.
-- Called by: server.
create or replace function note_refused_file(p_token_hash bytea, p_file_sha256 text, p_problems jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-note-refused-file
  v_refusal := authorize_user(me.user_id, me.token_id, 'submit_run', null, 'note_refused_file');
  if v_refusal is not null then return v_refusal; end if;
  perform note(me.user_id::text, 'file_refused', null, null,
    jsonb_build_object('fileSha256', p_file_sha256, 'problems', p_problems, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
