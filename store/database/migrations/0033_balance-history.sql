-- Up Migration

-- The provider's history of the balances, kept here in order: entries of an account and currency lead from one balance to the
-- next. An entry without a position is not reached yet (one before it is missing), or does not count.
create table balance_entries (
  account text not null,
  currency text not null,
  -- The provider's id of the entry, else a hash of its fields with an ordinal.
  entry_id text not null,
  position bigint,
  amount_before numeric not null,
  amount_after numeric not null,
  -- As the provider shows it: its sign is not documented.
  total_amount numeric,
  transaction_id text,
  transaction_type text not null,
  dated_at timestamptz not null,
  date_given text not null,
  first_seen_at timestamptz not null default clock_timestamp(),
  -- Why it never gets a position: it was listed twice, or is older than where the chain starts.
  disregarded text check (disregarded in ('copy', 'before_start')),
  primary key (account, currency, entry_id),
  constraint balance_entries_have_one_place unique (account, currency, position) deferrable initially deferred
);
create index balance_entries_by_date on balance_entries (account, dated_at desc, currency, position desc);
create index balance_entries_unplaced on balance_entries (account, currency)
  where position is null and disregarded is null;

-- How far the history of a balance can be followed.
create table balance_chains (
  account text not null,
  currency text not null,
  -- Counts the changes, so that nobody stores what was ordered from an older state.
  version integer not null,
  opening numeric not null,
  -- The date of its first entry, or of the first one after a gap that was given up; and the position of that.
  started_at timestamptz not null,
  started_position bigint not null default 1,
  last_amount numeric not null,
  last_position bigint not null,
  last_dated_at timestamptz not null,
  -- While an entry is missing: since when, the date of the first one after it, and how many reads in a row have not helped.
  gap_since timestamptz,
  gap_until timestamptz,
  gap_reads integer not null default 0,
  -- Given up for now: the balance is not known from the history.
  unfollowed_since timestamptz,
  primary key (account, currency)
);

-- What was read: start inclusive, end exclusive.
create table history_windows (
  window_id bigint generated always as identity primary key,
  account text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  is_gap boolean not null,
  read_at timestamptz not null,
  entries integer not null,
  new_entries integer not null,
  unreadable integer not null,
  conflicting integer not null
);
create index history_windows_by_account on history_windows (account, read_at);

-- What was sent since a read.
create index payments_by_funding on payments (account, funded_at) where funded_at is not null;

create function refuse_change_of_entry() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'an entry of the history is kept as it was first seen';
end $$;
create trigger balance_entries_are_kept before delete or truncate on balance_entries
  for each statement execute function refuse_change_of_entry();
create trigger balance_entries_keep_their_content before update of account, currency, entry_id, amount_before, amount_after,
  total_amount, transaction_id, transaction_type, dated_at, date_given, first_seen_at on balance_entries
  for each row execute function refuse_change_of_entry();

-- Adds new entries of one account and currency, and gives entries their positions from `p_from` on, in the order of `p_order`:
-- it contains every entry that has such a position already, and each begins with the balance that the one before it ended
-- with. With `p_restart`, the first may begin with any: what is missing before it was given up. Null: somebody else has
-- changed the chain since `p_version`; else its next version.
create function store_balance_entries(
  p_account text, p_currency text, p_version integer, p_new jsonb, p_from bigint, p_order text[], p_disregarded jsonb,
  p_gap_until timestamptz, p_is_gap_read boolean, p_max_gap_reads integer, p_restart boolean
) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v balance_chains%rowtype;
  v_before numeric;
  v_placed integer;
  v_has_grown boolean := false;
begin
  insert into balance_chains (account, currency, version, opening, started_at, last_amount, last_position, last_dated_at)
  select p_account, p_currency, 0, (entry ->> 'before')::numeric, (entry ->> 'datedAt')::timestamptz, (entry ->> 'before')::numeric, 0,
    (entry ->> 'datedAt')::timestamptz
  from jsonb_array_elements(p_new) as entry where p_version = 0 and entry ->> 'entryId' = p_order[1]
  on conflict do nothing;
  select * into v from balance_chains where account = p_account and currency = p_currency for update;
  if v.version is distinct from p_version then return null; end if;

  insert into balance_entries (account, currency, entry_id, amount_before, amount_after, total_amount, transaction_id,
    transaction_type, dated_at, date_given)
  select p_account, p_currency, entry ->> 'entryId', (entry ->> 'before')::numeric, (entry ->> 'after')::numeric,
    (entry ->> 'total')::numeric, entry ->> 'transactionId', entry ->> 'type', (entry ->> 'datedAt')::timestamptz, entry ->> 'date'
  from jsonb_array_elements(p_new) as entry;
  update balance_entries set disregarded = why
  from jsonb_each_text(p_disregarded) as given (id, why)
  where account = p_account and currency = p_currency and entry_id = id and position is null;

  if cardinality(p_order) > 0 then
    if p_from > v.last_position + 1 or p_from < 1 or (p_restart and p_from <> v.last_position + 1)
      or (p_from <= v.started_position and v.last_position > 0) then
      raise exception 'entries are placed after those that have their place';
    end if;
    if exists (select from balance_entries where account = p_account and currency = p_currency and position >= p_from
        and entry_id <> all (p_order)) then
      raise exception 'an entry that has a place keeps one';
    end if;
    v_has_grown := p_from + cardinality(p_order) - 1 > v.last_position;
    v_before := case when p_from = 1 then v.opening
      else (select amount_after from balance_entries where account = p_account and currency = p_currency and position = p_from - 1) end;
    update balance_entries set position = p_from + place - 1
    from unnest(p_order) with ordinality as placed (id, place)
    where account = p_account and currency = p_currency and entry_id = id and disregarded is null;
    get diagnostics v_placed = row_count;
    if v_placed <> cardinality(p_order) then raise exception 'an entry is placed once'; end if;
    if exists (select from (
        select position, amount_before, lag(amount_after, 1, v_before) over (order by position) as balance
        from balance_entries where account = p_account and currency = p_currency and position >= p_from) as chain
      where amount_before <> balance and not (p_restart and position = p_from)) then
      raise exception 'an entry begins with the balance that the one before it ended with';
    end if;
    select amount_after, position, dated_at into v.last_amount, v.last_position, v.last_dated_at
    from balance_entries where account = p_account and currency = p_currency and position >= p_from order by position desc limit 1;
  end if;

  update balance_chains set version = p_version + 1, last_amount = v.last_amount, last_position = v.last_position,
    last_dated_at = v.last_dated_at,
    started_position = case when p_restart then p_from else started_position end,
    started_at = case when p_restart then (select dated_at from balance_entries
      where account = p_account and currency = p_currency and position = p_from) else started_at end,
    gap_until = p_gap_until,
    gap_since = case when p_gap_until is null then null when p_restart then clock_timestamp() else coalesce(gap_since, clock_timestamp()) end,
    gap_reads = case when p_gap_until is null or v_has_grown or p_gap_until < gap_until then 0
      when p_is_gap_read then gap_reads + 1 else gap_reads end,
    unfollowed_since = case when p_gap_until is null then null
      when p_is_gap_read and not v_has_grown and p_gap_until is not distinct from gap_until and gap_reads + 1 >= p_max_gap_reads
        then coalesce(unfollowed_since, clock_timestamp())
      else unfollowed_since end
  where account = p_account and currency = p_currency;
  return p_version + 1;
end $$;
