create table conversion_orders (
  order_id uuid primary key,
  account text not null,
  -- The terms. An approval binds all of them, and nothing changes them.
  sell_currency text not null check (sell_currency ~ '^[A-Z]{3}$'),
  buy_currency text not null check (buy_currency ~ '^[A-Z]{3}$'),
  fixed_side text not null check (fixed_side in ('sell', 'buy')),
  amount numeric not null check (amount > 0),
  -- The limit price, with the fees: units bought for one sold, or units sold for one bought.
  least_buy_per_sell numeric check (least_buy_per_sell > 0),
  most_sell_per_buy numeric check (most_sell_per_buy > 0),
  -- Basis points, against the reference price.
  max_cost_bps numeric,
  -- The most that may leave the balance, with the fees.
  cap numeric check (cap > 0),
  expires_at timestamptz not null,
  -- SHA-256 over the terms, in hex.
  order_hash text not null,
  -- The largest total that an approval of these terms covers.
  approval_covers numeric not null check (approval_covers > 0),
  placed_by uuid not null references users,
  placed_at timestamptz not null default clock_timestamp(),
  state text not null default 'proposed',
  -- A code: why the order is in this state.
  state_reason text,
  -- Rises only with a new reference: after the provider provably never had the conversion, and people have released it.
  attempt integer not null default 1,
  -- What the provider quoted, as it was shown, and what a reference rate said then.
  quote_id text,
  quote jsonb,
  quote_mac text,
  quoted_at timestamptz,
  quotes integer not null default 0,
  reference jsonb,
  -- Why the provider refused something, in its own words.
  provider_message text,
  -- What the guards said last.
  findings jsonb,
  -- Of the conversion that is funded: those of the quote, or those that two people have accepted.
  sell_amount numeric,
  buy_amount numeric,
  total_amount numeric,
  -- The day in which the total counts against the daily cap.
  committed_on date,
  conversion_id text,
  conversion_mac text,
  -- The amounts that the provider shows of it.
  shown jsonb,
  provider_status text,
  status_read_at timestamptz,
  created_at timestamptz,
  funding_cutoff_at timestamptz,
  -- The sell balance before the first request to fund.
  balance_before numeric,
  -- When a read began that found a complete history without the debit, after the last request to fund.
  absent_at timestamptz,
  funded_at timestamptz,
  completed_at timestamptz,
  -- The entry of the history by which the bought money came.
  credit_entry_id text,
  ended_at timestamptz,
  -- When it lapsed: its pair was free for another order from then on, also if the provider carries it out late.
  lapsed_at timestamptz,
  -- When an event named it after it lapsed.
  named_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  -- How often people have changed the order, of how many of these changes its workflow was notified, when that looked at the
  -- database last, and when it was last woken.
  changes integer not null default 1,
  notified_changes integer not null default 0,
  looked_at timestamptz,
  woken_at timestamptz,
  -- What the history said of its debit when it was looked at last, and when that read began.
  debit_evidence text check (debit_evidence in ('seen', 'absent', 'incomplete', 'contested')),
  debit_looked_for_at timestamptz,
  -- When a read began that proved that no request so far has taken effect, or two people said so.
  unfunded_at timestamptz,
  constraint another_currency check (sell_currency <> buy_currency),
  constraint one_limit_price check (least_buy_per_sell is null or most_sell_per_buy is null)
);
-- However many place orders at the same moment, by hand or by a schedule: in either direction, one of a pair is open.
-- guard: orders-of-one-pair
create unique index one_open_order_of_a_pair on conversion_orders
  (account, least(sell_currency, buy_currency), greatest(sell_currency, buy_currency))
  where state in ('proposed', 'in_approval', 'approved', 'quoted', 'committed', 'created', 'funding', 'funded', 'completed',
    'held', 'unknown') and lapsed_at is null;
create unique index one_order_of_a_conversion on conversion_orders (account, conversion_id) where conversion_id is not null;
-- A credit is that of one order.
create unique index one_order_of_a_credit on conversion_orders (account, buy_currency, credit_entry_id)
  where credit_entry_id is not null;
create index conversion_orders_by_time on conversion_orders (placed_at desc, order_id);
create index open_conversion_orders on conversion_orders (looked_at) where ended_at is null;
create index lapsed_conversion_orders on conversion_orders (ended_at) where state = 'lapsed';
create index conversion_orders_by_funding on conversion_orders (account, funded_at) where funded_at is not null;

