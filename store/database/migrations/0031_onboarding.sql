-- Up Migration

-- Onboarding: users and companies as cases. Personal data is sealed with a key of the case, which is wrapped by a key of
-- the installation and lies apart, so that destroying it makes the data unreadable in every backup of the other tables.

create table case_keys (
  case_id uuid primary key,
  -- AES-256-GCM of the case's key: nonce, tag, ciphertext.
  wrapped bytea not null,
  -- The id of the installation key.
  wrapped_by text not null,
  wrapped_at timestamptz not null default clock_timestamp()
);

-- Secrets of the installation, wrapped as well: 'mail-index' keys the HMAC of mail addresses.
create table data_secrets (
  name text primary key,
  wrapped bytea not null,
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
  hinted_at timestamptz,
  -- How often people have changed the case, and of how many of these changes its workflow was told.
  changes integer not null default 1,
  told_changes integer not null default 0,
  -- When its workflow looked at the record last.
  looked_at timestamptz,
  -- When the user was read last, and how often since the case began to wait.
  read_at timestamptz,
  reads integer not null default 0,
  reminders integer not null default 0,
  reminded_at timestamptz,
  ended_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  erased_at timestamptz,
  constraint one_case_of_a_reference unique (account, applicant_ref)
);
-- Nobody is signed up twice: the address is free again only if the provider has no user of the case. Who is a user already
-- is taken over by id.
create unique index one_sign_up_of_a_mail_address on cases (account, email_hmac)
  where not is_adopted and (user_id is not null or state not in ('refused', 'never_created', 'withdrawn', 'erased'));
create unique index one_open_case_of_a_mail_address on cases (account, email_hmac) where ended_at is null;
create unique index one_open_case_of_a_user on cases (account, user_id) where user_id is not null and ended_at is null;
create index open_cases on cases (account, hinted_at) where ended_at is null;
create index changed_cases on cases (account) where told_changes < changes;
create index cases_by_time on cases (submitted_at desc, case_id);

create table case_revisions (
  case_id uuid not null references cases,
  revision integer not null,
  -- The applicant as JSON, sealed. Null: erased.
  sealed bytea,
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
  -- Name and content of the file, sealed. Null: erased.
  sealed_name bytea,
  sealed_file bytea,
  -- The provider's id, and the address to upload to.
  document_id text,
  -- Sealed: whoever can only write to the database must not choose where a file goes.
  upload_url bytea,
  upload_url_at timestamptz,
  -- The address to read the uploaded file from, sealed as well.
  download_url bytea,
  download_url_at timestamptz,
  uploads integer not null default 0,
  uploaded_at timestamptz,
  verified_at timestamptz,
  primary key (case_id, slot, revision)
);

create table case_remarks (
  remark_id uuid primary key default gen_random_uuid(),
  case_id uuid not null references cases,
  provider_status text not null,
  -- HMAC of the text, so that the same remarks are kept once.
  text_hmac bytea not null,
  sealed bytea,
  seen_at timestamptz not null default clock_timestamp()
);
create unique index one_remark_of_a_text on case_remarks (case_id, provider_status, text_hmac);

-- Every request about a case: the intent before it is sent, and what came of it.
create table case_requests (
  request_id uuid primary key default gen_random_uuid(),
  case_id uuid not null references cases,
  operation text not null check (operation in ('sign_up', 'screen', 'details', 'company', 'document')),
  revision integer not null,
  slot text,
  begun_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  outcome text check (outcome in ('took_effect', 'had_no_effect', 'refused')),
  answer text,
  http_status integer
);
-- A sign-up is never sent a second time, unless the first one provably never reached the provider.
create unique index one_sign_up on case_requests (case_id)
  where operation = 'sign_up' and outcome is distinct from 'had_no_effect';
create index requests_of_a_case on case_requests (case_id, begun_at);
create index open_sign_ups on case_requests (answered_at) where operation = 'sign_up' and outcome is null;

