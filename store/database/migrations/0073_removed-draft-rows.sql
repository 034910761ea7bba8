-- Up Migration

-- Rows that were removed from a draft: they keep their numbers, are not submitted, and can be put back. They are in a table of
-- their own, so that whatever reads the rows of a draft finds none of them.
create table draft_removed_rows (
  draft_id uuid not null references drafts on delete cascade,
  row_number integer not null,
  cells jsonb not null,
  primary key (draft_id, row_number)
);
