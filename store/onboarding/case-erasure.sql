-- For how many days the data of a case is kept after its end: as the policy says, else five years if the provider has decided, and
-- none otherwise.
-- Called by: server.
create or replace function retention_days(p_state text) returns integer
language sql stable security definer set search_path = public, pg_temp as $$
  select case when case_is_decided_by_provider(p_state)
    then coalesce((current_policy() #>> '{retention,decidedDays}')::integer, 1827)
    else coalesce((current_policy() #>> '{retention,otherDays}')::integer, 0) end
$$;

-- Why the data of a case is not erased now; null: nothing speaks against it.
-- Called by: other functions.
create or replace function objection_to_erasing_case(p_case uuid) returns text
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v cases%rowtype;
  v_from timestamptz;
begin
  select * into v from cases where case_id = p_case;
  if v.state = 'erased' then return 'the data of the case is erased already'; end if;
  if v.ended_at is null then return 'the case is ' || replace(v.state, '_', ' ') || ': only the data of an ended case is erased'; end if;
  v_from := v.ended_at + make_interval(days => retention_days(v.state));
  -- guard: kept-until-retention
  if v_from > clock_timestamp() then
    return kept_until(v_from);
  end if;
  return null;
end $$;

-- Null when the user may propose to erase the data of a case; else the refusal, which is in the audit trail by then where it is about
-- authority.
-- Called by: other functions.
create or replace function authorize_case_erasure(p_user uuid, p_token uuid, p_case uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb;
  v_objection text;
begin
  v_refusal := authorize_for_case(p_user, p_token, 'erase_case', p_case, 'erase_case');
  if v_refusal is not null then return v_refusal; end if;
  v_objection := objection_to_erasing_case(p_case);
  return case when v_objection is not null then refused('conflict', v_objection) end;
end $$;

-- An administrator proposes to erase the personal data of a case. A second one confirms it.
-- Called by: server.
create or replace function erase_case(p_token_hash bytea, p_case uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_case_erasure(me.user_id, me.token_id, p_case);
  if v_refusal is not null then return v_refusal; end if;
  -- guard: factor-to-erase-case (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'erase_case', jsonb_build_array(p_case));
  if v_refusal is not null then return v_refusal; end if;
  return begin_change_once(me.user_id, me.token_id, 'erase_case', null, jsonb_build_object('case', p_case));
end $$;

-- Erases the personal data of a case by destroying its key.
-- Called by: other functions.
create or replace function erase_applicant(p_case uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- guard: key-erased
  delete from case_keys where case_id = p_case;
  update case_revisions set encrypted = null where case_id = p_case;
  update case_documents set encrypted_name = null, encrypted_file = null, upload_url = null, download_url = null where case_id = p_case;
  update case_remarks set encrypted = null where case_id = p_case;
  update remarks set body = null, salt = null, erased_at = clock_timestamp() where erased_at is null and remark_id::text in (
    -- What a process wrote names no remark of people.
    select detail ->> 'remark' from audit_entries join users on users.user_id::text = actor
    where detail ? 'case' and detail ->> 'case' = p_case::text);
  update cases set state = 'erased', state_reason = state, encrypted_status = null, erased_at = clock_timestamp(),
    changed_at = clock_timestamp()
  where case_id = p_case;
  perform note(p_by::text, 'case_erased', null, null, jsonb_build_object('case', p_case));
end $$;
