-- The ledger account of an attempt to pay a row.
-- Called by: other functions.
create or replace function ledger_account_of(p_payment uuid, p_attempt integer) returns text language sql immutable
set search_path = public, pg_temp as $$
  select 'payment/' || p_payment || '-' || p_attempt
$$;

-- What a ledger account holds in a currency; without one, nothing.
-- Called by: other functions.
create or replace function ledger_amount(p_account text, p_currency text, p_ledger_account text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  select coalesce((select amount from ledger_balances
    where account = p_account and currency = p_currency and ledger_account = p_ledger_account), 0)
$$;

-- Moves an amount between two ledger accounts, and records it. The caller holds the lock of the currency: its row in
-- `balance_chains`.
-- Called by: other functions.
create or replace function transfer_money(p_account text, p_currency text, p_debit text, p_credit text, p_amount numeric, p_reason text,
  p_cause text) returns void language plpgsql
set search_path = public, pg_temp as $$
begin
  if p_amount = 0 then return; end if;
  insert into ledger_transfers (account, currency, debit, credit, amount, reason, cause)
  values (p_account, p_currency, p_debit, p_credit, p_amount, p_reason, p_cause);
  update ledger_balances set amount = amount - p_amount
  where account = p_account and currency = p_currency and ledger_account = p_debit;
  if not found then
    insert into ledger_balances (account, currency, ledger_account, amount) values (p_account, p_currency, p_debit, -p_amount);
  end if;
  insert into ledger_balances as known (account, currency, ledger_account, amount)
  values (p_account, p_currency, p_credit, p_amount)
  on conflict (account, currency, ledger_account) do update set amount = known.amount + excluded.amount;
end $$;

-- Records money that came from outside, or went there if the amount is negative, whatever moved it.
-- Called by: other functions.
create or replace function transfer_balance(p_account text, p_currency text, p_change numeric, p_reason text, p_cause text) returns void
language sql
set search_path = public, pg_temp as $$
  select case when p_change > 0 then transfer_money(p_account, p_currency, 'outside', 'free', p_change, p_reason, p_cause)
    else transfer_money(p_account, p_currency, 'free', 'outside', -p_change, p_reason, p_cause) end
$$;

-- Transfers of the ledger are never changed or removed.
-- Called by: triggers.
create or replace function refuse_change_of_transfer() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- guard: transfers-kept
  raise exception 'a transfer of the ledger is kept as it was made';
end $$;

create or replace trigger ledger_transfers_are_kept before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change_of_transfer();

-- Requires after every transaction that changed either that the ledger has as much of a currency as the history.
-- Called by: triggers.
create or replace function verify_ledger() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_outside numeric := ledger_amount(new.account, new.currency, 'outside');
  v_last numeric;
begin
  select last_amount into v_last from balance_chains where account = new.account and currency = new.currency;
  -- guard: ledger-is-the-history
  if v_outside is distinct from -v_last then
    raise exception 'the ledger of % in % has %, and the history %', new.account, new.currency, -v_outside, v_last;
  end if;
  return null;
end $$;

drop trigger if exists ledger_equals_history on ledger_balances;
create constraint trigger ledger_equals_history after insert or update on ledger_balances deferrable initially deferred
  for each row when (new.ledger_account = 'outside') execute function verify_ledger();
drop trigger if exists history_equals_ledger on balance_chains;
create constraint trigger history_equals_ledger after insert or update on balance_chains deferrable initially deferred
  for each row execute function verify_ledger();

-- Whether the provider is known to have taken what is committed. Otherwise a funding of the payment is under way, or was only not
-- seen: its debit may come, or never.
-- Called by: other functions.
create or replace function debit_is_certain(p_ledger_account text) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select p_ledger_account not like 'payment/%' or exists (
    select from payments where payment_id = split_part(left(p_ledger_account, 44), '/', 2)::uuid
      and (payment_money_has_left(state) or exists (select from provider_requests requests
        where requests.payment_id = payments.payment_id and requests.attempt = payments.attempt and operation = 'fund'
          and outcome = 'took_effect')))
$$;

-- The commitment of exactly the amount that an entry takes, whose money the provider was asked to take by then: the oldest of
-- several, first of those of the oldest hundred whose debit is certain. Null: there is none.
-- Called by: other functions.
create or replace function commitment_of_debit(p balance_entries) returns text language plpgsql stable
set search_path = public, pg_temp as $$
declare
  v_match text;
  v_first text;
begin
  for v_match in
    select ledger_account from ledger_balances
    where account = p.account and currency = p.currency and kind in ('payment', 'conversion') and amount > 0
      -- guard: matched-when-funded
      and amount = p.amount_before - p.amount_after and funding_begun_at <= last_funding_of(p)
    order by funding_begun_at limit 100
  loop
    v_first := coalesce(v_first, v_match);
    -- guard: matched-where-certain
    if debit_is_certain(v_match) then return v_match; end if;
  end loop;
  return v_first;
end $$;

-- The same of two entries together, of which one takes the amount and the other one the fee.
-- Called by: other functions.
create or replace function commitment_of_parts(p balance_entries, p_other balance_entries) returns text language plpgsql stable
set search_path = public, pg_temp as $$
declare
  v_one numeric := p.amount_before - p.amount_after;
  v_other numeric := p_other.amount_before - p_other.amount_after;
  v_principal numeric;
  v_match text;
  v_first text;
begin
  foreach v_principal in array array[greatest(v_one, v_other), least(v_one, v_other)] loop
    for v_match in
      select ledger_account from ledger_balances
      where account = p.account and currency = p.currency and kind in ('payment', 'conversion') and amount > 0 and principal < amount
        and amount = v_one + v_other and principal = v_principal
        and funding_begun_at <= least(last_funding_of(p), last_funding_of(p_other))
      order by funding_begun_at limit 100
    loop
      v_first := coalesce(v_first, v_match);
      if debit_is_certain(v_match) then return v_match; end if;
    end loop;
  end loop;
  return v_first;
end $$;

-- The debits that may be the other part of one, as nothing is posted for them but free money: those of the history next to it or with its
-- transaction id, and, of two parts of which one or both are from before its start, those within a day.
-- Called by: other functions.
create or replace function other_parts_of(p balance_entries) returns setof balance_entries language sql stable
set search_path = public, pg_temp as $$
  (select * from balance_entries other
    where other.account = p.account and other.currency = p.currency and other.position between p.position - 20 and p.position + 20
      and other.amount_after < other.amount_before
      -- The other one may have been shown before this one, and be the later of the two.
      and (abs(other.position - p.position) = 1 or other.position <> p.position and other.transaction_id = p.transaction_id)
      and is_taken_from_free(other)
    order by abs(other.position - p.position), other.position)
  union all
  (select other.* from balance_chains chain join balance_entries other using (account, currency)
    where p.position is null and account = p.account and currency = p.currency
      -- guard: parts-around-start-free (2 lines)
      and other.position between chain.started_position and chain.started_position + 20
      and other.amount_after < other.amount_before and may_be_parts(p, other) and is_taken_from_free(other)
    order by other.position)
  union all
  (select * from balance_entries other
    where account = p.account and currency = p.currency and position is null and disregarded = 'before_start'
      and dated_at between p.dated_at - interval '1 day' and p.dated_at + interval '1 day'
      and amount_after < amount_before and entry_id <> p.entry_id and may_be_parts(p, other)
      and not exists (select from ledger_transfers where account = p.account and currency = p.currency and reason = 'before_start'
        and cause = other.entry_id)
    order by dated_at, entry_id)
$$;

-- Whether two debits of which one is from before the start of the history may be of one payment.
-- Called by: other functions.
create or replace function may_be_parts(p balance_entries, p_other balance_entries) returns boolean language sql immutable
set search_path = public, pg_temp as $$
  select p_other.dated_at between p.dated_at - interval '1 day' and p.dated_at + interval '1 day'
    and (p_other.amount_after = p.amount_before or p_other.amount_before = p.amount_after or p_other.transaction_id = p.transaction_id)
$$;

-- Whether an entry of the history was taken from free money, and is no part of a debit that was found later.
-- Called by: other functions.
create or replace function is_taken_from_free(p balance_entries) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from ledger_transfers posted where posted.account = p.account and posted.currency = p.currency
      and posted.reason = 'entry' and posted.cause = p.entry_id and posted.debit = 'free' and posted.credit = 'outside')
    and not exists (select from ledger_transfers posted where posted.account = p.account and posted.currency = p.currency
      and posted.reason = 'matched_later' and posted.cause = p.entry_id)
