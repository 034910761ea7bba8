-- Null when the user has the permission and may use the schedule's account, and there is this one; else the refusal, which is
-- in the audit trail by then. A schedule of another account is refused as if there were none. It is locked then.
-- Called by: other functions.
create or replace function authorize_for_schedule(p_user uuid, p_token uuid, p_permission text, p_schedule uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_account text;
  v_refusal jsonb;
begin
  v_refusal := authorize_user(p_user, p_token, p_permission, null, p_what);
  if v_refusal is not null then return v_refusal; end if;
  select account into v_account from schedules where schedule_id = p_schedule and state <> 'deleted' for update;
  if not found then return refused('not_found', 'there is no such schedule'); end if;
  -- guard: schedule-of-account
  if user_may_use(p_user, v_account) then return null; end if;
  perform note(p_user::text, 'refused', null, null,
    jsonb_build_object('what', p_what, 'why', 'account', 'schedule', p_schedule, 'token', p_token));
  return refused('not_found', 'there is no such schedule');
end $$;

-- Adds a schedule of conversions with its first version, in the name of a treasurer. It places nothing until another person
-- confirms the version.
-- Called by: server.
create or replace function add_schedule(p_token_hash bytea, p_schedule uuid, p_definition text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_account text := p_definition::jsonb ->> 'account';
  v_version schedule_versions%rowtype;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-add-schedule
  v_refusal := authorize_user(me.user_id, me.token_id, 'convert', null, 'add_schedule');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: schedule-account
  v_refusal := authorize_for_account(me.user_id, me.token_id, v_account, 'add_schedule');
  if v_refusal is not null then return v_refusal; end if;
  insert into schedules (schedule_id, account, name, added_by, state_changed_by)
  values (p_schedule, v_account, p_definition::jsonb ->> 'name', me.user_id, me.user_id);
  v_version := add_version(p_schedule, me.user_id, p_definition);
  perform note(me.user_id::text, 'schedule_added', null, null, jsonb_build_object('schedule', p_schedule,
    'account', v_account, 'version', v_version.version, 'definitionHash', v_version.definition_hash, 'token', me.token_id));
  return jsonb_build_object('version', v_version.version);
exception
  when unique_violation then return refused('conflict', 'there is a schedule of that name already');
  when check_violation or not_null_violation then
    return refused('invalid_input', 'a schedule has an account, and a name of at most 100 characters');
end $$;

-- Proposes another version of a schedule. The version in force stays so until the new one is confirmed; one that nobody has
-- decided on is superseded.
-- Called by: server.
create or replace function edit_schedule(p_token_hash bytea, p_schedule uuid, p_definition text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_version schedule_versions%rowtype;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-edit-schedule
  v_refusal := authorize_for_schedule(me.user_id, me.token_id, 'convert', p_schedule, 'edit_schedule');
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from schedules where schedule_id = p_schedule
      and account = p_definition::jsonb ->> 'account' and name = p_definition::jsonb ->> 'name') then
    return refused('conflict', 'a schedule keeps its account and its name: add another one');
  end if;
  if exists (select from schedules join schedule_versions using (schedule_id, version)
      where schedule_id = p_schedule and definition = p_definition)
    and not exists (select from schedule_versions where schedule_id = p_schedule and state = 'proposed') then
    return refused('conflict', 'the schedule is like this already');
  end if;
  v_version := add_version(p_schedule, me.user_id, p_definition);
  perform note(me.user_id::text, 'schedule_edited', null, null, jsonb_build_object('schedule', p_schedule,
    'version', v_version.version, 'definitionHash', v_version.definition_hash, 'token', me.token_id));
  return jsonb_build_object('version', v_version.version);
end $$;

-- Adds a version to a schedule. One that nobody has decided on is superseded.
-- Called by: other functions.
create or replace function add_version(p_schedule uuid, p_user uuid, p_definition text) returns schedule_versions
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v schedule_versions%rowtype;
begin
  update schedule_versions set state = 'superseded' where schedule_id = p_schedule and state = 'proposed';
  insert into schedule_versions (schedule_id, version, definition, definition_hash, proposed_by)
  select p_schedule, coalesce(max(version), 0) + 1, p_definition, encode(sha256(convert_to(p_definition, 'UTF8')), 'hex'), p_user
  from schedule_versions where schedule_id = p_schedule returning * into v;
  return v;
end $$;

-- Versions of schedules are decided on once, and never changed or removed.
-- Called by: triggers.
create or replace function refuse_change_of_version() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.state = 'proposed'
    and (new.schedule_id, new.version, new.definition, new.definition_hash, new.proposed_by, new.proposed_at)
      is not distinct from (old.schedule_id, old.version, old.definition, old.definition_hash, old.proposed_by, old.proposed_at) then
    return new;
  end if;
  raise exception 'a version of a schedule is kept as it was proposed and decided' using errcode = 'check_violation';
end $$;

create or replace trigger versions_are_kept before update or delete on schedule_versions
  for each row execute function refuse_change_of_version();

-- The definition of the version in force: what another person than who proposed it has confirmed, word for word. Null: none.
-- Called by: other functions.
create or replace function confirmed_definition(p_schedule uuid, p_version integer) returns jsonb language sql stable
set search_path = public, pg_temp as $$
  select definition::jsonb from schedule_versions join schedule_decisions decided using (schedule_id, version)
  where schedule_id = p_schedule and version = p_version and state = 'confirmed'
    and decision = 'confirmed' and decided_by <> proposed_by
    -- guard: schedule-word-for-word
    and decided.definition_hash = encode(sha256(convert_to(definition, 'UTF8')), 'hex')
$$;

-- Confirms or rejects the version that was seen. Whoever proposed it may reject it, and never confirm it.
-- Called by: server.
create or replace function decide_schedule(p_token_hash bytea, p_schedule uuid, p_version integer, p_decision text, p_hash text, p_comment text)
returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v schedule_versions%rowtype;
  v_remark uuid;
begin
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- guard: may-decide-schedule
  v_refusal := authorize_for_schedule(me.user_id, me.token_id, 'decide_conversion', p_schedule, 'decide_schedule');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from schedule_versions where schedule_id = p_schedule and version = p_version for update;
  if not found then return refused('not_found', 'the schedule has no such version'); end if;
  if v.state <> 'proposed' then
    return refused('conflict', format('version %s is not waiting for a decision: it is %s', p_version, v.state));
  end if;
  -- guard: schedule-as-seen
  if p_hash is distinct from encode(sha256(convert_to(v.definition, 'UTF8')), 'hex') then
    perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'decide_schedule', 'why', 'content_changed',
      'schedule', p_schedule, 'version', p_version, 'token', me.token_id));
    return refused('conflict', 'the schedule is not the one that was seen: look at it again');
  end if;
  -- guard: schedule-takes-two
  if p_decision = 'confirmed' and v.proposed_by = me.user_id then
    perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'decide_schedule', 'why', 'proposer_decides',
      'schedule', p_schedule, 'version', p_version, 'token', me.token_id));
    return refused('not_allowed', 'whoever proposed a version cannot confirm it; ask a second person');
  end if;
  if p_decision = 'confirmed' then
    -- guard: schedule-once-live (2 lines)
    v_refusal := authorize_when_live(me.user_id, me.token_id, null, 'confirm_schedule');
    if v_refusal is not null then return v_refusal; end if;
    -- guard: second-factor-for-schedule (2 lines)
    v_refusal := authorize_by_second_factor(me.user_id, me.token_id, null, 'schedule', p_schedule, p_hash, p_decision);
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

