-- Up Migration

create table people (
  user_id uuid primary key default gen_random_uuid(),
  name text not null unique,
  role text not null check (role in ('maker', 'checker', 'viewer', 'administrator')),
  created_at timestamptz not null default now()
);

create table api_tokens (
  token_id uuid primary key default gen_random_uuid(),
  user_id uuid not null references people,
  token_hash bytea not null unique,
  label text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);

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
  submitted_by uuid not null references people,
  submitted_at timestamptz not null default now(),
  decided_by uuid references people,
  decided_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz
);
create index runs_by_time on runs (submitted_at desc, run_id);
create index runs_by_file on runs (account, file_sha256);
create index runs_alive on runs (account) where finished_at is null;

-- One row of a run. The instruction and the cells are personal data: they are here and nowhere else.
create table payments (
  payment_id uuid primary key,
  run_id uuid not null references runs,
  account text not null,
  row_number integer not null,
  line integer not null,
  row_ref text not null,
  state text not null,
  attempt integer not null default 1,
  cells jsonb not null,
  instruction jsonb,
  row_hash text,
  payee_fingerprint text,
  sell_currency text,
  buy_currency text,
  amount numeric,
  amount_side text,
  beneficiary_id text,
  reference_id text,
  quote_id text,
  quote_expires_at timestamptz,
  documents_required boolean,
  provider_payment_id text unique,
  provider_status text,
  provider_created_at timestamptz,
  sell_amount numeric,
  buy_amount numeric,
  rate numeric,
  fee numeric,
  total_amount numeric,
  error_code text,
  error_message text,
  quoted_at timestamptz,
  created_at timestamptz,
  funded_at timestamptz,
  settled_at timestamptz,
  hinted_at timestamptz,
  swept_at timestamptz,
  untold boolean not null default false,
  changed_at timestamptz not null default now(),
  unique (run_id, row_number)
);
create index payments_by_run_state on payments (run_id, state);
create index payments_by_row_ref on payments (account, row_ref);
create index payments_by_payee on payments (account, payee_fingerprint, buy_currency) where payee_fingerprint is not null;
create index payments_in_flight on payments (account, provider_created_at) where state in ('created', 'funded', 'processing');
create index payments_untold on payments (account) where untold;

create table supporting_files (
  run_id uuid not null references runs,
  name text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null,
  content bytea not null,
  primary key (run_id, name)
);

-- A file is uploaded for each payment that names it: the provider ties an upload to the payment that lists it.
create table file_uploads (
  payment_id uuid not null references payments,
  name text not null,
  file_id text not null,
  upload_url text not null,
  requested_at timestamptz not null default now(),
  uploaded_at timestamptz,
  primary key (payment_id, name)
);

-- What was asked of the provider, written before the request is sent and completed by its answer.
create table provider_requests (
  request_id uuid primary key default gen_random_uuid(),
  account text not null,
  payment_id uuid references payments,
  attempt integer not null,
  operation text not null,
  -- Repeating it could pay twice: while its outcome is open, no second one may begin for the same payment.
  exclusive boolean not null,
  begun_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  outcome text,
  http_status integer
);
create unique index one_open_request on provider_requests (payment_id, attempt, operation)
  where outcome is null and exclusive;
create index requests_by_payment on provider_requests (payment_id);

create table beneficiaries (
  account text not null,
  fingerprint text not null,
  beneficiary_id text,
  claimed_by uuid not null,
  claimed_at timestamptz not null default clock_timestamp(),
  known_at timestamptz,
  primary key (account, fingerprint)
);

create table audit_entries (
  entry_id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  kind text not null,
  run_id uuid,
  payment_id uuid,
  detail jsonb not null default '{}'
);
create index audit_by_run on audit_entries (run_id, entry_id);
create index audit_by_payment on audit_entries (payment_id, entry_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail is append-only';
end $$;
create trigger audit_is_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

create table webhook_inbox (
  webhook_id bigint generated always as identity primary key,
  account text not null,
  body_sha256 text not null,
  body text not null,
  kind text not null,
  resource_id text,
  times integer not null default 1,
  received_at timestamptz not null default clock_timestamp(),
  last_received_at timestamptz not null default clock_timestamp(),
  unique (account, body_sha256)
);

create table reference_data (
  account text not null,
  kind text not null,
  key text not null,
  content jsonb not null,
  fetched_at timestamptz not null default clock_timestamp(),
  primary key (account, kind, key)
);

create table provider_tokens (
  account text primary key,
  token text not null,
  expires_at timestamptz not null
);

create table held_balances (
  account text not null,
  currency text not null,
  amount numeric not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, currency)
);

-- The request gate: as many slots as the limit allows in a second, shared by every process of the account.
create table request_slots (
  account text not null,
  slot integer not null,
  free_at timestamptz not null default 'epoch',
  holder uuid,
  lease uuid,
  primary key (account, slot)
);

create table slot_holders (
  holder uuid primary key,
  alive_until timestamptz not null
);

create table request_gates (
  account text primary key,
  paused_until timestamptz not null default 'epoch'
);

create table request_days (
  account text not null,
  day date not null,
  requests integer not null default 0,
  primary key (account, day)
);
