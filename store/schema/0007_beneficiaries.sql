create table beneficiaries (
  account text not null,
  fingerprint text not null,
  beneficiary_id text,
  claimed_by uuid not null,
  claimed_at timestamptz not null default clock_timestamp(),
  known_at timestamptz,
  mac text,
  primary key (account, fingerprint)
);

-- Beneficiaries that rows name by the provider's id, as the provider showed them. They cannot be changed there.
create table provider_beneficiaries (
  account text not null,
  beneficiary_id text not null,
  -- Its name and bank account, as far as the provider shows them: AES-256-GCM with a key that is made from a secret of the installation.
  -- Null: it had none of this id when it was asked.
  encrypted bytea,
  -- Of its bank.
  countries jsonb,
  account_hash text,
  routing_hash text,
  name_hash text,
  -- A worker's MAC, by the provider's secret: the provider has shown just these details.
  mac text,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, beneficiary_id),
  -- What is not shown is not judged either: a row without details has nothing by which its beneficiary looks known.
  -- guard: nothing-known-of-what-is-not-shown
  constraint nothing_known_of_what_is_not_shown check (encrypted is not null or num_nonnulls(countries, account_hash, routing_hash, name_hash) = 0)
);
create index provider_beneficiaries_by_account on provider_beneficiaries (account_hash, account);
create index provider_beneficiaries_by_name on provider_beneficiaries (account, name_hash);

-- By what look-alikes of a name are found: keyed hashes of the name as it is drawn, and of its halves. One row for each, however many rows
-- of files have the name.
create table look_alike_keys (
  account text not null,
  name_hash text not null,
  key bigint not null,
  primary key (account, name_hash, key)
);
create index look_alike_keys_by_key on look_alike_keys (account, key);

-- The book of beneficiaries of each account with the provider: a line for each bank account, and each way to write its details. A
-- beneficiary is all that has one key, which people choose, as a supplier number. What a line says does not change; another account is
-- another line.
create table beneficiary_accounts (
  beneficiary_account_id uuid primary key,
  account text not null,
  beneficiary_key text not null check (beneficiary_key ~ '^[A-Z0-9][A-Z0-9._/-]{0,63}$'),
  currency text not null,
  -- All that a row has of a beneficiary: AES-256-GCM with a key that is made from a secret of the installation.
  encrypted bytea not null,
  -- Keyed hashes, as rows have them: of all details, of the bank account, of the route to it, and of the name.
  details_hash text not null,
  account_hash text not null,
  routing_hash text not null,
  name_hash text not null,
  -- Of what it is searched by.
  search_keys bigint[] not null,
  -- Of its name, as `look_alike_keys` has them.
  look_alike_keys bigint[] not null,
  source text not null check (source in ('by_hand', 'import')),
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected', 'ended')),
  added_by uuid not null references users,
  added_at timestamptz not null default clock_timestamp(),
  -- Who was called, at which number known from where, and what was written: encrypted likewise.
  confirmation bytea,
  was_called boolean,
  confirmed_by uuid references users,
  confirmed_at timestamptz,
  -- Rejected, or ended.
  ended_by uuid references users,
  ended_at timestamptz,
  -- guard: book-account-by-two
  constraint account_confirmed_by_another check (confirmed_by is null or confirmed_by <> added_by),
  constraint confirmed_in_full check ((confirmed_by is null) = (confirmation is null)
    and (confirmed_by is not null or state in ('proposed', 'rejected'))),
  constraint ended_in_full check ((ended_at is null) = (ended_by is null) and (ended_at is null) = (state in ('proposed', 'confirmed')))
);
create unique index one_line_of_a_kind on beneficiary_accounts (account, beneficiary_key, details_hash)
  where ended_at is null;
create index beneficiary_accounts_by_key on beneficiary_accounts (account, beneficiary_key, added_at);
create index beneficiary_accounts_by_account on beneficiary_accounts (account, account_hash);
create index beneficiary_accounts_by_name on beneficiary_accounts (account, name_hash);
create index beneficiary_accounts_by_search_key on beneficiary_accounts using gin (search_keys);
create index beneficiary_accounts_by_look_alike_key on beneficiary_accounts using gin (look_alike_keys);
create index beneficiary_accounts_proposed on beneficiary_accounts (account, added_at) where state = 'proposed';
