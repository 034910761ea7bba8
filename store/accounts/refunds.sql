-- Finds the receipts of refunds. The provider names none, so all refunds of one amount are looked at together, and nothing that
-- matters is guessed: who is told that a payment came back may pay it again. Refunds were listed after the receipts were seen:
-- otherwise the money may be that of one that is not known yet. So were fundings, unless a receipt has the transaction id of a
-- debit. There are as many receipts as refunds, each from after its payment was funded, and from three days before the refund was
-- first seen until thirty days after. With fewer, all wait; they also wait if the money may be that of something else (fundings,
-- deposits, conversions, payments that failed or may have, refunds and fundings that cannot be read since less than a week), unless there is enough for these as well. Refunds are
-- waited for during thirty days, as others wait with them: after that, people find out.
-- Called by: other functions.
create or replace function match_refunds(p_account text, p_currencies text[]) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_listed timestamptz;
  v_fundings_listed timestamptz;
  v_unreadable integer;
  v_group record;
  v_refunds text[];
  v_since timestamptz[];
  v_entries text[];
  v_dates timestamptz[];
  v_linked bigint;
  v_others bigint;
  v_hidden bigint;
  v_lacking bigint;
begin
  select max(read_at) filter (where kind = 'refunds'), max(read_at) filter (where kind = 'fundings')
  into v_listed, v_fundings_listed from listings where account = p_account;
  select count(*) into v_unreadable from unreadable_records
  -- guard: unreadable-records-waited-for-a-week
  where account = p_account and first_seen_at > clock_timestamp() - interval '7 days';
  for v_group in
    select distinct currency, amount from refunds
    where account = p_account and currency = any (p_currencies) and entry_id is null and amount > 0 and first_seen_at > clock_timestamp() - interval '30 days'
      and exists (select from receipts where receipts.account = p_account and receipts.currency = refunds.currency
        and receipts.amount = refunds.amount and explained_by is null)
    order by currency, amount
  loop
    select array_agg(refund_id order by since, refund_id), array_agg(since order by since, refund_id) into v_refunds, v_since
    from (
      -- guard: money-about-when-the-refund-is-shown
      select refund_id, greatest(may_come_back_since(payments), first_seen_at - interval '3 days') as since
      from refunds left join payments on payments.account = p_account and provider_payment_id = resource_id
      where refunds.account = p_account and refunds.currency = v_group.currency and refunds.amount = v_group.amount and entry_id is null
        -- guard: refunds-waited-for-thirty-days (2 lines)
        and first_seen_at > clock_timestamp() - interval '30 days'
    ) as open;
    -- guard: failures-may-be-given-back, unreadable-refunds-may-have-come
    v_hidden := v_unreadable + may_be_given_back(p_account, v_group.currency, v_group.amount, v_since[1]);
    v_others := v_hidden + open_incoming(p_account, v_group.currency, v_group.amount);
    select array_agg(entry_id order by dated_at, entry_id) filter (where place <= cardinality(v_refunds)),
      array_agg(dated_at order by dated_at, entry_id) filter (where place <= cardinality(v_refunds)),
      count(*) filter (where follows_debit), cardinality(v_refunds) + v_others - count(*)
    into v_entries, v_dates, v_linked, v_lacking
    from (
      select entry_id, dated_at, follows_debit, row_number() over (order by follows_debit desc, dated_at, entry_id) as place
      from receipts
      where account = p_account and currency = v_group.currency and amount = v_group.amount and explained_by is null
        -- guard: refunds-listed-after-the-money, fundings-listed-after-the-money
        and dated_at >= v_since[1] and seen_at < v_listed and (follows_debit or seen_at < v_fundings_listed)
    ) as candidates;
    -- There are too few receipts for these refunds, or for these and all else.
    -- guard: money-for-all-that-is-open
    continue when (v_linked < cardinality(v_refunds) + v_hidden and v_lacking > 0)
      or exists (select from unnest(v_dates, v_since) as pairs (dated, since) where dated < since);
    update refunds set entry_id = matched.entry, credited_at = matched.dated
    from unnest(v_refunds, v_entries, v_dates) as matched (refund, entry, dated)
    where account = p_account and refund_id = matched.refund;
    update receipts set explained_by = 'refund', explained_at = clock_timestamp()
    where account = p_account and currency = v_group.currency and entry_id = any (v_entries);
    insert into audit_entries (actor, kind, run_id, payment_id, detail)
    select 'database', 'refund_credited', run_id, payment_id,
      jsonb_build_object('account', p_account, 'refund', refund_id, 'currency', v_group.currency, 'entry', entry_id)
    from refunds left join payments on payments.account = p_account and provider_payment_id = resource_id
    where refunds.account = p_account and refund_id = any (v_refunds);
  end loop;
end $$;

