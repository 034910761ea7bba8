-- The audit trail is chained by hash after the fact: hashing inside the inserting transaction would have every write of
-- payrun wait for the one before it to be flushed. Entries are chained in the order of (epoch, entry_id). An epoch is
-- chained once no transaction that may still add to it is running, so nothing can appear in front of what is chained.
-- Chained positions survive a dump that is restored elsewhere, as transaction numbers would not.
create sequence audit_epochs as integer;
select nextval('audit_epochs');

-- Holds the epoch open until the transaction ends. Looked at again under the lock: it may have been left meanwhile.
-- Names are written in full, so that no temporary table can stand in for the sequence.
-- Called by: server and worker.
create function audit_epoch() returns integer language plpgsql
set search_path = public, pg_temp as $$
declare
  seen integer;
begin
  loop
    select last_value into seen from public.audit_epochs;
    perform pg_advisory_xact_lock_shared(1885436257, seen);
    if seen = (select last_value from public.audit_epochs) then
      return seen;
    end if;
  end loop;
end $$;

create table audit_entries (
  entry_id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  kind text not null,
  run_id uuid,
  payment_id uuid,
  detail jsonb not null default '{}',
  epoch integer not null default audit_epoch()
);
create index audit_by_run on audit_entries (run_id, entry_id);
create index audit_by_payment on audit_entries (payment_id, entry_id);
create unique index audit_by_epoch on audit_entries (epoch, entry_id);
create index audit_of_no_run on audit_entries (entry_id) where run_id is null;
create index audit_of_a_case on audit_entries ((detail ->> 'case'), entry_id) where detail ? 'case';
create index audit_of_an_order on audit_entries ((detail ->> 'order'), entry_id) where detail ? 'order';
create index audit_of_a_schedule on audit_entries ((detail ->> 'schedule'), entry_id) where detail ? 'schedule';
-- What people did with a run, among the millions of entries that payrun itself makes.
create index audit_by_people on audit_entries (run_id, entry_id)
  where actor like '________-____-____-____-____________';

-- hash = sha256(hash of the position before || the entry's text), see store/audit/audit-chain.ts.
create table audit_chain (
  position bigint primary key,
  entry_id bigint not null unique references audit_entries,
  hash bytea not null
);

-- Up to where the audit trail was exported, for each folder or address that it is exported to. An export that goes on from a wrong
-- place has a gap, or a piece twice; whoever verifies it sees that.
create table audit_exports (
  destination text primary key,
  position bigint not null,
  exported_at timestamptz not null default clock_timestamp()
);
