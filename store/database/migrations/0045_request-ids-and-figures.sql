-- Up Migration

-- The age of the oldest row that waits is shown by the metrics, so it is found without looking at the others.
create index payments_waiting on payments (state, account, changed_at)
  where state in ('held', 'duplicate_suspect', 'awaiting_funds', 'unknown');
-- Payments that a webhook named and that were not read since.
create index payments_hinted on payments (account, hinted_at)
  where hinted_at > coalesce(swept_at, timestamptz '-infinity') and state in ('created', 'awaiting_funds', 'funded', 'processing', 'unknown');

-- The id of the HTTP request in which somebody did something. A server sets it for one transaction with every call in a user's
-- name. It goes into the detail, which the chain covers. It proves nothing: it leads from an entry to the log and to Temporal.
create function note_request() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  new.detail := new.detail || jsonb_build_object('httpRequest', current_setting('payrun.request', true));
  return new;
end $$;

create trigger entries_have_their_request before insert on audit_entries
  for each row when (current_setting('payrun.request', true) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
  execute function note_request();
