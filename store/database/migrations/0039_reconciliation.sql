-- Up Migration

-- Reconciliation: the books of each account and day, the breaks found in them, and who has signed and explained what.

-- Payments and conversions as the provider's own lists show them, by the day on which they were created.
create table listed_facts (
  account text not null,
  kind text not null check (kind in ('payment', 'conversion')),
  provider_id text not null,
  listed_on date not null,
  status text not null,
  sell_currency text not null,
  buy_currency text,
  total_amount numeric not null,
  sell_amount numeric not null,
  buy_amount numeric,
  fee numeric,
  created_at timestamptz not null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (account, kind, provider_id)
);
create index listed_facts_by_day on listed_facts (account, listed_on);

create table book_days (
  account text not null,
  day date not null,
  -- `matched`: reconciled; `signed`: a checker has signed its figures; `closed`: and so are all days before it and all its breaks.
  state text not null default 'matched' check (state in ('matched', 'signed', 'closed')),
  reconciled_at timestamptz not null default clock_timestamp(),
  -- How many expected movements were found.
  matched integer not null,
  -- SHA-256 of all its books, in hex.
  content_hash text not null,
  -- What the next day begins with.
  carried jsonb not null,
  signed_by uuid references users,
  signed_at timestamptz,
  closed_at timestamptz,
  primary key (account, day),
  constraint signed_by_somebody check ((state = 'matched') = (signed_by is null))
);

-- The books of one currency. Opening and totals are the closing.
create table book_balances (
  account text not null,
  day date not null,
  currency text not null,
  opening numeric not null,
  closing numeric not null,
  entries integer not null,
  -- It leads to a balance that the provider showed.
  is_complete boolean not null,
  totals jsonb not null,
  -- Entries that are dated on an earlier day, and corrections of what entries of earlier days were for.
  late jsonb not null,
  reclassified jsonb not null,
  history_hash text not null,
  content_hash text not null,
  primary key (account, day, currency),
  foreign key (account, day) references book_days
);

-- In which day's books an entry of the history is.
create table booked_entries (
  account text not null,
  currency text not null,
  entry_id text not null,
  day date not null,
  -- Its place among those of the day; null: it is in no order, as it contradicts the others.
  place integer,
  -- Class, amount, fact, form, and whether others are interchangeable with it; two for an entry that contains a fee.
  lines jsonb not null,
  primary key (account, currency, entry_id),
  foreign key (account, currency, entry_id) references balance_entries,
  foreign key (account, day) references book_days
);
create index booked_entries_by_day on booked_entries (account, day);

-- Facts that no later day needs.
create table booked_facts (
  account text not null,
  fact_id text not null,
  day date not null,
  primary key (account, fact_id),
  foreign key (account, day) references book_days
);
create index booked_facts_by_day on booked_facts (account, day);

create table reconciliation_breaks (
  break_id uuid primary key default gen_random_uuid(),
  account text not null,
  -- Of its content: the same difference is the same break, however often it is found.
  digest text not null,
  day date not null,
  type text not null,
  currency text not null,
  fact_ids jsonb not null,
  entry_ids jsonb not null,
  expected numeric,
  found numeric,
  is_interchangeable boolean not null,
  reason text not null,
  found_at timestamptz not null default clock_timestamp(),
  -- `gone`: the day was reconciled again, and is right.
  state text not null default 'open' check (state in ('open', 'explained', 'closed', 'gone')),
  owner_id uuid references users,
  explained_by uuid references users,
  explained_at timestamptz,
  remark_id uuid references remarks,
  closed_by uuid references users,
  closed_at timestamptz,
  unique (account, digest),
  constraint closed_by_another check (state <> 'closed' or (closed_by is not null and closed_by <> explained_by)),
  constraint explained_by_somebody check ((state in ('explained', 'closed')) = (explained_by is not null))
);
create index breaks_by_day on reconciliation_breaks (account, day);
create index unclosed_breaks on reconciliation_breaks (account, found_at) where state in ('open', 'explained');