-- What people decided: never changed.
create table conversion_decisions (
  order_id uuid not null references conversion_orders,
  decision text not null check (decision in ('approved', 'rejected', 'withdrawn', 'released')),
  order_hash text not null,
  decided_by uuid not null references users,
  decided_at timestamptz not null default clock_timestamp(),
  remark_id uuid references remarks
);
create index decisions_of_an_order on conversion_decisions (order_id, decided_at);

-- Every request about an order: the intent before it is sent, and what came of it.
create table conversion_requests (
  request_id uuid primary key default gen_random_uuid(),
  order_id uuid not null references conversion_orders,
  attempt integer not null,
  operation text not null check (operation in ('quote', 'create', 'fund')),
  begun_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  outcome text check (outcome in ('took_effect', 'refused', 'not_sent', 'not_seen')),
  answer text,
  http_status integer
);
-- Neither begins while an earlier one may have taken effect.
-- guard: conversion-requested-once
create unique index one_conversion_request on conversion_requests (order_id, attempt, operation)
  where operation <> 'quote' and (outcome is null or outcome = 'took_effect');
create index requests_of_an_order on conversion_requests (order_id, begun_at);
create index open_conversion_requests on conversion_requests (order_id) where outcome is null and operation <> 'quote';

-- How two people resolve what payrun cannot find out, or does not do by itself.
create table conversion_manual_outcomes (
  manual_outcome_id uuid primary key default gen_random_uuid(),
  order_id uuid not null references conversion_orders,
  outcome text not null check (outcome in ('never_created', 'funded', 'fund_again', 'lapsed', 'settled')),
  remark_id uuid references remarks,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected', 'contradicted')),
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  -- Confirmed by a second person; a worker then acts on it.
  confirmed_by uuid references users,
  confirmed_at timestamptz,
  closed_by uuid references users,
  closed_at timestamptz,
  closing_remark_id uuid references remarks,
  -- Two people who have a conversion funded as the provider shows it accept these amounts: where it shows others by the time at which
  -- their word takes effect, nothing is funded, and they look at it again.
  amounts jsonb,
  constraint confirmed_by_another check (confirmed_by <> proposed_by)
);
create unique index one_open_conversion_manual_outcome on conversion_manual_outcomes (order_id) where state = 'proposed';
create index manual_outcomes_of_an_order on conversion_manual_outcomes (order_id, proposed_at);

-- What an order would be quoted at, and what its guards would say. It commits nothing.
create table conversion_dry_runs (
  dry_run_id uuid primary key,
  account text not null,
  terms jsonb not null,
  asked_by uuid not null references users,
  asked_at timestamptz not null default clock_timestamp(),
  reference jsonb,
  -- Of the worker: the quote, the findings and the decision; or why there is no quote.
  result jsonb
);

-- What was committed to conversions on a local day, counted against the daily cap.
create table treasury_days (
  account text not null,
  currency text not null,
  day date not null,
  committed numeric not null default 0 check (committed >= 0),
  primary key (account, currency, day)
);

create table schedules (
  schedule_id uuid primary key,
  account text not null,
  name text not null check (name ~ '^[^[:cntrl:]]{1,100}$' and name = trim(name)),
  -- `pending`: no version was confirmed yet.
  state text not null default 'pending' check (state in ('pending', 'active', 'paused', 'deleted')),
  -- Why it is paused or deleted: `by_person`, with a remark, or what payrun paused it for by itself.
  state_reason text check (state_reason in ('by_person', 'guards_refused', 'outcome_unknown', 'defect', 'restored')),
  state_remark_id uuid references remarks,
  -- Null: payrun by itself.
  state_changed_by uuid references users,
  state_changed_at timestamptz not null default clock_timestamp(),
  -- The version in force; null: none yet.
  version integer,
  added_by uuid not null references users,
  added_at timestamptz not null default clock_timestamp(),
  -- How often it was changed, of how many of these changes Temporal knows, and when its schedule there was compared last.
  changes integer not null default 1,
  notified_changes integer not null default 0,
  compared_at timestamptz,
  constraint a_version_is_in_force check (version is not null or state in ('pending', 'deleted'))
);
create unique index one_schedule_of_a_name on schedules (account, name) where state <> 'deleted';
create index schedules_to_compare on schedules (compared_at);

create table schedule_versions (
  schedule_id uuid not null references schedules,
  version integer not null check (version > 0),
  -- The whole schedule as canonical JSON, word for word as it was hashed.
  definition text not null,
  -- SHA-256 of it, in hex.
  definition_hash text not null,
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected', 'superseded')),
  primary key (schedule_id, version)
);
create unique index one_proposed_version on schedule_versions (schedule_id) where state = 'proposed';
alter table schedules add constraint version_in_force foreign key (schedule_id, version)
  references schedule_versions deferrable initially deferred;

