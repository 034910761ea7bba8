create table rate_limiters (
  account text primary key,
  paused_until timestamptz not null default 'epoch',
  paused_for_ms double precision not null default 0
);

-- Of the rate limiter: as many leases as the limit allows in a second, shared by every process of the account.
create table request_leases (
  account text not null,
  number integer not null,
  free_at timestamptz not null default 'epoch',
  holder uuid,
  lease_id uuid,
  -- The cooldown of a lease is counted by steady clocks, since the database's own may be set: decision 0006.
  freed_by uuid,
  -- When its request was answered and when that was written, in milliseconds of the steady clock of `freed_by`.
  answered_ms double precision,
  freed_ms double precision,
  -- How long its latest requests took to be answered, each with a fifth of the weight. Null: none was.
  round_trip_ms double precision,
  primary key (account, number)
);

create table lease_holders (
  holder uuid primary key,
  heartbeat bigint not null default 0,
  clock_ms double precision not null default 0
);

create table request_days (
  account text not null,
  day date not null,
  requests integer not null default 0,
  primary key (account, day)
);

-- Encrypted with a key that is made from the account's secret with the provider.
create table provider_tokens (
  account text primary key,
  encrypted_token bytea not null,
  expires_at timestamptz not null
);

-- Who renews the token of an account: one process at a time, for as long as it says that it is still at it. A renewal may
-- wait for minutes at a paused rate limiter, longer than a transaction may stay open.
create table provider_token_turns (
  account text primary key,
  holder uuid not null,
  held_until timestamptz not null
);
