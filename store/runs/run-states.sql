-- Written by `npm run docs` from domain/runs/run-state-table.ts: change it there, not here.

-- Which transitions there are.
-- Called by: server and worker.
create or replace function may_move_run(p_from text, p_to text) returns boolean language sql immutable
return case p_from
  when 'validating' then p_to in ('proposed', 'failed', 'cancelled')
  when 'proposed' then p_to in ('checked', 'in_approval', 'failed', 'scheduled', 'awaiting_funds', 'running', 'rejected', 'expired', 'cancelled')
  when 'checked' then p_to in ('in_approval', 'expired', 'cancelled')
  when 'in_approval' then p_to in ('scheduled', 'awaiting_funds', 'running', 'rejected', 'expired', 'cancelled')
  when 'scheduled' then p_to in ('awaiting_funds', 'running', 'paused', 'cancelled')
  when 'awaiting_funds' then p_to in ('running', 'paused', 'cancelled')
  when 'running' then p_to in ('paused', 'awaiting_funds', 'completed', 'partially_completed', 'failed', 'cancelled')
  when 'paused' then p_to in ('running', 'completed', 'partially_completed', 'failed', 'cancelled')
  when 'completed' then p_to in ('partially_completed')
  when 'partially_completed' then p_to in ('running', 'completed')
  when 'failed' then p_to in ('running', 'partially_completed', 'completed')
  else false
end;

-- Neither approved nor ended.
-- Called by: server and worker.
create or replace function run_is_undecided(p_state text) returns boolean language sql immutable
return p_state in ('validating', 'proposed', 'checked', 'in_approval');

-- Approved and not ended: only such a run can be stopped.
-- Called by: server and worker.
create or replace function run_is_paying(p_state text) returns boolean language sql immutable
return p_state in ('scheduled', 'awaiting_funds', 'running', 'paused');

-- A moment later it can be decided on.
-- Called by: server and worker.
create or replace function run_is_being_prepared(p_state text) returns boolean language sql immutable
return p_state in ('validating', 'proposed');

-- Checked and not decided: its maker sends it for approval, or people decide on it. It expires if nobody does.
-- Called by: server and worker.
create or replace function run_waits_for_people(p_state text) returns boolean language sql immutable
return p_state in ('checked', 'in_approval');

-- A run gets into it only once it is approved.
-- Called by: server and worker.
create or replace function run_needs_approval(p_state text) returns boolean language sql immutable
return p_state in ('scheduled', 'awaiting_funds', 'running', 'paused', 'completed', 'partially_completed');

-- A worker moves a run into it.
-- Called by: server and worker.
create or replace function run_is_set_by_worker(p_state text) returns boolean language sql immutable
return p_state in ('proposed', 'checked', 'in_approval', 'completed', 'partially_completed', 'failed', 'cancelled', 'expired');

-- Neither rejected nor expired: its rows may be repeated by those of others.
-- Called by: server and worker.
create or replace function run_counts_as_submitted(p_state text) returns boolean language sql immutable
return p_state in ('validating', 'proposed', 'checked', 'in_approval', 'scheduled', 'awaiting_funds', 'running', 'paused', 'completed', 'partially_completed', 'failed', 'cancelled');
