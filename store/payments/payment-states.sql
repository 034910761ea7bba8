-- Written by `npm run docs` from domain/payments/payment-state-table.ts: change it there, not here.

-- Which transitions there are.
-- Called by: server and worker.
create or replace function may_move_payment(p_from text, p_to text) returns boolean language sql immutable
return case p_from
  when 'duplicate_suspect' then p_to in ('ready', 'account_unconfirmed', 'excluded', 'cancelled')
  when 'account_unconfirmed' then p_to in ('ready', 'held', 'excluded', 'cancelled')
  when 'held' then p_to in ('ready', 'excluded', 'cancelled', 'unknown')
  when 'ready' then p_to in ('quoted', 'held', 'duplicate_suspect', 'account_unconfirmed', 'excluded', 'cancelled', 'rejected', 'unknown')
  when 'quoted' then p_to in ('ready', 'created', 'held', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown')
  when 'created' then p_to in ('awaiting_funds', 'funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown')
  when 'awaiting_funds' then p_to in ('funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown')
  when 'funded' then p_to in ('processing', 'paid', 'rejected', 'failed', 'unknown')
  when 'processing' then p_to in ('paid', 'rejected', 'failed', 'unknown')
  when 'paid' then p_to in ('returned')
  when 'unknown' then p_to in ('created', 'funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled')
  else false
end;

-- A person has to act.
-- Called by: server and worker.
create or replace function payment_is_on_hold(p_state text) returns boolean language sql immutable
return p_state in ('duplicate_suspect', 'account_unconfirmed', 'held');

-- To be sent, and not known to be created.
-- Called by: server and worker.
create or replace function payment_is_uncreated(p_state text) returns boolean language sql immutable
return p_state in ('ready', 'quoted');

-- Created, and no money was taken for it.
-- Called by: server and worker.
create or replace function payment_is_unfunded(p_state text) returns boolean language sql immutable
return p_state in ('created', 'awaiting_funds');

-- To be created or funded: what it costs is reserved for its run.
-- Called by: server and worker.
create or replace function payment_is_pending(p_state text) returns boolean language sql immutable
return p_state in ('ready', 'quoted', 'created', 'awaiting_funds');

-- Neither funded nor ended: the end of its run ends it.
-- Called by: server and worker.
create or replace function payment_is_unsent(p_state text) returns boolean language sql immutable
return p_state in ('duplicate_suspect', 'account_unconfirmed', 'held', 'ready', 'quoted', 'created', 'awaiting_funds');

-- Funded, and not known to have ended.
-- Called by: server and worker.
create or replace function payment_is_in_flight(p_state text) returns boolean language sql immutable
return p_state in ('funded', 'processing');

-- A row may be added with it.
-- Called by: server and worker.
create or replace function payment_is_initial(p_state text) returns boolean language sql immutable
return p_state in ('invalid', 'ready');

-- Only a row of an approved run gets into it.
-- Called by: server and worker.
create or replace function payment_needs_approval(p_state text) returns boolean language sql immutable
return p_state in ('quoted', 'created', 'awaiting_funds', 'funded', 'processing', 'paid', 'failed', 'returned', 'unknown');

-- What the ledger has committed to it stays so, whether or not a request to fund it was sent.
-- Called by: server and worker.
create or replace function payment_keeps_commitment(p_state text) returns boolean language sql immutable
return p_state in ('quoted', 'created', 'awaiting_funds', 'funded', 'processing');

-- Its money has left the balance, and has not come back.
-- Called by: server and worker.
create or replace function payment_money_has_left(p_state text) returns boolean language sql immutable
return p_state in ('funded', 'processing', 'paid');

-- The provider has completed it, whatever came back later.
-- Called by: server and worker.
create or replace function payment_was_paid(p_state text) returns boolean language sql immutable
return p_state in ('paid', 'returned');

-- It has ended without an outcome: the provider may still show one, or people resolve it.
-- Called by: server and worker.
create or replace function payment_is_unresolved(p_state text) returns boolean language sql immutable
return p_state in ('unknown');

-- The provider has refused it, or could not carry it out.
-- Called by: server and worker.
create or replace function payment_has_failed(p_state text) returns boolean language sql immutable
return p_state in ('rejected', 'failed');

-- It is not paid, for certain, and never was: of one that came back the money has left.
-- Called by: server and worker.
create or replace function payment_was_never_paid(p_state text) returns boolean language sql immutable
return p_state in ('invalid', 'duplicate_suspect', 'excluded', 'held', 'rejected', 'failed', 'cancelled');

-- A second row that pays the same is a suspected duplicate.
-- Called by: server and worker.
create or replace function payment_counts_as_duplicate(p_state text) returns boolean language sql immutable
return p_state in ('account_unconfirmed', 'ready', 'quoted', 'created', 'awaiting_funds', 'funded', 'processing', 'paid', 'unknown');
