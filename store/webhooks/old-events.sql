-- Removes what events from outside have left, reads that they asked for, and notifications, once it is so old that nothing asks for
-- it; 10,000 rows of each table at most. What the provider or the history has confirmed stays. Answers how many.
-- Called by: server.
create or replace function forget_old_events() returns integer language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_removed integer;
  v_all integer := 0;
begin
  -- Reports of deposits that no money followed: events are unsigned.
  delete from deposits where ctid in (select ctid from deposits
    where entry_id is null and last_reported_at < clock_timestamp() - interval '90 days' limit 10000);
  get diagnostics v_removed = row_count;
  v_all := v_all + v_removed;
  -- Refunds and fundings that only an event named.
  delete from refunds where ctid in (select ctid from refunds
    where read_at is null and first_seen_at < clock_timestamp() - interval '90 days' limit 10000);
  get diagnostics v_removed = row_count;
  v_all := v_all + v_removed;
  delete from fundings where ctid in (select ctid from fundings
    where status is null and first_seen_at < clock_timestamp() - interval '90 days' limit 10000);
  get diagnostics v_removed = row_count;
  v_all := v_all + v_removed;
  -- Requests of the provider that an event named.
  delete from virtual_account_candidates where ctid in (select ctid from virtual_account_candidates
    where read_at < clock_timestamp() - interval '90 days' limit 10000);
  get diagnostics v_removed = row_count;
  v_all := v_all + v_removed;
  -- Users that an event named, once no event names them any more, or no sign-up of the account waits for its outcome.
  delete from case_candidates where ctid in (select ctid from case_candidates candidates
    -- guard: candidates-stay-while-asked-for (4 lines)
    where not exists (select from webhook_inbox named where named.account = candidates.account and kind = 'user'
        and resource_id = user_id)
      or not exists (select from cases waiting where waiting.account = candidates.account
        and case_sign_up_may_be_unanswered(waiting.state)) limit 10000);
  get diagnostics v_removed = row_count;
  v_all := v_all + v_removed;
  -- Requests for a virtual account that were provably not sent. The last one stays: the pause before the next one is counted from it.
  delete from virtual_account_requests where ctid in (select ctid from virtual_account_requests old
    -- guard: only-what-was-not-sent-is-forgotten
    where outcome = 'not_sent' and answered_at < clock_timestamp() - interval '30 days'
      and exists (select from virtual_account_requests later where later.virtual_account_id = old.virtual_account_id
        and later.begun_at > old.begun_at) limit 10000);
  get diagnostics v_removed = row_count;
  v_all := v_all + v_removed;
  -- Notifications that were delivered or given up, or whose endpoint was disabled all the time.
  delete from deliveries where ctid in (select ctid from deliveries
    -- guard: undelivered-notifications-stay
    where coalesce(ended_at, created_at) < clock_timestamp() - interval '90 days' and not delivery_is_open(state) limit 10000);
  get diagnostics v_removed = row_count;
  v_all := v_all + v_removed;
  delete from outbox where ctid in (select ctid from outbox
    where occurred_at < clock_timestamp() - interval '90 days'
      and not exists (select from deliveries where deliveries.notification_id = outbox.notification_id) limit 10000);
  get diagnostics v_removed = row_count;
  v_all := v_all + v_removed;
  -- What was read of the history. The last reads of an account stay: without them it would be read from the start.
  delete from history_ranges where ctid in (select ctid from history_ranges old
    where read_at < clock_timestamp() - interval '30 days'
      -- guard: last-reads-stay (2 lines)
      and exists (select from history_ranges later where later.account = old.account and later.is_gap = old.is_gap
        and later.to_at >= old.to_at and later.read_at > old.read_at) limit 10000);
  get diagnostics v_removed = row_count;
  return v_all + v_removed;
end $$;
