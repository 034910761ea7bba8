-- Which functions and triggers payrun has made: one row each time that those of store/<subject> were applied, with the version and the
-- hash of the files. A process whose files were applied earlier leaves those of a later row as they are. `objects` has what was made:
-- signatures of functions, and triggers with the hash of what they were made of. What is in the database besides is not payrun's.
create table applied_sql_files (
  position bigint generated always as identity primary key,
  version text not null,
  sha256 text not null,
  objects jsonb not null,
  applied_at timestamptz not null default clock_timestamp()
);
