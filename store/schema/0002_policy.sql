-- Changes that one administrator alone may not make. Pending ones take effect when a second administrator confirms
-- them, or at `takes_effect_at`; anyone who decides on something may object until then.
create table changes (
  change_id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in
    ('grant_roles', 'remove_role', 'enable_user', 'disable_user', 'invite_again', 'set_policy', 'change_provider', 'set_accounts',
     'add_endpoint', 'enable_endpoint', 'disable_endpoint', 'remove_endpoint', 'erase_remark', 'erase_run', 'erase_case',
     'set_mail', 'go_live', 'add_factor')),
  user_id uuid references users,
  detail jsonb not null default '{}',
  -- What it replaces, as `basis_of_change` had it when it was proposed.
  basis jsonb,
  proposed_by uuid references users,
  proposed_at timestamptz not null default clock_timestamp(),
  takes_effect_at timestamptz,
  state text not null default 'pending' check (state in ('pending', 'effective', 'rejected', 'replaced')),
  decided_by uuid references users,
  decided_at timestamptz,
  -- guard: change-confirmed-by-another
  constraint confirmed_by_another check (decided_by is null or state <> 'effective' or decided_by <> proposed_by)
);
create index changes_pending on changes (takes_effect_at) where state = 'pending';
-- A proposal carries the whole policy.
create unique index one_policy_pending on changes (kind) where state = 'pending' and kind = 'set_policy';

-- The last one counts: what approvals a run needs, and how long a change waits for a second administrator.
create table policies (
  policy_id bigint generated always as identity primary key,
  policy jsonb not null,
  set_at timestamptz not null default clock_timestamp(),
  change_id uuid references changes
);
insert into policies (policy) values (
  '{"rules": [{"name": "one checker", "when": {}, "steps": [{"role": "checker"}]}], "changes": {"delayHours": null}}'
);

-- Which provider, and which account there, this record belongs to.
create table provider_accounts (
  account text primary key,
  api_address text not null,
  -- SHA-256 of the access key's id, in hex.
  access_key text not null,
  is_sandbox boolean not null,
  recorded_at timestamptz not null default clock_timestamp()
);
