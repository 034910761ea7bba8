-- Up Migration

-- Runs that were submitted with an Idempotency-Key: their ids are derived from it and its user, and this says of what.
create table keyed_submissions (
  run_id uuid primary key references runs,
  submission_sha256 text not null
);
