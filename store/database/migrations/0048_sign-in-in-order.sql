-- Up Migration

-- What was left of sign-in: changes of how somebody signs in happen one after the other, a session's last use is moved only by
-- whoever has its proof, tokens end, and more decisions take a second factor.

-- One order of locks everywhere: this one, then changes, users, runs, and what belongs to them. Code that locks changes or users
-- takes this lock first, while it holds no other. Decisions on runs only reference users; the locks of users below do not block them.
create function lock_authority() returns void language sql security definer set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('payrun: who may do what', 0))
$$;

-- Who holds a proof, as `session_of`, with nobody else changing how they sign in, or ending it, until the transaction ends.
create function session_alone(p_proof bytea, out user_id uuid, out token_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select holder.user_id, holder.token_id into user_id, token_id from session_of(p_proof) as holder;
  perform from users where users.user_id = session_alone.user_id for no key update;
  -- What held the lock before may have ended it.
  select holder.user_id, holder.token_id into user_id, token_id from session_of(p_proof) as holder;
end $$;

-- Notes that a token or session is in use, for whoever has its proof. One that has ended stays so.
create function note_use(p_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update api_tokens set last_used_at = clock_timestamp()
  where token_id = (select holder.token_id from session_of(p_proof) as holder);
  if not found then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  return jsonb_build_object('done', true);
end $$;

-- Nothing by which a user could sign in so far works any longer. Waits for a token that is being created for them.
create or replace function end_sign_ins(p_user uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users where user_id = p_user for no key update;
  update api_tokens set revoked_at = clock_timestamp() where user_id = p_user and revoked_at is null;
  update invitations set expires_at = clock_timestamp()
  where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp();
  delete from passwords where user_id = p_user;
  delete from totp_factors where user_id = p_user;
  delete from passkeys where user_id = p_user;
  delete from user_identities where user_id = p_user;
  delete from known_browsers where user_id = p_user;
end $$;

-- Ends the sessions of a user, but one.
create or replace function end_sessions(p_user uuid, p_but uuid, p_why text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ended integer;
begin
  perform from users where user_id = p_user for no key update;
  update api_tokens set revoked_at = clock_timestamp()
  where user_id = p_user and revoked_at is null and token_id is distinct from p_but
    and exists (select from sessions where session_id = token_id);
  get diagnostics v_ended = row_count;
  if v_ended > 0 then
    perform note('record', 'sessions_ended', null, null, jsonb_build_object('user', p_user, 'sessions', v_ended, 'why', p_why));
  end if;
end $$;

-- One's own session, or anyone's as an administrator.
create or replace function end_session(p_proof bytea, p_session uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_owner uuid;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select user_id into v_owner from api_tokens join sessions on session_id = token_id where token_id = p_session;
  if me.user_id is null or v_owner is distinct from me.user_id then
    v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'end_session');
    if v_refusal is not null then return v_refusal; end if;
  end if;
  perform from users where user_id = v_owner for no key update;
  update api_tokens set revoked_at = clock_timestamp() where token_id = p_session and revoked_at is null and v_owner is not null;
  if not found then return refused('not_found', 'there is no such session, or it has ended'); end if;
  perform note(me.user_id::text, 'session_ended', null, null,
    jsonb_build_object('session', p_session, 'user', v_owner, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Sets one's password, ends all other sessions, and gives this one another proof. `p_present_key` of the password of before.
create or replace function set_password(p_proof bytea, p_try uuid, p_present_key bytea, p_salt bytea, p_key bytea, p_new_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_session sessions%rowtype;
  v_password passwords%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select * into v_session from sessions where session_id = me.token_id;
  if v_session.session_id is null then return refused('conflict', 'a password is set at the console, not with a token'); end if;
  select * into v_password from passwords where user_id = me.user_id for update;
  if v_password.user_id is null or (v_session.method = 'link' and p_try is null) then
    v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'set_password');
    if v_refusal is not null then return v_refusal; end if;
  else
    delete from password_tries where try_id = p_try and bucket = 'present ' || me.user_id;
    if not found then return refused('invalid_input', 'give the present password as well'); end if;
    if v_password.verifier is distinct from sha256(p_present_key) then
      perform note(me.user_id::text, 'refused', null, null,
        jsonb_build_object('what', 'set_password', 'why', 'wrong_password', 'token', me.token_id));
      return refused('not_allowed', 'the present password is wrong');
    end if;
    perform forget_tries('present ' || me.user_id);
  end if;
  insert into passwords (user_id, salt, verifier) values (me.user_id, p_salt, sha256(p_key))
  on conflict (user_id) do update set salt = excluded.salt, verifier = excluded.verifier, set_at = clock_timestamp();
  perform note(me.user_id::text, 'password_set', null, null, jsonb_build_object('token', me.token_id));
  perform end_sessions(me.user_id, me.token_id, 'password_set');
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('done', true);
end $$;

-- A new seed, sealed by the server. It counts once a code of it was confirmed in the same session.
create or replace function begin_totp(p_proof bytea, p_totp uuid, p_wrapped bytea, p_wrapped_by text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'begin_totp');
  if v_refusal is not null then return v_refusal; end if;
  delete from totp_factors where user_id = me.user_id and confirmed_at is null;
  insert into totp_factors (totp_id, user_id, session_id, wrapped, wrapped_by)
  values (p_totp, me.user_id, me.token_id, p_wrapped, p_wrapped_by);
  return jsonb_build_object('done', true);
end $$;

create or replace function confirm_totp(p_proof bytea, p_step bigint, p_new_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_totp uuid;
begin
  select * into me from session_alone(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  select totp_id into v_totp from totp_factors where user_id = me.user_id and confirmed_at is null and session_id = me.token_id for update;
  if v_totp is null then return refused('conflict', 'no app that shows codes is being set up'); end if;
  if not accept_totp(v_totp, p_step) then return refused('invalid_input', 'the code is wrong, or its time is over'); end if;
  delete from totp_factors where user_id = me.user_id and confirmed_at is not null;
  update totp_factors set confirmed_at = clock_timestamp() where totp_id = v_totp;
  perform note(me.user_id::text, 'totp_added', null, null, jsonb_build_object('token', me.token_id));
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('done', true);
end $$;

create or replace function remove_totp(p_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'remove_totp');
  if v_refusal is not null then return v_refusal; end if;
  delete from totp_factors where user_id = me.user_id;
  if not found then return refused('not_found', 'no app that shows codes is set up'); end if;
  perform note(me.user_id::text, 'totp_removed', null, null, jsonb_build_object('token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- The challenge for a new passkey.
create or replace function begin_passkey(p_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_challenge bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  select * into me from session_alone(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'begin_passkey');
  if v_refusal is not null then return v_refusal; end if;
  delete from passkey_challenges where expires_at < clock_timestamp();
  insert into passkey_challenges (challenge, session_id, user_id, nonce, expires_at)
  values (v_challenge, me.token_id, me.user_id, v_challenge, clock_timestamp() + interval '5 minutes');
  return jsonb_build_object('challenge', encode(v_challenge, 'hex'));
end $$;

create or replace function add_passkey(p_proof bytea, p_challenge bytea, p_credential bytea, p_public_key bytea, p_counter bigint,
  p_transports text[], p_label text, p_new_proof bytea)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_passkey uuid;
begin
  select * into me from session_alone(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  delete from passkey_challenges where challenge = p_challenge and session_id = me.token_id and kind is null
    and expires_at > clock_timestamp();
  if not found then return refused('conflict', 'the passkey took too long: begin again'); end if;
  insert into passkeys (user_id, credential_id, public_key, counter, transports, label)
  values (me.user_id, p_credential, p_public_key, p_counter, p_transports, p_label)
  on conflict (credential_id) do nothing returning passkey_id into v_passkey;
  if v_passkey is null then return refused('conflict', 'the passkey is in use already'); end if;
  perform note(me.user_id::text, 'passkey_added', null, null, jsonb_build_object('passkey', v_passkey, 'token', me.token_id));
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('passkeyId', v_passkey);
end $$;

create or replace function remove_passkey(p_proof bytea, p_passkey uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'remove_passkey');
  if v_refusal is not null then return v_refusal; end if;
  delete from passkeys where passkey_id = p_passkey and user_id = me.user_id;
  if not found then return refused('not_found', 'you have no such passkey'); end if;
  perform note(me.user_id::text, 'passkey_removed', null, null, jsonb_build_object('passkey', p_passkey, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- The next answer of the company's sign-in to this request connects its identity with the user.
create or replace function begin_identity_link(p_proof bytea, p_request_hash bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'begin_identity_link');
  if v_refusal is not null then return v_refusal; end if;
  delete from identity_links where expires_at < clock_timestamp();
  insert into identity_links (request_hash, user_id, session_id, expires_at)
  values (p_request_hash, me.user_id, me.token_id, clock_timestamp() + interval '10 minutes') on conflict do nothing;
  return jsonb_build_object('done', true);
end $$;

create or replace function remove_identity(p_proof bytea) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_alone(p_proof);
  v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'remove_identity');
  if v_refusal is not null then return v_refusal; end if;
  delete from user_identities where user_id = me.user_id;
  if not found then return refused('not_found', 'no sign-in of the company is connected'); end if;
  perform note(me.user_id::text, 'identity_removed', null, null, jsonb_build_object('token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- The server has verified the signature. Here it is made sure that the challenge is that of this decision and session, and
-- everything is kept by which anyone can verify it again.
create or replace function step_up_with_passkey(p_proof bytea, p_challenge bytea, p_credential bytea, p_counter bigint, p_client_data bytea,
  p_authenticator_data bytea, p_signature bytea, p_new_proof bytea)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_challenge passkey_challenges%rowtype;
  v_passkey passkeys%rowtype;
  v_client jsonb;
  v step_ups%rowtype;
begin
  select * into me from session_alone(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'nobody is signed in any longer: sign in again'); end if;
  delete from passkey_challenges where challenge = p_challenge and session_id = me.token_id and kind is not null
    and expires_at > clock_timestamp() returning * into v_challenge;
  if not found then return refused('conflict', 'the passkey took too long, or was used already: begin again'); end if;
  begin
    v_client := convert_from(p_client_data, 'UTF8')::jsonb;
  exception when data_exception then
    return refused('invalid_input', 'what the browser has sent cannot be read');
  end;
  if length(p_authenticator_data) < 37 or (v_client ->> 'type' = 'webauthn.get'
    and v_client ->> 'challenge' = rtrim(translate(encode(p_challenge, 'base64'), '+/', '-_'), '=')
    -- The user was present, and was verified by the authenticator.
    and get_byte(p_authenticator_data, 32) & 5 = 5) is not true then
    return refused('invalid_input', 'the passkey has signed something else');
  end if;
  update passkeys set counter = p_counter, last_used_at = clock_timestamp()
  where credential_id = p_credential and user_id = me.user_id and (p_counter > counter or (p_counter = 0 and counter = 0))
  returning * into v_passkey;
  if not found then return refused('not_allowed', 'the passkey is not yours, or was copied: have it removed'); end if;
  insert into step_ups (session_id, user_id, kind, subject_id, decision, content_hash, factor, expires_at, nonce, public_key,
    client_data, authenticator_data, signature)
  values (me.token_id, me.user_id, v_challenge.kind, v_challenge.subject_id, v_challenge.decision, v_challenge.content_hash,
    'passkey', clock_timestamp() + interval '5 minutes', v_challenge.nonce, v_passkey.public_key, p_client_data,
    p_authenticator_data, p_signature)
  returning * into v;
  perform note(me.user_id::text, 'second_factor_shown', null, null, jsonb_build_object('stepUp', v.step_up_id,
    'factor', 'passkey', 'kind', v.kind, 'subject', v.subject_id, 'passkey', v_passkey.passkey_id, 'token', me.token_id));
  perform rotate_session(me.token_id, p_new_proof);
  return jsonb_build_object('validUntil', v.expires_at);
end $$;

-- A further token of the user who asks. In a session it is a change of how they sign in: a token outlives the session, and
-- a new password.
create or replace function issue_token(p_proof bytea, p_new_proof bytea, p_label text, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_token uuid;
begin
  select * into me from session_of(p_proof);
  -- Whatever ends the user's tokens at this moment comes before or after.
  perform from users where user_id = me.user_id for share;
  select * into me from session_of(p_proof);
  if me.user_id is null then return refused('unauthenticated', 'the token is unknown, expired or revoked'); end if;
  if exists (select from sessions where session_id = me.token_id) then
    v_refusal := sign_in_objection_to(me.user_id, me.token_id, 'issue_token');
    if v_refusal is not null then return v_refusal; end if;
  end if;
  if p_expires_at is null or p_expires_at > clock_timestamp() + interval '731 days' then
    return refused('invalid_input', 'a token ends within two years');
  end if;
  insert into api_tokens (user_id, proof_hash, label, expires_at)
  values (me.user_id, sha256(p_new_proof), p_label, p_expires_at) returning token_id into v_token;
  perform note(me.user_id::text, 'token_issued', null, null, jsonb_build_object('token', v_token, 'by', me.token_id));
  return jsonb_build_object('tokenId', v_token);
end $$;

create or replace function redeem_invitation(p_code bytea, p_new_proof bytea, p_label text, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v invitations%rowtype;
  v_token uuid;
begin
  select invitations.* into v from invitations join users using (user_id)
  where code_hash = sha256(p_code) and redeemed_at is null and expires_at > clock_timestamp() and disabled_at is null
  for share of users for update of invitations;
  if not found then return refused('unauthenticated', 'the code is unknown, used already, or its time is over'); end if;
  if p_expires_at is null or p_expires_at > clock_timestamp() + interval '731 days' then
    return refused('invalid_input', 'a token ends within two years');
  end if;
  insert into api_tokens (user_id, proof_hash, label, expires_at)
  values (v.user_id, sha256(p_new_proof), p_label, p_expires_at) returning token_id into v_token;
  update invitations set redeemed_at = clock_timestamp(), token_id = v_token where invitation_id = v.invitation_id;
  perform note(v.user_id::text, 'invitation_redeemed', null, null, jsonb_build_object('token', v_token));
  return jsonb_build_object('tokenId', v_token, 'userId', v.user_id);
end $$;

-- Second factors, for more decisions than approvals.
-- expands: what the version before writes is among these kinds
alter table step_ups drop constraint step_ups_kind_check;
-- expands: what the version before writes is among these kinds
alter table step_ups add constraint step_ups_kind_check
  check (kind in ('run', 'order', 'row', 'resolution', 'schedule', 'sign_in'));

-- What a resolution of a row says, as one hash: who confirms it with a second factor confirms exactly this.
create function resolution_hash(p_resolution uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(concat_ws(' ', 'payrun resolution', resolution_id, payment_id, resolved_as,
    coalesce(provider_payment_id, '-'), coalesce(evidence_hash, '-')), 'UTF8')), 'hex')
  from resolutions where resolution_id = p_resolution
$$;

-- Null where the policy asks for no second factor, or one was shown for exactly this, which is used up; else the refusal, which
-- is in the audit trail by then.
create function second_factor_objection_to(p_user uuid, p_session uuid, p_run uuid, p_kind text, p_subject uuid, p_hash text, p_decision text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_step_up uuid;
begin
  if not approvals_need_second_factor() then return null; end if;
  v_step_up := use_step_up(p_session, p_kind, p_subject, p_hash, p_decision);
  if v_step_up is null then
    perform note(p_user::text, 'refused', p_run, null, jsonb_build_object('what', p_kind || '_' || p_decision,
      'why', 'second_factor', 'subject', p_subject, 'token', p_session));
    return refused('second_factor_needed', 'the policy asks for a second factor at every approval: show one for this '
      || case p_kind when 'row' then 'release' when 'resolution' then 'confirmation' else p_kind end)
      || jsonb_build_object('subject', jsonb_build_object('kind', p_kind, 'id', p_subject, 'contentHash', p_hash, 'decision', p_decision));
  end if;
  perform note(p_user::text, 'second_factor_used', p_run, null,
    jsonb_build_object('stepUp', v_step_up, 'kind', p_kind, 'subject', p_subject, 'contentHash', p_hash, 'token', p_session));
  return null;
end $$;

-- Null when a second factor may be shown for this; else the refusal.
create or replace function step_up_objection_to(p_user uuid, p_kind text, p_subject uuid, p_hash text, p_decision text) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select case
    when p_user is null then refused('unauthenticated', 'nobody is signed in any longer: sign in again')
    when p_kind = 'sign_in' and p_subject = p_user and p_hash = '' and p_decision = 'changed' then null
    when p_kind = 'run' and p_hash ~ '^[0-9a-f]{64}$' and p_decision = 'approved' then null
    when p_kind = 'row' and p_hash ~ '^[0-9a-f]{64}$' and p_decision = 'released' then null
    when p_kind in ('resolution', 'schedule') and p_hash ~ '^[0-9a-f]{64}$' and p_decision = 'confirmed' then null
    when p_kind = 'order' and p_hash ~ '^[0-9a-f]{64}$' and p_decision in ('approved', 'released') then null
    else refused('invalid_input', 'a second factor is shown for a decision on a run, a row, a resolution, an order or a schedule, or for a change of one''s own sign-in')
  end
$$;

-- Approvals of the run that were given before are of another content, and count no more.
create or replace function release_row(p_proof bytea, p_payment uuid, p_similar uuid[], p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_run runs%rowtype;
  v_payment payments%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  select * into v_run from runs where run_id = (select run_id from payments where payment_id = p_payment) for update;
  v_refusal := objection_to(me.user_id, me.token_id, 'decide_run', v_run.run_id, 'release_row');
  if v_refusal is not null then return v_refusal; end if;
  if v_run.run_id is null then return refused('not_found', 'there is no such row'); end if;
  if v_run.submitted_by = me.user_id then
    return refuse_decision(me.user_id, me.token_id, v_run.run_id, 'not_allowed', 'maker_releases',
      'the maker of a run cannot release a row of it; ask a checker');
  end if;
  if v_run.state <> 'in_approval' then
    return refused('conflict', 'a row is released while its run waits for a decision: this one is ' || replace(v_run.state, '_', ' '));
  end if;
  select * into v_payment from payments where payment_id = p_payment for update;
  if v_payment.state <> 'duplicate_suspect' then
    return refused('conflict', 'only a suspected duplicate is released: this row is ' || replace(v_payment.state, '_', ' '));
  end if;
  v_refusal := second_factor_objection_to(me.user_id, me.token_id, v_run.run_id, 'row', p_payment, v_payment.row_hash, 'released');
  if v_refusal is not null then return v_refusal; end if;
  v_remark := keep_remark(me.user_id, v_run.run_id, p_reason);
  if v_remark is null then return refused('invalid_input', 'say why the row is to be paid all the same'); end if;
  insert into row_releases (payment_id, attempt, run_id, row_hash, similar_payments, user_id, role, token_id, remark_id)
  values (p_payment, v_payment.attempt, v_run.run_id, v_payment.row_hash, p_similar, me.user_id, 'checker', me.token_id, v_remark);
  update payments set state = 'ready', error_code = null, error_message = null, changed_at = clock_timestamp()
  where payment_id = p_payment;
  update runs set proposal_is_stale = true where run_id = v_run.run_id;
  perform note(me.user_id::text, 'row_released', v_run.run_id, p_payment, jsonb_build_object('rowHash', v_payment.row_hash,
    'similar', to_jsonb(p_similar), 'role', 'checker', 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('approvals',
    (select count(*) from approvals where run_id = v_run.run_id and decision = 'approved'));
end $$;

create or replace function confirm_resolution(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v record;
  v_refusal jsonb;
  v_why text;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  select resolutions.state, proposed_by, payment_id, runs.run_id, runs.submitted_by into v
  from resolutions join payments using (payment_id) join runs using (run_id)
  where resolution_id = p_resolution for update of resolutions;
  v_refusal := objection_to(me.user_id, me.token_id, 'decide_run', v.run_id, 'confirm_resolution');
  if v_refusal is not null then return v_refusal; end if;
  if v.run_id is null then return refused('not_found', 'there is no such proposal'); end if;
  v_why := case when v.proposed_by = me.user_id then 'proposer_confirms' when v.submitted_by = me.user_id then 'maker_confirms' end;
  if v_why is not null then
    perform note(me.user_id::text, 'resolution_refused', v.run_id, v.payment_id,
      jsonb_build_object('resolution', p_resolution, 'why', v_why, 'token', me.token_id));
    return refused('not_allowed', case v_why
      when 'proposer_confirms' then 'who proposed a resolution cannot confirm it; ask a second person'
      else 'the maker of a run cannot confirm how a row of it ended; ask a checker' end);
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_refusal := second_factor_objection_to(me.user_id, me.token_id, v.run_id, 'resolution', p_resolution,
    resolution_hash(p_resolution), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  insert into resolution_confirmations (resolution_id, confirmed_by, token_id) values (p_resolution, me.user_id, me.token_id)
  on conflict do nothing;
  perform note(me.user_id::text, 'resolution_confirm_asked', v.run_id, v.payment_id,
    jsonb_build_object('resolution', p_resolution, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Confirms or rejects the version that was seen. Whoever proposed it may reject it, and never confirm it.
create or replace function decide_schedule(p_proof bytea, p_schedule uuid, p_version integer, p_decision text, p_hash text, p_comment text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v schedule_versions%rowtype;
  v_remark uuid;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := schedule_objection_to(me.user_id, me.token_id, 'decide_conversion', p_schedule, 'decide_schedule');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from schedule_versions where schedule_id = p_schedule and version = p_version for update;
  if not found then return refused('not_found', 'the schedule has no such version'); end if;
  if v.state <> 'proposed' then
    return refused('conflict', format('version %s is not waiting for a decision: it is %s', p_version, v.state));
  end if;
  if p_hash is distinct from encode(sha256(convert_to(v.definition, 'UTF8')), 'hex') then
    perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'decide_schedule', 'why', 'content_changed',
      'schedule', p_schedule, 'version', p_version, 'token', me.token_id));
    return refused('conflict', 'the schedule is not the one that was seen: look at it again');
  end if;
  if p_decision = 'confirmed' and v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'decide_schedule', 'why', 'proposer_decides',
      'schedule', p_schedule, 'version', p_version, 'token', me.token_id));
    return refused('not_allowed', 'whoever proposed a version cannot confirm it; ask a second person');
  end if;
  if p_decision = 'confirmed' then
    v_refusal := second_factor_objection_to(me.user_id, me.token_id, null, 'schedule', p_schedule, p_hash, p_decision);
    if v_refusal is not null then return v_refusal; end if;
  end if;
  v_remark := keep_remark(me.user_id, null, p_comment);
  insert into schedule_decisions (schedule_id, version, decision, definition_hash, decided_by, remark_id)
  values (p_schedule, p_version, p_decision, p_hash, me.user_id, v_remark);
  update schedule_versions set state = p_decision where schedule_id = p_schedule and version = p_version;
  if p_decision = 'confirmed' then
    update schedules set version = p_version, changes = changes + 1,
      state_changed_by = case state when 'pending' then me.user_id else state_changed_by end,
      state_changed_at = case state when 'pending' then clock_timestamp() else state_changed_at end,
      state = case state when 'pending' then 'active' else state end
    where schedule_id = p_schedule;
  end if;
  perform note(me.user_id::text, 'schedule_' || p_decision, null, null, jsonb_build_object('schedule', p_schedule,
    'version', p_version, 'definitionHash', p_hash, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('version', p_version);
exception when check_violation then
  return refused('invalid_input', 'a version is confirmed or rejected');
end $$;

-- Whether the delay of a change is over.
create function is_due(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select p_change.state = 'pending' and p_change.takes_effect_at <= clock_timestamp()
$$;

-- Changes whose time has come. Called before anything is decided by roles, and by servers every minute.
create or replace function apply_due_changes() returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v changes%rowtype;
  v_count integer := 0;
begin
  -- Nobody who decides on a run waits for those who change authority, unless there is something to apply.
  if not exists (select from changes where is_due(changes)) then return 0; end if;
  perform lock_authority();
  for v in
    select * from changes where is_due(changes)
    order by takes_effect_at for update skip locked
  loop
    if not user_may(v.proposed_by, 'manage_users') then
      perform reject_change(v.change_id, null, 'proposer_gone');
    elsif v.kind <> 'enable_user' and exists (select from users where user_id = v.user_id and disabled_at is not null) then
      perform reject_change(v.change_id, null, 'user_disabled');
    elsif not could_be_objected_to(v) then
      perform wait_for_confirmation(v.change_id, 'record', 'nobody_to_object');
    else
      begin
        perform make_effective(v.change_id, null);
        v_count := v_count + 1;
      exception when check_violation then
        -- What was possible when it was proposed no longer is.
        perform reject_change(v.change_id, null, 'not_possible');
      end;
    end if;
  end loop;
  return v_count;
end $$;

-- A second administrator confirms; anyone who may object, and the proposer, rejects.
create or replace function decide_change(p_proof bytea, p_change uuid, p_confirm boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v changes%rowtype;
  v_refusal jsonb;
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id,
    case when p_confirm then 'confirm_change' else 'object_to_change' end, null, 'decide_change');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from changes where change_id = p_change for update;
  if not found then return refused('not_found', 'there is no such change'); end if;
  if v.state <> 'pending' then return refused('conflict', 'the change is ' || v.state || ' already'); end if;
  if p_confirm and (v.proposed_by = me.user_id or v.user_id = me.user_id) then
    perform note(me.user_id::text, 'refused', null, null,
      jsonb_build_object('what', 'decide_change', 'why', 'own_change', 'change', p_change, 'token', me.token_id));
    return refused('not_allowed', 'a change is confirmed by an administrator who neither proposed it nor gains by it');
  end if;
  if p_confirm then
    perform make_effective(p_change, me.user_id);
  else
    update changes set state = 'rejected', decided_by = me.user_id, decided_at = clock_timestamp()
    where change_id = p_change;
    perform note(me.user_id::text, 'change_rejected', null, null, jsonb_build_object('change', p_change, 'token', me.token_id));
  end if;
  return change_state(p_change);
exception when check_violation then
  return refused('conflict', 'an administrator holds no other role');
end $$;

create or replace function disable_user(p_proof bytea, p_user uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'disable_user');
  if v_refusal is not null then return v_refusal; end if;
  if me.user_id = p_user then return refused('conflict', 'you cannot disable yourself'); end if;
  update users set disabled_at = clock_timestamp() where user_id = p_user and disabled_at is null;
  if not found then return refused('not_found', 'there is no such user, or they are disabled already'); end if;
  perform end_sign_ins(p_user);
  perform note(me.user_id::text, 'user_disabled', null, null, jsonb_build_object('user', p_user, 'token', me.token_id));
  perform after_removal(p_user, me.user_id, decides(p_user));
  return jsonb_build_object('done', true);
end $$;

create or replace function remove_role(p_proof bytea, p_user uuid, p_role text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'remove_role');
  if v_refusal is not null then return v_refusal; end if;
  delete from user_roles where user_id = p_user and role = p_role;
  if not found then return refused('not_found', 'the user does not have that role'); end if;
  perform note(me.user_id::text, 'role_removed', null, null,
    jsonb_build_object('user', p_user, 'role', p_role, 'token', me.token_id));
  perform after_removal(p_user, me.user_id, is_deciding(p_role));
  return jsonb_build_object('done', true);
end $$;

-- One's own, or anyone's as an administrator.
create or replace function revoke_token(p_proof bytea, p_token uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_owner uuid;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_proof);
  select user_id into v_owner from api_tokens where token_id = p_token;
  if me.user_id is null or v_owner is distinct from me.user_id then
    v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'revoke_token');
    if v_refusal is not null then return v_refusal; end if;
  end if;
  update api_tokens set revoked_at = clock_timestamp() where token_id = p_token and revoked_at is null;
  if not found then return refused('not_found', 'there is no such token, or it is revoked already'); end if;
  perform note(me.user_id::text, 'token_revoked', null, null, jsonb_build_object('token', p_token, 'by', me.token_id));
  perform after_removal(v_owner, me.user_id, decides(v_owner));
  return jsonb_build_object('done', true);
end $$;

-- Limits a user to accounts, or to none in particular (`p_accounts` null). Where this takes accounts away and gives none, it
-- is in force at once. Accounts that are given to a user who decides on something, or is about to, are a change; until it is
-- effective the user keeps the accounts of before. What was pending for the user's accounts is rejected: this replaces it.
create or replace function limit_user(p_proof bytea, p_user uuid, p_accounts text[]) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_before text[];
  v_unknown text;
  v_change uuid;
  v_accounts jsonb := coalesce(to_jsonb(p_accounts), 'null');
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'limit_user');
  if v_refusal is not null then return v_refusal; end if;
  -- One after another, so that each sees the accounts of before.
  perform from users where user_id = p_user for no key update;
  if not found then return refused('not_found', 'there is no such user'); end if;
  -- An administrator who is limited manages no users.
  if me.user_id = p_user then return refused('conflict', 'you cannot limit yourself: ask another administrator'); end if;
  if cardinality(p_accounts) = 0 then return refused('invalid_input', 'name at least one account, or give all'); end if;
  select account into v_unknown from unnest(p_accounts) as named (account)
  where not exists (select from known_accounts() as known where known.account = named.account) limit 1;
  if found then
    return refused('not_found', format('there is no account "%s"; there is %s', v_unknown,
      coalesce((select string_agg('"' || account || '"', ', ' order by account) from known_accounts()), 'none yet')));
  end if;
  for v_change in select change_id from changes
    where kind = 'set_accounts' and user_id = p_user and state = 'pending' for update loop
    perform reject_change(v_change, me.user_id, 'replaced');
  end loop;
  select array_agg(account) into v_before from user_accounts where user_id = p_user;
  if v_before is not null and (p_accounts is null or not p_accounts <@ v_before) and (decides(p_user) or exists (
      select from changes where kind = 'grant_roles' and user_id = p_user and state = 'pending' and exists (
        select from jsonb_array_elements_text(detail -> 'roles') as roles (role) where is_deciding(role)))) then
    return jsonb_build_object('change', begin_change(me.user_id, me.token_id, 'set_accounts', p_user,
      jsonb_build_object('accounts', v_accounts)));
  end if;
  perform set_accounts(p_user, v_accounts);
  perform note(me.user_id::text, 'user_limited', null, null,
    jsonb_build_object('user', p_user, 'accounts', v_accounts, 'token', me.token_id));
  -- An administrator who is limited from now on no longer manages users: what they proposed is rejected.
  perform after_removal(p_user, me.user_id, false);
  return jsonb_build_object('change', null);
end $$;

-- Asks for an action and undoes what it did, the entries of the audit trail among it: a question is no attempt. Null: it is
-- allowed; else the refusal. The error that undoes it is raised in any case, so that nothing can be left.
create or replace function allowed_action(p_proof bytea, p_kind text, p_id uuid, p_action text, p_given jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '500ms' as $$
declare
  v_answer jsonb;
begin
  begin
    v_answer := answer_to_action(p_proof, p_kind, p_id, p_action, p_given);
    raise exception 'undone' using errcode = 'PR044';
  exception
    when sqlstate 'PR044' then null;
    when lock_not_available then
      v_answer := refused('conflict', 'somebody is changing it at this moment: look again');
    when others then
      -- Nothing of the row: the message of an error may quote its values.
      raise warning 'whether % may be done could not be told: %', p_kind || ' ' || p_action, sqlstate;
      v_answer := refused('conflict', 'whether this is allowed cannot be told now: look again, or try it');
  end;
  return nullif(v_answer, '{}');
end $$;
