-- Secrets of the installation, wrapped as well: 'mail-index' keys the HMAC of mail addresses.
create table data_secrets (
  name text primary key,
  wrapped bytea not null,
  wrapped_by text not null,
  wrapped_at timestamptz not null default clock_timestamp()
);

create table case_keys (
  case_id uuid primary key,
  -- AES-256-GCM of the case's key: nonce, tag, ciphertext.
  wrapped bytea not null,
  -- The id of the installation key.
  wrapped_by text not null,
  wrapped_at timestamptz not null default clock_timestamp()
);

create table cases (
  case_id uuid primary key,
  account text not null,
  -- The team's own reference: no personal data.
  applicant_ref text not null,
  account_type text not null check (account_type in ('individual', 'company')),
  state text not null default 'draft',
  -- A code: why the case is in this state.
  state_reason text,
  -- The provider's ids and status of the user.
  user_id text,
  account_id text,
  provider_status text,
  -- HMAC-SHA-256 of the mail address, by a key of the installation.
  email_hmac bytea not null,
  -- Taken over: the user existed before the case.
  is_adopted boolean not null default false,
  -- The revision that was supplied last.
  revision integer not null default 1,
  -- Names of the fields and documents that the provider asks for.
  missing text[] not null default '{}',
  submitted_by uuid not null references users,
  submitted_at timestamptz not null default clock_timestamp(),
  -- When the case came to wait for the provider or an onboarder.
  waiting_since timestamptz,
  -- A webhook named the user.
  webhook_received_at timestamptz,
  -- How often people have changed the case, and of how many of these changes its workflow was notified.
  changes integer not null default 1,
  notified_changes integer not null default 0,
  -- When its workflow looked at the database last.
  looked_at timestamptz,
  -- When the user was read last, and how often since the case began to wait.
  read_at timestamptz,
  reads integer not null default 0,
  reminders integer not null default 0,
  reminded_at timestamptz,
  ended_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  erased_at timestamptz,
  -- The provider's text of a status that no version of its contract names: it may be about the person, so it is encrypted, and
  -- provider_status is 'unlisted'.
  encrypted_status bytea,
  constraint one_case_of_a_reference unique (account, applicant_ref)
);
-- Nobody is signed up twice: the address is free again only if the provider has no user of the case. Who is a user already
-- is taken over by id.
create unique index one_sign_up_of_a_mail_address on cases (account, email_hmac)
  where not is_adopted and (user_id is not null or state not in ('refused', 'never_created', 'withdrawn', 'erased'));
create unique index one_open_case_of_a_mail_address on cases (account, email_hmac) where ended_at is null;
create unique index one_open_case_of_a_user on cases (account, user_id) where user_id is not null and ended_at is null;
create index open_cases on cases (account, webhook_received_at) where ended_at is null;
create index changed_cases on cases (account) where notified_changes < changes;
create index cases_by_time on cases (submitted_at desc, case_id);

create table case_revisions (
  case_id uuid not null references cases,
  revision integer not null,
  -- The applicant as JSON, encrypted. Null: erased.
  encrypted bytea,
  supplied_by uuid not null references users,
  supplied_at timestamptz not null default clock_timestamp(),
  primary key (case_id, revision)
);

create table case_documents (
  case_id uuid not null references cases,
  -- The document type, with a number for a further file.
  slot text not null,
  -- The revision that brought the file.
  revision integer not null,
  document_type text not null,
  content_type text not null,
  size_bytes integer not null,
  -- SHA-256 of the file, hex.
  sha256 text not null,
  -- Name and content of the file, encrypted. Null: erased.
  encrypted_name bytea,
  encrypted_file bytea,
  -- The provider's id, and the address to upload to.
  document_id text,
  -- Encrypted: whoever can only write to the database must not choose where a file goes.
  upload_url bytea,
  upload_url_at timestamptz,
  -- The address to read the uploaded file from, encrypted as well.
  download_url bytea,
  download_url_at timestamptz,
  uploads integer not null default 0,
  uploaded_at timestamptz,
  verified_at timestamptz,
  primary key (case_id, slot, revision)
);
-- The same file in another case is a reason to warn.
create index documents_by_content on case_documents (sha256);

