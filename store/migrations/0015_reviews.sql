-- Up Migration

-- What those who decide are shown.

-- Beneficiaries that rows name by the provider's id, as the provider showed them. They cannot be changed there.
create table provider_beneficiaries (
  account text not null,
  beneficiary_id text not null,
  details jsonb not null,
  account_hash text,
  name_hash text,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, beneficiary_id)
);

-- What stands out in a run, worked out once for its content: personal data.
create table run_findings (
  run_id uuid primary key references runs,
  content_hash text not null,
  findings jsonb not null,
  made_at timestamptz not null default clock_timestamp()
);

-- When the run's workflow was seen to have learnt of the decision.
alter table runs add column told_at timestamptz;
update runs set told_at = decided_at where decided_at is not null;

-- What was done once to the records of the version before (store/upgrade-records.ts).
create table record_upgrades (
  name text primary key,
  done_at timestamptz not null default clock_timestamp()
);

create index audit_of_no_run on audit_entries (entry_id) where run_id is null;
