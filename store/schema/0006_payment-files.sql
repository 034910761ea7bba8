-- A payment file that its maker corrects before it is submitted. Personal data: it is deleted once it was submitted, or when
-- it was not changed for a while.
create table drafts (
  draft_id uuid primary key,
  made_by uuid not null references users,
  account text not null,
  file_name text not null,
  columns jsonb not null,
  mapping jsonb not null,
  defaults jsonb not null,
  revision integer not null default 1,
  -- What the last check found.
  found jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create index drafts_by_maker on drafts (made_by, changed_at desc);
create index drafts_by_age on drafts (changed_at);

create table draft_rows (
  draft_id uuid not null references drafts on delete cascade,
  row_number integer not null,
  cells jsonb not null,
  primary key (draft_id, row_number)
);

-- Rows that were removed from a draft: they keep their numbers, are not submitted, and can be put back. They are in a table of
-- their own, so that whatever reads the rows of a draft finds none of them.
create table draft_removed_rows (
  draft_id uuid not null references drafts on delete cascade,
  row_number integer not null,
  cells jsonb not null,
  primary key (draft_id, row_number)
);

create table draft_files (
  draft_id uuid not null references drafts on delete cascade,
  name text not null,
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
