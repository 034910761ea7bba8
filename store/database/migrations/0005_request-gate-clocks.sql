-- Up Migration

-- The rest of a slot is counted by steady clocks, since the database's own may be set: decision 0006.
alter table request_slots
  add column freed_by uuid,
  -- When its request was answered and when that was written, in milliseconds of the steady clock of `freed_by`.
  add column answered_ms double precision,
  add column freed_ms double precision;

-- A holder is alive while its beat goes on. Without `alive_until` a worker of the version before can renew no lease, so
-- that it sends nothing rather than by the old rule.
-- contracts: unused since 0.1.0
alter table slot_holders
  drop column alive_until,
  add column beat bigint not null default 0,
  add column clock_ms double precision not null default 0;

alter table request_gates
  add column paused_for_ms double precision not null default 0;
