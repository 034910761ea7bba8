-- Null when the user has the permission and may use the case's account; else the refusal, which is in the audit trail by
-- then. A case of another account is refused as if there were no such case.
-- Called by: other functions.
create or replace function authorize_for_case(p_user uuid, p_token uuid, p_permission text, p_case uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account text;
  v_refusal jsonb;
begin
  v_refusal := authorize_user(p_user, p_token, p_permission, null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  select account into v_account from cases where case_id = p_case;
  if not found then return refused('not_found', 'there is no such case'); end if;
  -- guard: case-of-other-account-hidden
  if user_may_use(p_user, v_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'case', p_case, 'token', p_token));
  return refused('not_found', 'there is no such case');
end $$;

-- Adds the cases of a submission in the name of an onboarder, with the first revision of each: all or none. Answers which of them are new:
-- an applicant whom the account has already is left as they are. Files follow in the same transaction.
-- Called by: server.
create or replace function add_cases(p_token_hash bytea, p_account text, p_cases jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v record;
  v_refusal jsonb;
  v_added uuid[] := '{}';
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_user(me.user_id, me.token_id, 'onboard', null, 'add_cases');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := authorize_for_account(me.user_id, me.token_id, p_account, 'add_cases');
  if v_refusal is not null then return v_refusal; end if;
  -- Submitting a case is all that it takes to sign somebody up.
  -- guard: signed-up-once-live (2 lines)
  v_refusal := authorize_when_live(me.user_id, me.token_id, null, 'add_cases');
  if v_refusal is not null then return v_refusal; end if;
  for v in
    select "caseId" as case_id, "applicantRef" as applicant_ref, "accountType" as account_type, decode("emailHmac", 'hex') as email_hmac,
      "isAdopted" as is_adopted, decode(encrypted, 'base64') as encrypted, decode(wrapped, 'base64') as wrapped, "wrappedBy" as wrapped_by
    from jsonb_to_recordset(p_cases) as given ("caseId" uuid, "applicantRef" text, "accountType" text, "emailHmac" text, "isAdopted" boolean,
      encrypted text, wrapped text, "wrappedBy" text)
  loop
    continue when exists (select from cases where account = p_account and applicant_ref = v.applicant_ref);
    begin
      insert into cases (case_id, account, applicant_ref, account_type, email_hmac, is_adopted, submitted_by)
      values (v.case_id, p_account, v.applicant_ref, v.account_type, v.email_hmac, v.is_adopted, me.user_id);
    exception when unique_violation then
      return refused('conflict', format('applicant %s: another case of this account has the same mail address', v.applicant_ref));
    end;
    -- After a restore, the newer dump of the keys may have one of a case that the older record lacks.
    insert into case_keys (case_id, wrapped, wrapped_by) values (v.case_id, v.wrapped, v.wrapped_by)
    on conflict (case_id) do update set wrapped = excluded.wrapped, wrapped_by = excluded.wrapped_by, wrapped_at = clock_timestamp();
    insert into case_revisions (case_id, revision, encrypted, supplied_by) values (v.case_id, 1, v.encrypted, me.user_id);
    perform note(me.user_id::text, 'case_submitted', null, null, jsonb_build_object(
      'case', v.case_id, 'account', p_account, 'mail', encode(v.email_hmac, 'hex'), 'token', me.token_id));
    v_added := v_added || v.case_id;
  end loop;
  return jsonb_build_object('added', to_jsonb(v_added));
end $$;

-- Adds a file to the revision that the user adds in the same transaction.
-- Called by: server.
create or replace function add_case_document(
  p_token_hash bytea, p_case uuid, p_slot text, p_document_type text, p_content_type text, p_size_bytes integer, p_sha256 text,
  p_encrypted_name bytea, p_encrypted_file bytea
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_for_case(me.user_id, me.token_id, 'onboard', p_case, 'add_case_document');
  if v_refusal is not null then return v_refusal; end if;
  insert into case_documents (case_id, slot, revision, document_type, content_type, size_bytes, sha256, encrypted_name, encrypted_file)
  select p_case, p_slot, cases.revision, p_document_type, p_content_type, p_size_bytes, p_sha256, p_encrypted_name, p_encrypted_file
  from cases join case_revisions using (case_id, revision)
  -- Of this transaction: nobody adds a file to a revision later.
  where case_id = p_case and case_revisions.xmin = pg_current_xact_id()::xid;
  if not found then return refused('conflict', 'a file belongs to the revision that it is supplied with'); end if;
  return jsonb_build_object('done', true);
end $$;

-- An onboarder gives new values for a case that waits for them: it is prepared again. Refused if its values have changed since
-- they were read.
-- Called by: server.
create or replace function supply_case(p_token_hash bytea, p_case uuid, p_seen_revision integer, p_encrypted bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v cases%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_for_case(me.user_id, me.token_id, 'onboard', p_case, 'supply_case');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from cases where case_id = p_case for update;
  if not case_may_be_supplied(v.state) then
    return refused('conflict', 'the case is ' || replace(v.state, '_', ' ') || ': nothing can be supplied now');
  end if;
  -- guard: supplied-as-seen
  if v.revision <> p_seen_revision then
    return refused('conflict', 'somebody else has supplied something meanwhile: look at the case again');
  end if;
  update cases set state = 'preparing', state_reason = null, revision = v.revision + 1, missing = '{}', waiting_since = null,
    reads = 0, reminders = 0, reminded_at = null, changes = changes + 1,
    changed_at = clock_timestamp()
  where case_id = p_case;
  insert into case_revisions (case_id, revision, encrypted, supplied_by) values (p_case, v.revision + 1, p_encrypted, me.user_id);
  perform note(me.user_id::text, 'case_supplied', null, null,
    jsonb_build_object('case', p_case, 'revision', v.revision + 1, 'token', me.token_id));
  return jsonb_build_object('revision', v.revision + 1);
end $$;

-- An onboarder has a refused sign-up tried again, with what was submitted.
-- Called by: server.
create or replace function retry_case(p_token_hash bytea, p_case uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v cases%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_for_case(me.user_id, me.token_id, 'onboard', p_case, 'retry_case');
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

-- An onboarder ends a case that waits for them, or whose sign-up was not sent.
-- Called by: server.
create or replace function withdraw_case(p_token_hash bytea, p_case uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v cases%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_for_case(me.user_id, me.token_id, 'onboard', p_case, 'withdraw_case');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from cases where case_id = p_case for update;
  if not may_move_case(v.state, 'withdrawn') then
    return refused('conflict', 'the case is ' || replace(v.state, '_', ' ') || ': it cannot be withdrawn now');
  end if;
  -- It waits to be signed up, or its sign-up is on its way.
  if exists (select from case_requests where case_id = p_case and operation = 'sign_up' and outcome_may_be_effect(outcome)) and v.user_id is null then
    return refused('conflict', 'the sign-up may have reached the provider: what became of it is found out first');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update cases set state = 'withdrawn', state_reason = null, ended_at = clock_timestamp(), changed_at = clock_timestamp(),
    changes = changes + 1
  where case_id = p_case;
  perform note(me.user_id::text, 'case_withdrawn', null, null,
    jsonb_build_object('case', p_case, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- Reopens a case whose sign-up was refused. False: another case has the mail address by now, or it is in another state.
-- Called by: other functions.
create or replace function reopen_refused_case(p_case uuid, p_user uuid, p_token uuid) returns boolean
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

-- Whatever login writes: states change only as `may_move_case` allows, ids of the provider stay, and only people withdraw, erase,
-- and have a refused sign-up tried again.
-- Called by: triggers.
create or replace function refuse_illegal_case() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- guard: case-moves-by-table
  if old.state <> new.state and not may_move_case(old.state, new.state) then
    raise exception 'a case is not moved from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  -- guard: case-keeps-user
  if old.user_id is not null and new.user_id is distinct from old.user_id then
    raise exception 'a case keeps its user' using errcode = 'check_violation';
  end if;
  if old.ended_at is not null and new.ended_at is distinct from old.ended_at
    and not (old.state = 'refused' and new.state = 'draft' and new.ended_at is null) then
    raise exception 'a case ends once' using errcode = 'check_violation';
  end if;
  -- guard: case-ended-by-people
  if case_is_set_by_people(new.state) and old.state <> new.state
    and not exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE')) then
    raise exception 'only people end or reopen a case so' using errcode = 'insufficient_privilege';
  end if;
  -- Nobody signs an applicant up a second time by saying that it never existed.
  -- guard: never-created-by-two
  if old.state = 'unknown' and new.state = 'never_created' and not exists (
    select from case_manual_outcomes where case_id = new.case_id and outcome = 'never_created' and confirmed_by is not null
      and manual_outcome_holds(state)) then
    raise exception 'two people say that a sign-up never took effect' using errcode = 'insufficient_privilege';
  end if;
  -- guard: named-users-are-read
  if old.state = 'unknown' and new.state = 'never_created' and exists (select from users_to_read(new.case_id)) then
    raise exception 'users that events named since the sign-up are read first' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create or replace trigger cases_move_by_the_table before update on cases for each row execute function refuse_illegal_case();

-- The outcome of a request is written once: taking it back would allow a second sign-up.
-- Called by: triggers.
create or replace function refuse_change_of_case_request() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if old.outcome is not null and new.outcome is distinct from old.outcome then
    raise exception 'the outcome of a request is written once' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace trigger case_outcomes_are_written_once before update on case_requests
  for each row execute function refuse_change_of_case_request();
create or replace trigger conversion_outcomes_are_written_once before update on conversion_requests
  for each row execute function refuse_change_of_case_request();

-- Notes that a user exports the personal data of a case, before anything of it is read.
-- Called by: server.
create or replace function note_case_export(p_token_hash bytea, p_case uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_state text;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_for_case(me.user_id, me.token_id, 'read_applicants', p_case, 'note_case_export');
  if v_refusal is not null then return v_refusal; end if;
  select state into v_state from cases where case_id = p_case;
  if v_state = 'erased' then
    return refused('conflict', 'the data of this case was erased: there is nothing to export');
  end if;
  perform note(me.user_id::text, 'case_exported', null, null, jsonb_build_object('case', p_case, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;
