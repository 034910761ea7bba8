-- Up Migration

-- How two people settle a row whose outcome payrun could not find out: one proposes, another confirms.
create table resolutions (
  resolution_id uuid primary key default gen_random_uuid(),
  payment_id uuid not null references payments,
  resolved_as text not null check (resolved_as in ('paid', 'rejected', 'failed', 'never_created')),
  provider_payment_id text,
  reason text not null,
  -- SHA-256 of what was known of the row: a proposal counts for that alone.
  evidence_hash text not null,
  proposed_by uuid not null references people,
  proposed_at timestamptz not null default clock_timestamp(),
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'denied', 'voided', 'contradicted')),
  closed_by uuid references people,
  closed_at timestamptz,
  closing_reason text,
  constraint confirmed_by_another check (state <> 'confirmed' or (closed_by is not null and closed_by <> proposed_by))
);
create unique index one_open_resolution on resolutions (payment_id) where state = 'proposed';
create index resolutions_by_payment on resolutions (payment_id, proposed_at);

-- A row that leaves unknown by whatever way takes the open proposal's ground away.
create function void_resolutions() returns trigger language plpgsql as $$
begin
  with voided as (
    update resolutions set state = 'voided', closed_at = clock_timestamp(),
      closing_reason = 'the row became ' || new.state || ' meanwhile'
    where payment_id = new.payment_id and state = 'proposed' returning resolution_id
  )
  insert into audit_entries (actor, kind, run_id, payment_id, detail)
  select 'worker', 'resolution_voided', new.run_id, new.payment_id,
    jsonb_build_object('resolution', resolution_id, 'state', new.state) from voided;
  return null;
end $$;
create trigger resolutions_rest_on_unknown after update of state on payments
  for each row when (old.state = 'unknown' and new.state <> 'unknown') execute function void_resolutions();

-- What was looked up at the provider for one payment, and what was seen: a line for each different sight.
create table look_ups (
  payment_id uuid not null references payments,
  asked text not null,
  seen text not null,
  times integer not null default 1,
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (payment_id, asked, seen)
);
