-- Virtual accounts, as people ask for them. Numbers are data of the company: here, and nowhere else.
create table virtual_accounts (
  virtual_account_id uuid primary key,
  account text not null,
  name text not null,
  -- What the name that is sent ends in: by it, one whose creation was not answered is found again.
  tag text not null,
  provider text not null,
  currency text not null,
  description text not null,
  type text not null check (type in ('open', 'fixed')),
  amount numeric,
  expiry_duration numeric,
  approve_async boolean not null,
  state text not null default 'asked' check (state in ('asked', 'pending', 'approved', 'cancelled', 'rejected', 'unknown')),
  -- A code: why it is in this state.
  state_reason text,
  -- The provider's ids: of the request, and of the account once it is approved.
  provider_request_id text,
  provider_account_id text,
  account_number text,
  requested_by uuid not null references users,
  requested_at timestamptz not null default clock_timestamp(),
  -- The last request to read it, and the last that was answered.
  asked_at timestamptz,
  read_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  constraint one_tag unique (account, tag),
  constraint one_of_a_request unique (account, provider_request_id)
);
create index virtual_accounts_by_time on virtual_accounts (requested_at desc);
create index open_virtual_accounts on virtual_accounts (account) where state in ('asked', 'pending', 'unknown');

-- The intent before the request is sent, and what came of it. It is never sent a second time, unless the first one provably
-- never reached the provider.
create table virtual_account_requests (
  request_id uuid primary key default gen_random_uuid(),
  virtual_account_id uuid not null references virtual_accounts,
  begun_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  outcome text check (outcome in ('took_effect', 'refused', 'not_sent', 'not_seen')),
  answer text,
  http_status integer
);
-- guard: account-asked-for-once
create unique index one_creation on virtual_account_requests (virtual_account_id) where outcome is distinct from 'not_sent';

-- Requests that notifications named while a creation had no known outcome: each is read once.
create table virtual_account_candidates (
  account text not null,
  provider_request_id text not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, provider_request_id)
);

create table virtual_account_manual_outcomes (
  manual_outcome_id uuid primary key default gen_random_uuid(),
  virtual_account_id uuid not null references virtual_accounts,
  outcome text not null check (outcome in ('pending', 'approved', 'cancelled', 'rejected', 'never_created')),
  provider_request_id text,
  account_number text,
  remark_id uuid references remarks,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected')),
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  closed_by uuid references users,
  closed_at timestamptz,
  constraint confirmed_by_another check (state <> 'confirmed' or closed_by <> proposed_by),
  constraint number_of_an_approved_one check ((outcome = 'approved') = (account_number is not null))
);
create unique index one_open_account_manual_outcome on virtual_account_manual_outcomes (virtual_account_id) where state = 'proposed';
