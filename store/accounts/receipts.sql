-- Every increase of a balance that gets its place in the history is a receipt, which something explains, or nothing.
-- Called by: triggers.
create or replace function note_receipt() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into receipts (account, currency, entry_id, amount, dated_at, transaction_id, follows_debit)
  values (new.account, new.currency, new.entry_id, new.amount_after - new.amount_before, new.dated_at, new.transaction_id,
    exists (select from balance_entries debits where debits.account = new.account and debits.currency = new.currency
      and debits.transaction_id = new.transaction_id and debits.amount_after < debits.amount_before
      and debits.position < new.position))
  on conflict do nothing;
  return null;
end $$;

create or replace trigger receipts_are_noted after update of position on balance_entries
  for each row when (old.position is null and new.position is not null and new.amount_after > new.amount_before)
  execute function note_receipt();

-- The currencies with receipts that something explains now: nothing else is locked. Events are unsigned, so that the amount of a report
-- alone locks nothing.
-- Called by: other functions.
create or replace function currencies_to_explain(p_account text) returns text[] language sql stable
set search_path = public, pg_temp as $$
  select coalesce(array_agg(currency order by currency), '{}') from (
    select open.currency from receipts_to_explain(p_account) as open cross join lateral explanation_of(open) as explains
    -- guard: reports-lock-only-what-they-explain
    where (explains.funding).funding_id is not null or (explains.deposit).transaction_id is not null
    union
    select currency from refunds where account = p_account and entry_id is null and amount > 0
      and first_seen_at > clock_timestamp() - interval '30 days'
      and exists (select from receipts where receipts.account = p_account and receipts.currency = refunds.currency
        and receipts.amount = refunds.amount and explained_by is null)) as open
$$;

-- Explains receipts, and notes at payments what came back of them. Answers the paid payments that have come back as a whole.
-- Called whenever receipts, refunds or payments may have changed, as often as somebody sends events: payments of other currencies
-- do not wait for it.
-- Called by: worker.
create or replace function explain_receipts(p_account text) returns table (payment uuid, run uuid) language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_currencies text[];
begin
  -- A deposit has no currency until it is matched: nobody else matches one of the account meanwhile.
  perform pg_advisory_xact_lock(hashtextextended('receipts ' || p_account, 0));
  v_currencies := currencies_to_explain(p_account);
  -- guard: explained-currencies-alone
  perform from balance_chains where account = p_account and currency = any (v_currencies) order by currency for no key update;
  perform match_refunds(p_account, v_currencies);
  perform match_incoming(p_account, v_currencies);
  update payments set returned_amount = back.amount, returned_at = back.at
  from (
    select payment_id, sum(refunds.amount) as amount, max(credited_at) as at
    from refunds join payments paid on paid.account = refunds.account and paid.provider_payment_id = refunds.resource_id
      and paid.sell_currency = refunds.currency
    where refunds.account = p_account and payment_id in (
      select returned.payment_id from receipts join refunds as lately using (account, currency, entry_id)
      join payments returned on returned.account = p_account and returned.provider_payment_id = lately.resource_id
      where receipts.account = p_account and explained_by = 'refund' and explained_at > clock_timestamp() - interval '30 days')
      and refunds.entry_id is not null
    group by payment_id
  ) as back
  where payments.payment_id = back.payment_id and payments.returned_amount is distinct from back.amount;
  return query select payment_id, run_id from payments
    where account = p_account and state = 'paid' and returned_amount is not null and has_come_back(payments) order by run_id, payment_id;
end $$;

