-- Puts a fact into the outbox. The transaction of the fact goes on whatever happens here, and waits for nobody: there is no key
-- that another transaction could hold, and no foreign key. Where facts share a notification, one that no worker has looked at is
-- kept until this transaction has ended, and then tells of its fact as well; while a worker looks at it, it is locked, and a
-- further one is added. While 100,000 wait for a worker, no further one is kept, and the last one says so.
-- Called by: other functions.
create or replace function enqueue_notification(p_type text, p_subject text, p_subject_id text, p_merges boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_first bigint;
  v_last record;
begin
  if p_subject_id is null then return; end if;
  if p_merges then
    perform from outbox where subject_id = p_subject_id and type = p_type and planned_at is null
    order by position limit 1 for key share skip locked;
    if found then return; end if;
  end if;
  select position into v_first from outbox where planned_at is null order by position limit 1;
  select position, type into v_last from outbox where planned_at is null order by position desc limit 1;
  -- Positions say that there may be so many; where a few wait longer than others, there are not.
  -- guard: outbox-is-capped (6 lines)
  if v_last.position - v_first >= 100000
    and exists (select from outbox where planned_at is null order by position offset 100000 limit 1) then
    insert into outbox (type, subject, subject_id)
    select 'notifications.left_out', 'outbox', 'outbox' where v_last.type <> 'notifications.left_out';
    return;
  end if;
  insert into outbox (type, subject, subject_id) values (p_type, p_subject, p_subject_id);
exception when others then
  -- guard: fact-goes-on
  raise warning 'a notification % of % % is lost: %', p_type, p_subject, p_subject_id, sqlerrm;
end $$;

-- Puts audit entries that people are notified of into the outbox (`domain/notifications/notification-types.ts`).
-- Called by: triggers.
create or replace function notify_of_entries() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  perform enqueue_notification(rules.type, rules.subject,
    case rules.subject when 'run' then entries.run_id::text else entries.detail ->> rules.subject end, rules.merges)
  from entries join notification_rules rules on rules.source = 'audit' and rules.name = entries.kind
    and rules.state in ('', coalesce(entries.detail ->> 'state', ''));
  return null;
end $$;

create or replace trigger entries_are_notified after insert on audit_entries
  referencing new table as entries for each statement execute function notify_of_entries();

-- Puts one fact into the outbox for each run in which a statement brought more rows into a state. It joins no versions of rows: a
-- plan that was made for one row would be used for a hundred thousand.
-- Called by: triggers.
create or replace function notify_of_rows() returns trigger language plpgsql
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

create or replace trigger moved_rows_are_notified after update on payments
  referencing old table as before_it new table as after_it for each statement execute function notify_of_rows();

-- A delivery that is given up was to tell of facts that came after it as well: the newest of them gets a delivery of its own.
-- Called by: triggers.
create or replace function notify_of_waiting_facts() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into deliveries (notification_id, endpoint_id, state)
  select later.notification_id, endpoint_id, case endpoints.state when 'enabled' then 'queued' else 'disabled' end
  from endpoints cross join lateral (
    select waited.notification_id from outbox notified join outbox waited using (type, subject_id)
    where notified.notification_id = new.notification_id and waited.position > notified.position and waited.body is not null
      and exists (select from notification_rules rules where rules.type = notified.type and merges)
    order by waited.position desc limit 1
  ) as later
  where endpoint_id = new.endpoint_id and removed_at is null
  on conflict do nothing;
  return null;
end $$;

create or replace trigger waiting_facts_are_notified after update of state on deliveries for each row
  when (delivery_is_open(old.state) and not delivery_is_open(new.state) and new.state <> 'delivered')
  execute function notify_of_waiting_facts();
