-- Rows of a run that the policy (`unconfirmedAccounts`) holds, of those in one state: their account is not confirmed in the book of
-- beneficiaries by another person than the maker of the run, who would vouch for whom they pay themselves. By `hold` each of them; by
-- `hold_changed`, also where the policy says nothing, those whose account the book has, or whose name, under which an account was confirmed
-- once, and those whose account is not known: they name a beneficiary by the provider's id, and the provider has not shown it.
-- Called by: other functions.
create or replace function unconfirmed_rows(p_run uuid, p_state text) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v_hold text := coalesce(current_policy() ->> 'unconfirmedAccounts', 'hold_changed');
  v_run runs%rowtype;
begin
  select * into v_run from runs where run_id = p_run;
  if v_hold = 'warn' or v_hold = 'hold_changed' and not exists (select from beneficiary_accounts where account = v_run.account) then
    return;
  end if;
  return query select payments.payment_id from payments cross join lateral beneficiary_of(payments) paid
  where payments.run_id = p_run and payments.state = p_state
    and not exists (select from beneficiary_accounts book where book.account = payments.account and book.account_hash = paid.account_hash
      -- guard: account-of-its-route, account-once-confirmed
      and book.routing_hash = paid.routing_hash and book.state = 'confirmed'
      -- guard: account-not-confirmed-by-maker
      and book.confirmed_by is distinct from v_run.submitted_by)
    -- guard: unknown-accounts-held
    and (v_hold = 'hold' or paid.account_hash is null
      -- guard: held-by-a-confirmed-name
      or exists (select from beneficiary_accounts book where book.account = payments.account and book.name_hash = paid.name_hash and book.confirmed_by is not null)
      or exists (select from beneficiary_accounts book where book.account = payments.account and book.account_hash = paid.account_hash));
end $$;

-- Holds the ready rows of an undecided run whose accounts the policy asks to have confirmed, and answers how many. Whoever calls it can
-- take rows out of a run, and bring none in.
-- Called by: worker.
create or replace function hold_unconfirmed_accounts(p_run uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_held integer;
begin
  -- guard: accounts-held-while-undecided
  perform from runs where run_id = p_run and run_is_undecided(state) for update;
  if not found then return 0; end if;
  with held as (
    update payments set state = 'account_unconfirmed', error_code = 'account_unconfirmed', changed_at = clock_timestamp(),
      error_message = 'the book of beneficiaries does not have this account as confirmed by another person than the maker of the run'
    where payment_id in (select unconfirmed_rows(p_run, 'ready')) and state = 'ready'
    returning payment_id
  ), noted as (
    insert into audit_entries (actor, kind, run_id, payment_id, detail) select 'database', 'account_held', p_run, payment_id, '{}' from held
  )
  select count(*) into v_held from held;
  return v_held;
end $$;

-- Releases the rows of undecided runs of an account (null: of each) that are held no longer, after lines of the book were confirmed or the
-- policy has changed, and answers how many.
-- Called by: other functions.
create or replace function release_confirmed_rows(p_account text, p_by uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_run uuid;
  v_released integer := 0;
  v_rows integer;
begin
  for v_run in select run_id from runs where (p_account is null or account = p_account) and finished_at is null
    and run_is_undecided(state) order by run_id for update
  loop
    with released as (
      update payments set state = 'ready', error_code = null, error_message = null, changed_at = clock_timestamp()
      where run_id = v_run and state = 'account_unconfirmed'
        -- guard: released-once-confirmed
        and payment_id not in (select unconfirmed_rows(v_run, 'account_unconfirmed'))
      returning payment_id
    ), noted as (
      insert into audit_entries (actor, kind, run_id, payment_id, detail)
      select coalesce(p_by::text, 'database'), 'account_released', v_run, payment_id, '{}' from released
    )
    select count(*) into v_rows from released;
    -- guard: released-rows-proposed-again
    if v_rows > 0 then update runs set proposal_is_stale = true where run_id = v_run; end if;
    v_released := v_released + v_rows;
  end loop;
  return v_released;
end $$;
