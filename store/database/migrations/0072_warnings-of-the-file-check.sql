
-- Up Migration

-- What the check of a file warned of, for those who decide on its run. It may quote cells: personal data.
create table run_warnings (
  run_id uuid primary key references runs,
  -- The first of them: [{line, rowRef, column, value, problem, fix, code}].
  warnings jsonb not null,
  -- Of all.
  warning_count integer not null check (warning_count >= jsonb_array_length(warnings))
);

create trigger warnings_come_with_their_run after insert on run_warnings
  referencing new table as added for each statement execute function only_with_their_run();