$$;

-- Frees what is committed for the other part of a debit: it is in the opening of the history, or was taken from free money.
-- Called by: other functions.
create or replace function free_other_part(p_commitment text, p_other balance_entries) returns void language sql
set search_path = public, pg_temp as $$
  select transfer_money(p_other.account, p_other.currency, p_commitment, 'free', p_other.amount_before - p_other.amount_after,
    case when p_other.position is null then 'before_start' else 'matched_later' end, p_other.entry_id)
$$;

-- An entry from before the start of the history is in its opening, or in what was missing: what is committed for it, or for it and its
-- other part, is free.
-- Called by: other functions.
create or replace function post_entry_before_start(p balance_entries) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_match text;
  v_other balance_entries;
begin
  -- As the other part of an earlier one.
  if exists (select from ledger_transfers where account = p.account and currency = p.currency and reason = 'before_start'
    and cause = p.entry_id) then return; end if;
  v_match := commitment_of_debit(p);
  -- guard: debit-before-start-frees
  if v_match is not null then
    perform transfer_money(p.account, p.currency, v_match, 'free', p.amount_before - p.amount_after, 'before_start', p.entry_id);
    return;
  end if;
  for v_other in select * from other_parts_of(p) limit 20 loop
    v_match := commitment_of_parts(p, v_other);
    continue when v_match is null;
    -- guard: parts-before-start-free (3 lines)
    perform transfer_money(p.account, p.currency, v_match, 'free', p.amount_before - p.amount_after, 'before_start', p.entry_id);
    perform free_other_part(v_match, v_other);
    return;
  end loop;
