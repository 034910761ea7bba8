-- A payment file that its maker corrects before it is submitted, encrypted with a key of the installation. It is deleted once it was
-- submitted, or when it was not changed for a while.
create table drafts (
  draft_id uuid primary key,
  made_by uuid not null references users,
  account text not null,
  file_name text not null,
  columns jsonb not null,
  -- How the columns are read, what was noted of the sheet, and what the last check found.
  terms bytea not null,
  -- All rows, those that were removed as well: these are not submitted, and can be put back.
  rows bytea not null,
  row_count integer not null,
  removed_rows integer[] not null default '{}',
  revision integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create index drafts_by_maker on drafts (made_by, changed_at desc);
create index drafts_by_age on drafts (changed_at);

create table draft_files (
  draft_id uuid not null references drafts on delete cascade,
  name text not null,
  size_bytes integer not null,
  -- A `FileKind`, by its first bytes.
  kind jsonb not null,
  content bytea not null,
  primary key (draft_id, name)
);

create table reference_data (
  account text not null,
  kind text not null,
  key text not null,
  content jsonb not null,
  fetched_at timestamptz not null default clock_timestamp(),
  primary key (account, kind, key)
);
