-- Up Migration

-- Who may do what is decided here, by functions that run with the owner's rights and ask for the proof of a token. The
-- server calls them with the proof that came with a request, so that its own rights suffice for nothing without a user.
-- A refusal is an answer, {"refused": code, "message": text}, and never an exception: it is written to the audit trail.
-- Every function of the schema has a fixed search path, so that no temporary table can stand in for a table.

create function role_may(p_role text, p_permission text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select case p_role
    when 'maker' then p_permission in
      ('submit_run', 'propose_resolution', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions')
    when 'checker' then p_permission in
      ('decide_run', 'propose_resolution', 'stop_payments', 'lift_stop', 'read_runs', 'read_instructions', 'read_audit',
       'object_to_change')
    when 'treasurer' then p_permission in ('read_runs', 'read_instructions')
    when 'onboarder' then p_permission in ('read_runs')
    when 'viewer' then p_permission in ('read_runs', 'read_instructions', 'read_audit')
    when 'administrator' then p_permission in
      ('stop_payments', 'read_runs', 'read_audit', 'manage_users', 'confirm_change', 'object_to_change', 'erase_remark')
    else false
  end
$$;

-- Roles whose holders decide on something, or on who does: giving them out takes two administrators.
create function is_deciding(p_role text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select p_role in ('checker', 'treasurer', 'administrator')
$$;

create function user_may(p_user uuid, p_permission text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from user_roles join users using (user_id)
    where users.user_id = p_user and disabled_at is null and role_may(user_roles.role, p_permission))
$$;

create function refused(p_code text, p_message text) returns jsonb language sql immutable
set search_path = public, pg_temp as $$
  select jsonb_build_object('refused', p_code, 'message', p_message)
$$;

create function note(p_actor text, p_kind text, p_run uuid, p_payment uuid, p_detail jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into audit_entries (actor, kind, run_id, payment_id, detail) values (p_actor, p_kind, p_run, p_payment, p_detail)
$$;

-- Who holds the token of this proof, when it is valid: null user otherwise.
create function session_of(p_proof bytea, out user_id uuid, out token_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select tokens.user_id, tokens.token_id from api_tokens tokens join users using (user_id)
  where proof_hash = sha256(p_proof) and revoked_at is null and users.disabled_at is null
    and (expires_at is null or expires_at > clock_timestamp())
$$;

-- Null when the token's holder has the permission; else the refusal, which is in the audit trail by then.
create function objection_to(p_user uuid, p_token uuid, p_permission text, p_run uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_user is null then
    return refused('unauthenticated', 'the token is unknown, expired or revoked');
  end if;
  if user_may(p_user, p_permission) then return null; end if;
  perform note(p_user::text, 'refused', p_run, null,
    jsonb_build_object('what', p_what, 'why', 'permission', 'permission', p_permission, 'token', p_token));
  return refused('not_allowed', 'none of your roles may do this: it needs ' || replace(p_permission, '_', ' '));
end $$;

create function keep_remark(p_user uuid, p_run uuid, p_body text) returns uuid
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

-- What the audit trail says of a remark: which, and its hash in hex.
create function remark_note(p_remark uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((select jsonb_build_object('remark', remark_id, 'remarkHash', encode(hash, 'hex')) from remarks
    where remark_id = p_remark), '{}')
$$;

create function erase_remark(p_proof bytea, p_remark uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_run uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'erase_remark', null, 'erase_remark');
  if v_refusal is not null then return v_refusal; end if;
  update remarks set body = null, salt = null, erased_at = clock_timestamp()
  where remark_id = p_remark and erased_at is null returning run_id into v_run;
  if not found then return refused('not_found', 'there is no such remark, or it is erased already'); end if;
  perform note(me.user_id::text, 'remark_erased', v_run, null, jsonb_build_object('remark', p_remark, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

create function current_policy() returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select policy from policies order by policy_id desc limit 1
$$;