end $$;

-- Raises the alarm that money was taken for a payment whose state says that it is not paid, as its funding was not seen, and has the
-- payment read as after an event: what people or a read have said of it may be contradicted. Where a request is known to have taken effect,
-- its debit is expected.
-- Called by: other functions.
create or replace function note_debit_of_unpaid(p balance_entries, p_ledger_account text) returns void language plpgsql
set search_path = public, pg_temp as $$
begin
  -- guard: expected-debit-is-no-alarm
  if debit_is_certain(p_ledger_account) then return; end if;
  update payments set webhook_received_at = clock_timestamp()
  where payment_id = split_part(left(p_ledger_account, 44), '/', 2)::uuid and payment_was_never_paid(state);
  if not found then return; end if;
  -- guard: debit-of-unpaid-is-an-alarm (2 lines)
  insert into money_alarms (account, currency, kind, ledger_account, amount)
  values (p.account, p.currency, 'debit_of_unpaid', p_ledger_account, p.amount_before - p.amount_after) on conflict do nothing;
end $$;

-- Posts an entry of the history. What it takes belongs to a commitment of its amount (`commitment_of_debit`); otherwise it is free
-- money that came or went. Fees may have an entry of their own, next to the other one or with its transaction id.
-- Called by: other functions.
create or replace function post_entry(p balance_entries) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_taken numeric := p.amount_before - p.amount_after;
  v_match text;
  v_other balance_entries;
