-- One row of a run. What it has of its payee is encrypted, here and nowhere else.
create table payments (
  payment_id uuid primary key,
  run_id uuid not null references runs,
  account text not null,
  row_number integer not null,
  line integer not null,
  row_ref text not null,
  state text not null,
  attempt integer not null default 1,
  -- What money goes by, without personal data: the encrypted part completes it.
  instruction jsonb,
  -- Cells, holder, account, addresses, reference and echo: AES-256-GCM with the key of the run. Null: erased.
  encrypted bytea,
  -- Keyed hash of the number of its invoice, however it is written. Null: its reference has none.
  invoice_key bigint,
  -- Keyed hashes of what a row is searched by.
  search_keys bigint[] not null default '{}',
  row_hash text,
  beneficiary_fingerprint text,
  sell_currency text,
  buy_currency text,
  amount numeric,
  amount_side text,
  beneficiary_id text,
  reference_id text,
  quote_id text,
  quote_expires_at timestamptz,
  documents_required boolean,
  provider_payment_id text,
  provider_status text,
  provider_created_at timestamptz,
  sell_amount numeric,
  buy_amount numeric,
  rate numeric,
  fee numeric,
  total_amount numeric,
  error_code text,
  error_message text,
  quoted_at timestamptz,
  created_at timestamptz,
  funded_at timestamptz,
  ended_at timestamptz,
  webhook_received_at timestamptz,
  polled_at timestamptz,
  notification_pending boolean not null default false,
  changed_at timestamptz not null default now(),
  -- Keyed hashes, in which nobody finds by trying what was hashed: of everything that is known of the beneficiary, or of the provider's id of it.
  beneficiary_hash text,
  -- Hash of the bank account alone, however its holder is spelt.
  account_hash text,
  -- Hash of the way to it: its holder, its codes and those of its bank, and the bank in between.
  routing_hash text,
  -- Hash of the beneficiary's name.
  name_hash text,
  -- A worker's MACs, by the provider's secret: the quote, and the payment at the provider, are this row's.
  quote_mac text,
  payment_mac text,
  -- When an answer was last to show the payment, whether or not it did.
  asked_at timestamptz,
  -- When it was last to be read singly, whether or not it could be.
  tried_at timestamptz,
  -- When its workflow was begun. Null: not begun.
  workflow_begun_at timestamptz,
  -- Since when it waits for money; until when the provider lets it be funded; when a balance that is enough was last read.
  awaiting_since timestamptz,
  funding_cutoff_at timestamptz,
  funds_seen_at timestamptz,
  -- What came back of a payment, and the date of the last receipt of it.
  returned_amount numeric,
  returned_at timestamptz,
  -- The currency that a row fixes. PostgreSQL rewrites the table for it.
  amount_currency text
    generated always as (case amount_side when 'sell' then sell_currency when 'buy' then buy_currency end) stored,
  unique (run_id, row_number)
);
create index payments_by_row_ref on payments (account, row_ref);
create index payments_by_beneficiary on payments (account, beneficiary_fingerprint, buy_currency) where beneficiary_fingerprint is not null;
create index payments_in_flight on payments (account, provider_created_at) where state in ('created', 'funded', 'processing');
create index payments_with_pending_notification on payments (account) where notification_pending;
-- The rows of a run that are still to be begun or to be sent, in the order of the file. What was sent leaves it, so a
-- look into it costs the same at the end of a long run as at its beginning.
create index payments_to_be_sent on payments (run_id, row_number) where state in ('ready', 'quoted', 'created');
-- The same invoice again, whatever its amount, in all accounts of the installation.
create index payments_by_invoice on payments (invoice_key, account_hash) where invoice_key is not null;
create index payments_by_invoice_and_name on payments (invoice_key, name_hash) where invoice_key is not null;
create index payments_by_name on payments (account, name_hash) where name_hash is not null;
-- Rows that name their beneficiary so have no hash of its account.
create index payments_by_named_beneficiary on payments (account, (instruction #>> '{beneficiary,beneficiaryId}'))
  where account_hash is null;
-- Given up as unknown, with a payment at the provider that may yet show how it ended.
create index payments_unknown_there on payments (account, polled_at)
  where state = 'unknown' and provider_payment_id is not null;
-- Two people have called it unpaid: the provider may yet show otherwise.
create index payments_resolved_as_unpaid on payments (account, ended_at)
  where error_code in ('resolved_never_created', 'resolved_rejected', 'resolved_failed');
create index payments_awaiting_funds on payments (account, sell_currency) where state = 'awaiting_funds';
-- The same amount again, in all accounts of the installation.
create index payments_by_account on payments (account_hash, amount) where account_hash is not null;
-- Rows that name their beneficiary by the provider's id, and those of the version that kept no hash of the account.
create index payments_by_beneficiary_and_amount on payments (account, beneficiary_fingerprint, amount) where account_hash is null;
-- Lists and result files go through the rows of a run in the order of the file.
create index payments_by_line on payments (run_id, line);
create unique index payments_by_provider_payment on payments (account, provider_payment_id);
-- What was sent since a read.
create index payments_by_funding on payments (account, funded_at) where funded_at is not null;
-- What the last payment of two currencies has cost.
create index payments_by_currencies on payments (account, sell_currency, buy_currency, funded_at) where funded_at is not null;
create index payments_by_funding_of_a_run on payments (run_id, funded_at) where funded_at is not null;
create index payments_that_came_back on payments (account) where returned_amount is not null and state = 'paid';
create index payments_paid_lately on payments (account, ended_at) where state = 'paid';
create index payments_that_failed on payments (account, ended_at) where state in ('rejected', 'failed');
-- Any position among the rows of a state is found in the index alone; it replaces one without the row's number.
create index payments_by_state_in_order on payments (run_id, state, row_number);
create index payments_by_amount on payments (run_id, amount_currency, amount, row_number);
-- A search by words of a name, by a payment reference, or by the last characters of an account number.
create index payments_by_search_key on payments using gin (search_keys);
-- The age of the oldest row that waits is shown by the metrics, so it is found without looking at the others.
create index payments_waiting on payments (state, account, changed_at)
  where state in ('held', 'duplicate_suspect', 'account_unconfirmed', 'awaiting_funds', 'unknown');
-- Payments that a webhook named and that were not read since.
create index payments_with_webhook on payments (account, webhook_received_at)
  where webhook_received_at > coalesce(polled_at, timestamptz '-infinity') and state in ('created', 'awaiting_funds', 'funded', 'processing', 'unknown');

-- The rows of approved runs as they were approved: nothing is created or funded that is not here, unchanged.
create table approved_payments (
  payment_id uuid not null references payments,
  attempt integer not null,
  run_id uuid not null references runs,
  row_hash text not null,
  beneficiary_hash text not null,
  -- Supporting files by name, each with the SHA-256 of its bytes in hex.
  files jsonb not null,
  -- The fees that it may have, as a percentage of the amount sold, and what one unit sold buys at least; null: no rate was known.
  fee_percent numeric not null,
  least_rate numeric,
  primary key (payment_id, attempt)
);
create index approved_payments_by_run on approved_payments (run_id);

-- A file is uploaded for each payment that names it: the provider ties an upload to the payment that lists it.
create table file_uploads (
  payment_id uuid not null references payments,
  name text not null,
  file_id text not null,
  upload_url text not null,
  requested_at timestamptz not null default now(),
  uploaded_at timestamptz,
  mac text,
  primary key (payment_id, name)
);

-- What was asked of the provider, written before the request is sent and completed by its answer.
create table provider_requests (
  request_id uuid primary key default gen_random_uuid(),
  account text not null,
  payment_id uuid references payments,
  attempt integer not null,
  operation text not null,
  -- Repeating it could pay twice: while its outcome is open, no second one may begin for the same payment.
  non_idempotent boolean not null,
  begun_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  outcome text,
  http_status integer,
  -- What the answer to a request meant, in the words of `FailureKind` or `as_asked`; null: there was none. Lists of
  -- HTTP statuses are nowhere else.
  answer text,
  -- Of a creation: what its quote said, which the created payment is compared with. The payment itself has its newest quote.
  quoted_sell_amount numeric,
  quoted_buy_amount numeric,
  quoted_total_amount numeric
);
create unique index one_open_request on provider_requests (payment_id, attempt, operation)
  where outcome is null and non_idempotent;
create index requests_by_payment on provider_requests (payment_id);
create unique index one_that_took_effect on provider_requests (payment_id, attempt, operation)
  -- guard: none-after-one-that-took-effect
  where non_idempotent and (outcome is null or outcome = 'took_effect');

-- Lookups of one payment at the provider, a line for each different result.
create table payment_lookups (
  payment_id uuid not null references payments,
  asked text not null,
  seen text not null,
  times integer not null default 1,
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  -- What a lookup showed, and when the provider was asked: a confirmed proposal takes effect by lookups made after it was
  -- confirmed, as the worker that asked wrote them.
  asked_at timestamptz not null,
  payments jsonb not null,
  primary key (payment_id, asked, seen)
);

-- When the provider forbade a request for a payment (403): about the credentials, or about the payment, as what it answers
-- to others in between shows.
create table forbidden_answers (
  payment_id uuid not null references payments,
  operation text not null,
  answered_at timestamptz not null default clock_timestamp()
);
create index forbidden_answers_of_a_payment on forbidden_answers (payment_id, operation, answered_at);

-- The rows of a run in a row that were refused so, until now. A creation, a stop or another answer starts it again.
create table refusal_streaks (
  run_id uuid primary key references runs,
  step text not null check (step in ('beneficiary', 'quote', 'create')),
  http_status integer not null,
  error_code text not null,
  refusals integer not null,
  changed_at timestamptz not null default clock_timestamp()
);

-- How two people resolve a row whose outcome payrun could not find out: one proposes, another confirms.
create table payment_manual_outcomes (
  manual_outcome_id uuid primary key default gen_random_uuid(),
  payment_id uuid not null references payments,
  resolved_as text not null check (resolved_as in ('paid', 'rejected', 'failed', 'never_created')),
  provider_payment_id text,
  reason text not null,
  -- SHA-256 of what was known of the row: a proposal counts for that alone.
  evidence_hash text not null,
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected', 'voided', 'contradicted')),
  closed_by uuid references users,
  closed_at timestamptz,
  closing_reason text,
  remark_id uuid references remarks,
  closing_remark_id uuid references remarks,
  -- When the provider showed otherwise after it was confirmed: the row was opened again.
  contradicted_at timestamptz,
  -- guard: resolved-by-two
  constraint confirmed_by_another check (state <> 'confirmed' or (closed_by is not null and closed_by <> proposed_by))
);
create unique index one_open_manual_outcome on payment_manual_outcomes (payment_id) where state = 'proposed';
create index contradicted_manual_outcomes on payment_manual_outcomes (contradicted_at) where contradicted_at is not null;
create index manual_outcomes_by_payment on payment_manual_outcomes (payment_id, proposed_at);

create table payment_manual_outcome_confirmations (
  manual_outcome_id uuid not null references payment_manual_outcomes,
  confirmed_by uuid not null references users,
  token_id uuid references api_tokens,
  confirmed_at timestamptz not null default clock_timestamp(),
  primary key (manual_outcome_id, confirmed_by)
);
