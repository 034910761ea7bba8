-- Entries of the provider’s history are never changed or removed.
-- Called by: triggers.
create or replace function refuse_change_of_entry() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- guard: entries-kept
  raise exception 'an entry of the history is kept as it was first seen';
end $$;

create or replace trigger balance_entries_are_kept before delete or truncate on balance_entries
  for each statement execute function refuse_change_of_entry();
create or replace trigger balance_entries_keep_their_content before update of account, currency, entry_id, amount_before, amount_after,
  total_amount, transaction_id, transaction_type, dated_at, date_given, first_seen_at on balance_entries
  for each row execute function refuse_change_of_entry();

-- Adds new entries of one account and currency, and gives entries their positions from `p_from` on, in the order of `p_order`:
-- it contains every entry that has such a position already, and each begins with the balance that the one before it ended
-- with. With `p_restart`, the first may begin with any: what is missing before it was given up. Null: somebody else has
-- changed the chain since `p_version`; else its next version. What gets a position is posted in the ledger.
-- Called by: worker.
create or replace function store_balance_entries(
  p_account text, p_currency text, p_version integer, p_new jsonb, p_from bigint, p_order text[], p_disregarded jsonb,
  p_gap_until timestamptz, p_is_gap_read boolean, p_max_gap_reads integer, p_restart boolean
) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v balance_chains%rowtype;
  v_before numeric;
  v_placed integer;
  v_has_grown boolean := false;
  v_is_first boolean;
  v_posted text[];
  v_entry balance_entries%rowtype;
  v_first numeric;
  v_early text[];
begin
  insert into balance_chains (account, currency, version, opening, started_at, last_amount, last_position, last_dated_at)
  select p_account, p_currency, 0, (entry ->> 'before')::numeric, (entry ->> 'datedAt')::timestamptz, (entry ->> 'before')::numeric, 0,
    (entry ->> 'datedAt')::timestamptz
  from jsonb_array_elements(p_new) as entry where p_version = 0 and entry ->> 'entryId' = p_order[1]
  on conflict do nothing;
  v_is_first := found;
  select * into v from balance_chains where account = p_account and currency = p_currency for update;
  if v.version is distinct from p_version then return null; end if;

  insert into balance_entries (account, currency, entry_id, amount_before, amount_after, total_amount, transaction_id,
    transaction_type, dated_at, date_given)
  select p_account, p_currency, entry ->> 'entryId', (entry ->> 'before')::numeric, (entry ->> 'after')::numeric,
    (entry ->> 'total')::numeric, entry ->> 'transactionId', entry ->> 'type', (entry ->> 'datedAt')::timestamptz, entry ->> 'date'
  from jsonb_array_elements(p_new) as entry;
  v_early := array(select entry_id from balance_entries join jsonb_each_text(p_disregarded) as given (id, why) on id = entry_id
    where account = p_account and currency = p_currency and position is null and why = 'before_start' and disregarded is distinct from why);
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
    v_posted := array(select entry_id from balance_entries
      where account = p_account and currency = p_currency and entry_id = any (p_order) and position is null);
    -- What looked like a copy is none once the entry between the two is seen.
    update balance_entries set position = p_from + place - 1, disregarded = null
    from unnest(p_order) with ordinality as placed (id, place)
    where account = p_account and currency = p_currency and entry_id = id and coalesce(disregarded = 'copy', true);
    get diagnostics v_placed = row_count;
    if v_placed <> cardinality(p_order) then raise exception 'an entry is placed once'; end if;
    if exists (select from (
        select position, amount_before, lag(amount_after, 1, v_before) over (order by position) as balance
        from balance_entries where account = p_account and currency = p_currency and position >= p_from) as chain
      -- guard: entries-follow
      where amount_before <> balance and not (p_restart and position = p_from)) then
      raise exception 'an entry begins with the balance that the one before it ended with';
    end if;
    if v_is_first then
      perform transfer_balance(p_account, p_currency, v.opening, 'opening', p_currency);
    elsif p_restart then
      select amount_before into v_first from balance_entries
      where account = p_account and currency = p_currency and position = p_from;
      perform transfer_balance(p_account, p_currency, v_first - v_before, 'missing_entries', p_order[1]);
    end if;
    perform commit_money_on_its_way(p_account, p_currency, v_is_first);
    for v_entry in select * from balance_entries
      where account = p_account and currency = p_currency and entry_id = any (v_posted) order by position
    loop
      perform post_entry(v_entry);
    end loop;
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
  where account = p_account and currency = p_currency returning * into v;
  for v_entry in select * from balance_entries
    where account = p_account and currency = p_currency and entry_id = any (v_early)
      and amount_after < amount_before and dated_at <= v.started_at + interval '2 seconds' order by dated_at, entry_id
  loop
    perform post_entry_before_start(v_entry);
  end loop;
  perform reserve_for_runs(p_account, p_currency);
  perform note_free_money(p_account, p_currency);
  return p_version + 1;
end $$;
