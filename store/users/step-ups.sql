-- The challenge that a passkey signs for one decision: a hash of exactly what is decided, and of a number that is used once.
-- Called by: server.
create or replace function begin_passkey_step_up(p_token_hash bytea, p_kind text, p_subject uuid, p_hash text, p_decision text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_nonce bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  v_challenge bytea := sha256(v_nonce || convert_to(concat_ws(' ', 'payrun', p_kind, p_subject, p_decision, p_hash), 'UTF8'));
begin
  select * into me from holder_of(p_token_hash);
  v_refusal := authorize_step_up(me.user_id, me.token_id, p_kind, p_subject, p_hash, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from passkeys where user_id = me.user_id and factor_serves(me.user_id, counts_at, p_kind)) then
    return refused('conflict', 'you have no passkey, or it waits for an administrator who confirms it');
  end if;
  delete from passkey_challenges where expires_at < clock_timestamp();
  insert into passkey_challenges (challenge, session_id, user_id, nonce, kind, subject_id, decision, content_hash, expires_at)
  values (v_challenge, me.token_id, me.user_id, v_nonce, p_kind, p_subject, p_decision, p_hash, clock_timestamp() + interval '5 minutes');
  return jsonb_build_object('challenge', encode(v_challenge, 'hex'));
end $$;

-- Null when a second factor may be shown for this; else the refusal.
-- Called by: other functions.
create or replace function authorize_step_up(p_user uuid, p_session uuid, p_kind text, p_subject uuid, p_hash text, p_decision text) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select case
    when p_user is null then refused('unauthenticated', 'nobody is signed in any longer: sign in again')
    when p_kind = 'session' and p_subject = p_user and p_hash = '' and p_decision = 'signed_in' then null
    -- guard: factor-of-sign-in-first
    when awaits_factor(p_session) then refused('not_allowed', 'show the second factor of your sign-in first')
    when p_kind = 'sign_in' and p_subject = p_user and p_hash = '' and p_decision = 'changed' then null
    when p_kind = 'change' and p_subject = p_user and p_hash ~ '^[0-9a-f]{64}$' and p_decision = 'changed' then null
    when p_kind in ('manual_outcome', 'schedule') and p_hash ~ '^[0-9a-f]{64}$' and p_decision = 'confirmed' then null
    when p_kind in ('run', 'order') and p_hash ~ '^[0-9a-f]{64}$' and p_decision in ('approved', 'released') then null
    else refused('invalid_input', 'a second factor is shown for a decision on a run, a manual outcome, an order or a schedule, for a change, or for one of one''s own sign-in')
  end
$$;

-- Records that a passkey was shown for one decision. The server has verified the signature; here the challenge is that of this
-- decision and session, and everything is kept by which anyone can verify the signature again.
-- Called by: server.
create or replace function step_up_with_passkey(p_token_hash bytea, p_challenge bytea, p_credential bytea, p_counter bigint, p_client_data bytea,
  p_authenticator_data bytea, p_signature bytea, p_new_token_hash bytea)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_challenge passkey_challenges%rowtype;
  v_passkey passkeys%rowtype;
  v_client jsonb;
  v step_ups%rowtype;
begin
  select * into me from holder_of(p_token_hash);
  -- What ends the session at this moment comes before or after.
  perform from users where user_id = me.user_id for no key update;
  select * into me from holder_of(p_token_hash);
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
  where credential_id = p_credential and user_id = me.user_id and factor_serves(me.user_id, counts_at, v_challenge.kind) and (p_counter > counter or (p_counter = 0 and counter = 0))
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
  perform finish_sign_in(me.token_id, v.kind);
  perform rotate_session(me.token_id, p_new_token_hash);
  return jsonb_build_object('validUntil', v.expires_at);
end $$;

-- Records that a code of an app was shown for one decision. `p_step` is the time step of a code that the server has verified.
-- Called by: server.
create or replace function step_up_with_totp(p_token_hash bytea, p_kind text, p_subject uuid, p_hash text, p_decision text, p_step bigint, p_new_token_hash bytea)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_totp uuid;
  v step_ups%rowtype;
begin
  select * into me from holder_of(p_token_hash);
  v_refusal := authorize_step_up(me.user_id, me.token_id, p_kind, p_subject, p_hash, p_decision);
  if v_refusal is not null then return v_refusal; end if;
  select totp_id into v_totp from totp_factors
  where user_id = me.user_id and confirmed_at is not null and factor_serves(me.user_id, counts_at, p_kind);
  if v_totp is null then
    return refused('conflict', 'no app that shows codes is set up, or it waits for an administrator who confirms it');
  end if;
  if not accept_totp(v_totp, p_step, me.token_id) then return refused('invalid_input', 'the code is wrong, or was used already'); end if;
  insert into step_ups (session_id, user_id, kind, subject_id, decision, content_hash, factor, expires_at)
  values (me.token_id, me.user_id, p_kind, p_subject, p_decision, p_hash, 'totp', clock_timestamp() + interval '5 minutes')
  returning * into v;
  perform note(me.user_id::text, 'second_factor_shown', null, null,
    jsonb_build_object('stepUp', v.step_up_id, 'factor', 'totp', 'kind', p_kind, 'subject', p_subject, 'token', me.token_id));
  perform finish_sign_in(me.token_id, p_kind);
  perform rotate_session(me.token_id, p_new_token_hash);
  return jsonb_build_object('validUntil', v.expires_at);
end $$;

-- Lets a session begin whose sign-in awaited the second factor that was shown now. Its browser is one of its user from now on.
-- Called by: other functions.
create or replace function finish_sign_in(p_session uuid, p_kind text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update sessions set awaits_factor = false where session_id = p_session and p_kind = 'session';
  update known_browsers set factor_shown_at = clock_timestamp() from sessions
  where session_id = p_session and known_browsers.known_id = sessions.known_id
$$;

-- Uses up a second factor that was shown for exactly this in this session; null: there is none.
-- Called by: other functions.
create or replace function use_step_up(p_session uuid, p_kind text, p_subject uuid, p_hash text, p_decision text) returns uuid
language sql security definer set search_path = public, pg_temp as $$
  update step_ups set used_at = clock_timestamp()
  where used_at is null and step_up_id = (select step_up_id from step_ups
    -- guard: step-up-for-content
    where session_id = p_session and kind = p_kind and subject_id = p_subject and content_hash = p_hash
      -- guard: step-up-expires
      and decision = p_decision and used_at is null and expires_at > clock_timestamp()
    order by made_at limit 1 for update skip locked)
  returning step_up_id
$$;

-- Whether a policy asks for a second factor at `signIn`, at `approvals`, or at `changes` of users, policy, provider and endpoints, and of stops.
-- Where it does not say, it does unless the provider is known to be the sandbox.
-- Called by: server.
create or replace function needs_second_factor(p_policy jsonb, p_for text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: second-factor-by-default
  select coalesce((p_policy #>> array['secondFactor', p_for])::boolean, may_have_real_provider())
$$;

-- Whether a second factor of a user serves for this: one that was not confirmed yet for the user's own sign-in, where they have none that
-- counts, and for no decision. Else it would make another one count.
-- Called by: other functions.
create or replace function factor_serves(p_user uuid, p_counts_at timestamptz, p_kind text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: factor-counts-once-confirmed
  select p_counts_at is not null or p_kind in ('session', 'sign_in')
    -- guard: unconfirmed-beside-none
    and second_factors_of(p_user) = '[]'
$$;

-- The second factors of a user that count for decisions, as JSON.
-- Called by: other functions.
create or replace function second_factors_of(p_user uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(factor order by factor desc), '[]') from (
    select 'totp' as factor from totp_factors where user_id = p_user and confirmed_at is not null and counts_at is not null
    union select 'passkey' from passkeys where user_id = p_user and counts_at is not null) as factors
$$;

-- Null where the policy asks for no second factor, or one was shown for exactly this, which is used up; else the refusal, which
-- is in the audit trail by then.
-- Called by: other functions.
create or replace function authorize_by_second_factor(p_user uuid, p_session uuid, p_run uuid, p_kind text, p_subject uuid, p_hash text, p_decision text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_step_up uuid;
begin
  if not needs_second_factor(current_policy(), case p_kind when 'change' then 'changes' else 'approvals' end) then return null; end if;
  v_step_up := use_step_up(p_session, p_kind, p_subject, p_hash, p_decision);
  if v_step_up is null then
    perform note(p_user::text, 'refused', p_run, null, jsonb_build_object('what', p_kind || '_' || p_decision,
      'why', 'second_factor', 'subject', p_subject, 'token', p_session));
    return refused('second_factor_needed', 'the policy asks for a second factor at every '
      || case p_kind when 'change' then 'change' else 'approval' end || ': show one for this '
      || case when p_decision = 'released' then 'release' when p_kind = 'manual_outcome' then 'confirmation' else p_kind end
      || case second_factors_of(p_user) when '[]' then '; you have none that counts yet: add one after a one-time link or a code, and another administrator than who made it confirms it' else '' end)
      || jsonb_build_object('factors', second_factors_of(p_user), 'subject', jsonb_build_object('kind', p_kind, 'id', p_subject, 'contentHash', p_hash, 'decision', p_decision));
  end if;
  perform note(p_user::text, 'second_factor_used', p_run, null,
    jsonb_build_object('stepUp', v_step_up, 'kind', p_kind, 'subject', p_subject, 'contentHash', p_hash, 'token', p_session));
  return null;
end $$;

-- Null where the policy asks for no second factor at changes, or one was shown for exactly this one, which is used up; else the refusal,
-- which is in the audit trail by then. `p_of` is all that the change says, so that one that was shown counts for no other.
-- Called by: other functions.
create or replace function authorize_change(p_user uuid, p_session uuid, p_what text, p_of jsonb) returns jsonb
language sql security definer set search_path = public, pg_temp as $$
  select authorize_by_second_factor(p_user, p_session, null, 'change', p_user,
    encode(sha256(convert_to(p_what || ' ' || p_of, 'UTF8')), 'hex'), 'changed')
$$;
