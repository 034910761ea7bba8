-- Up Migration

-- Money counts once, days are closed when they are over, and who placed an order does not confirm what became of it.

-- What is paid for and has certainly not come yet: funded conversions, unless a receipt of the time since may be theirs, whatever its
-- amount. A conversion that is not funded may lapse, and what has come is free. Without a history, a balance may have it already.
create function money_to_come(p_account text, p_currency text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  select coalesce(sum(buy_amount), 0) from conversion_orders orders
  where account = p_account and buy_currency = p_currency and state in ('funded', 'completed')
    and exists (select from balance_chains where account = p_account and currency = p_currency)
    and not exists (select from receipts where receipts.account = p_account and receipts.currency = p_currency
      and (explained_by is null or explained_by = 'person')
      and receipts.seen_at > coalesce((select min(begun_at) from conversion_requests
        where conversion_requests.order_id = orders.order_id and operation = 'fund'), orders.created_at, '-infinity'))
$$;

-- Null when an order was placed by hand, or leaves the floor and level of its schedule with this total; else the code of why not.
-- What was above the floor, or missing to the level, when it was placed may have been reserved or have come since.
create or replace function level_objection_to(p_order conversion_orders, p_total numeric) returns text language sql stable
set search_path = public, pg_temp as $$
  select case kind
    when 'sweep' then case when not coalesce(left_over >= (definition ->> 'floor')::numeric, false) then 'floor_reached' end
    -- What it sells may be bought at the same time.
    when 'fund_run' then case when not coalesce(left_over + money_to_come(p_order.account, p_order.sell_currency)
      >= coalesce((definition #>> array['floors', p_order.sell_currency])::numeric, 0), false) then 'floor_reached' end
    -- What may have come counts here as bought as well: so no more than the level is bought. The last unit of the currency is bought whole.
    when 'top_up' then case when not coalesce(free_money(p_order.account, p_order.buy_currency)
      + bought_money(p_order.account, p_order.buy_currency) + p_order.amount
      < (definition ->> 'level')::numeric + power(10::numeric, -scale(p_order.amount)), false) then 'level_reached' end
    end
  from (
    select definition, definition ->> 'kind' as kind, free_money(p_order.account, p_order.sell_currency)
      + ledger_amount(p_order.account, p_order.sell_currency, 'conversion/' || p_order.order_id) - p_total as left_over
    from scheduled_orders join schedule_occurrences occurrences using (occurrence_id)
    cross join lateral confirmed_definition(schedule_id, occurrences.version) as confirmed (definition)
    where order_id = p_order.order_id and refused is null
  ) as placed
$$;

-- Commits the money of a quoted order and records the intent to create it, in one transaction: neither is on record without
-- the other. The guards of the price have run before, in the same transaction; authority and limits are decided here.
create or replace function begin_conversion_creation(p_order uuid) returns jsonb language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v conversion_orders%rowtype;
  v_limits jsonb;
  v_total numeric;
  v_day date;
  v_committed numeric;
  v_request uuid;
  v_objection text;
begin
  select * into v from conversion_orders where order_id = p_order for update;
  if v.state is distinct from 'quoted' then return jsonb_build_object('refused', 'state'); end if;
  if is_stopped(v.account, null) then return jsonb_build_object('refused', 'stopped'); end if;
  v_total := (v.quote ->> 'totalAmount')::numeric;
  v_limits := conversion_limits(v.sell_currency, v.buy_currency);
  v_day := (v_limits ->> 'day')::date;
  v_committed := lock_treasury_day(v.account, v.sell_currency, v_day);
  if not conversion_is_authorized(v, v_total) then return jsonb_build_object('refused', 'approval_needed'); end if;
  if v.expires_at < clock_timestamp() then return jsonb_build_object('refused', 'order_expired'); end if;
  if v_total > v.cap or v_total > (v_limits ->> 'maxOrder')::numeric then return jsonb_build_object('refused', 'order_too_large'); end if;
  if v_committed + v_total > (v_limits ->> 'dailyCap')::numeric then return jsonb_build_object('refused', 'daily_cap_reached'); end if;
  if exists (select from conversion_requests where order_id = p_order and attempt = v.attempt and operation = 'create'
      and coalesce(outcome, 'took_effect') = 'took_effect') then
    return jsonb_build_object('refused', 'state');
  end if;
  -- What orders buy of a currency stays so until this one counts as well, whatever they sell. It is locked after the day, and
  -- before the balance, by all.
  perform pg_advisory_xact_lock(hashtextextended('bought ' || v.account || ' ' || v.buy_currency, 0));
  -- Locked as for the commitment: what is free stays so until then.
  perform from balance_chains where account = v.account and currency = v.sell_currency for no key update;
  v_objection := level_objection_to(v, v_total);
  if v_objection is not null then return jsonb_build_object('refused', v_objection); end if;
  if not commit_conversion(v.account, v.sell_currency, p_order::text, v_total, (v.quote ->> 'sellAmount')::numeric) then
    return jsonb_build_object('refused', 'not_enough_money');
  end if;
  update treasury_days set committed = committed + v_total
  where account = v.account and currency = v.sell_currency and day = v_day;
  update conversion_orders set state = 'committed', state_reason = null, committed_on = v_day, total_amount = v_total,
    sell_amount = (v.quote ->> 'sellAmount')::numeric, buy_amount = (v.quote ->> 'buyAmount')::numeric, changed_at = clock_timestamp()
  where order_id = p_order;
  insert into conversion_requests (order_id, attempt, operation) values (p_order, v.attempt, 'create') returning request_id into v_request;
  perform note('worker', 'conversion_requested', null, null, jsonb_build_object('order', p_order, 'account', v.account,
    'request', v_request, 'operation', 'create', 'attempt', v.attempt, 'state', 'committed', 'total', v_total::text));
  return jsonb_build_object('request', v_request);
end $$;

-- From when on the entries of a day count as seen: the books of a day are made and signed then, at the earliest. Days are UTC.
create function book_day_seen_at(p_day date) returns timestamptz language sql immutable
set search_path = public, pg_temp as $$
  select (p_day + 1)::timestamp at time zone 'UTC' + interval '6 hours'
$$;

-- Stores the books of a day, and the breaks found in it. False: the day is closed, or one after it. Fails while the day is not over.
create or replace function store_book_day(p_account text, p_day date, p_book jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v book_days%rowtype;
  v_found reconciliation_breaks%rowtype;
begin
  -- By the clock of the record: that of a worker may be wrong.
  if book_day_seen_at(p_day) > clock_timestamp() then
    raise exception 'the day % is not over: its entries are not all seen before %', p_day, book_day_seen_at(p_day) using errcode = 'check_violation';
  end if;
  -- One after another: days depend on those before them.
  perform pg_advisory_xact_lock(hashtextextended('books ' || p_account, 0));
  if exists (select from book_days where account = p_account and day >= p_day and state = 'closed') then return false; end if;
  -- What was read of the day before is what it leaves open: that was not done again meanwhile, nor one before it.
  if p_book ->> 'carriedFrom' is not null and (is_outdated(p_account, p_day - 1) or not exists (select from book_days
      where account = p_account and day = p_day - 1 and reconciled_at = (p_book ->> 'carriedFrom')::timestamptz)) then
    raise exception 'the day before % of % was reconciled again', p_day, p_account using errcode = 'serialization_failure';
  end if;
  select * into v from book_days where account = p_account and day = p_day for update;
  -- Later days depend on this one: they are reconciled again after it.
  delete from booked_entries where account = p_account and day >= p_day;
  delete from booked_facts where account = p_account and day >= p_day;
  delete from book_balances where account = p_account and day = p_day;
  insert into book_days as known (account, day, matched, content_hash, carried)
  values (p_account, p_day, (p_book ->> 'matched')::integer, p_book ->> 'contentHash', p_book -> 'carried')
  on conflict (account, day) do update set reconciled_at = clock_timestamp(), matched = excluded.matched,
    content_hash = excluded.content_hash, carried = excluded.carried,
    -- A signature counts for what was signed alone.
    state = case when known.content_hash = excluded.content_hash then known.state else 'matched' end,
    signed_by = case when known.content_hash = excluded.content_hash then known.signed_by end,
    signed_at = case when known.content_hash = excluded.content_hash then known.signed_at end;
  insert into book_balances (account, day, currency, opening, closing, entries, is_complete, totals, late, reclassified, history_hash, content_hash)
  select p_account, p_day, currency, opening, closing, entries, is_complete, totals, late, reclassified, history_hash, content_hash
  from jsonb_to_recordset(p_book -> 'balances') as given (currency text, opening numeric, closing numeric, entries integer,
    is_complete boolean, totals jsonb, late jsonb, reclassified jsonb, history_hash text, content_hash text);
  insert into booked_entries (account, currency, entry_id, day, place, lines)
  select p_account, currency, entry_id, p_day, place, lines
  from jsonb_to_recordset(p_book -> 'entries') as given (currency text, entry_id text, place integer, lines jsonb);
  insert into booked_facts (account, fact_id, day)
  select p_account, fact_id, p_day from jsonb_array_elements_text(p_book -> 'facts') as given (fact_id)
  on conflict do nothing;

  for v_found in
    update reconciliation_breaks set state = 'gone', explained_by = null, explained_at = null, closed_by = null, closed_at = null
    where account = p_account and day = p_day and state in ('open', 'explained')
      and digest not in (select given ->> 'digest' from jsonb_array_elements(p_book -> 'breaks') as given)
    returning *
  loop
    perform note('worker', 'break_gone', null, null,
      jsonb_build_object('break', v_found.break_id, 'account', p_account, 'day', p_day, 'type', v_found.type));
  end loop;
  for v_found in
    insert into reconciliation_breaks as known (account, digest, day, type, currency, fact_ids, entry_ids, expected, found,
      is_interchangeable, reason)
    select p_account, digest, p_day, type, currency, fact_ids, entry_ids, expected, given.found, is_interchangeable, reason
    from jsonb_to_recordset(p_book -> 'breaks') as given (digest text, type text, currency text, fact_ids jsonb, entry_ids jsonb,
      expected numeric, found numeric, is_interchangeable boolean, reason text)
    -- A break stays on the earliest day that shows it: reconciling a later day again would remove it there.
    on conflict (account, digest) do update set day = excluded.day, state = case known.state when 'gone' then 'open' else known.state end
      where known.state = 'gone' or (known.state in ('open', 'explained') and excluded.day < known.day)
    returning *
  loop
    perform note('worker', 'break_found', null, null, jsonb_build_object('break', v_found.break_id, 'account', p_account,
      'day', p_day, 'type', v_found.type, 'book_day', p_account || '/' || p_day));
  end loop;
  if v.content_hash is distinct from p_book ->> 'contentHash' then
    perform note('worker', 'book_day_matched', null, null, jsonb_build_object('account', p_account, 'day', p_day,
      'contentHash', p_book ->> 'contentHash', 'before', v.content_hash, 'wasSigned', v.state = 'signed'));
  end if;
  perform close_signed_days(p_account);
  return true;
end $$;

create or replace function confirm_conversion_resolution(p_proof bytea, p_resolution uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v conversion_resolutions%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  select * into v from conversion_resolutions where resolution_id = p_resolution;
  v_refusal := conversion_objection_to(me.user_id, me.token_id, 'decide_conversion', v.order_id, 'confirm_conversion_resolution');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from conversion_resolutions where resolution_id = p_resolution for update;
  if v.proposed_by = me.user_id then
    return refuse_conversion_decision(me.user_id, me.token_id, v.order_id, 'proposer_confirms',
      'who proposed a resolution cannot confirm it; ask a second person');
  end if;
  -- As the maker of a run confirms nothing of its rows. Of an order of a schedule, it is who proposed the version, or started it by hand.
  if exists (select from conversion_orders where order_id = v.order_id and placed_by = me.user_id) then
    return refuse_conversion_decision(me.user_id, me.token_id, v.order_id, 'placer_confirms',
      'who placed an order cannot confirm what became of it; ask another person');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_refusal := second_factor_objection_to(me.user_id, me.token_id, null, 'resolution', p_resolution, proposal_hash('order', v.order_id, p_resolution, array[v.outcome]), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  update conversion_resolutions set confirmed_by = me.user_id, confirmed_at = clock_timestamp()
  where resolution_id = p_resolution and confirmed_by is null;
  update conversion_orders set changes = changes + 1, changed_at = clock_timestamp() where order_id = v.order_id;
  perform note(me.user_id::text, 'conversion_resolution_confirm_requested', null, null,
    jsonb_build_object('order', v.order_id, 'resolution', p_resolution, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- That the money has come is not said any more of an order whose exact credit was found meanwhile.
create trigger resolutions_of_settled_orders_are_closed after update of state on conversion_orders for each row
  when (old.state = 'completed' and new.state = 'settled')
  execute function close_overtaken_resolutions();

-- Of the orders of an occurrence, some were carried out, and others were not in time.
-- expands: the next statement allows one end more
alter table schedule_occurrences drop constraint schedule_occurrences_ended_check;
-- expands: it allows all that it did, and one end more
alter table schedule_occurrences add constraint schedule_occurrences_ended_check
  check (ended in ('done', 'nothing_to_do', 'refused_by_guard', 'missed', 'partly_missed', 'unknown', 'defect'));
