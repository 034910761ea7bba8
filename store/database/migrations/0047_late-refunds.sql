-- Up Migration

-- Refunds that the provider shows, and whose money did not come for days: people were told of them.
create table late_refunds (
  account text not null,
  refund_id text not null,
  told_at timestamptz not null default clock_timestamp(),
  primary key (account, refund_id),
  foreign key (account, refund_id) references refunds
);

-- Each is told of once. What is only reported is not: its notification proves nothing.
create function record_late_refunds(p_account text) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in select refund_id, currency from refunds
    where account = p_account and entry_id is null and read_at < clock_timestamp() - interval '5 days' order by refund_id
  loop
    insert into late_refunds (account, refund_id) values (p_account, v.refund_id) on conflict do nothing;
    if found then
      perform note('server', 'refund_late', null, null, jsonb_build_object('refund', p_account || '/' || v.refund_id,
        'account', p_account, 'refundId', v.refund_id, 'currency', v.currency));
    end if;
  end loop;
end $$;