-- The outcome of a request is written once: taking it back would allow a second sign-up.
create function refuse_change_of_case_request() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if old.outcome is not null and new.outcome is distinct from old.outcome then
    raise exception 'the outcome of a request is written once' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger case_outcomes_are_written_once before update on case_requests
  for each row execute function refuse_change_of_case_request();

create index webhooks_about_users on webhook_inbox (account, last_received_at) where kind = 'user';

-- Users that a webhook named and no case has: each is read once, for the cases whose sign-up has an unknown outcome.
create table case_candidates (
  account text not null,
  user_id text not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, user_id)
);

create table case_resolutions (
  resolution_id uuid primary key default gen_random_uuid(),
  case_id uuid not null references cases,
  outcome text not null check (outcome in ('signed_up', 'never_created')),
  user_id text,
  remark_id uuid references remarks,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'denied', 'contradicted')),
  proposed_by uuid not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  -- Confirmed by a second person; the worker then acts on it.
  confirmed_by uuid references users,
  confirmed_at timestamptz,
  closed_by uuid references users,
  closed_at timestamptz,
  closing_reason text,
  constraint confirmed_by_another check (confirmed_by <> proposed_by),
  constraint user_named check ((outcome = 'signed_up') = (user_id is not null))
);
create unique index one_open_case_resolution on case_resolutions (case_id) where state = 'proposed';

create index audit_of_a_case on audit_entries ((detail ->> 'case'), entry_id) where detail ? 'case';