-- Every request about a case: the intent before it is sent, and what came of it.
create table case_requests (
  request_id uuid primary key default gen_random_uuid(),
  case_id uuid not null references cases,
  operation text not null check (operation in ('sign_up', 'screen', 'details', 'company', 'document')),
  revision integer not null,
  slot text,
  begun_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  outcome text check (outcome in ('took_effect', 'refused', 'not_sent', 'not_seen')),
  answer text,
  http_status integer,
  -- HMAC of a refusal's status and code, by a key of the installation: equal answers are found, and no text is kept.
  answer_digest bytea,
  -- A person had the sign-up tried again after it was refused.
  retried_by uuid references users,
  constraint only_refusals_are_retried check (retried_by is null or outcome = 'refused')
);
create index requests_of_a_case on case_requests (case_id, begun_at);
create index open_sign_ups on case_requests (answered_at) where operation = 'sign_up' and outcome is null;
create index answered_sign_ups on case_requests (answered_at) where operation = 'sign_up';
-- guard: sign-up-begun-once
create unique index one_sign_up on case_requests (case_id)
  -- guard: signed-up-once
  where operation = 'sign_up' and outcome is distinct from 'not_sent' and retried_by is null;

-- Users that a webhook named and no case has, as they were read last, for the cases whose sign-up has an unknown outcome. `absent`: the
-- provider shows no such user. `unreadable`: it does not let the user, or the mail address of the user, be read.
create table case_candidates (
  account text not null,
  user_id text not null,
  result text not null check (result in ('shown', 'absent', 'unreadable')),
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, user_id)
);

create table case_remarks (
  remark_id uuid primary key default gen_random_uuid(),
  case_id uuid not null references cases,
  provider_status text not null,
  -- HMAC of the text, so that the same remarks are kept once.
  text_hmac bytea not null,
  encrypted bytea,
  seen_at timestamptz not null default clock_timestamp()
);
create unique index one_remark_of_a_text on case_remarks (case_id, provider_status, text_hmac);

create table case_manual_outcomes (
  manual_outcome_id uuid primary key default gen_random_uuid(),
  case_id uuid not null references cases,
  outcome text not null check (outcome in ('signed_up', 'never_created')),
  user_id text,
  remark_id uuid references remarks,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected', 'contradicted')),
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  -- Confirmed by a second person; the worker then acts on it.
  confirmed_by uuid references users,
  confirmed_at timestamptz,
  closed_by uuid references users,
  closed_at timestamptz,
  closing_reason text,
  -- Why a proposal was rejected, or taken back. Before, the reason was kept, and neither the proposal nor the audit trail named it:
  -- a remark of the same statement is not visible to remark_note.
  closing_remark_id uuid references remarks,
  constraint confirmed_by_another check (confirmed_by <> proposed_by),
  constraint user_named check ((outcome = 'signed_up') = (user_id is not null))
);
create unique index one_open_case_manual_outcome on case_manual_outcomes (case_id) where state = 'proposed';

-- Sign-ups of an account that are refused with the same answer, one after the other: it is the connection or the contract that
-- is wrong. Nobody else is signed up until a person lets sign-ups go on.
create table sign_up_pauses (
  pause_id uuid primary key default gen_random_uuid(),
  account text not null,
  http_status integer,
  -- As of the requests.
  answer_digest bytea not null,
  -- Since then every sign-up was refused so.
  first_refused_at timestamptz not null,
  refusals integer not null,
  paused_at timestamptz not null default clock_timestamp(),
  reminders integer not null default 0,
  reminded_at timestamptz,
  lifted_by uuid references users,
  lifted_at timestamptz
);
create unique index one_pause_of_an_account on sign_up_pauses (account) where lifted_at is null;
