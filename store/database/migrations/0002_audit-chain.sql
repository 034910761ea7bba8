-- Up Migration

-- The audit trail is chained by hash after the fact: hashing inside the inserting transaction would have every write of
-- payrun wait for the one before it to be flushed. Entries are sealed in the order of (epoch, entry_id). An epoch is
-- sealed once no transaction that may still add to it is running, so nothing can appear in front of what is sealed.
-- Sealed positions survive a dump that is restored elsewhere, as transaction numbers would not.
create sequence audit_epochs as integer;
select nextval('audit_epochs');

-- Holds the epoch open until the transaction ends. Looked at again under the lock: it may have been left meanwhile.
-- Names are written in full, so that no temporary table can stand in for the sequence.
create function audit_epoch() returns integer language plpgsql as $$
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

-- What is there already belongs to an epoch that is over: this statement waits for whoever is still writing.
alter table audit_entries add column epoch integer not null default 0;
alter table audit_entries alter column epoch set default audit_epoch();
-- expands: the entry id alone is unique already
create unique index audit_by_epoch on audit_entries (epoch, entry_id);

-- hash = sha256(hash of the position before || the entry's text), see store/audit/audit-chain.ts.
create table audit_seals (
  position bigint primary key,
  entry_id bigint not null unique references audit_entries,
  hash bytea not null
);
create trigger seals_are_append_only before update or delete or truncate on audit_seals
  for each statement execute function refuse_change();