-- Receipts that a funding or deposit may explain. A receipt waits while refunds were not listed since it was seen: it may be money
-- that comes back. Those whose amount nothing open has are left out: there may be as many as the history is long. A deposit is open
-- for as long as it may be that of a receipt (`deposit_of`), and a week; a funding that had its money when it was first seen, as well.
-- Called by: other functions.
create or replace function receipts_to_explain(p_account text) returns setof receipts language sql stable
set search_path = public, pg_temp as $$
  select * from receipts
  where account = p_account
    -- guard: deposits-after-refunds
    and (explained_by is null and seen_at < (select read_at from listings where account = p_account and kind = 'refunds')
      or explained_by in ('funding', 'deposit') and explained_at > clock_timestamp() - interval '7 days')
    and (explained_by is distinct from 'funding' and (currency, amount) in (
        select currency, amount from fundings where account = p_account and entry_id is null and status = 'completed'
          and (not was_completed or first_seen_at > clock_timestamp() - interval '37 days'))
      or explained_by is null and amount in (
        select amount from deposits where account = p_account and last_reported_at > clock_timestamp() - interval '37 days')
      or explained_by = 'funding' and amount in (select amount from deposits
        where account = p_account and entry_id is null and last_reported_at > clock_timestamp() - interval '37 days'))
$$;

-- The funding and the deposit that explain a receipt now, or explain it further; null: none does. A funding and a deposit of the same
-- amount are one fact that is reported twice, unless there are two receipts.
-- Called by: other functions.
create or replace function explanation_of(p receipts, out funding fundings, out deposit deposits) language plpgsql stable
set search_path = public, pg_temp as $$
begin
  -- Money that comes back, or may be: refunds of this amount wait for it.
  if p.explained_by is null and p.follows_debit or exists (select from refunds
      where account = p.account and currency = p.currency and amount = p.amount and entry_id is null
        and first_seen_at > clock_timestamp() - interval '30 days') then return; end if;
  if p.explained_by is distinct from 'funding' then funding := funding_of(p); end if;
  if p.explained_by is distinct from 'deposit' then deposit := deposit_of(p); end if;
  -- A conversion of the same amount is not credited yet: this may be its money, unless the report of a deposit names the entry. What is
  -- explained by both already is not explained further.
  if p.explained_by is null and conversions_to_credit(p.account, p.currency, p.amount) > 0
      and (deposit.transaction_id is null or deposit.transaction_id is distinct from p.transaction_id)
    or p.explained_by = 'funding' and (deposit.entry_id is not null
      or exists (select from deposits where account = p.account and currency = p.currency and entry_id = p.entry_id))
    or p.explained_by = 'deposit' and exists (select from fundings
      where account = p.account and currency = p.currency and entry_id = p.entry_id) then
    funding := null;
    deposit := null;
  elsif p.explained_by is null and funding.funding_id is not null and deposit.transaction_id is not null
    and exists (select from receipts other where account = p.account and currency = p.currency and amount = p.amount
      and explained_by is null and entry_id <> p.entry_id) then
    if deposit.transaction_id = p.transaction_id then funding := null; else deposit := null; end if;
  end if;
end $$;

-- Notes which fundings and deposits explain receipts.
-- Called by: other functions.
create or replace function match_incoming(p_account text, p_currencies text[]) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v receipts;
  v_explains record;
begin
  for v in
    select * from receipts_to_explain(p_account) where currency = any (p_currencies)
    order by explained_by is not null, currency, dated_at, entry_id
  loop
    select (explains.funding).funding_id, (explains.deposit).transaction_id, (explains.deposit).currency, (explains.deposit).entry_id
    into v_explains from explanation_of(v) as explains;
    if v_explains.funding_id is not null then
      update fundings set entry_id = v.entry_id, credited_at = v.dated_at
      where account = p_account and funding_id = v_explains.funding_id;
    end if;
    if v_explains.transaction_id is not null then
      update receipts set explained_by = 'funding'
      where account = p_account and currency = v_explains.currency and entry_id = v_explains.entry_id;
      update deposits set currency = v.currency, entry_id = v.entry_id, confirmed_at = clock_timestamp()
      where account = p_account and transaction_id = v_explains.transaction_id and amount = v.amount;
    end if;
    update receipts set explained_by = case when v_explains.funding_id is not null then 'funding' else 'deposit' end,
      explained_at = clock_timestamp()
    where account = p_account and currency = v.currency and entry_id = v.entry_id and explained_by is null
      and (v_explains.funding_id is not null or v_explains.transaction_id is not null);
  end loop;
