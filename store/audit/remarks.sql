-- Stores a person's text with a salted hash, and returns its id; null without a text.
-- Called by: other functions.
create or replace function keep_remark(p_user uuid, p_run uuid, p_body text) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_salt uuid := gen_random_uuid();
  v_remark uuid;
begin
  if coalesce(trim(p_body), '') = '' then return null; end if;
  insert into remarks (run_id, written_by, salt, body, hash)
  values (p_run, p_user, v_salt, p_body, sha256(convert_to(v_salt::text || p_body, 'UTF8')))
  returning remark_id into v_remark;
  return v_remark;
end $$;

-- What the audit trail says of a remark: its id, and its hash in hex.
-- Called by: other functions.
create or replace function remark_note(p_remark uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((select jsonb_build_object('remark', remark_id, 'remarkHash', encode(hash, 'hex')) from remarks
    where remark_id = p_remark), '{}')
$$;

-- An administrator proposes to erase the text of a remark: what somebody wrote with a decision is evidence. Its hash stays in the
-- audit trail.
-- Called by: server.
create or replace function erase_remark(p_token_hash bytea, p_remark uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_run uuid;
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  -- guard: erased-in-own-run
  select run_id into v_run from remarks where remark_id = p_remark;
  -- guard: may-erase-remark
  v_refusal := authorize_user(me.user_id, me.token_id, 'erase_remark', v_run, 'erase_remark');
  if v_refusal is not null then return v_refusal; end if;
  -- Of what else was written to no run, the audit trail says what it is about.
  -- guard: erased-of-own-account
  if v_run is null and not user_may_use(me.user_id, null) and not exists (select from stops where remark_id = p_remark) and not exists (
    select from audit_entries entries
      cross join (values ('case', 'case'), ('order', 'order'), ('schedule', 'schedule'), ('break', 'break'),
        ('virtual_account', 'virtualAccount')) as named (kind, field)
      cross join account_of_target(me.user_id, named.kind, (entries.detail ->> named.field)::uuid)
    where entries.detail ->> 'remark' = p_remark::text) then
    perform note(me.user_id::text, 'refused', null, null,
      jsonb_build_object('what', 'erase_remark', 'why', 'account', 'remark', p_remark, 'token', me.token_id));
    return refused('not_found', 'there is no such remark, or it is erased already');
  end if;
  -- The reason of a stop of an account, or of all.
  -- guard: erased-in-own-account
  select authorize_for_account(me.user_id, me.token_id, account, 'erase_remark') into v_refusal
  from stops where remark_id = p_remark and run_id is null;
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from remarks where remark_id = p_remark and erased_at is null) then
    return refused('not_found', 'there is no such remark, or it is erased already');
  end if;
  -- guard: factor-to-erase-remark (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'erase_remark', jsonb_build_array(p_remark));
  if v_refusal is not null then return v_refusal; end if;
  -- guard: erased-by-two
  return begin_change_once(me.user_id, me.token_id, 'erase_remark', null, jsonb_build_object('remark', p_remark));
end $$;

-- Erases the text of a remark, as `p_by` asked.
-- Called by: other functions.
create or replace function erase(p_remark uuid, p_by uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update remarks set body = null, salt = null, erased_at = clock_timestamp() where remark_id = p_remark and erased_at is null;
  select note(p_by::text, 'remark_erased', (select run_id from remarks where remark_id = p_remark), null,
    jsonb_build_object('remark', p_remark));
$$;
