-- Up Migration

-- Who renews the token of an account: one process at a time, for as long as it says that it is still at it. A renewal may
-- wait for minutes at a paused gate, longer than a transaction may stay open.
create table provider_token_turns (
  account text primary key,
  holder uuid not null,
  held_until timestamptz not null
);