-- How many payments of an amount may be given back without a refund: they failed after they were funded, or may have failed, since it is not
-- known here how they ended. None has a refund shown.
-- Called by: other functions.
create or replace function may_be_given_back(p_account text, p_currency text, p_amount numeric, p_since timestamptz) returns bigint
language sql stable set search_path = public, pg_temp as $$
  select count(*) from payments where account = p_account and payment_id in (
      select payment_id from payments where account = p_account and payment_has_failed(state) and ended_at > p_since
      -- guard: what-is-in-flight-may-be-given-back
      union all select payment_id from payments where account = p_account and payment_is_in_flight(state)
      -- guard: what-is-unknown-may-be-given-back
      union all select payment_id from payments where account = p_account and payment_is_unresolved(state)
      -- guard: what-is-being-funded-may-be-given-back
      union all select payment_id from provider_requests where non_idempotent and outcome is null)
    and sell_currency = p_currency and p_amount in (total_amount, sell_amount) and may_have_been_funded(payment_id, attempt)
    and not exists (select from refunds where refunds.account = p_account and resource_id = provider_payment_id)
$$;

-- Whether all of a payment came back, perhaps without the fees.
-- Called by: other functions.
create or replace function has_come_back(p_payment payments) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  -- guard: returned-as-a-whole
  select coalesce(p_payment.sell_amount > 0 and p_payment.returned_amount >= round(p_payment.sell_amount, 4), false)
$$;

-- The earliest time of a receipt of what comes back of a payment. Null: payrun has no such payment.
-- Called by: other functions.
create or replace function may_come_back_since(p payments) returns timestamptz language sql stable
set search_path = public, pg_temp as $$
  select coalesce(least((select min(begun_at) from provider_requests where payment_id = p.payment_id and operation = 'fund'), p.funded_at),
    -- guard: returned-after-it-was-funded
    p.created_at, p.quoted_at) - interval '15 minutes'
$$;

-- What the provider has shown of a refund, and its receipt, do not change.
-- Called by: triggers.
create or replace function refuse_change_of_refund() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'a refund is kept as it was first shown' using errcode = 'check_violation';
end $$;

create or replace trigger refunds_keep_their_content before update of resource, resource_id, currency, amount, read_at, entry_id, credited_at on refunds
  for each row when ((old.read_at is not null and (old.currency, old.amount, old.read_at) is distinct from (new.currency, new.amount, new.read_at))
    or (old.resource is not null and new.resource is distinct from old.resource)
    or (old.resource_id is not null and new.resource_id is distinct from old.resource_id)
    or (old.entry_id is not null and (new.entry_id, new.credited_at) is distinct from (old.entry_id, old.credited_at)))
  execute function refuse_change_of_refund();

-- A payment is `returned` only once what was credited of its refunds is as much as it sold.
-- Called by: triggers.
create or replace function refuse_return_without_money() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  -- guard: returned-with-its-money
  if not has_come_back(new) then
    raise exception 'a payment is returned once the history shows its money' using errcode = 'check_violation';
  end if;
  perform note('database', 'payment_returned', new.run_id, new.payment_id,
    jsonb_build_object('state', 'returned', 'attempt', new.attempt));
  return new;
end $$;

create or replace trigger payments_return_with_their_money before update of state on payments
  for each row when (new.state = 'returned' and old.state <> 'returned') execute function refuse_return_without_money();

-- A payment that gets its id at the provider has come back by as much as was credited of its refunds before that, however long ago.
-- Called by: triggers.
create or replace function note_earlier_returns() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  select sum(amount), max(credited_at) into new.returned_amount, new.returned_at from refunds
  where account = new.account and resource_id = new.provider_payment_id and currency = new.sell_currency and entry_id is not null;
  return new;
end $$;

-- guard: returned-before-it-was-known (3 lines)
create or replace trigger earlier_returns_are_noted before update of provider_payment_id on payments
  for each row when (old.provider_payment_id is null and new.provider_payment_id is not null)
  execute function note_earlier_returns();

-- Notes each refund that the provider has shown, and whose money has not come for five days, once. A refund that is only reported
-- is not noted: its notification proves nothing.
-- Called by: server.
create or replace function record_late_refunds(p_account text) returns void language plpgsql
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

-- Whether the money of a returned payment came back with the transaction id of a debit. Otherwise an equal amount was taken for its
-- refund, and may be other money.
-- Called by: server and worker.
create or replace function is_returned_for_certain(p_account text, p_provider_payment text) returns boolean language sql stable
security definer set search_path = public, pg_temp as $$
  select coalesce((select bool_and(follows_debit) from refunds join receipts using (account, currency, entry_id)
    where refunds.account = p_account and resource_id = p_provider_payment), false)
$$;

-- Notes what lists of the provider have had for a day and nobody can read, once each: matching waits for it for a week, and then goes on
-- without it.
-- Called by: server.
create or replace function record_unreadable_records(p_account text) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in
    with told as (
      update unreadable_records set notified_at = clock_timestamp()
      where account = p_account and notified_at is null and first_seen_at < clock_timestamp() - interval '1 day' returning kind
    )
    select kind, count(*) as records from told group by kind order by kind
  loop
    perform note('server', 'records_unreadable', null, null, jsonb_build_object('listing', p_account || '/' || v.kind,
      'account', p_account, 'kind', v.kind, 'records', v.records));
  end loop;
end $$;
