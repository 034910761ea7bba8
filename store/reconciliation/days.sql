-- When the books of a day can be reconciled and signed at the earliest: its entries count as seen then. Days are UTC.
-- Called by: server.
create or replace function book_day_seen_at(p_day date) returns timestamptz language sql immutable
set search_path = public, pg_temp as $$
  select (p_day + 1)::timestamp at time zone 'UTC' + interval '6 hours'
$$;

-- Whether a day has to be reconciled again, as an earlier one was reconciled after it.
-- Called by: server.
create or replace function is_outdated(p_account text, p_day date) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from book_days earlier join book_days this using (account)
    where account = p_account and this.day = p_day and earlier.day < p_day and earlier.reconciled_at > this.reconciled_at)
$$;

-- Stores the books of a day, and the breaks found in it. False: the day, or a later one, was closed. Fails while the day is not
-- over.
-- Called by: worker.
create or replace function store_book_day(p_account text, p_day date, p_book jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v book_days%rowtype;
  v_found reconciliation_breaks%rowtype;
begin
  -- By the clock of the database: that of a worker may be wrong.
  -- guard: day-over-when-stored
  if book_day_seen_at(p_day) > clock_timestamp() then
    raise exception 'the day % is not over: its entries are not all seen before %', p_day, book_day_seen_at(p_day) using errcode = 'check_violation';
  end if;
  -- One after another: days depend on those before them.
  perform pg_advisory_xact_lock(hashtextextended('books ' || p_account, 0));
  -- guard: closed-once-stays-booked
  if exists (select from book_days where account = p_account and day >= p_day and closed_at is not null) then return false; end if;
  -- What was read of the day before is what it leaves open: that was not done again meanwhile, nor one before it.
  -- guard: day-before-up-to-date
  if p_book ->> 'carriedFrom' is not null and (is_outdated(p_account, p_day - 1) or not exists (select from book_days
      -- guard: carried-from-the-day-before
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
    where account = p_account and day = p_day and break_is_unresolved(state)
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
      -- guard: break-on-its-first-day
      where known.state = 'gone' or (break_is_unresolved(known.state) and excluded.day < known.day)
    returning *
  loop
    perform note('worker', 'break_found', null, null, jsonb_build_object('break', v_found.break_id, 'account', p_account,
      'day', p_day, 'type', v_found.type, 'book_day', p_account || '/' || p_day));
  end loop;
  if v.content_hash is distinct from p_book ->> 'contentHash' then
    perform note('worker', 'book_day_matched', null, null, jsonb_build_object('account', p_account, 'day', p_day,
      'contentHash', p_book ->> 'contentHash', 'before', v.content_hash, 'wasSigned', v.state = 'signed'));
  end if;
  perform reopen_missing_entries(p_account, p_day);
  perform close_signed_days(p_account);
  return true;
end $$;

-- What two people have explained as missing, and has come after that, contradicts them: the break is open again, and so is its day, whose
-- books stay as they are. What comes more than 60 days after it is no longer taken for it: it is a break of its own day alone. Each entry that nothing explains opens one break of its amount, once.
-- Called by: other functions.
create or replace function reopen_missing_entries(p_account text, p_day date) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in
    select missing.break_id, missing.day, late.entry_ids
    from (select currency, unexplained.found as amount, entry_ids,
        row_number() over (partition by currency, unexplained.found order by entry_ids::text) as place
      from reconciliation_breaks as unexplained
      where account = p_account and day = p_day and type = 'unexplained_entry' and not break_is_gone(state) and entry_ids <> '[]'
        and not exists (select from reconciliation_breaks known where known.account = p_account and known.came_as = unexplained.entry_ids)) as late
    join (select break_id, day, currency, expected, row_number() over (partition by currency, expected order by day desc, break_id) as place
      from reconciliation_breaks
      where account = p_account and day < p_day and type = 'missing_entry' and explained_by is not null and came_as is null
        -- guard: contradicted-within-60-days
        and day >= p_day - 60) as missing
      on missing.currency = late.currency and missing.expected = late.amount and missing.place = late.place
    order by missing.day, missing.break_id
  loop
    -- guard: missing-is-contradicted (5 lines)
    update reconciliation_breaks set state = 'open', explained_by = null, explained_at = null, remark_id = null, closed_by = null,
      closed_at = null, came_as = v.entry_ids, reason = reason || format(' It came after it was explained: see %s, entry %s.', p_day,
        (select string_agg(id, ', ') from jsonb_array_elements_text(v.entry_ids) as entries (id)))
    where break_id = v.break_id;
    update book_days set state = 'signed' where account = p_account and day = v.day and state = 'closed';
    perform note('worker', 'break_reopened', null, null, jsonb_build_object('break', v.break_id, 'account', p_account, 'day', v.day,
      'cameOn', p_day, 'book_day', p_account || '/' || v.day));
  end loop;
end $$;

-- A checker signs the books of a day that they have seen. It is closed at once, unless a break of it is left.
-- Called by: server.
create or replace function sign_book_day(p_token_hash bytea, p_account text, p_day date, p_content_hash text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v book_days%rowtype;
  v_refusal jsonb;
  v_unproved text;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-sign-book-day
  v_refusal := authorize_user(me.user_id, me.token_id, 'decide_run', null, 'sign_book_day');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := authorize_for_account(me.user_id, me.token_id, p_account, 'sign_book_day');
  if v_refusal is not null then return v_refusal; end if;
  perform pg_advisory_xact_lock(hashtextextended('books ' || p_account, 0));
  select * into v from book_days where account = p_account and day = p_day for update;
  if not found then return refused('not_found', 'this day was not reconciled yet'); end if;
  if v.state <> 'matched' then return refused('conflict', 'the day is ' || v.state || ' already'); end if;
  -- guard: day-over-when-signed
  if least(clock_timestamp(), v.reconciled_at) < book_day_seen_at(p_day) then
    return refused('conflict', format('the day was reconciled before it was over: reconcile it again after %s, then sign it',
      to_char(book_day_seen_at(p_day) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')));
  end if;
  if is_outdated(p_account, p_day) then return refused('conflict', 'the day is being reconciled again: look at it in a moment'); end if;
  -- guard: books-as-seen
  if v.content_hash is distinct from p_content_hash then
    return refused('conflict', 'the books are not those that were seen: look at the day again');
  end if;
  -- guard: books-in-order
  if exists (select from book_days where account = p_account and day < p_day and state = 'matched') then
    return refused('conflict', 'a day before it is not signed: days are signed in their order');
  end if;
  v_unproved := unproved_opening(p_account, p_day);
  -- guard: opening-proved
  if v_unproved is not null then
    return refused('conflict', v_unproved);
  end if;
  update book_days set state = 'signed', signed_by = me.user_id, signed_at = clock_timestamp()
  where account = p_account and day = p_day;
  perform note(me.user_id::text, 'book_day_signed', null, null,
    jsonb_build_object('account', p_account, 'day', p_day, 'contentHash', p_content_hash, 'token', me.token_id));
  perform close_signed_days(p_account);
  return jsonb_build_object('state', (select state from book_days where account = p_account and day = p_day));
end $$;

-- A checker signs the balance that the books of a currency begin with.
-- Called by: server.
create or replace function sign_opening(p_token_hash bytea, p_account text, p_currency text, p_amount numeric) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_opening numeric;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-sign-opening
  v_refusal := authorize_user(me.user_id, me.token_id, 'decide_run', null, 'sign_opening');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := authorize_for_account(me.user_id, me.token_id, p_account, 'sign_opening');
  if v_refusal is not null then return v_refusal; end if;
  select opening into v_opening from book_balances where account = p_account and currency = p_currency order by day limit 1;
  if not found then return refused('not_found', 'no day of this currency was reconciled yet'); end if;
  if v_opening <> p_amount then
    return refused('conflict', format('the history of %s begins with %s, not %s: entries before it are missing, or the balance is wrong',
      p_currency, v_opening, p_amount));
  end if;
  insert into opening_balances (account, currency, amount, signed_by) values (p_account, p_currency, p_amount, me.user_id)
  on conflict (account, currency) do update set amount = excluded.amount, signed_by = excluded.signed_by, signed_at = clock_timestamp();
  perform note(me.user_id::text, 'opening_signed', null, null,
    jsonb_build_object('account', p_account, 'currency', p_currency, 'amount', p_amount::text, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- What to sign first: an opening balance of this day that nothing confirms. Null: each is 0, or signed, or follows an earlier day.
-- Called by: other functions.
create or replace function unproved_opening(p_account text, p_day date) returns text language sql stable
set search_path = public, pg_temp as $$
  select format('the opening balance of %1$s is %2$s, which nothing confirms: sign the opening first '
    '(payrun reconcile sign-opening %1$s %2$s --account %3$s)', currency, opening, p_account) from book_balances book
  where account = p_account and day = p_day and opening <> 0
    and not exists (select from book_balances earlier where earlier.account = p_account and earlier.currency = book.currency
      and earlier.day < p_day)
    and not exists (select from opening_balances signed where signed.account = p_account and signed.currency = book.currency
      and signed.amount = book.opening)
  order by currency limit 1
$$;

-- Whether a break of a day is neither explained nor gone.
-- Called by: other functions.
create or replace function day_has_breaks(p_account text, p_day date) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from reconciliation_breaks where account = p_account and day = p_day and break_is_unresolved(state))
$$;

-- Closes signed days, in their order, as far as no break of them is left. A day that is open again keeps none of the later ones open: its
-- books, which they begin with, do not change.
-- Called by: other functions.
create or replace function close_signed_days(p_account text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v book_days%rowtype;
begin
  for v in select * from book_days where account = p_account and state <> 'closed' order by day for update loop
    continue when v.closed_at is not null and day_has_breaks(p_account, v.day);
    -- guard: closed-without-breaks
    exit when v.state <> 'signed' or is_outdated(p_account, v.day) or day_has_breaks(p_account, v.day);
    update book_days set state = 'closed', closed_at = clock_timestamp() where account = p_account and day = v.day;
    perform note('database', 'book_day_closed', null, null,
      jsonb_build_object('account', p_account, 'day', v.day, 'contentHash', v.content_hash, 'signedBy', v.signed_by));
  end loop;
end $$;

-- The books of a day never change once it was closed; it is open again while what was missing in it, and came later, is not explained.
-- Called by: triggers.
create or replace function refuse_change_of_books() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'book_days' and tg_op = 'UPDATE' then
    if old.state = 'signed' and to_jsonb(new) = to_jsonb(old) || jsonb_build_object('state', 'closed', 'closed_at', new.closed_at) then
      return new;
    end if;
    -- guard: day-opened-by-what-came-later (3 lines)
    if to_jsonb(new) = to_jsonb(old) || jsonb_build_object('state', 'signed')
      and exists (select from reconciliation_breaks where account = old.account and day = old.day and state = 'open' and came_as is not null) then
      return new;
    end if;
  end if;
  -- guard: closed-books-kept
  if exists (select from book_days where closed_at is not null and (account, day) = (old.account, old.day)) then
    raise exception 'the books of % on % are closed', old.account, old.day;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create or replace trigger closed_days_are_kept before update or delete on book_days for each row
  when (old.closed_at is not null) execute function refuse_change_of_books();
create or replace trigger balances_of_closed_days_are_kept before update or delete on book_balances
  for each row execute function refuse_change_of_books();
create or replace trigger entries_of_closed_days_are_kept before update or delete on booked_entries
  for each row execute function refuse_change_of_books();
create or replace trigger facts_of_closed_days_are_kept before update or delete on booked_facts
  for each row execute function refuse_change_of_books();

-- Books and breaks are never removed as a whole.
-- Called by: triggers.
create or replace function refuse_truncated_books() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'books are kept';
end $$;

create or replace trigger days_are_not_truncated before truncate on book_days for each statement execute function refuse_truncated_books();
create or replace trigger book_balances_are_not_truncated before truncate on book_balances
  for each statement execute function refuse_truncated_books();
create or replace trigger booked_entries_are_not_truncated before truncate on booked_entries
  for each statement execute function refuse_truncated_books();
create or replace trigger breaks_are_not_removed before delete or truncate on reconciliation_breaks
  for each statement execute function refuse_truncated_books();
