-- What a line of the book says does not change, and it goes one way: proposed, then confirmed or rejected; confirmed, then ended.
-- Called by: triggers.
create or replace function refuse_other_line() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'a line of the book does not change: add another one, and end this one';
end $$;

-- guard: line-as-added (8 lines)
create or replace trigger lines_stay_as_added before update on beneficiary_accounts for each row when (
  (new.beneficiary_account_id, new.account, new.beneficiary_key, new.currency, new.encrypted, new.details_hash, new.account_hash,
    new.routing_hash, new.name_hash, new.search_keys, new.look_alike_keys, new.source, new.added_by, new.added_at) is distinct from
  (old.beneficiary_account_id, old.account, old.beneficiary_key, old.currency, old.encrypted, old.details_hash, old.account_hash,
    old.routing_hash, old.name_hash, old.search_keys, old.look_alike_keys, old.source, old.added_by, old.added_at)
  or (old.state, new.state) not in (('proposed', 'confirmed'), ('proposed', 'rejected'), ('confirmed', 'ended')))
  execute function refuse_other_line();

-- Null when the user may edit, or decide on, the book of an account; else the refusal, which is in the audit trail by then.
-- Called by: other functions.
create or replace function authorize_for_book(p_user uuid, p_token uuid, p_permission text, p_account text, p_what text) returns jsonb
language sql security definer set search_path = public, pg_temp as $$
  select coalesce(authorize_user(p_user, p_token, p_permission, null, p_what), authorize_for_account(p_user, p_token, p_account, p_what))
$$;

-- Adds lines to the book of an account, as proposed. One that is there already, proposed or confirmed, is not added again.
-- Called by: server.
create or replace function add_beneficiary_accounts(p_token_hash bytea, p_account text, p_source text, p_lines jsonb) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_added uuid[];
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-add-to-book
  v_refusal := authorize_for_book(me.user_id, me.token_id, 'edit_beneficiaries', p_account, 'add_beneficiary_accounts');
  if v_refusal is not null then return v_refusal; end if;
  perform pg_advisory_xact_lock(hashtextextended('book of ' || p_account, 0));
  if (select count(*) from beneficiary_accounts where account = p_account) + jsonb_array_length(p_lines) > 200000 then
    return refused('too_many', 'the book of an account has at most 200,000 lines: end those that nobody uses; they are erased in time');
  end if;
  with added as (
    insert into beneficiary_accounts (beneficiary_account_id, account, beneficiary_key, currency, encrypted, details_hash, account_hash,
      routing_hash, name_hash, search_keys, look_alike_keys, source, added_by)
    select id, p_account, key, currency, decode(encrypted, 'base64'), details_hash, account_hash, routing_hash, name_hash, search_keys,
      look_alike_keys, p_source, me.user_id
    from jsonb_to_recordset(p_lines) as lines (id uuid, key text, currency text, encrypted text, details_hash text, account_hash text,
      routing_hash text, name_hash text, search_keys bigint[], look_alike_keys bigint[])
    on conflict (account, beneficiary_key, details_hash) where ended_at is null do nothing
    returning beneficiary_account_id
  )
  select coalesce(array_agg(beneficiary_account_id), '{}') into v_added from added;
  perform note(me.user_id::text, 'beneficiary_accounts_added', null, null, jsonb_build_object('account', p_account, 'source', p_source,
    'lines', to_jsonb(v_added[1:100]), 'count', cardinality(v_added), 'token', me.token_id));
  return jsonb_build_object('added', cardinality(v_added), 'known', jsonb_array_length(p_lines) - cardinality(v_added));
end $$;

