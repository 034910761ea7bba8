-- Written by `npm run docs` from domain/accounts/virtual-account-state.ts: change it there, not here.

-- Which transitions there are.
-- Called by: server and worker.
create or replace function may_move_virtual_account(p_from text, p_to text) returns boolean language sql immutable
return case p_from
  when 'asked' then p_to in ('pending', 'approved', 'cancelled', 'rejected', 'unknown')
  when 'pending' then p_to in ('approved', 'cancelled', 'rejected')
  when 'unknown' then p_to in ('pending', 'approved', 'cancelled', 'rejected')
  else false
end;

-- Two people may say what became of it.
-- Called by: server and worker.
create or replace function virtual_account_may_be_resolved(p_state text) returns boolean language sql immutable
return p_state in ('pending', 'unknown');