create function may_move_case(p_from text, p_to text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_from
    when 'draft' then p_to in ('signing_up', 'withdrawn')
    when 'signing_up' then p_to in ('preparing', 'refused', 'unknown')
    when 'preparing' then p_to in ('ready', 'incomplete', 'needs_provider')
    when 'incomplete' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
    when 'needs_provider' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
    when 'ready' then p_to in ('screening', 'incomplete', 'needs_provider')
    when 'screening' then p_to in ('approved', 'rejected', 'resubmission', 'verification', 'inactive')
    when 'verification' then p_to in ('approved', 'rejected', 'resubmission', 'screening', 'inactive')
    when 'inactive' then p_to in ('approved', 'rejected', 'resubmission', 'screening', 'verification')
    when 'resubmission' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
    when 'unknown' then p_to in ('preparing', 'never_created')
    when 'approved' then p_to = 'erased'
    when 'rejected' then p_to = 'erased'
    when 'refused' then p_to = 'erased'
    when 'withdrawn' then p_to = 'erased'
    when 'expired' then p_to = 'erased'
    when 'never_created' then p_to = 'erased'
    else false
  end
$$;

-- Whatever login writes: states move as the table says, ids of the provider stay, and only people withdraw and erase.
create function refuse_illegal_case() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if old.state <> new.state and not may_move_case(old.state, new.state) then
    raise exception 'a case is not moved from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.user_id is not null and new.user_id is distinct from old.user_id then
    raise exception 'a case keeps its user' using errcode = 'check_violation';
  end if;
  if old.ended_at is not null and new.ended_at is distinct from old.ended_at then
    raise exception 'a case ends once' using errcode = 'check_violation';
  end if;
  if new.state in ('withdrawn', 'erased') and old.state <> new.state
    and not exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE')) then
    raise exception 'only people end a case so' using errcode = 'insufficient_privilege';
  end if;
  -- Nobody signs an applicant up a second time by saying that it never existed.
  if old.state = 'unknown' and new.state = 'never_created' and not exists (
    select from case_resolutions where case_id = new.case_id and outcome = 'never_created' and confirmed_by is not null
      and state in ('proposed', 'confirmed')) then
    raise exception 'two people say that a sign-up never took effect' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger cases_move_by_the_table before update on cases for each row execute function refuse_illegal_case();

-- Onboarders say, by two, what became of a sign-up: two administrators give the role.
create or replace function is_deciding(p_role text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select p_role in ('checker', 'treasurer', 'onboarder', 'administrator')
$$;

create or replace function role_may(p_role text, p_permission text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_role
    when 'maker' then p_permission in
      ('submit_run', 'propose_resolution', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions')
    when 'checker' then p_permission in
      ('decide_run', 'propose_resolution', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions', 'read_audit',
       'object_to_change', 'read_cases', 'confirm_case')
    when 'treasurer' then p_permission in ('read_runs', 'read_instructions')
    when 'onboarder' then p_permission in ('read_runs', 'read_cases', 'read_applicants', 'onboard', 'confirm_case')
    when 'viewer' then p_permission in ('read_runs', 'read_instructions', 'read_audit', 'read_cases', 'read_applicants')
    when 'administrator' then p_permission in
      ('stop_payments', 'read_runs', 'read_audit', 'manage_users', 'confirm_change', 'object_to_change', 'erase_remark',
       'read_cases', 'erase_case')
    else false
  end
$$;

-- Null when the user has the permission and may use the case's account; else the refusal, which is in the audit trail by
-- then. A case of another account is refused as if there were no such case.
create function case_objection_to(p_user uuid, p_token uuid, p_permission text, p_case uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account text;
  v_refusal jsonb;
begin
  v_refusal := objection_to(p_user, p_token, p_permission, null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  select account into v_account from cases where case_id = p_case;
  if not found then return refused('not_found', 'there is no such case'); end if;
  if user_may_use(p_user, v_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'case', p_case, 'token', p_token));
  return refused('not_found', 'there is no such case');
end $$;

-- Adds a case, or says that it exists: a file that is submitted twice starts nobody twice.
create function add_case(
  p_proof bytea, p_case uuid, p_account text, p_applicant_ref text, p_account_type text, p_email_hmac bytea,
  p_adopted_user text, p_sealed bytea, p_wrapped bytea, p_wrapped_by text
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'onboard', null, 'add_case');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'add_case');
  if v_refusal is not null then return v_refusal; end if;
  if exists (select from cases where account = p_account and applicant_ref = p_applicant_ref) then
    return jsonb_build_object('isNew', false);
  end if;
  begin
    insert into cases (case_id, account, applicant_ref, account_type, email_hmac, is_adopted, submitted_by)
    values (p_case, p_account, p_applicant_ref, p_account_type, p_email_hmac, p_adopted_user is not null, me.user_id);
  exception when unique_violation then
    return refused('conflict', format('applicant %s: another case of this account has the same mail address', p_applicant_ref));
  end;
  -- After a restore, the newer dump of the keys may have one of a case that the older record lacks.
  insert into case_keys (case_id, wrapped, wrapped_by) values (p_case, p_wrapped, p_wrapped_by)
  on conflict (case_id) do update set wrapped = excluded.wrapped, wrapped_by = excluded.wrapped_by, wrapped_at = clock_timestamp();
  insert into case_revisions (case_id, revision, sealed, supplied_by) values (p_case, 1, p_sealed, me.user_id);
  perform note(me.user_id::text, 'case_submitted', null, null, jsonb_build_object(
    'case', p_case, 'account', p_account, 'mail', encode(p_email_hmac, 'hex'), 'token', me.token_id));
  return jsonb_build_object('isNew', true);
end $$;

-- A file of the revision that the user adds in the same transaction.
create function add_case_document(
  p_proof bytea, p_case uuid, p_slot text, p_document_type text, p_content_type text, p_size_bytes integer, p_sha256 text,
  p_sealed_name bytea, p_sealed_file bytea
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := case_objection_to(me.user_id, me.token_id, 'onboard', p_case, 'add_case_document');
  if v_refusal is not null then return v_refusal; end if;
  insert into case_documents (case_id, slot, revision, document_type, content_type, size_bytes, sha256, sealed_name, sealed_file)
  select p_case, p_slot, cases.revision, p_document_type, p_content_type, p_size_bytes, p_sha256, p_sealed_name, p_sealed_file
  from cases join case_revisions using (case_id, revision)
  -- Of this transaction: nobody adds a file to a revision later.
  where case_id = p_case and case_revisions.xmin = pg_current_xact_id()::xid;
  if not found then return refused('conflict', 'a file belongs to the revision that it is supplied with'); end if;
  return jsonb_build_object('done', true);
end $$;

-- New values: the case is prepared again.
create function supply_case(p_proof bytea, p_case uuid, p_seen_revision integer, p_sealed bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v cases%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := case_objection_to(me.user_id, me.token_id, 'onboard', p_case, 'supply_case');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from cases where case_id = p_case for update;
  if v.state not in ('incomplete', 'resubmission', 'needs_provider') then
    return refused('conflict', 'the case is ' || replace(v.state, '_', ' ') || ': nothing can be supplied now');
  end if;
  if v.revision <> p_seen_revision then
    return refused('conflict', 'somebody else has supplied something meanwhile: look at the case again');
  end if;
  update cases set state = 'preparing', state_reason = null, revision = v.revision + 1, missing = '{}', waiting_since = null,
    reads = 0, reminders = 0, reminded_at = null, changes = changes + 1,
    changed_at = clock_timestamp()
  where case_id = p_case;
  insert into case_revisions (case_id, revision, sealed, supplied_by) values (p_case, v.revision + 1, p_sealed, me.user_id);
  perform note(me.user_id::text, 'case_supplied', null, null,
    jsonb_build_object('case', p_case, 'revision', v.revision + 1, 'token', me.token_id));
  return jsonb_build_object('revision', v.revision + 1);
end $$;

create function withdraw_case(p_proof bytea, p_case uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v cases%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := case_objection_to(me.user_id, me.token_id, 'onboard', p_case, 'withdraw_case');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from cases where case_id = p_case for update;
  if not may_move_case(v.state, 'withdrawn') then
    return refused('conflict', 'the case is ' || replace(v.state, '_', ' ') || ': it cannot be withdrawn now');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update cases set state = 'withdrawn', state_reason = null, ended_at = clock_timestamp(), changed_at = clock_timestamp(),
    changes = changes + 1
  where case_id = p_case;
  perform note(me.user_id::text, 'case_withdrawn', null, null,
    jsonb_build_object('case', p_case, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- What became of a sign-up with an unknown outcome. Confirmed by another person; a worker then reads the user, or ends the case.
create function propose_case_resolution(p_proof bytea, p_case uuid, p_outcome text, p_user_id text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_state text;
  v_refusal jsonb;
  v_remark uuid;
  v_resolution uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := case_objection_to(me.user_id, me.token_id, 'onboard', p_case, 'propose_case_resolution');
  if v_refusal is not null then return v_refusal; end if;
  select state into v_state from cases where case_id = p_case for update;
  if v_state <> 'unknown' then return refused('conflict', 'only an unknown case is resolved by people'); end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  insert into case_resolutions (case_id, outcome, user_id, remark_id, proposed_by)
  values (p_case, p_outcome, p_user_id, v_remark, me.user_id)
  on conflict (case_id) where state = 'proposed' do nothing returning resolution_id into v_resolution;
  if v_resolution is null then
    return refused('conflict', 'there is an open proposal for this case: have it confirmed or denied first');
  end if;
  perform note(me.user_id::text, 'case_resolution_proposed', null, null, jsonb_build_object(
    'case', p_case, 'resolution', v_resolution, 'outcome', p_outcome, 'userId', p_user_id, 'token', me.token_id)
    || remark_note(v_remark));
  return jsonb_build_object('resolutionId', v_resolution);
end $$;

create function confirm_case_resolution(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v case_resolutions%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from case_resolutions where resolution_id = p_resolution for update;
  v_refusal := case_objection_to(me.user_id, me.token_id, 'confirm_case', v.case_id, 'confirm_case_resolution');
  if v_refusal is not null then return v_refusal; end if;
  if v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'case_resolution_refused', null, null,
      jsonb_build_object('case', v.case_id, 'resolution', p_resolution, 'why', 'proposer_confirms', 'token', me.token_id));
    return refused('not_allowed', 'who proposed a resolution cannot confirm it; ask a second person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  update case_resolutions set confirmed_by = me.user_id, confirmed_at = clock_timestamp()
  where resolution_id = p_resolution and confirmed_by is null;
  update cases set changes = changes + 1, changed_at = clock_timestamp() where case_id = v.case_id;
  perform note(me.user_id::text, 'case_resolution_confirm_requested', null, null,
    jsonb_build_object('case', v.case_id, 'resolution', p_resolution, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

create function deny_case_resolution(p_proof bytea, p_resolution uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v case_resolutions%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from case_resolutions where resolution_id = p_resolution for update;
  v_refusal := case_objection_to(me.user_id, me.token_id, 'confirm_case', v.case_id, 'deny_case_resolution');
  if v_refusal is not null then return v_refusal; end if;
  -- Also one that was confirmed: if the named user cannot be read, it is never concluded.
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  update case_resolutions set state = 'denied', closed_by = me.user_id, closed_at = clock_timestamp()
  where resolution_id = p_resolution;
  perform note(me.user_id::text, 'case_resolution_denied', null, null, jsonb_build_object(
    'case', v.case_id, 'resolution', p_resolution, 'token', me.token_id) || remark_note(keep_remark(me.user_id, null, p_reason)));
  return jsonb_build_object('done', true);
end $$;

-- Days for which the data of a case is kept after its end. The policy may say otherwise.
create function retention_days(p_state text) returns integer
language sql stable security definer set search_path = public, pg_temp as $$
  select case when p_state in ('approved', 'rejected')
    then coalesce((current_policy() #>> '{retention,decidedDays}')::integer, 1827)
    else coalesce((current_policy() #>> '{retention,otherDays}')::integer, 0) end
$$;

-- Destroys the case's key, and the sealed data with it.
create function erase_case(p_proof bytea, p_case uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v cases%rowtype;
  v_refusal jsonb;
  v_from timestamptz;
begin
  select * into me from session_of(p_proof);
  v_refusal := case_objection_to(me.user_id, me.token_id, 'erase_case', p_case, 'erase_case');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from cases where case_id = p_case for update;
  if v.state = 'erased' then return refused('conflict', 'the data of the case is erased already'); end if;
  if v.ended_at is null then
    return refused('conflict', 'the case is ' || replace(v.state, '_', ' ') || ': only the data of an ended case is erased');
  end if;
  v_from := v.ended_at + make_interval(days => retention_days(v.state));
  if v_from > clock_timestamp() then
    return refused('conflict', 'the data is to be kept until ' || to_char(v_from at time zone 'UTC', 'YYYY-MM-DD')
      || ': the policy sets how long');
  end if;
  delete from case_keys where case_id = p_case;
  update case_revisions set sealed = null where case_id = p_case;
  update case_documents set sealed_name = null, sealed_file = null, upload_url = null, download_url = null where case_id = p_case;
  update case_remarks set sealed = null where case_id = p_case;
  update remarks set body = null, salt = null, erased_at = clock_timestamp() where erased_at is null and remark_id::text in (
    -- What a process wrote names no remark of people.
    select detail ->> 'remark' from audit_entries join users on users.user_id::text = actor
    where detail ? 'case' and detail ->> 'case' = p_case::text);
  update cases set state = 'erased', state_reason = v.state, erased_at = clock_timestamp(), changed_at = clock_timestamp()
  where case_id = p_case;
  perform note(me.user_id::text, 'case_erased', null, null, jsonb_build_object('case', p_case, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