-- The balance before the first entry of a history that does not begin with zero, as somebody knows it from elsewhere.
create table opening_figures (
  account text not null,
  currency text not null,
  amount numeric not null,
  signed_by uuid not null references users,
  signed_at timestamptz not null default clock_timestamp(),
  primary key (account, currency)
);

-- Books of a closed day never change.
create function refuse_change_of_books() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from book_days where state = 'closed' and (account, day) = (old.account, old.day)) then
    raise exception 'the books of % on % are closed', old.account, old.day;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger closed_days_are_kept before update or delete on book_days for each row
  when (old.state = 'closed') execute function refuse_change_of_books();
create trigger balances_of_closed_days_are_kept before update or delete on book_balances
  for each row execute function refuse_change_of_books();
create trigger entries_of_closed_days_are_kept before update or delete on booked_entries
  for each row execute function refuse_change_of_books();
create trigger facts_of_closed_days_are_kept before update or delete on booked_facts
  for each row execute function refuse_change_of_books();
-- Books and breaks are never removed as a whole.
create function refuse_truncated_books() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'books are kept';
end $$;
create trigger days_are_not_truncated before truncate on book_days for each statement execute function refuse_truncated_books();
create trigger book_balances_are_not_truncated before truncate on book_balances
  for each statement execute function refuse_truncated_books();
create trigger booked_entries_are_not_truncated before truncate on booked_entries
  for each statement execute function refuse_truncated_books();
create trigger breaks_are_not_removed before delete or truncate on reconciliation_breaks
  for each statement execute function refuse_truncated_books();

-- Whether a day before it was reconciled after it: then it has to be reconciled again.
create function is_outdated(p_account text, p_day date) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from book_days earlier join book_days this using (account)
    where account = p_account and this.day = p_day and earlier.day < p_day and earlier.reconciled_at > this.reconciled_at)
$$;

-- Closes signed days, in their order, as far as no break of them is left.
create function close_signed_days(p_account text) returns void language plpgsql
set search_path = public, pg_temp as $$
declare
  v book_days%rowtype;
begin
  for v in select * from book_days where account = p_account and state <> 'closed' order by day for update loop
    exit when v.state <> 'signed' or is_outdated(p_account, v.day) or exists (select from reconciliation_breaks
      where account = p_account and day = v.day and state in ('open', 'explained'));
    update book_days set state = 'closed', closed_at = clock_timestamp() where account = p_account and day = v.day;
    perform note('record', 'book_day_closed', null, null,
      jsonb_build_object('account', p_account, 'day', v.day, 'contentHash', v.content_hash, 'signedBy', v.signed_by));
  end loop;
end $$;

-- Stores the books of a day, and the breaks found in it. False: the day is closed, or one after it.
create function store_book_day(p_account text, p_day date, p_book jsonb) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v book_days%rowtype;
  v_found reconciliation_breaks%rowtype;
begin
  -- One after another: days depend on those before them.
  perform pg_advisory_xact_lock(hashtextextended('books ' || p_account, 0));
  if exists (select from book_days where account = p_account and day >= p_day and state = 'closed') then return false; end if;
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
    on conflict (account, digest) do update set state = 'open', day = excluded.day where known.state = 'gone'
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

-- The balance that a currency's books begin with, and nothing proves: null if it begins with zero, or somebody signed it.
create function unproved_opening(p_account text, p_day date) returns text language sql stable
set search_path = public, pg_temp as $$
  select format('%s begins with %s', currency, opening) from book_balances book
  where account = p_account and day = p_day and opening <> 0
    and not exists (select from book_balances earlier where earlier.account = p_account and earlier.currency = book.currency
      and earlier.day < p_day)
    and not exists (select from opening_figures figure where figure.account = p_account and figure.currency = book.currency
      and figure.amount = book.opening)
  order by currency limit 1
