-- Written by `npm run docs` from domain/payments/manual-outcome-state.ts: change it there, not here.

-- What was said is not taken back, rejected, or contradicted.
-- Called by: server and worker.
create or replace function manual_outcome_holds(p_state text) returns boolean language sql immutable
return p_state in ('proposed', 'confirmed');
