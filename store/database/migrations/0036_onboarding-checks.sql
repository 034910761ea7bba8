-- Up Migration

-- Why a proposal was denied, or taken back. Before, the reason was kept, and neither the proposal nor the audit trail named it:
-- a remark of the same statement is not visible to remark_note.
alter table case_resolutions add column closing_remark_id uuid references remarks;

create or replace function deny_case_resolution(p_proof bytea, p_resolution uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v case_resolutions%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  select * into v from case_resolutions where resolution_id = p_resolution for update;
  v_refusal := case_objection_to(me.user_id, me.token_id, 'confirm_case', v.case_id, 'deny_case_resolution');
  if v_refusal is not null then return v_refusal; end if;
  -- Also one that was confirmed: if the named user cannot be read, it is never concluded.
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update case_resolutions set state = 'denied', closed_by = me.user_id, closed_at = clock_timestamp(), closing_remark_id = v_remark
  where resolution_id = p_resolution;
  perform note(me.user_id::text, 'case_resolution_denied', null, null, jsonb_build_object(
    'case', v.case_id, 'resolution', p_resolution, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- The same file in another case is a reason to warn.
create index documents_by_content on case_documents (sha256);
