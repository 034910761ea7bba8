create table receipts (
  account text not null,
  currency text not null,
  entry_id text not null,
  amount numeric not null check (amount > 0),
  dated_at timestamptz not null,
  seen_at timestamptz not null default clock_timestamp(),
  transaction_id text,
  -- It has the transaction id of an earlier debit: money that comes back.
  follows_debit boolean not null,
  -- Null: by nothing yet.
  explained_by text check (explained_by in ('refund', 'funding', 'deposit', 'conversion', 'person')),
  explained_at timestamptz,
  primary key (account, currency, entry_id),
  constraint receipts_are_entries foreign key (account, currency, entry_id) references balance_entries,
  constraint explained_once check ((explained_by is null) = (explained_at is null))
);
create index unexplained_receipts on receipts (account, currency, amount, dated_at) where explained_by is null;
create index receipts_explained_lately on receipts (account, explained_at) where explained_by in ('funding', 'deposit', 'refund');

-- Lists of the provider that are read as a whole. That of fundings has pages, without an order or an end.
create table listings (
  account text not null,
  kind text not null check (kind in ('refunds', 'fundings')),
  -- The last request, and the last that was answered.
  asked_at timestamptz not null,
  answered_at timestamptz,
  -- The pass through the pages that goes on: when it began, and which page is next; null: none does.
  begun_at timestamptz,
  next_page integer,
  -- When the last pass that was read to its end began.
  read_at timestamptz,
  primary key (account, kind)
);

-- What these lists have and nobody can read, by a digest of it. The next list that does not have it removes it.
create table unreadable_records (
  account text not null,
  kind text not null check (kind in ('refunds', 'fundings')),
  digest text not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  -- When people were notified of it.
  notified_at timestamptz,
  primary key (account, kind, digest)
);

-- What notifications said of deposits on virtual accounts: unsigned, and without a currency. Each amount that was said for a
-- transaction is a report of its own, so that a false one keeps no true one away.
create table deposits (
  account text not null,
  transaction_id text not null,
  amount numeric not null check (amount > 0),
  status text not null,
  virtual_account_id text,
  account_number text,
  reported_at timestamptz not null default clock_timestamp(),
  last_reported_at timestamptz not null default clock_timestamp(),
  -- The receipt that confirms it.
  currency text,
  entry_id text,
  confirmed_at timestamptz,
  primary key (account, transaction_id, amount),
  constraint deposits_are_confirmed_whole check ((entry_id is null) = (confirmed_at is null) and (entry_id is null) = (currency is null)),
  constraint confirmed_by_a_receipt foreign key (account, currency, entry_id) references receipts
);
create unique index one_deposit_for_each_receipt on deposits (account, currency, entry_id) where entry_id is not null;
create index deposits_by_amount on deposits (account, amount, reported_at);
create index deposits_reported_lately on deposits (account, last_reported_at);
create index deposits_without_money on deposits (account) where entry_id is null;

-- Fundings as the provider shows them: without a date. Those that only a notification named have no amount.
create table fundings (
  account text not null,
  funding_id text not null,
  balance_id text,
  currency text,
  amount numeric,
  reference text,
  -- As last read; and when that read began.
  status text,
  status_read_at timestamptz,
  first_seen_at timestamptz not null default clock_timestamp(),
  -- It was completed when it was first shown: its money came before that.
  was_completed boolean not null default false,
  -- When the read began that showed it completed after another status.
  completed_at timestamptz,
  asked_at timestamptz,
  times_asked integer not null default 0,
  -- The pass through the list that showed it last.
  listed_at timestamptz,
  entry_id text,
  credited_at timestamptz,
  primary key (account, funding_id),
  constraint fundings_are_shown_whole check ((status is null) = (amount is null) and (status is null) = (currency is null)
    and (status is null) = (status_read_at is null)),
  constraint fundings_are_credited_whole check ((entry_id is null) = (credited_at is null)),
  constraint funded_by_a_receipt foreign key (account, currency, entry_id) references receipts
);
create unique index one_funding_for_each_receipt on fundings (account, currency, entry_id) where entry_id is not null;
create index fundings_not_credited on fundings (account, currency, amount) where entry_id is null;

-- Refunds as the provider shows them: without a status or a date. Those that only a notification named have no amount.
create table refunds (
  account text not null,
  refund_id text not null,
  resource text,
  resource_id text,
  currency text,
  amount numeric,
  remarks text,
  first_seen_at timestamptz not null default clock_timestamp(),
  -- When it was asked for by its id, and how often.
  asked_at timestamptz,
  times_asked integer not null default 0,
  -- When the provider first showed it.
  read_at timestamptz,
  -- The receipt of its money, and the date of that.
  entry_id text,
  credited_at timestamptz,
  primary key (account, refund_id),
  constraint refunds_are_shown_whole check ((read_at is null) = (amount is null) and (read_at is null) = (currency is null)),
  constraint refunds_are_credited_whole check ((entry_id is null) = (credited_at is null)),
  constraint credited_by_a_receipt foreign key (account, currency, entry_id) references receipts
);
create unique index one_refund_for_each_receipt on refunds (account, currency, entry_id) where entry_id is not null;
create index refunds_of_a_payment on refunds (account, resource_id) where resource_id is not null;
create index refunds_not_credited on refunds (account, currency, amount) where entry_id is null;

-- What people have said that receipts are.
create table receipt_assignments (
  assignment_id uuid primary key default gen_random_uuid(),
  account text not null,
  currency text not null,
  entry_id text not null,
  -- Null: something that payrun does not know.
  refund_id text,
  remark_id uuid references remarks,
  assigned_by uuid not null references users,
  token_id uuid,
  assigned_at timestamptz not null default clock_timestamp(),
  foreign key (account, currency, entry_id) references receipts
);
create index assignments_of_a_receipt on receipt_assignments (account, currency, entry_id, assigned_at);

-- Refunds that the provider shows, and whose money did not come for days: people were notified of them.
create table late_refunds (
  account text not null,
  refund_id text not null,
  notified_at timestamptz not null default clock_timestamp(),
  primary key (account, refund_id),
  foreign key (account, refund_id) references refunds
);
