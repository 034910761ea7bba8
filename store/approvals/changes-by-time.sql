-- Removes the delay of a change: from now on only a second administrator makes it effective.
-- Called by: other functions.
create or replace function wait_for_confirmation(p_change uuid, p_actor text, p_why text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update changes set takes_effect_at = null where change_id = p_change;
  select note(p_actor, 'change_waits', null, null, jsonb_build_object('change', p_change, 'why', p_why));
$$;

-- Whether somebody could have objected to a change all the time: neither who proposed it nor who gains by it, in their
-- role, and with a token that decides or a sign-in that works since before. Whoever was disabled in between has lost both.
-- Called by: other functions.
create or replace function could_be_objected_to(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from users join user_roles using (user_id)
    -- guard: objected-by-another
    where user_id is distinct from p_change.proposed_by and user_id is distinct from p_change.user_id
      -- guard: objected-by-role
      and users.disabled_at is null and role_may(user_roles.role, 'object_to_change')
      -- guard: objected-since-before
      and user_roles.granted_at <= p_change.proposed_at
      and (has_sign_in_since(users.user_id, p_change.proposed_at) or exists (
        -- guard: objected-with-a-token (3 lines)
        select from api_tokens where api_tokens.user_id = users.user_id and api_tokens.created_at <= p_change.proposed_at
          and not exists (select from sessions where session_id = token_id)
          and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())
          -- guard: objected-with-scope
          and scope_of('object_to_change') = any(scopes))))
$$;

-- Whether the delay of a change is over.
-- Called by: other functions.
create or replace function is_due(p_change changes) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  -- guard: change-in-its-time
  select p_change.state = 'pending' and p_change.takes_effect_at <= clock_timestamp()
$$;

-- Applies the changes whose delay is over, and answers how many. Called before anything is decided by roles, and by servers every
-- minute.
-- Called by: server.
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
    -- guard: proposer-may-still
    if not user_may(v.proposed_by, 'manage_users') then
      perform reject_change(v.change_id, null, 'proposer_gone');
    -- guard: nothing-for-disabled
    elsif v.kind <> 'enable_user' and exists (select from users where user_id = v.user_id and disabled_at is not null) then
      perform reject_change(v.change_id, null, 'user_disabled');
    -- guard: somebody-to-object
    elsif not could_be_objected_to(v) then
      perform wait_for_confirmation(v.change_id, 'database', 'nobody_to_object');
    else
      begin
        perform make_effective(v.change_id, null);
        if (select state from changes where change_id = v.change_id) = 'effective' then v_count := v_count + 1; end if;
      exception when check_violation then
        -- What was possible when it was proposed no longer is.
        perform reject_change(v.change_id, null, 'not_possible');
      end;
    end if;
  end loop;
  return v_count;
end $$;
