create table balance_snapshots (
  account text not null,
  currency text not null,
  amount numeric not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, currency)
);

-- What was read: start inclusive, end exclusive.
create table history_ranges (
  range_id bigint generated always as identity primary key,
  account text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  is_gap boolean not null,
  read_at timestamptz not null,
  entries integer not null,
  new_entries integer not null,
  unreadable integer not null,
  conflicting integer not null
);
create index history_ranges_by_account on history_ranges (account, read_at);

-- How far the history of a balance can be followed.
create table balance_chains (
  account text not null,
  currency text not null,
  -- Counts the changes, so that nobody stores what was ordered from an older state.
  version integer not null,
  opening numeric not null,
  -- The date of its first entry, or of the first one after a gap that was given up; and the position of that.
  started_at timestamptz not null,
  started_position bigint not null default 1,
  last_amount numeric not null,
  last_position bigint not null,
  last_dated_at timestamptz not null,
  -- While an entry is missing: since when, the date of the first one after it, and how many reads in a row have not helped.
  gap_since timestamptz,
  gap_until timestamptz,
  gap_reads integer not null default 0,
  -- Given up for now: the balance is not known from the history.
  unfollowed_since timestamptz,
  primary key (account, currency)
);

-- The provider's history of the balances, kept here in order: entries of an account and currency lead from one balance to the
-- next. An entry without a position is not reached yet (one before it is missing), or does not count.
create table balance_entries (
  account text not null,
  currency text not null,
  -- The provider's id of the entry, else a hash of its fields with an ordinal.
  entry_id text not null,
  position bigint,
  amount_before numeric not null,
  amount_after numeric not null,
  -- As the provider shows it: its sign is not documented.
  total_amount numeric,
  transaction_id text,
  transaction_type text not null,
  dated_at timestamptz not null,
  date_given text not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  -- Why it never gets a position: it was listed twice, or is older than where the chain starts.
  disregarded text check (disregarded in ('copy', 'before_start')),
  primary key (account, currency, entry_id),
  constraint balance_entries_have_one_place unique (account, currency, position) deferrable initially deferred
);
create index balance_entries_by_date on balance_entries (account, dated_at desc, currency, position desc);
create index balance_entries_unplaced on balance_entries (account, currency)
  where position is null and disregarded is null;
create index balance_entries_copies on balance_entries (account, currency, dated_at) where position is null and disregarded = 'copy';
create index balance_entries_before_start on balance_entries (account, currency, dated_at)
  where position is null and disregarded = 'before_start';
create index balance_debits_by_transaction on balance_entries (account, currency, transaction_id)
  where amount_after < amount_before and transaction_id is not null;

-- A double-entry ledger of the money with the provider, for each account and currency whose history can be followed. Ledger
-- accounts: `outside`, `free`, `run/<id>`, `payment/<id>-<attempt>`, `conversion/<id>`. What is not outside is, after every
-- transaction, together the balance after the last entry of the history: a debit is in the history or still committed.
create table ledger_balances (
  account text not null,
  currency text not null,
  ledger_account text not null,
  amount numeric not null,
  kind text not null generated always as (split_part(ledger_account, '/', 1)) stored,
  -- Of a commitment: the part of it without fees; since when the provider may take the money; what it may take although too
  -- little was there to commit it, since the history could not be followed then.
  principal numeric,
  funding_begun_at timestamptz,
  uncovered numeric,
  -- Of a run: what it lacks; null: nothing, as far as is known.
  short_by numeric,
  primary key (account, currency, ledger_account),
  constraint only_these_accounts check (kind in ('outside', 'free', 'run', 'payment', 'conversion')),
  -- More than there is can only be taken by others than payrun.
  constraint nothing_is_spent_twice check (amount >= 0 or kind in ('outside', 'free'))
);
create index ledger_commitments on ledger_balances (account, currency, amount, funding_begun_at)
  where kind in ('payment', 'conversion') and amount > 0;
-- Those with a fee, whose debits may come in two parts.
create index ledger_commitments_in_parts on ledger_balances (account, currency, amount, principal, funding_begun_at)
  where kind in ('payment', 'conversion') and amount > 0 and principal < amount;
create index ledger_uncovered on ledger_balances (account, currency) where uncovered is not null;
create index ledger_runs on ledger_balances (account, currency) where kind = 'run' and (amount > 0 or short_by is not null);

create table ledger_transfers (
  transfer_id bigint generated always as identity primary key,
  account text not null,
  currency text not null,
  -- Taken from, and given to.
  debit text not null,
  credit text not null,
  amount numeric not null check (amount > 0),
  reason text not null check (reason in ('opening', 'entry', 'missing_entries', 'matched_later', 'reserve', 'return', 'commit',
    'release', 'not_in_history', 'before_start')),
  -- The entry, the request, or what else it follows from: nothing has an effect twice.
  cause text not null,
  made_at timestamptz not null default clock_timestamp(),
  check (debit <> credit),
  constraint one_transfer_for_each_cause unique (account, currency, reason, cause, debit, credit)
);
create index ledger_transfers_by_debit on ledger_transfers (debit, transfer_id) where debit not in ('outside', 'free');
create index ledger_transfers_by_credit on ledger_transfers (credit, transfer_id) where credit not in ('outside', 'free');
create index ledger_transfers_in_order on ledger_transfers (account, currency, transfer_id);
-- Causes that have no id of their own.
create sequence ledger_causes;

-- What people should look at. An open one has no end.
create table money_alarms (
  alarm_id bigint generated always as identity primary key,
  account text not null,
  currency text not null,
  kind text not null check (kind in ('free_negative', 'debit_not_found', 'debit_of_unpaid')),
  ledger_account text not null,
  amount numeric not null,
  raised_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create unique index one_open_alarm on money_alarms (account, currency, kind, ledger_account) where ended_at is null;
