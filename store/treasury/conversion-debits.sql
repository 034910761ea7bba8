-- Whether a request to fund a conversion took effect: it is never funded again, whoever says so.
-- Called by: other functions.
create or replace function conversion_funding_took_effect(p_order uuid) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from conversion_requests where order_id = p_order and operation = 'fund' and outcome = 'took_effect')
$$;

-- Whether the history has a debit that can only be of this conversion: the ledger has posted more debits to it than payments and
-- other conversions of the same total can have. False: there is no such order.
-- Called by: worker.
create or replace function conversion_debit_is_posted(p_order uuid) returns boolean language sql stable
security definer set search_path = public, pg_temp as $$
  select coalesce((
    -- guard: conversion-posted-beyond-others
    select case when posted = 0 then false else posted > equal_debits_of_others(orders) end
    from conversion_orders orders cross join lateral (select count(*) as posted from ledger_transfers
      where account = orders.account and currency = orders.sell_currency
        and debit = 'conversion/' || orders.order_id and credit = 'outside') as transfers
    where order_id = p_order), false)
$$;

-- Whether a debit of the conversion's total, or of what it sells, was first seen after this time: what was read before it says nothing
-- about it.
-- Called by: other functions.
create or replace function conversion_debit_came_since(p_order conversion_orders, p_at timestamptz) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from balance_entries where account = p_order.account and currency = p_order.sell_currency
    and amount_before - amount_after in (p_order.total_amount, p_order.sell_amount) and first_seen_at > p_at)
$$;

-- Why a conversion that was created more than a minute ago is not funded for the first time: since then somebody may have funded it on
-- the provider's own pages, or payrun itself before a backup was restored. `evidence_old`: neither the history since then nor the
-- conversion was read in the last minutes, or it does not await funds; `funding_uncertain`: the history has a debit that may be its
-- own. Null: it may be funded, or was asked to be before.
-- Called by: worker.
create or replace function conversion_first_funding_refusal(p_order conversion_orders) returns text language sql stable
security definer set search_path = public, pg_temp as $$
  select case
    when p_order.created_at is null or p_order.created_at > clock_timestamp() - interval '1 minute' then null
    when exists (select from conversion_requests where order_id = p_order.order_id and operation = 'fund'
      and (answer is null or answer_may_be_effect(answer))) then null
    -- guard: conversion-funded-by-nobody-else
    when conversion_debit_came_since(p_order, greatest(p_order.created_at, p_order.unfunded_at)) then 'funding_uncertain'
    -- guard: conversion-read-before-funding
    when p_order.provider_status = 'awaiting_funds' and p_order.status_read_at > clock_timestamp() - interval '5 minutes'
      -- guard: conversion-history-before-funding (2 lines)
      and exists (select from history_ranges where account = p_order.account and not is_gap and from_at <= p_order.created_at
        and read_at > clock_timestamp() - interval '5 minutes') then null
    else 'evidence_old' end
$$;

-- Whether what the provider shows may be the conversion of this order: its currencies, and our reference, or none.
-- Called by: other functions.
create or replace function conversion_shown_is_ours(p_order conversion_orders) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select coalesce(p_order.shown ->> 'sellCurrency', p_order.sell_currency) = p_order.sell_currency
    and coalesce(p_order.shown ->> 'buyCurrency', p_order.buy_currency) = p_order.buy_currency
    and coalesce(p_order.shown ->> 'referenceId', p_order.order_id || '-' || p_order.attempt)
      = p_order.order_id || '-' || p_order.attempt
$$;

-- How many payments and other conversions of the same total may have a debit that is not posted to them: the provider was asked to
-- fund them within the time in which a debit may come, and it took effect or may have. Whether they still hold money does not
-- matter: what the ledger does not find, it frees after a while.
-- Called by: other functions.
create or replace function equal_debits_of_others(p_order conversion_orders) returns bigint language sql stable
set search_path = public, pg_temp as $$
  with since as (
    select coalesce(min(begun_at), p_order.created_at, p_order.placed_at) - interval '48 hours' as at
    from conversion_requests where order_id = p_order.order_id and operation = 'fund'
  ), asked as (
    select ledger_account_of(payments.payment_id, requests.attempt) as ledger_account
    from since, payments join provider_requests requests on requests.payment_id = payments.payment_id and requests.operation = 'fund'
    where payments.account = p_order.account and payments.sell_currency = p_order.sell_currency
      and round(coalesce(payments.total_amount, payments.sell_amount), 4) = p_order.total_amount
      and outcome_may_be_effect(requests.outcome) and requests.begun_at > since.at
    union
    select 'conversion/' || other.order_id
    from since, conversion_orders other join conversion_requests requests on requests.order_id = other.order_id
      and requests.operation = 'fund'
    where other.account = p_order.account and other.sell_currency = p_order.sell_currency
      and other.total_amount = p_order.total_amount and other.order_id <> p_order.order_id
      and outcome_may_be_effect(requests.outcome) and requests.begun_at > since.at
  )
  select count(*) from asked where not exists (select from ledger_transfers posted where posted.account = p_order.account
    and posted.currency = p_order.sell_currency and posted.debit = asked.ledger_account and posted.credit = 'outside')
$$;
