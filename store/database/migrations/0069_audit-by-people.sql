
-- Up Migration

-- What people did with a run, among the millions of entries that payrun itself makes.
create index audit_by_people on audit_entries (run_id, entry_id)
  where actor like '________-____-____-____-____________';