end $$;

-- How many fundings, deposits and conversions may still explain a receipt of an amount.
-- Called by: other functions.
create or replace function open_incoming(p_account text, p_currency text, p_amount numeric) returns bigint language sql stable
set search_path = public, pg_temp as $$
  select (select count(*) from fundings where account = p_account and currency = p_currency and amount = p_amount and entry_id is null
      and status <> 'failed' and (not was_completed or first_seen_at > clock_timestamp() - interval '7 days'))
    + (select count(*) from deposits where account = p_account and amount = p_amount and entry_id is null
      and last_reported_at > clock_timestamp() - interval '7 days')
    + conversions_to_credit(p_account, p_currency, p_amount)
$$;

-- The deposit that may explain a receipt: by its transaction id, else one of its amount that was reported about then. One that has
-- been taken for the same money as a funding is told apart when a second receipt comes.
-- Called by: other functions.
create or replace function deposit_of(p receipts) returns deposits language sql stable
set search_path = public, pg_temp as $$
  select deposits from deposits
  left join receipts other on other.account = deposits.account and other.currency = deposits.currency and other.entry_id = deposits.entry_id
  where deposits.account = p.account and deposits.amount = p.amount
    and (deposits.entry_id is null or other.transaction_id is distinct from deposits.transaction_id and exists (
      select from fundings where fundings.account = other.account and fundings.currency = other.currency and fundings.entry_id = other.entry_id))
    and (deposits.transaction_id = p.transaction_id
      or reported_at between p.dated_at - interval '30 days' and p.dated_at + interval '3 days'
        and not exists (select from receipts elsewhere where elsewhere.account = p.account and elsewhere.amount = p.amount
          and elsewhere.currency <> p.currency and elsewhere.explained_by is null)
        and not exists (select from receipts named where named.account = p.account and named.amount = p.amount
          and named.transaction_id = deposits.transaction_id))
  order by deposits.transaction_id is not distinct from p.transaction_id desc, reported_at, deposits.transaction_id limit 1
$$;

-- The funding that may explain a receipt. One that was completed when it was first seen had its money before.
-- Called by: other functions.
create or replace function funding_of(p receipts) returns fundings language sql stable
set search_path = public, pg_temp as $$
  select fundings from fundings
  where account = p.account and currency = p.currency and amount = p.amount and entry_id is null and status = 'completed'
    and case when was_completed then p.dated_at < first_seen_at + interval '15 minutes'
      else p.dated_at > first_seen_at - interval '1 day' end
  order by first_seen_at, funding_id limit 1
$$;

-- How many conversions an amount may be the money of: those that may have been funded, and those that lapsed in the last week.
-- Called by: other functions.
create or replace function conversions_to_credit(p_account text, p_currency text, p_amount numeric) returns bigint language sql stable
set search_path = public, pg_temp as $$
  select count(*) from conversion_orders where account = p_account and buy_currency = p_currency and buy_amount = p_amount
    and credit_entry_id is null
    -- guard: unknown-conversions-may-be-credited (2 lines)
    and (conversion_may_be_credited(state, conversion_id is not null)
      or conversion_may_run_late(state) and conversion_is_looked_at(state, ended_at, named_at))
$$;

-- The credit of a conversion explains its receipt. Fails if something else has explained that meanwhile.
-- Called by: triggers.
create or replace function note_credit_of_conversion() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  -- Nobody else explains receipts meanwhile.
  -- guard: a-receipt-explains-one-thing
  perform from balance_chains where account = new.account and currency = new.buy_currency for no key update;
  update receipts set explained_by = 'conversion', explained_at = clock_timestamp()
  where account = new.account and currency = new.buy_currency and entry_id = new.credit_entry_id
    and (explained_by is null or explained_by = 'person');
  if not found then
    raise exception 'the receipt was explained by something else meanwhile' using errcode = 'serialization_failure';
  end if;
  return new;