begin
  if v_taken < 0 then
    perform transfer_balance(p.account, p.currency, -v_taken, 'entry', p.entry_id);
    -- What was taken for a payment that is not paid has come back.
    update money_alarms set ended_at = clock_timestamp() where alarm_id = (
      select alarm_id from money_alarms where account = p.account and currency = p.currency and kind = 'debit_of_unpaid'
        and amount = -v_taken and ended_at is null order by alarm_id limit 1);
    return;
  end if;
  v_match := commitment_of_debit(p);
  if v_match is not null then
    perform transfer_money(p.account, p.currency, v_match, 'outside', v_taken, 'entry', p.entry_id);
    perform note_debit_of_unpaid(p, v_match);
    return;
  end if;
  for v_other in select * from other_parts_of(p) loop
    v_match := commitment_of_parts(p, v_other);
    exit when v_match is not null;
  end loop;
  if v_match is not null then
    perform transfer_money(p.account, p.currency, v_match, 'outside', v_taken, 'entry', p.entry_id);
    perform free_other_part(v_match, v_other);
    perform note_debit_of_unpaid(p, v_match);
  else
    perform transfer_money(p.account, p.currency, 'free', 'outside', v_taken, 'entry', p.entry_id);
    -- A debit that came when the money of its payment was free again.
    update money_alarms set ended_at = clock_timestamp() where alarm_id = (
      select alarm_id from money_alarms where account = p.account and currency = p.currency and kind = 'debit_not_found'
        and amount = v_taken and ended_at is null order by alarm_id limit 1);
  end if;
end $$;

-- Raises or ends the alarm that others than payrun have taken more than was free: then payments that are committed may be refused.
-- Called by: other functions.
create or replace function note_free_money(p_account text, p_currency text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v_free numeric := ledger_amount(p_account, p_currency, 'free');
begin
  if v_free >= 0 then
    update money_alarms set ended_at = clock_timestamp()
    where account = p_account and currency = p_currency and kind = 'free_negative' and ended_at is null;
  else
    insert into money_alarms as open (account, currency, kind, ledger_account, amount)
    values (p_account, p_currency, 'free_negative', 'free', v_free)
    on conflict (account, currency, kind, ledger_account) where ended_at is null do update set amount = excluded.amount;
  end if;
end $$;

-- The latest start of a funding whose debit the entry may be. Dates may be days, or times without a zone, which is any.
-- Called by: other functions.
create or replace function last_funding_of(p balance_entries) returns timestamptz language sql immutable
set search_path = public, pg_temp as $$
  select p.dated_at + case when p.date_given ~* ':\d\d.*(z|[+-]\d\d(:?\d\d)?)\s*$' then interval '15 minutes' else interval '26 hours' end
$$;

-- What is free by the ledger, or, while there is no history of the currency, the balance that was read last. Null: neither is known.
-- Called by: other functions.
create or replace function free_money(p_account text, p_currency text) returns numeric language sql stable
set search_path = public, pg_temp as $$
  select case when exists (select from balance_chains where account = p_account and currency = p_currency)
    then ledger_amount(p_account, p_currency, 'free')
    else (select amount from balance_snapshots where account = p_account and currency = p_currency) end
$$;

-- Whether the ledger decides what may be funded: the history is followed, and was read lately. Otherwise the provider does,
-- as it does in any case. An entry that is missing for long may be money that somebody waits for.
-- Called by: other functions.
create or replace function money_is_known(p_account text, p_currency text) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from balance_chains where account = p_account and currency = p_currency and unfollowed_since is null
      and coalesce(gap_since > clock_timestamp() - interval '30 minutes', true))
    and exists (select from history_ranges where account = p_account and not is_gap
      and read_at > clock_timestamp() - interval '30 minutes')
$$;

-- For how long the debit of a payment may come after its end: a week if it is not known whether it was funded, whatever people have
-- said since, and an hour if it was paid or has failed otherwise. Null: for ever, as far as is known.
-- Called by: other functions.
create or replace function debit_period(p_payment payments) returns interval language sql stable
set search_path = public, pg_temp as $$
  select case when payment_was_paid(p_payment.state) or payment_has_failed(p_payment.state)
      -- guard: not-seen-though-failed
      and coalesce(is_certain, true)
    then interval '1 hour'
    when not payment_keeps_commitment(p_payment.state) and not coalesce(is_certain, false)
    -- guard: not-seen-for-a-week
    then interval '7 days' end
  from (select bool_or(outcome is not distinct from 'took_effect') as is_certain from provider_requests
    where payment_id = p_payment.payment_id and attempt = p_payment.attempt and operation = 'fund' and outcome_may_be_effect(outcome)) as fundings
