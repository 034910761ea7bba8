-- Up Migration

-- Waiting for money is a state of its own.
alter table payments
  -- When its workflow was begun. Null: not begun, or begun by the version before and not funded since.
  add column workflow_begun_at timestamptz,
  -- Since when it waits for money; until when the provider lets it be funded; when a balance that is enough was last read.
  add column awaiting_since timestamptz,
  add column funding_cutoff_at timestamptz,
  add column funds_seen_at timestamptz;
update payments set workflow_begun_at = coalesce(quoted_at, created_at, changed_at) where state in ('quoted', 'created');

create index payments_awaiting_funds on payments (account, sell_currency) where state = 'awaiting_funds';
-- What speaks of money that came in.
create index webhook_inbox_money on webhook_inbox (account, last_received_at)
  where kind in ('funding', 'deposit', 'conversion', 'refund');

create or replace function may_move_payment(p_from text, p_to text) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select p_to = any (case p_from
    when 'duplicate_suspect' then '{ready,excluded,cancelled}'::text[]
    when 'held' then '{ready,excluded,cancelled,unknown}'
    when 'ready' then '{quoted,held,duplicate_suspect,excluded,cancelled,rejected,unknown}'
    when 'quoted' then '{ready,created,held,processing,paid,rejected,failed,cancelled,unknown}'
    when 'created' then '{awaiting_funds,funded,processing,paid,rejected,failed,cancelled,unknown}'
    when 'awaiting_funds' then '{funded,processing,paid,rejected,failed,cancelled,unknown}'
    when 'funded' then '{processing,paid,rejected,failed,unknown}'
    when 'processing' then '{paid,rejected,failed,unknown}'
    when 'paid' then '{returned}'
    when 'unknown' then '{created,funded,processing,paid,rejected,failed,cancelled}'
    else '{}' end)
$$;

create or replace function stop_counts(p_run uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select jsonb_build_object(
    'sent', count(*) filter (where not is_open and (funded_at is not null or state in ('processing', 'paid', 'returned'))),
    'created', count(*) filter (where not is_open and funded_at is null and state in ('created', 'awaiting_funds')),
    'notSent', count(*) filter (where not is_open and state in ('ready', 'quoted', 'held', 'duplicate_suspect')),
    'underWay', count(*) filter (where is_open))
  from (
    select state, funded_at, exists (select from provider_requests requests
      where requests.payment_id = payments.payment_id and exclusive and outcome is null) as is_open
    from payments where run_id = p_run
  ) as rows
$$;