-- Whether a line gives its beneficiary another account, or another route to it, than one that was paid under this name, that the book had
-- confirmed under this key or name, or that waits for a confirmation beside it: two could be confirmed in one act.
-- Called by: server.
create or replace function is_changed_account(p_line beneficiary_accounts) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from beneficiary_accounts other where other.account = p_line.account
      -- guard: rival-account-is-called
      and (other.confirmed_by is not null or other.state = 'proposed')
      and (other.beneficiary_key = p_line.beneficiary_key or other.name_hash = p_line.name_hash)
      and (other.account_hash, other.routing_hash) is distinct from (p_line.account_hash, p_line.routing_hash))
    or exists (select from paid_under_name(p_line.account, p_line.name_hash) paid
      where (paid.account_hash, paid.routing_hash) is distinct from (p_line.account_hash, p_line.routing_hash))
$$;

-- Why a user may not confirm a line of the book as they saw it, as a refusal; null: nothing speaks against it.
-- Called by: server.
create or replace function objection_to_confirming(p_user uuid, p_line beneficiary_accounts, p_seen_hash text, p_was_called boolean) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select case
    -- guard: account-as-seen
    when p_line.details_hash is distinct from p_seen_hash then
      refused('conflict', 'the account is not the one that was seen: look at the beneficiary again')
    -- guard: account-confirmed-once
    when p_line.state <> 'proposed' then refused('conflict', 'the account is ' || p_line.state || ' already')
    -- guard: book-account-by-another
    when p_line.added_by = p_user then refused('not_allowed', 'who added an account cannot confirm it; ask a second person')
    -- It would not count for their run, and nobody else could confirm it then.
    when exists (select from payments join runs using (run_id) cross join lateral beneficiary_of(payments) paid
      where payments.state = 'account_unconfirmed' and payments.account = p_line.account and runs.submitted_by = p_user
        and paid.account_hash = p_line.account_hash and runs.finished_at is null) then
      refused('not_allowed', 'the maker of a run cannot confirm an account that it pays; ask a checker')
    -- guard: changed-account-is-called
    when not p_was_called and is_changed_account(p_line) then
      refused('invalid_input', 'the beneficiary had another account: call them at a number known before, and say whom you called')
  end
$$;

-- A checker confirms lines of the book as they saw them (`id`, `hash`), which someone else added, and says how each was verified
-- (`confirmation`, encrypted). Rows of undecided runs that they held are released: their earlier approvals are of another content.
-- Called by: server.
create or replace function confirm_beneficiary_accounts(p_token_hash bytea, p_account text, p_lines jsonb, p_was_called boolean) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_line record;
begin
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  -- guard: may-confirm-account
  v_refusal := authorize_for_book(me.user_id, me.token_id, 'decide_run', p_account, 'confirm_beneficiary_accounts');
  if v_refusal is not null then return v_refusal; end if;
  -- Accounts of one beneficiary are confirmed one after the other: the second is a change of the first.
  perform pg_advisory_xact_lock(hashtextextended('book of ' || p_account, 0));
  for v_line in select given.id, given.hash, book from jsonb_to_recordset(p_lines) as given (id uuid, hash text)
    -- guard: account-of-its-book
    left join beneficiary_accounts book on book.beneficiary_account_id = given.id and book.account = p_account
  loop
    if (v_line.book).account is null then return refused('not_found', 'there is no such account in the book'); end if;
    v_refusal := objection_to_confirming(me.user_id, v_line.book, v_line.hash, p_was_called);
    if v_refusal is not null then
      perform note(me.user_id::text, 'refused', null, null, jsonb_build_object('what', 'confirm_beneficiary_accounts', 'why',
        v_refusal ->> 'refused', 'beneficiaryAccount', v_line.id, 'token', me.token_id));
      return v_refusal;
    end if;
  end loop;
  -- The last check, since it uses up the second factor.
  -- guard: factor-to-confirm-account (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'confirm_beneficiary_accounts', (
    select jsonb_agg(jsonb_build_array(id, hash) order by id) from jsonb_to_recordset(p_lines) as given (id uuid, hash text)));
  if v_refusal is not null then return v_refusal; end if;
  update beneficiary_accounts set state = 'confirmed', confirmed_by = me.user_id, confirmed_at = clock_timestamp(),
    confirmation = decode(given.confirmation, 'base64'), was_called = p_was_called
  from jsonb_to_recordset(p_lines) as given (id uuid, confirmation text) where beneficiary_account_id = given.id;
  perform note(me.user_id::text, 'beneficiary_accounts_confirmed', null, null, jsonb_build_object('account', p_account,
    'lines', (select jsonb_agg(line -> 'id') from jsonb_array_elements(p_lines) as line), 'wasCalled', p_was_called, 'token', me.token_id));
  return jsonb_build_object('confirmed', jsonb_array_length(p_lines), 'released', release_confirmed_rows(p_account, me.user_id));
