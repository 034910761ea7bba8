-- The balance before the first entry of a history that does not begin with zero, as somebody knows it from elsewhere.
create table opening_balances (
  account text not null,
  currency text not null,
  amount numeric not null,
  signed_by uuid not null references users,
  signed_at timestamptz not null default clock_timestamp(),
  primary key (account, currency)
);

create table book_days (
  account text not null,
  day date not null,
  -- `matched`: reconciled; `signed`: a checker has signed its amounts; `closed`: and so were all days before it and all its breaks.
  state text not null default 'matched' check (state in ('matched', 'signed', 'closed')),
  reconciled_at timestamptz not null default clock_timestamp(),
  -- How many expected movements were found.
  matched integer not null,
  -- SHA-256 of all its books, in hex.
  content_hash text not null,
  -- What the next day begins with.
  carried jsonb not null,
  signed_by uuid references users,
  signed_at timestamptz,
  -- It is kept when a day is open again: its books do not change from then on.
  closed_at timestamptz,
  primary key (account, day),
  constraint signed_by_somebody check ((state = 'matched') = (signed_by is null))
);
-- What the inbox looks for, each time that anything was recorded: days that are not signed, and runs that ended lately.
create index unsigned_book_days on book_days (account, day) where state = 'matched';

-- The books of one currency. Opening and totals are the closing.
create table book_balances (
  account text not null,
  day date not null,
  currency text not null,
  opening numeric not null,
  closing numeric not null,
  entries integer not null,
  -- It leads to a balance that the provider showed.
  is_complete boolean not null,
  totals jsonb not null,
  -- Entries that are dated on an earlier day, and corrections of what entries of earlier days were for.
  late jsonb not null,
  reclassified jsonb not null,
  history_hash text not null,
  content_hash text not null,
  primary key (account, day, currency),
  foreign key (account, day) references book_days
);

-- In which day's books an entry of the history is.
create table booked_entries (
  account text not null,
  currency text not null,
  entry_id text not null,
  day date not null,
  -- Its place among those of the day; null: it is in no order, as it contradicts the others.
  place integer,
  -- Class, amount, fact, form, and whether others are interchangeable with it; two for an entry that contains a fee.
  lines jsonb not null,
  primary key (account, currency, entry_id),
  foreign key (account, currency, entry_id) references balance_entries,
  foreign key (account, day) references book_days
);
create index booked_entries_by_day on booked_entries (account, day);

-- Facts that no later day needs.
create table booked_facts (
  account text not null,
  fact_id text not null,
  day date not null,
  primary key (account, fact_id),
  foreign key (account, day) references book_days
);
create index booked_facts_by_day on booked_facts (account, day);

-- Payments and conversions as the provider's own lists show them, by the day on which they were created.
create table listed_facts (
  account text not null,
  kind text not null check (kind in ('payment', 'conversion')),
  provider_id text not null,
  listed_on date not null,
  status text not null,
  sell_currency text not null,
  buy_currency text,
  total_amount numeric not null,
  sell_amount numeric not null,
  buy_amount numeric,
  fee numeric,
  created_at timestamptz not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, kind, provider_id)
);
create index listed_facts_by_day on listed_facts (account, listed_on);

create table reconciliation_breaks (
  break_id uuid primary key default gen_random_uuid(),
  account text not null,
  -- Of its content: the same difference is the same break, however often it is found.
  digest text not null,
  day date not null,
  type text not null,
  currency text not null,
  fact_ids jsonb not null,
  entry_ids jsonb not null,
  expected numeric,
  found numeric,
  is_interchangeable boolean not null,
  reason text not null,
  found_at timestamptz not null default clock_timestamp(),
  -- `gone`: the day was reconciled again, and is right.
  state text not null default 'open' check (state in ('open', 'explained', 'closed', 'gone')),
  owner_id uuid references users,
  explained_by uuid references users,
  explained_at timestamptz,
  remark_id uuid references remarks,
  closed_by uuid references users,
  closed_at timestamptz,
  -- Of what was missing: the entries that came later, and opened it again.
  came_as jsonb,
  unique (account, digest),
  constraint closed_by_another check (state <> 'closed' or (closed_by is not null and closed_by <> explained_by)),
  constraint explained_by_somebody check ((state in ('explained', 'closed')) = (explained_by is not null))
);
create index breaks_by_day on reconciliation_breaks (account, day);
create index unclosed_breaks on reconciliation_breaks (account, found_at) where state in ('open', 'explained');