$$;

-- Signs a day that one has seen. It is closed at once, unless a break of it is left.
create function sign_book_day(p_proof bytea, p_account text, p_day date, p_content_hash text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v book_days%rowtype;
  v_refusal jsonb;
  v_unproved text;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'decide_run', null, 'sign_book_day');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'sign_book_day');
  if v_refusal is not null then return v_refusal; end if;
  perform pg_advisory_xact_lock(hashtextextended('books ' || p_account, 0));
  select * into v from book_days where account = p_account and day = p_day for update;
  if not found then return refused('not_found', 'this day was not reconciled yet'); end if;
  if v.state <> 'matched' then return refused('conflict', 'the day is ' || v.state || ' already'); end if;
  if is_outdated(p_account, p_day) then return refused('conflict', 'the day is being reconciled again: look at it in a moment'); end if;
  if v.content_hash is distinct from p_content_hash then
    return refused('conflict', 'the books are not those that were seen: look at the day again');
  end if;
  if exists (select from book_days where account = p_account and day < p_day and state = 'matched') then
    return refused('conflict', 'a day before it is not signed: days are signed in their order');
  end if;
  v_unproved := unproved_opening(p_account, p_day);
  if v_unproved is not null then
    return refused('conflict', format('the history of %s, and nothing shows that this is right: sign that figure first', v_unproved));
  end if;
  update book_days set state = 'signed', signed_by = me.user_id, signed_at = clock_timestamp()
  where account = p_account and day = p_day;
  perform note(me.user_id::text, 'book_day_signed', null, null,
    jsonb_build_object('account', p_account, 'day', p_day, 'contentHash', p_content_hash, 'token', me.token_id));
  perform close_signed_days(p_account);
  return jsonb_build_object('state', (select state from book_days where account = p_account and day = p_day));
end $$;