end $$;

-- Ends lines of the book: those that are proposed are rejected, by a checker or by who added them; confirmed ones end, by one who may edit
-- the book: nothing more is paid to them without a new confirmation. What was approved before is stopped by a stop alone.
-- Called by: server.
create or replace function end_beneficiary_accounts(p_token_hash bytea, p_account text, p_ids uuid[], p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
  v_remark uuid;
  v_ended integer;
begin
  select * into me from session_of(p_token_hash);
  -- guard: may-end-account
  v_refusal := authorize_for_book(me.user_id, me.token_id, 'edit_beneficiaries', p_account, 'end_beneficiary_accounts');
  if v_refusal is not null then return v_refusal; end if;
  perform from beneficiary_accounts where beneficiary_account_id = any (p_ids) order by beneficiary_account_id for update;
  if (select count(*) from beneficiary_accounts where beneficiary_account_id = any (p_ids) and account = p_account
    and ended_at is null) <> cardinality(p_ids) then
    return refused('conflict', 'one of the accounts is not in the book, or is rejected or ended already: look at the beneficiary again');
  end if;
  -- guard: proposed-account-rejected-by-checker
  if not may_by_token(me.user_id, me.token_id, 'decide_run') and exists (select from beneficiary_accounts
    where beneficiary_account_id = any (p_ids) and state = 'proposed' and added_by <> me.user_id) then
    return refused('not_allowed', 'only who added an account, or one who decides on runs, may reject it');
  end if;
  v_remark := keep_remark(me.user_id, null, p_reason);
  update beneficiary_accounts set state = case state when 'proposed' then 'rejected' else 'ended' end, ended_by = me.user_id,
    ended_at = clock_timestamp() where beneficiary_account_id = any (p_ids);
  get diagnostics v_ended = row_count;
  perform note(me.user_id::text, 'beneficiary_accounts_ended', null, null, jsonb_build_object('account', p_account, 'lines', to_jsonb(p_ids),
    'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('ended', v_ended);
end $$;

-- Erases lines of the book that ended, and those that were added, confirmed and last paid longer ago than the policy keeps payees. Answers
-- how many, 10,000 at most.
-- Called by: server.
create or replace function erase_unused_beneficiaries() returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_before timestamptz := clock_timestamp() - make_interval(days => coalesce((current_policy() #>> '{retention,payeesDays}')::integer, 1827));
  v_lines jsonb;
begin
  with erased as (
    delete from beneficiary_accounts where beneficiary_account_id in (
      select beneficiary_account_id from beneficiary_accounts book
      -- guard: book-kept-until-retention
      where greatest(added_at, confirmed_at, ended_at) < v_before
        -- guard: used-lines-kept (2 lines)
        and (ended_at is not null or not exists (select from payments where payments.account_hash = book.account_hash
          and payments.account = book.account and payments.changed_at >= v_before))
      limit 10000)
    returning account, beneficiary_account_id
  )
  select jsonb_agg(beneficiary_account_id) into v_lines from erased;
  if v_lines is null then return 0; end if;
  perform note('database', 'beneficiary_accounts_erased', null, null, jsonb_build_object('lines', v_lines));
  return jsonb_array_length(v_lines);
end $$;
