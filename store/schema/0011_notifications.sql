-- Which facts people are notified of. `migrate` writes it, from domain/notifications/notification-types.ts.
create table notification_rules (
  source text not null check (source in ('audit', 'payment')),
  -- The kind of audit entries, or the state that payments of a run come into.
  name text not null,
  -- Of audit entries, only with this state in their detail; empty: with any.
  state text not null default '',
  type text not null,
  subject text not null,
  -- Facts of a type about one subject share a notification.
  merges boolean not null,
  primary key (source, name, state)
);

create table outbox (
  notification_id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity,
  type text not null,
  subject text not null,
  subject_id text not null,
  occurred_at timestamptz not null default clock_timestamp(),
  -- Null: a worker has not looked at it yet.
  planned_at timestamptz,
  -- The JSON that is sent, word for word. Null after it was planned: part of another notification, or no longer so.
  body text
);
create index outbox_to_plan on outbox (position) where planned_at is null;
create index outbox_by_time on outbox (occurred_at);
create index outbox_by_subject on outbox (subject_id, type, planned_at);

create table endpoints (
  endpoint_id uuid primary key,
  name text not null check (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  kind text not null check (kind in ('webhook', 'mail')),
  -- Either may hold a secret, or name people: null once it is removed.
  url text,
  addresses text[],
  -- Null: of all types.
  types text[],
  state text not null default 'pending' check (state in ('pending', 'enabled', 'disabled')),
  -- A code: why it is disabled.
  state_reason text,
  state_changed_at timestamptz not null default clock_timestamp(),
  change_id uuid references changes,
  added_by uuid not null references users,
  added_at timestamptz not null default clock_timestamp(),
  -- When the first delivery failed after the last one that succeeded.
  failing_since timestamptz,
  -- When its workflow was last woken.
  woken_at timestamptz,
  removed_at timestamptz,
  constraint endpoint_form check (removed_at is not null
    or case kind when 'webhook' then url ~ '^https?://' and addresses is null else url is null and cardinality(addresses) > 0 end)
);
create unique index one_endpoint_of_a_name on endpoints (name) where removed_at is null;

-- Of webhooks, to sign with; encrypted with a data key of the installation. After a rotation there are two for a while.
create table endpoint_secrets (
  secret_id uuid primary key,
  endpoint_id uuid not null references endpoints,
  -- AES-256-GCM of the secret: nonce, tag, ciphertext.
  wrapped bytea not null,
  wrapped_by text not null,
  wrapped_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  -- Null: the current one.
  expires_at timestamptz
);
create index secrets_of_an_endpoint on endpoint_secrets (endpoint_id);

create table deliveries (
  delivery_id uuid primary key default gen_random_uuid(),
  notification_id uuid not null references outbox,
  endpoint_id uuid not null references endpoints,
  state text not null default 'queued' check (state in ('queued', 'delivering', 'delivered', 'failing', 'failed', 'disabled')),
  attempts integer not null default 0,
  -- In a row, since it was queued.
  failures integer not null default 0,
  -- When the next attempt is due.
  due_at timestamptz not null default clock_timestamp(),
  begun_at timestamptz,
  first_failed_at timestamptz,
  ended_at timestamptz,
  -- Of the last attempt.
  http_status integer,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  unique (notification_id, endpoint_id)
);
create index open_deliveries on deliveries (endpoint_id, due_at) where state in ('queued', 'delivering', 'failing');
create index deliveries_by_time on deliveries (created_at desc, delivery_id);