-- What the second person decided: never changed.
create table schedule_decisions (
  schedule_id uuid not null,
  version integer not null,
  decision text not null check (decision in ('confirmed', 'rejected')),
  definition_hash text not null,
  decided_by uuid not null references users,
  decided_at timestamptz not null default clock_timestamp(),
  remark_id uuid references remarks,
  primary key (schedule_id, version),
  foreign key (schedule_id, version) references schedule_versions
);

-- What a schedule did on a date, in one of its times of the day.
create table schedule_occurrences (
  occurrence_id uuid primary key,
  schedule_id uuid not null,
  version integer not null,
  -- By the schedule, by hand, or made up for.
  cause text not null check (cause in ('schedule', 'trigger', 'backfill')),
  local_date date not null,
  -- Which of the times of the day, from 1; 0: by hand.
  slot integer not null check (slot >= 0 and (slot = 0) = (cause = 'trigger')),
  scheduled_at timestamptz not null,
  -- Dates that a calendar has moved here.
  moved_from date[] not null default '{}',
  -- Of the company's own corrections of calendars.
  calendar_version integer not null,
  -- Of those by hand.
  asked_by uuid references users,
  begun_at timestamptz not null default clock_timestamp(),
  -- Null: it is being decided, or its orders are.
  ended text check (ended in ('done', 'nothing_to_do', 'refused_by_guard', 'missed', 'partly_missed', 'unknown', 'defect')),
  -- A code.
  reason text,
  ended_at timestamptz,
  -- What it has found out for the orders of its attempt: which prices it asks for and what was answered, or why there are none.
  plan jsonb,
  -- An occurrence that was missed although it had placed an order is made up for with another one.
  attempt integer not null default 1,
  foreign key (schedule_id, version) references schedule_versions,
  constraint ended_with_a_time check ((ended is null) = (ended_at is null))
);
-- Clocks that show a time twice, and starts that are repeated, are one occurrence.
create unique index one_occurrence_of_a_time on schedule_occurrences (schedule_id, local_date, slot) where slot > 0;
create index occurrences_of_a_schedule on schedule_occurrences (schedule_id, begun_at desc);
create index missed_occurrences on schedule_occurrences (ended_at) where ended = 'missed';

-- The orders of an occurrence: what it placed, or why one was not placed.
create table scheduled_orders (
  order_id uuid primary key,
  occurrence_id uuid not null references schedule_occurrences,
  -- SHA-256 over the terms, in hex.
  order_hash text not null,
  terms jsonb not null,
  -- A code; null: it was placed.
  refused text,
  decided_at timestamptz not null default clock_timestamp(),
  attempt integer not null default 1
);
create index orders_of_an_occurrence on scheduled_orders (occurrence_id);
-- An occurrence that was missed although it had placed an order is made up for with another one.
create unique index one_order_of_a_pair_in_an_attempt
  on scheduled_orders (occurrence_id, attempt, (terms ->> 'sellCurrency'), (terms ->> 'buyCurrency')) where refused is null;

-- Currencies of which the cash view says that they will not last: people are notified of the first such day, and again when it is
-- earlier than the one that they were notified of.
create table cash_shortages (
  account text not null,
  currency text not null,
  -- The first day that ends below zero.
  first_day date not null,
  found_at timestamptz not null default clock_timestamp(),
  -- Null: it is still expected.
  over_at timestamptz,
  primary key (account, currency)
);

-- Rates of one's own house or of a central bank, by their day, as they were configured then.
create table reference_rates (
  source text not null,
  day date not null,
  base text not null,
  rates jsonb not null,
  -- Currencies whose rates are too far from others of that week: they count as missing.
  doubted text[] not null default '{}',
  seen_at timestamptz not null default clock_timestamp(),
  primary key (source, day, seen_at)
);

-- The newest indicative price of each way to pay of an account, for proposals: nothing is paid by it.
create table indicative_prices (
  account text not null,
  sell_currency text not null,
  buy_currency text not null,
  -- See `priced_channel`.
  channel text not null,
  asked_at timestamptz not null default clock_timestamp(),
  -- Null: nothing was quoted yet.
  quoted_at timestamptz,
  -- What one unit sold buys.
  rate numeric check (rate > 0),
  -- Of the amount sold; and what each payment costs besides, in the currency sold.
  fee_share numeric check (fee_share >= 0),
  fee_per_payment numeric check (fee_per_payment >= 0),
  primary key (account, sell_currency, buy_currency, channel)
);