-- Deletes a schedule for good. What it did is kept.
-- Called by: server.
create or replace function delete_schedule(p_token_hash bytea, p_schedule uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-delete-schedule
  v_refusal := authorize_for_schedule(me.user_id, me.token_id, 'convert', p_schedule, 'delete_schedule');
  if v_refusal is not null then return v_refusal; end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update schedule_versions set state = 'superseded' where schedule_id = p_schedule and state = 'proposed';
  perform move_schedule(p_schedule, 'deleted', 'by_person', me.user_id, v_remark);
  perform note(me.user_id::text, 'schedule_deleted', null, null, jsonb_build_object('schedule', p_schedule, 'state', 'deleted',
    'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('state', 'deleted');
end $$;

-- Pauses a schedule. Whoever decides on conversions may do so alone: that only keeps money where it is.
-- Called by: server.
create or replace function pause_schedule(p_token_hash bytea, p_schedule uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_state text;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-pause-schedule
  v_refusal := authorize_for_schedule(me.user_id, me.token_id, 'decide_conversion', p_schedule, 'pause_schedule');
  if v_refusal is not null then return v_refusal; end if;
  select state into v_state from schedules where schedule_id = p_schedule;
  if v_state <> 'active' then
    return refused('conflict', 'only an active schedule is paused: it is ' || v_state);
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  perform move_schedule(p_schedule, 'paused', 'by_person', me.user_id, v_remark);
  perform note(me.user_id::text, 'schedule_paused', null, null, jsonb_build_object('schedule', p_schedule, 'state', 'paused',
    'reason', 'by_person', 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('state', 'paused');
end $$;

-- Resumes a paused schedule. Who paused it may do so alone; else somebody who decides on conversions, and did not propose the version
-- in force: payrun or another person had a reason.
-- Called by: server.
create or replace function resume_schedule(p_token_hash bytea, p_schedule uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v schedules%rowtype;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-resume-schedule
  v_refusal := authorize_for_schedule(me.user_id, me.token_id, 'decide_conversion', p_schedule, 'resume_schedule');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from schedules where schedule_id = p_schedule;
  if v.state <> 'paused' then
    return refused('conflict', 'only a paused schedule is resumed: it is ' || v.state);
  end if;
  -- guard: resumed-by-another (2 lines)
  if v.state_changed_by is distinct from me.user_id and exists (select from schedule_versions
    where schedule_id = p_schedule and version = v.version and proposed_by = me.user_id) then
    perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'resume_schedule', 'why', 'proposer_decides',
      'schedule', p_schedule, 'token', me.token_id));
    return refused('not_allowed', 'somebody else, or payrun, has paused what you proposed: ask a second person');
  end if;
  -- guard: factor-to-resume-schedule (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'resume_schedule', jsonb_build_array(p_schedule));
  if v_refusal is not null then return v_refusal; end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  perform move_schedule(p_schedule, 'active', null, me.user_id, v_remark);
  perform note(me.user_id::text, 'schedule_resumed', null, null, jsonb_build_object('schedule', p_schedule, 'state', 'active',
    'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('state', 'active');
end $$;

-- Puts a schedule into a state, with the reason.
-- Called by: other functions.
create or replace function move_schedule(p_schedule uuid, p_state text, p_reason text, p_by uuid, p_remark uuid) returns void
language sql set search_path = public, pg_temp as $$
  update schedules set state = p_state, state_reason = p_reason, state_changed_by = p_by, state_remark_id = p_remark,
    state_changed_at = clock_timestamp(), changes = changes + 1
  where schedule_id = p_schedule
$$;

-- Pauses an active schedule because of what payrun has found (`p_reason`).
-- Called by: other functions.
create or replace function pause_by_payrun(p_schedule uuid, p_reason text) returns void language plpgsql
set search_path = public, pg_temp as $$
begin
  perform from schedules where schedule_id = p_schedule and state = 'active' for update;
  if not found then return; end if;
  perform move_schedule(p_schedule, 'paused', p_reason, null, null);
  perform note('worker', 'schedule_paused', null, null, jsonb_build_object('schedule', p_schedule, 'state', 'paused', 'reason', p_reason));
end $$;

-- A schedule places nothing more while it is not known what became of one of its orders.
-- Called by: triggers.
create or replace function pause_after_unknown() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform pause_by_payrun(schedule_id, 'outcome_unknown')
  from scheduled_orders join schedule_occurrences using (occurrence_id) where order_id = new.order_id;
  return null;
end $$;

create or replace trigger unknown_orders_pause_their_schedule after update of state on conversion_orders
  for each row when (new.state = 'unknown' and old.state <> 'unknown') execute function pause_after_unknown();
