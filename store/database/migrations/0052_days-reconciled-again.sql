-- Up Migration

-- Days that are reconciled again keep what is wrong with them.

-- Stores the books of a day, and the breaks found in it. False: the day is closed, or one after it.
create or replace function store_book_day(p_account text, p_day date, p_book jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v book_days%rowtype;
  v_found reconciliation_breaks%rowtype;
begin
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