$$;

-- Until when the debit of a conversion may come after its end: an hour if its bought money was seen, a week, as long as it is looked
-- at, if it has lapsed. Null: for ever, as far as is known.
-- Called by: other functions.
create or replace function conversion_debit_may_come_until(p_order conversion_orders) returns timestamptz language sql stable
set search_path = public, pg_temp as $$
  -- guard: lapsed-committed-for-a-week
  select case when conversion_may_run_late(p_order.state) then greatest(p_order.ended_at, p_order.named_at) + interval '7 days'
    when conversion_has_ended(p_order.state) then p_order.ended_at + interval '1 hour' end
$$;

-- Closes what is certain after a read of the history: the commitment of a payment or conversion that ended an hour before the
-- read (or longer, `debit_period`), and whose debit a complete history does not have, is free, with an alarm: the debit has another
-- form, and was taken from the free money, or there was none. Then what is free is reserved for runs.
-- Called by: worker.
create or replace function release_ended_commitments(p_account text) returns void language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v_chain record;
  v record;
begin
  for v_chain in select currency from balance_chains where account = p_account and gap_since is null order by currency loop
    perform from balance_chains where account = p_account and currency = v_chain.currency for no key update;
    -- guard: sent-while-unknown
    perform commit_money_on_its_way(p_account, v_chain.currency, false);
    for v in
      select held.ledger_account, held.amount from ledger_balances held
      join payments on payments.payment_id = split_part(left(held.ledger_account, 44), '/', 2)::uuid
      where held.account = p_account and held.currency = v_chain.currency and held.kind = 'payment' and held.amount > 0
        and held.funding_begun_at is not null
        and exists (select from history_ranges where account = p_account and not is_gap
          and read_at > payments.ended_at + debit_period(payments))
    loop
      perform transfer_money(p_account, v_chain.currency, v.ledger_account, 'free', v.amount, 'not_in_history', v.ledger_account);
      insert into money_alarms (account, currency, kind, ledger_account, amount)
      values (p_account, v_chain.currency, 'debit_not_found', v.ledger_account, v.amount) on conflict do nothing;
    end loop;
    -- A conversion whose bought money was seen, or that has lapsed, in the same way.
    for v in
      select held.ledger_account, held.amount, orders.order_id from ledger_balances held
      join conversion_orders orders on held.ledger_account = 'conversion/' || orders.order_id
      where held.account = p_account and held.currency = v_chain.currency and held.kind = 'conversion' and held.amount > 0
        and exists (select from history_ranges
          where account = p_account and not is_gap and read_at > conversion_debit_may_come_until(orders))
    loop
      perform transfer_money(p_account, v_chain.currency, v.ledger_account, 'free', v.amount, 'not_in_history', v.ledger_account);
      insert into money_alarms (account, currency, kind, ledger_account, amount)
      values (p_account, v_chain.currency, 'debit_not_found', v.ledger_account, v.amount) on conflict do nothing;
      -- One that is carried out later still is committed again.
      update conversion_orders set committed_on = null where order_id = v.order_id and conversion_may_run_late(state);
    end loop;
    perform reserve_for_runs(p_account, v_chain.currency);
    perform note_free_money(p_account, v_chain.currency);
  end loop;
end $$;

-- What a payment takes from the balance, as far as it is known. Amounts of the provider may be floats.
-- Called by: other functions.
create or replace function total_of(p_payment payments) returns numeric language sql immutable
set search_path = public, pg_temp as $$
  select case when scale(taken) > 4 then round(taken, 4) else taken end
  from (select coalesce(p_payment.total_amount, p_payment.sell_amount) as taken) as amounts
$$;