-- Signs the balance that the books of a currency begin with.
create function sign_opening(p_proof bytea, p_account text, p_currency text, p_amount numeric) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_opening numeric;
begin
  select * into me from session_of(p_proof);
  v_refusal := objection_to(me.user_id, me.token_id, 'decide_run', null, 'sign_opening');
  if v_refusal is not null then return v_refusal; end if;
  v_refusal := account_objection_to(me.user_id, me.token_id, p_account, 'sign_opening');
  if v_refusal is not null then return v_refusal; end if;
  select opening into v_opening from book_balances where account = p_account and currency = p_currency order by day limit 1;
  if not found then return refused('not_found', 'no day of this currency was reconciled yet'); end if;
  if v_opening <> p_amount then
    return refused('conflict', format('the history of %s begins with %s, not %s: entries before it are missing, or the figure is wrong',
      p_currency, v_opening, p_amount));
  end if;
  insert into opening_figures (account, currency, amount, signed_by) values (p_account, p_currency, p_amount, me.user_id)
  on conflict (account, currency) do update set amount = excluded.amount, signed_by = excluded.signed_by, signed_at = clock_timestamp();
  perform note(me.user_id::text, 'opening_signed', null, null,
    jsonb_build_object('account', p_account, 'currency', p_currency, 'amount', p_amount::text, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Null when the user may work on this break; else the refusal. A break of another account is refused as if there were none.
create function break_objection_to(p_user uuid, p_token uuid, p_permission text, p_break uuid, p_what text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb := objection_to(p_user, p_token, p_permission, null, p_what);
  v_account text;
begin
  if v_refusal is not null then return v_refusal; end if;
  select account into v_account from reconciliation_breaks where break_id = p_break for update;
  if not found or account_objection_to(p_user, p_token, v_account, p_what) is not null then
    return refused('not_found', 'there is no such break');
  end if;
  return null;
end $$;

-- Says who finds out about a break.
create function assign_break(p_proof bytea, p_break uuid, p_owner uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v reconciliation_breaks%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := break_objection_to(me.user_id, me.token_id, 'propose_resolution', p_break, 'assign_break');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from reconciliation_breaks where break_id = p_break;
  if v.state not in ('open', 'explained') then return refused('conflict', 'the break is ' || v.state || ' already'); end if;
  if not user_may(p_owner, 'propose_resolution') or not user_may_use(p_owner, v.account) then
    return refused('conflict', 'this user may not work on breaks of the account');
  end if;
  update reconciliation_breaks set owner_id = p_owner where break_id = p_break;
  perform note(me.user_id::text, 'break_assigned', null, null,
    jsonb_build_object('break', p_break, 'owner', p_owner, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- The first of two people: why there is a difference, and what follows from it. Another reason replaces the one before.
create function explain_break(p_proof bytea, p_break uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v reconciliation_breaks%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := break_objection_to(me.user_id, me.token_id, 'propose_resolution', p_break, 'explain_break');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from reconciliation_breaks where break_id = p_break;
  if v.state not in ('open', 'explained') then return refused('conflict', 'the break is ' || v.state || ' already'); end if;
  if coalesce(trim(p_reason), '') = '' then return refused('invalid_input', 'say why there is a difference'); end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update reconciliation_breaks set state = 'explained', explained_by = me.user_id, explained_at = clock_timestamp(),
    remark_id = v_remark, owner_id = coalesce(owner_id, me.user_id)
  where break_id = p_break;
  perform note(me.user_id::text, 'break_explained', null, null,
    jsonb_build_object('break', p_break, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- The second of two people accepts the explanation that they have seen.
create function close_break(p_proof bytea, p_break uuid, p_remark uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v reconciliation_breaks%rowtype;
  v_refusal jsonb;
begin
  select * into me from session_of(p_proof);
  v_refusal := break_objection_to(me.user_id, me.token_id, 'decide_run', p_break, 'close_break');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from reconciliation_breaks where break_id = p_break;
  if v.state = 'open' then return refused('conflict', 'the break is not explained yet'); end if;
  if v.state <> 'explained' then return refused('conflict', 'the break is ' || v.state || ' already'); end if;
  if v.remark_id is distinct from p_remark then
    return refused('conflict', 'the explanation is not the one that was seen: look at the break again');
  end if;
  if v.explained_by = me.user_id then
    perform note(me.user_id::text, 'refused', null, null,
      jsonb_build_object('what', 'close_break', 'why', 'explainer_closes', 'break', p_break, 'token', me.token_id));
    return refused('not_allowed', 'who explained a break cannot close it; ask a second person');
  end if;
  update reconciliation_breaks set state = 'closed', closed_by = me.user_id, closed_at = clock_timestamp() where break_id = p_break;
  perform note(me.user_id::text, 'break_closed', null, null, jsonb_build_object('break', p_break, 'token', me.token_id));
  perform close_signed_days(v.account);
  return jsonb_build_object('done', true);
end $$;

-- Refused by one who may close it, or taken back by who explained it.
create function reopen_break(p_proof bytea, p_break uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v reconciliation_breaks%rowtype;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_proof);
  v_refusal := break_objection_to(me.user_id, me.token_id, 'propose_resolution', p_break, 'reopen_break');
  if v_refusal is not null then return v_refusal; end if;
  select * into v from reconciliation_breaks where break_id = p_break;
  if v.state <> 'explained' then return refused('conflict', 'only an explained break is opened again; this one is ' || v.state); end if;
  if v.explained_by <> me.user_id and not user_may(me.user_id, 'decide_run') then
    return refused('not_allowed', 'only who explained it, or one who may close it, may open a break again');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update reconciliation_breaks set state = 'open', explained_by = null, explained_at = null, remark_id = null where break_id = p_break;
  perform note(me.user_id::text, 'break_reopened', null, null,
    jsonb_build_object('break', p_break, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;
