-- Up Migration

-- What the answer to a request meant, in the words of `FailureKind` or `as_asked`; null: there was none, or it was written by
-- the version before. Lists of HTTP statuses are nowhere else.
alter table provider_requests add column answer text;
update provider_requests set answer = case
    when outcome = 'took_effect' then 'as_asked'
    when http_status in (401, 403) then 'unauthenticated'
    when http_status = 429 then 'rate_limited'
    when outcome is distinct from 'refused' and operation = 'create' and http_status in (400, 409, 422)
      then 'duplicate_reference'
    when http_status between 400 and 499 and http_status not in (408, 499) then 'refused'
    else 'unknown_outcome' end
where http_status is not null;

-- Whether the provider may have a payment under the reference of an attempt: a creation's outcome is open, or one was
-- answered as if the reference were taken, whatever a look-up showed of it. What the version before wrote counts as that.
-- `p_but`: a request that is left out, as its answer is known.
create function may_have_been_created(p_payment uuid, p_attempt integer, p_but uuid default null) returns boolean
language sql stable set search_path = public, pg_temp as $$
  select exists (select from provider_requests
    where payment_id = p_payment and attempt = p_attempt and operation = 'create' and request_id is distinct from p_but
      and (outcome is null or (outcome = 'had_no_effect' and coalesce(answer, 'duplicate_reference') = 'duplicate_reference')))
$$;

-- Rows of a cancelled run that nothing is under way for; called again while requests are being looked up. Answers how
-- many it ended. What the provider may have all the same is for people to settle as well.
create or replace function cancel_unsent(p_run uuid) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_count integer;
begin
  if not exists (select from stops where run_id = p_run and cancelled_at is not null) then return 0; end if;
  with ended as (
    update payments set
      state = case when state in ('created', 'awaiting_funds') or may_exist then 'unknown' else 'cancelled' end,
      error_code = case when state in ('created', 'awaiting_funds') then 'created_not_funded'
        when may_exist then 'creation_uncertain' else 'run_cancelled' end,
      error_message = case when state in ('created', 'awaiting_funds')
        then 'the run was cancelled, but the provider has this payment unfunded and it could still be funded there: '
          || 'have it cancelled there, then resolve it'
        when may_exist then 'the run was cancelled, and the provider answered as if it had this payment already: '
          || 'find out there, have it cancelled, then resolve it'
        else 'the run was cancelled before this row was sent' end,
      settled_at = clock_timestamp(), changed_at = clock_timestamp(), untold = true
    from (
      select mine.payment_id as known_id, may_have_been_created(mine.payment_id, mine.attempt) as may_exist
      from payments mine where mine.run_id = p_run
    ) as known
    where known_id = payment_id and run_id = p_run
      and state in ('ready', 'quoted', 'held', 'duplicate_suspect', 'created', 'awaiting_funds')
      and not exists (select from provider_requests requests
        where requests.payment_id = payments.payment_id and exclusive and outcome is null)
    returning run_id, payment_id, state
  ), audited as (
    insert into audit_entries (actor, kind, run_id, payment_id, detail)
    select 'record', 'row_cancelled', run_id, payment_id, jsonb_build_object('state', state) from ended
  )
  select count(*) into v_count from ended;
  return v_count;
end $$;
