-- Up Migration

-- Ten rows of a run in a row that the provider refuses with the same answer: the connection or the contract is wrong, and the run
-- is stopped until two people let it go on.

-- The rows of a run in a row that were refused so, until now. A creation, a stop or another answer starts it again.
create table refusal_streaks (
  run_id uuid primary key references runs,
  step text not null check (step in ('beneficiary', 'quote', 'create')),
  http_status integer not null,
  error_code text not null,
  refusals integer not null,
  changed_at timestamptz not null default clock_timestamp()
);

-- Of a stop that payrun made by itself: the step, the status and the code of the answer, and how many rows were refused with it.
-- expands: of what the version before writes, the new column is null
alter table stops add column refusals jsonb,
  add constraint made_for_refusals check (refusals is null or (scope = 'run' and stopped_by is null));

-- Stops a run whose rows are refused all alike, as far as a worker may: it can neither stop anything else nor lift a stop. False:
-- there is nothing left of it to create, it does not pay, or it is stopped already. Such a run ends or waits without this stop.
create function stop_for_refusals(p_run uuid, p_refusals jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account text;
  v_stop uuid;
begin
  select account into v_account from runs
  where run_id = p_run and state in ('running', 'paused', 'scheduled', 'awaiting_funds') for update;
  if not found or is_stopped(v_account, p_run) then return false; end if;
  if not exists (select from payments where run_id = p_run and state in ('ready', 'quoted')) then return false; end if;
  insert into stops (scope, run_id, refusals) values ('run', p_run, p_refusals)
  on conflict do nothing returning stop_id into v_stop;
  if v_stop is null then return false; end if;
  -- Without the code: it is any text of the provider, and an entry is never erased.
  perform note('record', 'stopped', p_run, null,
    jsonb_build_object('stop', v_stop, 'scope', 'run', 'refusals', p_refusals - 'errorCode'));
  update runs set state = 'paused', state_reason = 'rows were refused with the same answer' where run_id = p_run;
  return true;
end $$;
