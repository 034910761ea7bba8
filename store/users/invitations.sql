-- Whether a code may be made by this invitation: it is in effect, for no longer than a code is valid, no code was made by it, and the
-- user has no role beyond those that could be seen when it took effect.
-- Called by: other functions.
create or replace function invitation_is_open(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: confirmation-used-up
  select p_change.kind = 'invite_again' and p_change.state = 'effective' and not p_change.detail ?| array['used', 'ended']
    -- guard: invitation-open-for-days
    and p_change.decided_at > clock_timestamp() - interval '72 hours'
    and not exists (select from user_roles where user_id = p_change.user_id
      -- guard: invitation-for-its-roles
      and not coalesce(p_change.detail -> 'forRoles' ? role, false))
$$;

-- Makes a code for a user: at once for one without a role that two administrators give, who is not about to get one and never had a token; for others once such a
-- change is effective and the roles are there, since whoever makes an invitation could use it. An invitation is for one code.
-- Called by: server.
create or replace function invite_user(p_token_hash bytea, p_user uuid, p_code_hash bytea, p_expires_at timestamptz, p_by_mail boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- guard: may-invite-user
  v_refusal := authorize_user(me.user_id, me.token_id, 'manage_users', null, 'invite_user');
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from users where user_id = p_user and disabled_at is null) then
    return refused('not_found', 'there is no such user, or they are disabled');
  end if;
  v_refusal := refuse_code_without_mail(p_by_mail, (select mail from users where user_id = p_user));
  if v_refusal is not null then return v_refusal; end if;
  -- guard: factor-to-invite-user (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'invite_user', jsonb_build_array(p_user));
  if v_refusal is not null then return v_refusal; end if;
  return make_code(me.user_id, me.token_id, p_user, p_code_hash, p_expires_at);
end $$;

-- Null where a code may be made; else the refusal: codes go by mail, so that nobody else sees them, and the user has no address.
-- Called by: other functions.
create or replace function refuse_code_without_mail(p_by_mail boolean, p_mail text) returns jsonb language sql immutable
set search_path = public, pg_temp as $$
  -- guard: no-code-without-mail
  select refused('conflict', 'codes go to users by mail: give the mail address of the user first (payrun users mail)') where p_by_mail and p_mail is null
$$;

-- Makes a code for a user, as an administrator asked who may, or proposes it where that takes two.
-- Called by: other functions.
create or replace function make_code(p_by uuid, p_token uuid, p_user uuid, p_code_hash bytea, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change uuid;
  v_begun jsonb;
  v_roles uuid;
  v_mail text;
begin
  select mail into v_mail from users where user_id = p_user;
  select change_id into v_roles from changes
  where kind = 'grant_roles' and user_id = p_user and state = 'pending' and exists (
    select from jsonb_array_elements_text(detail -> 'roles') as roles (role) where is_granted_by_two(role))
  order by proposed_at limit 1;
  -- guard: invited-again (2 lines)
  if exists (select from api_tokens where user_id = p_user)
    -- guard: invited-decider-to-be
    or v_roles is not null
    -- guard: invited-decider
    or has_role_of_two(p_user) then
    select change_id into v_change from changes
    where user_id = p_user and invitation_is_open(changes) order by decided_at desc limit 1 for update;
    if v_change is null then
      select change_state(change_id) into v_begun from changes
      -- guard: one-invitation
      where kind = 'invite_again' and user_id = p_user and state = 'pending' order by proposed_at limit 1;
      if v_begun is null then v_begun := begin_change(p_by, p_token, 'invite_again', p_user, jsonb_strip_nulls(jsonb_build_object('mail', v_mail))); end if;
      if v_begun ->> 'state' <> 'effective' then return jsonb_build_object('change', v_begun); end if;
      v_change := (v_begun ->> 'changeId')::uuid;
    end if;
    -- guard: invited-once-they-decide
    if v_roles is not null then return jsonb_build_object('change', change_state(v_roles)); end if;
    update changes set detail = detail || jsonb_build_object('used', p_by) where change_id = v_change;
  end if;
  -- Nothing is left that a further code could be made by, and a newer code takes the place of an older one.
  -- guard: one-invitation-left
  perform end_invitations(p_user, 'infinity', p_by, 'replaced');
  -- guard: one-code
  perform end_codes(p_user);
  insert into invitations (user_id, code_hash, created_by, expires_at) values (p_user, p_code_hash, p_by, p_expires_at);
  perform note(p_by::text, 'user_invited', null, null, jsonb_build_object('user', p_user, 'token', p_token)
    || case when v_change is null then '{}' else jsonb_build_object('change', v_change) end);
  return jsonb_strip_nulls(jsonb_build_object('invited', true, 'mail', v_mail));
end $$;

-- Ends the codes of a user that were not used yet.
-- Called by: other functions.
create or replace function end_codes(p_user uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  update invitations set expires_at = clock_timestamp() where user_id = p_user and redeemed_at is null and expires_at > clock_timestamp()
$$;

-- Ends a code that was not sent to its user: a mail that looks lost may still arrive, or lie where others read it.
-- Called by: server.
create or replace function end_unsent_code(p_code bytea) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_user uuid;
begin
  update invitations set expires_at = clock_timestamp()
  where code_hash = sha256(p_code) and redeemed_at is null and expires_at > clock_timestamp() returning user_id into v_user;
  if found then
    perform note('database', 'invitation_ended', null, null, jsonb_build_object('user', v_user, 'why', 'not_sent'));
  end if;
end $$;

-- Exchanges a code that was not used and has not expired for a token, which ends within a day if its user decides. It ends all by which the user could sign in before: whoever had an
-- earlier code may have used it.
-- Called by: server.
create or replace function redeem_invitation(p_code bytea, p_new_token_hash bytea, p_label text, p_expires_at timestamptz) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v invitations%rowtype;
  v_scopes text[];
  v_end timestamptz;
  v_token uuid;
begin
  select invitations.* into v from invitations join users using (user_id)
  -- guard: code-once, code-expires, code-of-disabled, code-hashed
  where code_hash = sha256(p_code) and redeemed_at is null and expires_at > clock_timestamp() and disabled_at is null
  -- guard: no-token-meanwhile
  for no key update of users for update of invitations;
  if not found then return refused('unauthenticated', 'the code is unknown, used already, or its time is over'); end if;
  if p_expires_at is null or p_expires_at > clock_timestamp() + interval '731 days' then
    return refused('invalid_input', 'a token ends within two years');
  end if;
  -- guard: code-ends-sign-ins
  if not v.keeps_sign_ins then perform end_sign_ins(v.user_id); end if;
  v_scopes := scopes_for_code(v.user_id);
  v_end := least(p_expires_at, latest_end(v_scopes));
  insert into api_tokens (user_id, stored_hash, label, expires_at, scopes)
  values (v.user_id, sha256(p_new_token_hash), p_label, v_end, v_scopes) returning token_id into v_token;
  update invitations set redeemed_at = clock_timestamp(), token_id = v_token where invitation_id = v.invitation_id;
  perform note(v.user_id::text, 'invitation_redeemed', null, null, jsonb_build_object('token', v_token));
  return jsonb_build_object('tokenId', v_token, 'userId', v.user_id, 'expiresAt', v_end, 'scopes', to_jsonb(v_scopes));
end $$;

-- Ends the invitations of a user that were proposed before a time: those that wait, and those in effect for which nobody has made
-- a code.
-- Called by: other functions.
create or replace function end_invitations(p_user uuid, p_before timestamptz, p_by uuid, p_why text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v changes%rowtype;
begin
  for v in select * from changes where kind = 'invite_again' and user_id = p_user and proposed_at < p_before
    and (state = 'pending' or state = 'effective' and not detail ?| array['used', 'ended']) for update loop
    if v.state = 'pending' then
      perform reject_change(v.change_id, p_by, p_why);
    else
      update changes set detail = detail || jsonb_build_object('ended', p_why) where change_id = v.change_id;
      perform note(coalesce(p_by::text, 'database'), 'invitation_ended', null, null,
        jsonb_build_object('change', v.change_id, 'user', p_user, 'why', p_why));
    end if;
  end loop;
end $$;
