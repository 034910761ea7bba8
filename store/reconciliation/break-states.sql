-- Written by `npm run docs` from domain/reconciliation/break-state.ts: change it there, not here.

-- People have to explain it, or to close it.
-- Called by: server and worker.
create or replace function break_is_unresolved(p_state text) returns boolean language sql immutable
return p_state in ('open', 'explained');

-- A later reconciliation did not find it again.
-- Called by: server and worker.
create or replace function break_is_gone(p_state text) returns boolean language sql immutable
return p_state in ('gone');
