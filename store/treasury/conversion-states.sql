-- Written by `npm run docs` from domain/treasury/conversion-state-table.ts: change it there, not here.

-- Which transitions there are. No call cancels a conversion: an order that has one never returns to a state without.
-- Called by: server and worker.
create or replace function may_move_conversion(p_from text, p_to text, p_has_conversion boolean) returns boolean language sql immutable
return case p_from
  when 'proposed' then p_to in ('in_approval', 'approved', 'rejected', 'expired', 'skipped', 'missed', 'held', 'unknown')
  when 'in_approval' then p_to in ('approved', 'rejected', 'expired', 'unknown')
  when 'approved' then p_to in ('quoted', 'rejected', 'expired', 'skipped', 'held', 'unknown')
  when 'quoted' then p_to in ('approved', 'in_approval', 'committed', 'rejected', 'expired', 'skipped', 'held', 'unknown')
  when 'committed' then p_to in ('approved', 'created', 'completed', 'settled', 'skipped', 'held', 'unknown')
  when 'created' then p_to in ('funding', 'funded', 'completed', 'settled', 'held', 'lapsed', 'unknown')
  when 'funding' then p_to in ('funded', 'completed', 'settled', 'held', 'lapsed', 'unknown')
  when 'funded' then p_to in ('completed', 'settled', 'unknown')
  when 'completed' then p_to in ('settled', 'unknown')
  when 'held' then p_to in ('approved', 'rejected', 'expired', 'funding', 'funded', 'completed', 'settled', 'lapsed', 'unknown')
  when 'lapsed' then p_to in ('funded', 'completed', 'settled')
  when 'unknown' then p_to in ('rejected', 'created', 'held', 'funded', 'completed', 'settled', 'lapsed')
  else false
end
and case
  when p_to in ('proposed', 'in_approval', 'approved', 'quoted', 'rejected', 'expired', 'skipped', 'missed') then not p_has_conversion
  when p_to in ('created', 'funding', 'funded', 'completed', 'settled', 'lapsed') then p_has_conversion
  else true
end;

-- It has not ended: an account has one of these for a pair.
-- Called by: server and worker.
create or replace function conversion_is_open(p_state text) returns boolean language sql immutable
return p_state in ('proposed', 'in_approval', 'approved', 'quoted', 'committed', 'created', 'funding', 'funded', 'completed', 'held', 'unknown');

-- Nothing more happens to it by itself.
-- Called by: server and worker.
create or replace function conversion_has_ended(p_state text) returns boolean language sql immutable
return p_state in ('settled', 'rejected', 'expired', 'skipped', 'missed', 'lapsed');

-- People decide what becomes of it.
-- Called by: server and worker.
create or replace function conversion_is_on_hold(p_state text) returns boolean language sql immutable
return p_state in ('held', 'unknown');

-- Created, and not known to be funded.
-- Called by: server and worker.
create or replace function conversion_is_unfunded(p_state text) returns boolean language sql immutable
return p_state in ('created', 'funding');

-- Funded, and the bought money is not seen yet.
-- Called by: server and worker.
create or replace function conversion_is_in_flight(p_state text) returns boolean language sql immutable
return p_state in ('funded', 'completed');

-- It has ended, and the provider never had a conversion of it.
-- Called by: server and worker.
create or replace function conversion_ended_without_one(p_state text) returns boolean language sql immutable
return p_state in ('rejected', 'expired', 'skipped', 'missed');

-- No process moves an order into it by itself.
-- Called by: server and worker.
create or replace function conversion_is_set_by_function(p_state text) returns boolean language sql immutable
return p_state in ('committed', 'funding', 'rejected');

-- It has ended by what was not seen: the provider may carry it out late.
-- Called by: server and worker.
create or replace function conversion_may_run_late(p_state text) returns boolean language sql immutable
return p_state in ('lapsed');

-- What it sells stays committed to it, and counts in the cap of its day.
-- Called by: server and worker.
create or replace function conversion_keeps_commitment(p_state text) returns boolean language sql immutable
return p_state in ('committed', 'created', 'funding', 'funded', 'completed', 'settled', 'held', 'unknown');

-- What it buys may still come: nothing is bought in its place.
-- Called by: server and worker.
create or replace function conversion_may_bring_money(p_state text, p_has_conversion boolean) returns boolean language sql immutable
return p_state in ('committed', 'created', 'funding', 'funded', 'completed', 'unknown') or p_state in ('held') and p_has_conversion;

-- What it buys may be in the balance already: an equal receipt may be its money.
-- Called by: server and worker.
create or replace function conversion_may_be_credited(p_state text, p_has_conversion boolean) returns boolean language sql immutable
return p_state in ('funding', 'funded', 'completed', 'unknown') or p_state in ('held') and p_has_conversion;
