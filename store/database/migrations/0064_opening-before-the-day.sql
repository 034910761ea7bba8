-- Up Migration

-- Who signs a day before its opening balance is confirmed is shown the figure, and the command that confirms it.

-- An opening balance of this day that nothing confirms, and how to sign it: null if each is 0, or signed, or follows an earlier day.
create or replace function unproved_opening(p_account text, p_day date) returns text language sql stable
set search_path = public, pg_temp as $$
  select format('the opening balance of %1$s is %2$s, which nothing confirms: sign the opening first '
    '(payrun reconcile sign-opening %1$s %2$s --account %3$s)', currency, opening, p_account) from book_balances book
  where account = p_account and day = p_day and opening <> 0
    and not exists (select from book_balances earlier where earlier.account = p_account and earlier.currency = book.currency
      and earlier.day < p_day)
    and not exists (select from opening_figures figure where figure.account = p_account and figure.currency = book.currency
      and figure.amount = book.opening)
  order by currency limit 1
$$;

-- Signs a day that one has seen. It is closed at once, unless a break of it is left.
create or replace function sign_book_day(p_proof bytea, p_account text, p_day date, p_content_hash text) returns jsonb
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
  if least(clock_timestamp(), v.reconciled_at) < book_day_seen_at(p_day) then
    return refused('conflict', format('the day was reconciled before it was over: reconcile it again after %s, then sign it',
      to_char(book_day_seen_at(p_day) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')));
  end if;
  if is_outdated(p_account, p_day) then return refused('conflict', 'the day is being reconciled again: look at it in a moment'); end if;
  if v.content_hash is distinct from p_content_hash then
    return refused('conflict', 'the books are not those that were seen: look at the day again');
  end if;
  if exists (select from book_days where account = p_account and day < p_day and state = 'matched') then
    return refused('conflict', 'a day before it is not signed: days are signed in their order');
  end if;
  v_unproved := unproved_opening(p_account, p_day);
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
