-- Up Migration

-- Notifications: facts that people and other programs are told of. A fact is put into the outbox by a trigger, in its own
-- transaction; a worker makes deliveries of it, one for each endpoint, and sends them.

-- Which facts are told of. `migrate` writes it, from domain/notifications/notification-types.ts.
create table notification_rules (
  source text not null check (source in ('audit', 'payment')),
  -- The kind of audit entries, or the state that payments of a run come into.
  name text not null,
  -- Of audit entries, only with this state in their detail; empty: with any.
  state text not null default '',
  type text not null,
  subject text not null,
  -- Facts of a type about one subject are told of together.
  merges boolean not null,
  primary key (source, name, state)
);

create table outbox (
  notification_id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity,
  type text not null,
  subject text not null,
  subject_id text not null,
  occurred_at timestamptz not null default clock_timestamp(),
  -- Null: a worker has not looked at it yet.
  planned_at timestamptz,
  -- The JSON that is sent, word for word. Null after it was planned: told of with another one, or no longer so.
  body text
);
create index outbox_to_plan on outbox (position) where planned_at is null;
create index outbox_by_subject on outbox (subject_id, type, planned_at);

create table endpoints (
  endpoint_id uuid primary key,
  name text not null check (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  kind text not null check (kind in ('webhook', 'mail')),
  -- Either may hold a secret, or name people: null once it is removed.
  url text,
  addresses text[],
  -- Null: of all types.
  types text[],
  state text not null default 'pending' check (state in ('pending', 'enabled', 'disabled')),
  -- A code: why it is disabled.
  state_reason text,
  state_changed_at timestamptz not null default clock_timestamp(),
  change_id uuid references changes,
  added_by uuid not null references users,
  added_at timestamptz not null default clock_timestamp(),
  -- When the first delivery failed after the last one that succeeded.
  failing_since timestamptz,
  -- When its workflow was last woken.
  woken_at timestamptz,
  removed_at timestamptz,
  constraint endpoint_form check (removed_at is not null
    or case kind when 'webhook' then url ~ '^https?://' and addresses is null else url is null and cardinality(addresses) > 0 end)
);
create unique index one_endpoint_of_a_name on endpoints (name) where removed_at is null;

-- Of webhooks, to sign with; sealed with a data key of the installation. After a rotation there are two for a while.
create table endpoint_secrets (
  secret_id uuid primary key,
  endpoint_id uuid not null references endpoints,
  -- AES-256-GCM of the secret: nonce, tag, ciphertext.
  wrapped bytea not null,
  wrapped_by text not null,
  wrapped_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  -- Null: the current one.
  expires_at timestamptz
);
create index secrets_of_an_endpoint on endpoint_secrets (endpoint_id);

create table deliveries (
  delivery_id uuid primary key default gen_random_uuid(),
  notification_id uuid not null references outbox,
  endpoint_id uuid not null references endpoints,
  state text not null default 'queued' check (state in ('queued', 'delivering', 'delivered', 'failing', 'failed', 'disabled')),
  attempts integer not null default 0,
  -- In a row, since it was queued.
  failures integer not null default 0,
  -- When the next attempt is due.
  due_at timestamptz not null default clock_timestamp(),
  begun_at timestamptz,
  first_failed_at timestamptz,
  ended_at timestamptz,
  -- Of the last attempt.
  http_status integer,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  unique (notification_id, endpoint_id)
);
create index open_deliveries on deliveries (endpoint_id, due_at) where state in ('queued', 'delivering', 'failing');
create index deliveries_by_time on deliveries (created_at desc, delivery_id);

-- Puts a fact into the outbox. Whatever happens here, the transaction of the fact goes on, and it waits for nobody: there is
-- no key that another transaction could hold, and no foreign key. Where facts are told of together, one that no worker has
-- looked at is kept until this transaction has ended, and then tells of its fact as well; while a worker looks at it, it is
-- locked, and a further one is added.
create function enqueue_notification(p_type text, p_subject text, p_subject_id text, p_merges boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_subject_id is null then return; end if;
  if p_merges then
    perform from outbox where subject_id = p_subject_id and type = p_type and planned_at is null
    order by position limit 1 for key share skip locked;
    if found then return; end if;
  end if;
  insert into outbox (type, subject, subject_id) values (p_type, p_subject, p_subject_id);
exception when others then
  raise warning 'a notification % of % % is lost: %', p_type, p_subject, p_subject_id, sqlerrm;
end $$;

create function tell_of_entries() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform enqueue_notification(rules.type, rules.subject,
    case rules.subject when 'run' then entries.run_id::text else entries.detail ->> rules.subject end, rules.merges)
  from entries join notification_rules rules on rules.source = 'audit' and rules.name = entries.kind
    and rules.state in ('', coalesce(entries.detail ->> 'state', ''));
  return null;
end $$;
create trigger entries_are_told_of after insert on audit_entries
  referencing new table as entries for each statement execute function tell_of_entries();

-- For each run in which a statement brought more rows into a state. It joins no versions of rows: a plan that was made for
-- one row would be used for a hundred thousand.
create function tell_of_rows() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform enqueue_notification(rules.type, rules.subject, moved.run_id::text, rules.merges)
  from (
    select run_id, state from (
      select run_id, state, 1 as n from after_it union all select run_id, state, -1 from before_it) as versions
    group by run_id, state having sum(n) > 0
  ) as moved join notification_rules rules on rules.source = 'payment' and rules.name = moved.state;
  return null;
end $$;
create trigger moved_rows_are_told_of after update on payments
  referencing old table as before_it new table as after_it for each statement execute function tell_of_rows();

-- Whoever adds an endpoint has names of runs and people sent elsewhere: it is a change that takes two administrators.
-- expands: one more kind of change
alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check check (kind in
  ('grant_roles', 'enable_user', 'invite_again', 'set_policy', 'change_provider', 'set_accounts', 'add_endpoint')) not valid;

create or replace function make_effective(p_change uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v changes%rowtype;
begin
  update changes set state = 'effective', decided_by = p_by, decided_at = clock_timestamp()
  where change_id = p_change and state = 'pending' returning * into v;
  if not found then return; end if;
  case v.kind
    when 'grant_roles' then
      -- Whoever invited a user who decided on nothing did so alone, and may hold their token.
      if not is_setting_up() and not decides(v.user_id)
        and exists (select from jsonb_array_elements_text(v.detail -> 'roles') as roles (role) where is_deciding(role)) then
        perform end_sign_ins(v.user_id);
      end if;
      perform grant_role(v.user_id, role) from jsonb_array_elements_text(v.detail -> 'roles') as roles (role);
    when 'enable_user' then
      perform end_sign_ins(v.user_id);
      update users set disabled_at = null where user_id = v.user_id;
    when 'invite_again' then
      null;
    when 'set_policy' then
      insert into policies (policy, change_id) values (v.detail -> 'policy', p_change);
    when 'set_accounts' then
      perform set_accounts(v.user_id, v.detail -> 'accounts');
    when 'change_provider' then
      update provider_accounts set api_address = v.detail ->> 'apiAddress', access_key = v.detail ->> 'accessKey',
        recorded_at = clock_timestamp()
      where account = v.detail ->> 'account';
    when 'add_endpoint' then
      -- What add_endpoint has proposed, and nothing that a change only names.
      update endpoints set state = 'enabled', state_changed_at = clock_timestamp()
      where change_id = p_change and state = 'pending' and removed_at is null;
  end case;
  perform note(coalesce(p_by::text, 'record'), 'change_effective', null, null,
    jsonb_build_object('change', p_change, 'kind', v.kind, 'user', v.user_id, 'roles', v.detail -> 'roles')
      || case v.kind when 'set_accounts' then jsonb_build_object('accounts', v.detail -> 'accounts') else '{}' end);
end $$;

-- Null when the user may manage endpoints, and there is this one; else the refusal.
create function endpoint_objection_to(p_user uuid, p_token uuid, p_endpoint uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb := objection_to(p_user, p_token, 'manage_users', null, p_what);
begin
  if v_refusal is not null then return v_refusal; end if;
  perform from endpoints where endpoint_id = p_endpoint and removed_at is null for update;
  if not found then return refused('not_found', 'there is no such endpoint'); end if;
  return null;
end $$;

-- `p_target` is shown to whoever confirms the change: an address without what may be secret in it.
create function add_endpoint(
  p_proof bytea, p_endpoint uuid, p_name text, p_kind text, p_url text, p_addresses text[], p_types text[], p_target text,
  p_secret uuid, p_wrapped bytea, p_wrapped_by text
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_change jsonb;
begin
  perform apply_due_changes();
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'add_endpoint');
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

-- What was not delivered is kept with the endpoint.
create function disable_endpoint(p_proof bytea, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := endpoint_objection_to(me.user_id, me.token_id, p_endpoint, 'disable_endpoint');
  if v_refusal is not null then return v_refusal; end if;
  update endpoints set state = 'disabled', state_reason = 'by_administrator', state_changed_at = clock_timestamp()
  where endpoint_id = p_endpoint and state = 'enabled';
  if not found then return refused('conflict', 'only an enabled endpoint is disabled'); end if;
  update deliveries set state = 'disabled' where endpoint_id = p_endpoint and state in ('queued', 'delivering', 'failing');
  perform note(me.user_id::text, 'endpoint_disabled', null, null,
    jsonb_build_object('endpoint', p_endpoint, 'reason', 'by_administrator', 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- One that two administrators have let in. It gets what happened in the last days while it was disabled.
create function enable_endpoint(p_proof bytea, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_queued integer;
begin
  select * into me from session_of(p_proof);
  v_refusal := endpoint_objection_to(me.user_id, me.token_id, p_endpoint, 'enable_endpoint');
  if v_refusal is not null then return v_refusal; end if;
  update endpoints set state = 'enabled', state_reason = null, state_changed_at = clock_timestamp(), failing_since = null
  where endpoint_id = p_endpoint and state = 'disabled';
  if not found then return refused('conflict', 'only a disabled endpoint is enabled: a new one waits for a second administrator'); end if;
  -- All due at the same time, so that they are sent in their order.
  update deliveries set state = 'queued', failures = 0, due_at = now(), first_failed_at = null
  where endpoint_id = p_endpoint and state = 'disabled' and created_at > clock_timestamp() - interval '7 days';
  get diagnostics v_queued = row_count;
  perform note(me.user_id::text, 'endpoint_enabled', null, null,
    jsonb_build_object('endpoint', p_endpoint, 'deliveries', v_queued, 'token', me.token_id));
  return jsonb_build_object('queued', v_queued);
end $$;

-- The former secret signs as well for a day, so that receivers can be given the new one meanwhile.
create function rotate_endpoint_secret(p_proof bytea, p_endpoint uuid, p_secret uuid, p_wrapped bytea, p_wrapped_by text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_until timestamptz := clock_timestamp() + interval '24 hours';
begin
  select * into me from session_of(p_proof);
  v_refusal := endpoint_objection_to(me.user_id, me.token_id, p_endpoint, 'rotate_endpoint_secret');
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

create function remove_endpoint(p_proof bytea, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_change uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := endpoint_objection_to(me.user_id, me.token_id, p_endpoint, 'remove_endpoint');
  if v_refusal is not null then return v_refusal; end if;
  select change_id into v_change from changes where state = 'pending' and kind = 'add_endpoint'
    and detail ->> 'endpoint' = p_endpoint::text for update;
  if found then perform reject_change(v_change, me.user_id, 'endpoint_removed'); end if;
  delete from endpoint_secrets where endpoint_id = p_endpoint;
  update deliveries set state = 'disabled' where endpoint_id = p_endpoint and state in ('queued', 'delivering', 'failing');
  update endpoints set state = 'disabled', state_reason = 'removed', state_changed_at = clock_timestamp(),
    removed_at = clock_timestamp(), url = null, addresses = null
  where endpoint_id = p_endpoint;
  perform note(me.user_id::text, 'endpoint_removed', null, null, jsonb_build_object('endpoint', p_endpoint, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

create function test_endpoint(p_proof bytea, p_endpoint uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_notification uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := endpoint_objection_to(me.user_id, me.token_id, p_endpoint, 'test_endpoint');
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

-- Sends it again, with the same id. Also one that was delivered: its receiver may have lost it.
create function retry_delivery(p_proof bytea, p_delivery uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v deliveries%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'manage_users', null, 'retry_delivery');
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

-- A worker gives an endpoint up: nothing was delivered for days, or it answered that it is gone for good.
create function give_up_endpoint(p_endpoint uuid, p_reason text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if p_reason not in ('gone', 'failing') then raise exception 'no such reason' using errcode = 'check_violation'; end if;
  update endpoints set state = 'disabled', state_reason = p_reason, state_changed_at = clock_timestamp()
  where endpoint_id = p_endpoint and state = 'enabled' and removed_at is null;
  if not found then return false; end if;
  update deliveries set state = 'disabled' where endpoint_id = p_endpoint and state in ('queued', 'delivering', 'failing');
  perform note('worker', 'endpoint_given_up', null, null, jsonb_build_object('endpoint', p_endpoint, 'reason', p_reason));
  return true;
end $$;

-- What a notification says of a change: the worker reads neither changes nor users.
create function change_facts(p_change uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select jsonb_build_object('changeId', change_id, 'kind', kind, 'state', state, 'user', users.name,
    'roles', detail -> 'roles', 'proposedBy', proposer.name, 'decidedBy', decider.name, 'takesEffectAt', takes_effect_at)
  from changes
  left join users using (user_id)
  left join users proposer on proposer.user_id = proposed_by
  left join users decider on decider.user_id = decided_by
  where change_id = p_change
$$;
