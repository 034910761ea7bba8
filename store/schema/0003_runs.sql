create table runs (
  run_id uuid primary key,
  account text not null,
  file_name text not null,
  file_sha256 text not null,
  header jsonb not null,
  row_count integer not null,
  state text not null,
  state_reason text,
  proposal jsonb,
  submitted_by uuid not null references users,
  -- By which session or token.
  token_id uuid not null references api_tokens,
  -- The beginning of the transaction that adds it, until that ends.
  submitted_at timestamptz not null default now(),
  -- That transaction, which adds its rows while the time is its own: numbers of transactions begin again in a restored database.
  added_in xid8 not null default pg_current_xact_id(),
  -- How long people may take to decide on it, and since when they may.
  decide_within interval not null,
  opened_at timestamptz,
  -- Its maker wanted it checked only, and has not sent it for approval.
  waits_for_maker boolean not null default false,
  -- When suspected duplicates were last looked for among its rows.
  duplicates_checked_at timestamptz,
  decided_by uuid references users,
  decided_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  -- When what it has of its payees was erased.
  erased_at timestamptz,
  -- When the run's workflow was seen to have learnt of the decision.
  notified_at timestamptz,
  -- What its proposal was made with: by pair, as "USD/EUR", what one unit sold buys by the reference rates of the record.
  reference_rates jsonb not null default '{}',
  -- And what its rows are expected to cost by: see `indicative_prices_of_run`.
  indicative_prices jsonb not null default '{}',
  -- The content has changed since the proposal was made: no approval fits it, and a worker makes another one.
  proposal_is_stale boolean not null default false,
  -- Nobody can decide on a run that its maker has not sent.
  -- guard: unsent-not-decided
  check (state <> 'in_approval' or not waits_for_maker)
);
create index runs_by_time on runs (submitted_at desc, run_id);
create index runs_by_file on runs (account, file_sha256);
create index runs_alive on runs (account) where finished_at is null;
create index runs_to_propose_again on runs (run_id) where proposal_is_stale;
-- What was approved in a day or a week.
create index runs_by_decision on runs (decided_at) where started_at is not null;
create index runs_by_end on runs (finished_at) where finished_at is not null;

-- The key of each run, which encrypts what the run has of its payees. Without a reference: it is backed up on its own.
create table run_keys (
  run_id uuid primary key,
  -- AES-256-GCM of the run's key: nonce, tag, ciphertext.
  wrapped bytea not null,
  -- The id of the data key.
  wrapped_by text not null,
  wrapped_at timestamptz not null default clock_timestamp()
);

-- How many rows of a run are in a state, kept by every statement that moves rows, so that nobody who watches a run counts
-- them. A statement adds lines with what it changed, and changes none: so nobody waits for anybody. The number is the sum
-- over the lines of one kind. Now and then a statement folds the lines of its run into few.
create table run_counts (
  count_id bigint generated always as identity primary key,
  -- No reference: checking it would wait for whoever holds the run.
  run_id uuid not null,
  state text not null,
  is_begun boolean not null,
  is_funded boolean not null,
  rows integer not null,
  -- Of them, those that were funded, or ended without that, by spans of five seconds: how fast a run goes.
  progressed integer not null,
  span_began_at timestamptz not null
);
create index run_counts_by_run on run_counts (run_id);
-- Rows that people have to look at, of all runs.
create index run_counts_for_people on run_counts (run_id) where state in ('unknown', 'held', 'duplicate_suspect', 'account_unconfirmed');

-- What the check of a file warned of, for those who decide on its run. It may quote cells: personal data.
create table run_warnings (
  run_id uuid primary key references runs,
  -- The first of them, with the key of the run: [{line, rowRef, column, value, problem, fix, code}]. Null: erased.
  encrypted bytea,
  -- Of all.
  warning_count integer not null check (warning_count > 0)
);

-- How the file of a run was read, where its columns were not ours. A profile is known once people have approved a run that it read.
create table run_profiles (
  run_id uuid primary key references runs,
  -- Of the run.
  account text not null,
  name text not null,
  profile_hash text not null,
  -- Of the headers that it is for, whatever their order.
  headers_key text not null,
  -- With the key of the run: a text for every row may be personal data.
  profile bytea not null
);
create index run_profiles_by_headers on run_profiles (account, headers_key);
create index run_profiles_by_hash on run_profiles (account, profile_hash);

-- Runs that were submitted with an Idempotency-Key: their ids are derived from it and its user, and this says of what.
create table keyed_submissions (
  run_id uuid primary key references runs,
  submission_sha256 text not null
);

create table supporting_files (
  run_id uuid not null references runs,
  name text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null,
  -- Its bytes, encrypted with the key of the run. Null: erased.
  encrypted bytea,
  primary key (run_id, name)
);

-- What people write: comments and reasons. It can be erased; the audit trail holds the hash of it and of a salt that is
-- erased with it, so that nothing can be guessed from the hash.
create table remarks (
  remark_id uuid primary key default gen_random_uuid(),
  run_id uuid references runs,
  written_by uuid references users,
  written_at timestamptz not null default clock_timestamp(),
  salt uuid default gen_random_uuid(),
  body text,
  hash bytea not null,
  erased_at timestamptz
);
