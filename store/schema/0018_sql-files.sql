-- Which version of payrun the functions, triggers and views are of, and the hash of their files in store/<subject>. A process of an
-- older version, which may still run during an upgrade, leaves them as they are.
create table applied_sql_files (
  only_one boolean primary key default true check (only_one),
  version text not null,
  sha256 text not null,
  applied_at timestamptz not null default clock_timestamp()
);
