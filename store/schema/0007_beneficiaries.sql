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
