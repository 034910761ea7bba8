-- Null when the user may manage endpoints, and there is this one; else the refusal.
-- Called by: other functions.
create or replace function authorize_for_endpoint(p_user uuid, p_token uuid, p_endpoint uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb := authorize_user(p_user, p_token, 'manage_users', null, p_what);
begin
  if v_refusal is not null then return v_refusal; end if;
  perform from endpoints where endpoint_id = p_endpoint and removed_at is null for update;
  if not found then return refused('not_found', 'there is no such endpoint'); end if;
  -- guard: factor-to-change-endpoint
  return case when p_what <> 'test_endpoint' then authorize_change(p_user, p_token, p_what, jsonb_build_array(p_endpoint)) end;
end $$;

-- An administrator proposes an endpoint for notifications; it is enabled once a second one confirms. `p_target` is shown to
-- whoever confirms: its address without what may be secret in it.
-- Called by: server.
create or replace function add_endpoint(
  p_token_hash bytea, p_endpoint uuid, p_name text, p_kind text, p_url text, p_addresses text[], p_types text[], p_target text,
  p_secret uuid, p_wrapped bytea, p_wrapped_by text
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_change jsonb;
begin
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- guard: may-add-endpoint
  v_refusal := authorize_user(me.user_id, me.token_id, 'manage_users', null, 'add_endpoint');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: factor-to-add-endpoint (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'add_endpoint', jsonb_build_array(p_name, p_kind, p_url, p_addresses, p_types));
  if v_refusal is not null then return v_refusal; end if;
  insert into endpoints (endpoint_id, name, kind, url, addresses, types, added_by)
  values (p_endpoint, p_name, p_kind, p_url, p_addresses, p_types, me.user_id);
  if p_kind = 'webhook' then
    insert into endpoint_secrets (secret_id, endpoint_id, wrapped, wrapped_by) values (p_secret, p_endpoint, p_wrapped, p_wrapped_by);
  end if;
  perform note(me.user_id::text, 'endpoint_added', null, null,
    jsonb_build_object('endpoint', p_endpoint, 'name', p_name, 'kind', p_kind, 'types', to_jsonb(p_types), 'token', me.token_id));
  v_change := begin_change(me.user_id, me.token_id, 'add_endpoint', null,
    jsonb_build_object('endpoint', p_endpoint, 'name', p_name, 'kind', p_kind, 'target', p_target));
  -- In effect at once: payrun is being set up.
  update endpoints set change_id = (v_change ->> 'changeId')::uuid,
    state = case v_change ->> 'state' when 'effective' then 'enabled' else state end
  where endpoint_id = p_endpoint;
  return jsonb_build_object('change', v_change);
exception
  when unique_violation then return refused('conflict', 'there is an endpoint of that name already');
  when check_violation or not_null_violation then
    return refused('invalid_input', 'an endpoint has a name of small letters, digits and . _ -, and a URL or mail addresses');
end $$;

-- An administrator proposes to enable an endpoint that two have disabled, or payrun has: its address may be somebody else's by now.
-- Called by: server.
create or replace function enable_endpoint(p_token_hash bytea, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  -- guard: may-enable-endpoint
  v_refusal := authorize_for_endpoint(me.user_id, me.token_id, p_endpoint, 'enable_endpoint');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: only-disabled-enabled
  if not exists (select from endpoints where endpoint_id = p_endpoint and state = 'disabled') then
    return refused('conflict', 'only a disabled endpoint is enabled: a new one waits for a second administrator');
  end if;
  -- guard: endpoint-enabled-by-two (2 lines)
  return begin_change_once(me.user_id, me.token_id, 'enable_endpoint', null,
    (select jsonb_build_object('endpoint', p_endpoint, 'name', name) from endpoints where endpoint_id = p_endpoint));
end $$;

-- Enables a disabled endpoint, as `p_by` asked. It gets what happened in the last days while it was disabled; of facts that share a
-- notification, the last one.
-- Called by: other functions.
create or replace function let_endpoint_speak(p_endpoint uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_queued integer;
begin
  update endpoints set state = 'enabled', state_reason = null, state_changed_at = clock_timestamp(), failing_since = null
  where endpoint_id = p_endpoint and state = 'disabled' and removed_at is null;
  if not found then return; end if;
  -- All due at the same time, so that they are sent in their order.
  update deliveries waiting set state = 'queued', failures = 0, due_at = now(), first_failed_at = null
  from outbox notified
  where notified.notification_id = waiting.notification_id and waiting.endpoint_id = p_endpoint and waiting.state = 'disabled'
    and waiting.created_at > clock_timestamp() - interval '7 days'
    and not exists (select from deliveries later join outbox of_later using (notification_id)
      where later.endpoint_id = p_endpoint and of_later.type = notified.type and of_later.subject_id = notified.subject_id
        and of_later.position > notified.position and exists (select from notification_rules rules where rules.type = notified.type and merges));
  get diagnostics v_queued = row_count;
  perform note(p_by::text, 'endpoint_enabled', null, null, jsonb_build_object('endpoint', p_endpoint, 'deliveries', v_queued));
end $$;

-- An administrator proposes to disable an endpoint, or to remove it (`p_remove`), since people are told there of what others do. One
-- that was never enabled is removed at once.
-- Called by: server.
create or replace function propose_end_of_endpoint(p_token_hash bytea, p_endpoint uuid, p_remove boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v endpoints%rowtype;
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  -- guard: may-end-endpoint (2 lines)
  v_refusal := authorize_for_endpoint(me.user_id, me.token_id, p_endpoint,
    case when p_remove then 'remove_endpoint' else 'disable_endpoint' end);
  if v_refusal is not null then return v_refusal; end if;
  select * into v from endpoints where endpoint_id = p_endpoint;
  if not p_remove and v.state <> 'enabled' then return refused('conflict', 'only an enabled endpoint is disabled'); end if;
  -- guard: endpoints-ended-by-two
  if v.state <> 'pending' then
    return begin_change_once(me.user_id, me.token_id, case when p_remove then 'remove_endpoint' else 'disable_endpoint' end, null,
      jsonb_build_object('endpoint', p_endpoint, 'name', v.name));
  end if;
  perform drop_endpoint(p_endpoint, me.user_id);
  return jsonb_build_object('change', null);
end $$;

-- Disables an endpoint, as `p_by` asked. What was not delivered is kept with it.
-- Called by: other functions.
create or replace function silence_endpoint(p_endpoint uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update endpoints set state = 'disabled', state_reason = 'by_administrator', state_changed_at = clock_timestamp()
  where endpoint_id = p_endpoint and state = 'enabled' and removed_at is null;
  if not found then return; end if;
  update deliveries set state = 'disabled' where endpoint_id = p_endpoint and delivery_is_open(state);
  perform note(p_by::text, 'endpoint_disabled', null, null,
    jsonb_build_object('endpoint', p_endpoint, 'reason', 'by_administrator'));
end $$;

-- Removes an endpoint with its secrets and address, as `p_by` asked. Undelivered notifications are dropped.
-- Called by: other functions.
create or replace function drop_endpoint(p_endpoint uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_change uuid;
begin
  for v_change in select change_id from changes where state = 'pending' and detail ->> 'endpoint' = p_endpoint::text for update loop
    perform reject_change(v_change, p_by, 'endpoint_removed');
  end loop;
  delete from endpoint_secrets where endpoint_id = p_endpoint;
  update deliveries set state = 'disabled' where endpoint_id = p_endpoint and delivery_is_open(state);
  update endpoints set state = 'disabled', state_reason = 'removed', state_changed_at = clock_timestamp(),
    removed_at = clock_timestamp(), url = null, addresses = null
  where endpoint_id = p_endpoint and removed_at is null;
  if not found then return; end if;
  perform note(p_by::text, 'endpoint_removed', null, null, jsonb_build_object('endpoint', p_endpoint));
end $$;

-- An administrator has a test sent to an enabled endpoint.
-- Called by: server.
create or replace function test_endpoint(p_token_hash bytea, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_notification uuid;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-test-endpoint
  v_refusal := authorize_for_endpoint(me.user_id, me.token_id, p_endpoint, 'test_endpoint');
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from endpoints where endpoint_id = p_endpoint and state = 'enabled') then
    return refused('conflict', 'nothing is sent to an endpoint that is not enabled');
  end if;
  insert into outbox (type, subject, subject_id) values ('endpoint.test', 'endpoint', p_endpoint::text)
  returning notification_id into v_notification;
  perform note(me.user_id::text, 'endpoint_tested', null, null,
    jsonb_build_object('endpoint', p_endpoint, 'notification', v_notification, 'token', me.token_id));
  return jsonb_build_object('notificationId', v_notification);
end $$;

-- Gives an endpoint a new secret. The former one signs as well for a day, so that receivers can be given the new one meanwhile.
-- Called by: server.
create or replace function rotate_endpoint_secret(p_token_hash bytea, p_endpoint uuid, p_secret uuid, p_wrapped bytea, p_wrapped_by text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_until timestamptz := clock_timestamp() + interval '24 hours';
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-rotate-endpoint-secret
  v_refusal := authorize_for_endpoint(me.user_id, me.token_id, p_endpoint, 'rotate_endpoint_secret');
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from endpoint_secrets where endpoint_id = p_endpoint) then
    return refused('conflict', 'only a webhook has a secret');
  end if;
  -- Two at most: with a third one, who rotates because a secret is known to others would leave it in force.
  delete from endpoint_secrets where endpoint_id = p_endpoint and expires_at is not null;
  update endpoint_secrets set expires_at = v_until where endpoint_id = p_endpoint;
  insert into endpoint_secrets (secret_id, endpoint_id, wrapped, wrapped_by) values (p_secret, p_endpoint, p_wrapped, p_wrapped_by);
  perform note(me.user_id::text, 'endpoint_secret_rotated', null, null,
    jsonb_build_object('endpoint', p_endpoint, 'token', me.token_id));
  return jsonb_build_object('formerValidUntil', v_until);
end $$;

-- Sends a notification again, with the same id: also one that was delivered, since its receiver may have lost it.
-- Called by: server.
create or replace function retry_delivery(p_token_hash bytea, p_delivery uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v deliveries%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-retry-delivery
  v_refusal := authorize_user(me.user_id, me.token_id, 'manage_users', null, 'retry_delivery');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from deliveries where delivery_id = p_delivery for update;
  if not found then return refused('not_found', 'there is no such delivery'); end if;
  if not exists (select from endpoints where endpoint_id = v.endpoint_id and state = 'enabled' and removed_at is null) then
    return refused('conflict', 'its endpoint is not enabled: enable it first');
  end if;
  if v.state = 'delivering' then return refused('conflict', 'the delivery is under way'); end if;
  update deliveries set state = 'queued', failures = 0, due_at = clock_timestamp(), first_failed_at = null, ended_at = null
  where delivery_id = p_delivery;
  perform note(me.user_id::text, 'delivery_retried', null, null,
    jsonb_build_object('delivery', p_delivery, 'endpoint', v.endpoint_id, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- A worker disables an endpoint: nothing was delivered for days, it answered that it is gone for good, or too many notifications wait
-- for it. False: it is not enabled.
-- Called by: worker.
create or replace function give_up_endpoint(p_endpoint uuid, p_reason text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_reason not in ('gone', 'failing', 'full') then raise exception 'no such reason' using errcode = 'check_violation'; end if;
  update endpoints set state = 'disabled', state_reason = p_reason, state_changed_at = clock_timestamp()
  where endpoint_id = p_endpoint and state = 'enabled' and removed_at is null;
  if not found then return false; end if;
  update deliveries set state = 'disabled' where endpoint_id = p_endpoint and delivery_is_open(state);
  perform note('worker', 'endpoint_given_up', null, null, jsonb_build_object('endpoint', p_endpoint, 'reason', p_reason));
  return true;
end $$;
