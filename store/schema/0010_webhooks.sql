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
-- What speaks of money that came in.
create index webhook_inbox_money on webhook_inbox (account, last_received_at)
  where kind in ('funding', 'deposit', 'conversion', 'refund');
create index webhooks_about_users on webhook_inbox (account, last_received_at) where kind = 'user';
-- The webhooks about a resource, and those of one kind, the newest first.
create index webhooks_by_resource on webhook_inbox (resource_id, webhook_id) where resource_id is not null;
create index webhooks_by_kind on webhook_inbox (kind, webhook_id);

-- What the provider's webhooks took in the database each day (UTC), and what was refused of them. Servers add to it every ten seconds.
create table webhook_days (
  account text not null,
  day date not null,
  bytes bigint not null,
  refused integer not null,
  refused_bytes bigint not null,
  primary key (account, day)
);
