-- Written by `npm run docs` from domain/payments/request-result.ts: change it there, not here.

-- A request with this outcome has taken effect, or may have: none is recorded, or it was only not seen.
-- Called by: server and worker.
create or replace function outcome_may_be_effect(p_outcome text) returns boolean language sql immutable
return p_outcome is null or p_outcome in ('took_effect', 'not_seen');

-- No other request begins after one with this outcome.
-- Called by: server and worker.
create or replace function outcome_blocks_another(p_outcome text) returns boolean language sql immutable
return p_outcome is null or p_outcome in ('took_effect');

-- A request with this answer may have taken effect; without one as well.
-- Called by: server and worker.
create or replace function answer_may_be_effect(p_answer text) returns boolean language sql immutable
return p_answer is null or p_answer in ('as_asked', 'refused', 'duplicate_reference', 'unknown_outcome');

-- A second request of the operation could move money twice.
-- Called by: server and worker.
create or replace function operation_is_non_idempotent(p_operation text) returns boolean language sql immutable
return p_operation in ('create', 'fund');