end $$;

create or replace trigger credits_explain_receipts before update of credit_entry_id on conversion_orders
  for each row when (old.credit_entry_id is null and new.credit_entry_id is not null) execute function note_credit_of_conversion();

-- A person says what a receipt is: the money of a refund of the same amount, or something that payrun does not know, which may be
-- said again otherwise. What was taken for a deposit or a funding may be said to be something else, since notifications of
-- deposits are unsigned and equal amounts look alike: that deposit or funding is open again.
-- Called by: server.
create or replace function assign_receipt(p_token_hash bytea, p_account text, p_currency text, p_entry text, p_refund text, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v receipts;
  v_refund refunds;
  v_payment payments;
  v_remark uuid;
  v_refusal jsonb;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-assign-receipt
  v_refusal := authorize_user(me.user_id, me.token_id, 'assign_receipt', null, 'assign_receipt');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := authorize_for_account(me.user_id, me.token_id, p_account, 'assign_receipt');
  if v_refusal is not null then return v_refusal; end if;
  -- As `explain_receipts`, which may take its explanation away for a receipt of another currency.
  -- guard: assigned-alone
  perform pg_advisory_xact_lock(hashtextextended('receipts ' || p_account, 0));
  perform from balance_chains where account = p_account and currency = p_currency for no key update;
  select * into v from receipts where account = p_account and currency = p_currency and entry_id = p_entry for update;
  if not found then return refused('not_found', 'there is no such receipt'); end if;
  if v.explained_by in ('refund', 'conversion') then
    return refused('conflict', format('the receipt is that of a %s already', v.explained_by));
  end if;
  if p_refund is not null then
    select * into v_refund from refunds where account = p_account and refund_id = p_refund for update;
    if not found then return refused('not_found', 'there is no such refund'); end if;
    if v_refund.entry_id is not null then return refused('conflict', 'the refund has a receipt already'); end if;
    -- guard: assigned-as-much-as-refunded
    if (v_refund.currency, v_refund.amount) is distinct from (v.currency, v.amount) then
      return refused('conflict', 'the provider shows another amount for the refund');
    end if;
    select * into v_payment from payments where account = p_account and provider_payment_id = v_refund.resource_id;
    -- Dates of the history may be days.
    -- guard: assigned-after-it-was-sent
    if v.dated_at < may_come_back_since(v_payment) - interval '1 day' then
      return refused('conflict', 'the money came before the payment of the refund was sent');
    end if;
  end if;
  v_remark := keep_remark(me.user_id, v_payment.run_id, p_reason);
  if v_remark is null then return refused('invalid_input', 'give a reason'); end if;
  insert into receipt_assignments (account, currency, entry_id, refund_id, remark_id, assigned_by, token_id)
  values (p_account, p_currency, p_entry, p_refund, v_remark, me.user_id, me.token_id);
  update receipts set explained_by = case when p_refund is null then 'person' else 'refund' end, explained_at = clock_timestamp()
  where account = p_account and currency = p_currency and entry_id = p_entry;
  update refunds set entry_id = p_entry, credited_at = v.dated_at where account = p_account and refund_id = p_refund;
  update fundings set entry_id = null, credited_at = null where account = p_account and currency = p_currency and entry_id = p_entry;
  update deposits set currency = null, entry_id = null, confirmed_at = null
  where account = p_account and currency = p_currency and entry_id = p_entry;
  perform note(me.user_id::text, 'receipt_assigned', v_payment.run_id, v_payment.payment_id, jsonb_build_object('account', p_account,
    'currency', p_currency, 'entry', p_entry, 'refund', p_refund, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;
