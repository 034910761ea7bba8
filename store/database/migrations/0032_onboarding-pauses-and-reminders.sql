-- Up Migration

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

-- HMAC of a refusal's status and code, by a key of the installation: equal answers are found, and no text is kept.
alter table case_requests add column answer_digest bytea;
-- A person had the sign-up tried again after it was refused.
alter table case_requests add column retried_by uuid references users;
-- expands: the version before writes no retried_by
alter table case_requests add constraint only_refusals_are_retried check (retried_by is null or outcome = 'refused');

create index answered_sign_ups on case_requests (answered_at) where operation = 'sign_up';

-- A sign-up is never sent a second time, unless the first one provably never reached the provider, or was refused and a person
-- has it tried again.
drop index one_sign_up;
-- expands: it allows more than the one before
create unique index one_sign_up on case_requests (case_id)
  where operation = 'sign_up' and outcome is distinct from 'had_no_effect' and retried_by is null;

create or replace function may_move_case(p_from text, p_to text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_from
    when 'draft' then p_to in ('signing_up', 'withdrawn')
    when 'signing_up' then p_to in ('preparing', 'refused', 'unknown')
    when 'preparing' then p_to in ('ready', 'incomplete', 'needs_provider')
    when 'incomplete' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
    when 'needs_provider' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
    when 'ready' then p_to in ('screening', 'incomplete', 'needs_provider')
    when 'screening' then p_to in ('approved', 'rejected', 'resubmission', 'verification', 'inactive', 'needs_provider')
    when 'verification' then p_to in ('approved', 'rejected', 'resubmission', 'screening', 'inactive', 'needs_provider')
    when 'inactive' then p_to in ('approved', 'rejected', 'resubmission', 'screening', 'verification', 'needs_provider')
    when 'resubmission' then p_to in ('preparing', 'screening', 'withdrawn', 'expired')
    when 'unknown' then p_to in ('preparing', 'never_created')
    when 'approved' then p_to = 'erased'
    when 'rejected' then p_to = 'erased'
    when 'refused' then p_to in ('draft', 'erased')
    when 'withdrawn' then p_to = 'erased'
    when 'expired' then p_to = 'erased'
    when 'never_created' then p_to = 'erased'
    else false
  end
$$;

-- Whatever login writes: states move as the table says, ids of the provider stay, and only people withdraw, erase, and have a
-- refused sign-up tried again.
create or replace function refuse_illegal_case() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if old.state <> new.state and not may_move_case(old.state, new.state) then
    raise exception 'a case is not moved from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.user_id is not null and new.user_id is distinct from old.user_id then
    raise exception 'a case keeps its user' using errcode = 'check_violation';
  end if;
  if old.ended_at is not null and new.ended_at is distinct from old.ended_at
    and not (old.state = 'refused' and new.state = 'draft' and new.ended_at is null) then
    raise exception 'a case ends once' using errcode = 'check_violation';
  end if;
  if new.state in ('withdrawn', 'erased', 'draft') and old.state <> new.state
    and not exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE')) then
    raise exception 'only people end or reopen a case so' using errcode = 'insufficient_privilege';
  end if;
  -- Nobody signs an applicant up a second time by saying that it never existed.
  if old.state = 'unknown' and new.state = 'never_created' and not exists (
    select from case_resolutions where case_id = new.case_id and outcome = 'never_created' and confirmed_by is not null
      and state in ('proposed', 'confirmed')) then
    raise exception 'two people say that a sign-up never took effect' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- Reopens a case whose sign-up was refused. False: another case has the mail address by now, or it is in another state.
create function reopen_refused_case(p_case uuid, p_user uuid, p_token uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update cases set state = 'draft', state_reason = null, ended_at = null, waiting_since = null, changes = changes + 1,
    changed_at = clock_timestamp()
  where case_id = p_case and state = 'refused' and state_reason = 'sign_up_refused' and user_id is null;
  if not found then return false; end if;
  update case_requests set retried_by = p_user
  where case_id = p_case and operation = 'sign_up' and outcome = 'refused' and retried_by is null;
  perform note(p_user::text, 'case_retried', null, null, jsonb_build_object('case', p_case, 'token', p_token));
  return true;
exception when unique_violation then
  return false;
end $$;

-- A refused sign-up is tried again, with what was submitted.
create function retry_case(p_proof bytea, p_case uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v cases%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := case_objection_to(me.user_id, me.token_id, 'onboard', p_case, 'retry_case');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from cases where case_id = p_case for update;
  if v.state <> 'refused' or v.state_reason is distinct from 'sign_up_refused' then
    return refused('conflict', 'only a case whose sign-up was refused is tried again');
  end if;
  if not reopen_refused_case(p_case, me.user_id, me.token_id) then
    return refused('conflict', 'another case of this account has the same mail address by now');
  end if;
  return jsonb_build_object('done', true);
end $$;

-- Lets the sign-ups of an account go on; on request, those that were refused with the same answer are tried again.
create function resume_sign_ups(p_proof bytea, p_account text, p_retry boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v sign_up_pauses%rowtype;
  v_refusal jsonb;
  v_case uuid;
  v_retried integer := 0;
  v_left integer := 0;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'onboard', null, 'resume_sign_ups');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'resume_sign_ups');
  if v_refusal is not null then return v_refusal; end if;
  -- As who counts refusals: what was refused until now does not count again.
  perform pg_advisory_xact_lock(hashtextextended('sign-ups ' || p_account, 0));
  select * into v from sign_up_pauses where account = p_account and lifted_at is null for update;
  if not found then return refused('conflict', 'sign-ups of this account are not paused'); end if;
  if p_retry then
    for v_case in
      select case_id from case_requests requests join cases using (case_id)
      where account = p_account and state = 'refused' and operation = 'sign_up' and outcome = 'refused' and retried_by is null
        and requests.http_status is not distinct from v.http_status and requests.answer_digest = v.answer_digest
        and answered_at >= v.first_refused_at
      order by answered_at
    loop
      if reopen_refused_case(v_case, me.user_id, me.token_id) then v_retried := v_retried + 1;
      else v_left := v_left + 1; end if;
    end loop;
  end if;
  update sign_up_pauses set lifted_by = me.user_id, lifted_at = clock_timestamp() where pause_id = v.pause_id;
  perform note(me.user_id::text, 'sign_ups_resumed', null, null, jsonb_build_object(
    'account', p_account, 'pause', v.pause_id, 'retried', v_retried, 'left', v_left, 'token', me.token_id));
  return jsonb_build_object('retried', v_retried, 'left', v_left);
end $$;

create or replace function refuse_entry_of_others() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE')) then return new; end if;
  if exists (select from pg_roles where rolname = 'payrun_' || new.actor and pg_has_role(current_user, oid, 'MEMBER'))
    and (case new.actor
      when 'worker' then new.kind ~ '^(quote|create|fund)_(requested|took_effect|had_no_effect|refused|outcome_unknown|looked_up)$'
        or new.kind ~ '^run_(proposed|in_approval|expired|completed|partially_completed|failed|cancelled)$'
        or new.kind in ('beneficiary_created', 'beneficiary_discarded', 'beneficiary_gone', 'beneficiary_refused',
          'beneficiary_unused', 'duplicate_suspected', 'file_refused', 'file_uploaded', 'given_up', 'held',
          'not_confirmed_in_time', 'payment_differs', 'payment_ended', 'payment_sealed', 'provider_recorded',
          'provider_state_recorded', 'request_refused', 'resolution_confirmed', 'resolution_contradicted',
          'resolution_refused', 'resolution_voided', 'resolved', 'run_refused',
          'case_answered', 'case_document_verified', 'case_moved', 'case_remark_recorded', 'case_reminded', 'case_requested',
          'case_resolution_confirmed', 'case_resolution_contradicted', 'sign_ups_pause_reminded', 'sign_ups_paused',
          'beneficiary_disowned', 'beneficiary_left_over', 'provider_fact_recorded', 'settled')
      when 'server' then new.kind in ('access_refused', 'sign_in_refused')
      else false end)
  then
    return new;
  end if;
  raise exception 'a process writes down what it did itself, not % of %', new.kind, new.actor
    using errcode = 'insufficient_privilege';
end $$;

-- Who had the personal data of a case written out, and when. It is called before anything is read for an export.
create function note_case_export(p_proof bytea, p_case uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_state text;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := case_objection_to(me.user_id, me.token_id, 'read_applicants', p_case, 'note_case_export');
  if v_refusal is not null then return v_refusal; end if;
  select state into v_state from cases where case_id = p_case;
  if v_state = 'erased' then
    return refused('conflict', 'the data of this case was erased: there is nothing to export');
  end if;
  perform note(me.user_id::text, 'case_exported', null, null, jsonb_build_object('case', p_case, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- The provider's text of a status that no version of its contract names: it may be about the person, so it is sealed, and
-- provider_status is 'unlisted'.
alter table cases add column sealed_status bytea;
update cases set provider_status = 'unlisted' where provider_status not in ('pending', 'pending_phone', 'pending_docs', 'pending_approval', 'approved', 'rejected',
  'documents_need_resubmission', 'pending_verification', 'inactive', 'withdrawn', 'terminated', 'closed', 'unlisted');
update case_remarks set provider_status = case when n = 1 then 'unlisted' else 'unlisted ' || n end
from (select remark_id as known_id, row_number() over (partition by case_id, text_hmac order by seen_at, remark_id) as n
  from case_remarks where provider_status not in ('pending', 'pending_phone', 'pending_docs', 'pending_approval', 'approved', 'rejected',
  'documents_need_resubmission', 'pending_verification', 'inactive', 'withdrawn', 'terminated', 'closed', 'refused', 'unlisted')) as known
where remark_id = known_id;

-- Destroys the case's key, and the sealed data with it.
create or replace function erase_case(p_proof bytea, p_case uuid) returns jsonb
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
  update cases set state = 'erased', state_reason = v.state, sealed_status = null, erased_at = clock_timestamp(), changed_at = clock_timestamp()
  where case_id = p_case;
  perform note(me.user_id::text, 'case_erased', null, null, jsonb_build_object('case', p_case, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
