-- Each decision of a person on a run, and on which content.
create table approvals (
  approval_id uuid primary key default gen_random_uuid(),
  run_id uuid not null references runs,
  decision text not null check (decision in ('approved', 'rejected', 'withdrawn')),
  content_hash text not null,
  user_id uuid not null references users,
  -- Whose deputy the user was; null: they decided for themselves.
  acts_for uuid references users,
  role text not null,
  token_id uuid not null references api_tokens,
  remark_id uuid references remarks,
  decided_at timestamptz not null default clock_timestamp()
);
-- guard: one-person-counts-once
create unique index one_person_counts_once on approvals (run_id, user_id, content_hash) where decision = 'approved';
create index approvals_by_time on approvals (decided_at);
-- Whoever looks at a run, or follows it, is shown what was written with the decision.
create index approvals_by_run on approvals (run_id, decided_at);

create table row_releases (
  payment_id uuid not null references payments,
  attempt integer not null,
  run_id uuid not null references runs,
  row_hash text not null,
  user_id uuid not null references users,
  role text not null,
  token_id uuid references api_tokens,
  remark_id uuid not null references remarks,
  released_at timestamptz not null default clock_timestamp(),
  primary key (payment_id, attempt)
);
create index row_releases_by_run on row_releases (run_id);

-- Stops: of a run, of a provider account, of everything. Whoever sends a request looks here just before it leaves.
create table stops (
  stop_id uuid primary key default gen_random_uuid(),
  scope text not null check (scope in ('run', 'account', 'all')),
  run_id uuid references runs,
  account text,
  -- Null: when payrun was started, by whoever started it.
  stopped_by uuid references users,
  stopped_at timestamptz not null default clock_timestamp(),
  remark_id uuid references remarks,
  -- Two people lift a stop.
  lift_asked_by uuid references users,
  lift_asked_at timestamptz,
  lifted_by uuid references users,
  lifted_at timestamptz,
  -- Of a run: it was ended for good instead.
  cancelled_by uuid references users,
  cancelled_at timestamptz,
  -- Of a stop that payrun made by itself: the step, the status and the code of the answer, and how many rows were refused with it.
  refusals jsonb,
  constraint scope_named check ((scope = 'run') = (run_id is not null) and (scope = 'account') = (account is not null)),
  -- guard: lifted-by-two
  constraint lifted_by_two check (lifted_by is null or lifted_by <> lift_asked_by),
  constraint made_for_refusals check (refusals is null or (scope = 'run' and stopped_by is null))
);
create unique index one_stop_of_a_run on stops (run_id) where lifted_at is null and scope = 'run';
create unique index one_stop_of_an_account on stops (account) where lifted_at is null and scope = 'account';
create unique index one_stop_of_all on stops (scope) where lifted_at is null and scope = 'all';
