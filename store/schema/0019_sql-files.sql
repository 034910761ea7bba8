-- Which functions, triggers and views were applied last: the hash of the files in store/<subject>.
create table applied_sql_files (
  sha256 text primary key,
  applied_at timestamptz not null default clock_timestamp()
);
