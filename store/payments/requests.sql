-- The outcome of a request is written once: nothing that took effect is sent again.
-- Called by: triggers.
create or replace function refuse_other_outcome() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  -- guard: outcome-written-once
  raise exception 'the outcome of a request is written once';
end $$;

create or replace trigger outcomes_are_written_once before update of outcome on provider_requests
  for each row when (old.outcome is not null and new.outcome is distinct from old.outcome) execute function refuse_other_outcome();

-- Whether the provider may have a payment under the reference of an attempt: a creation's outcome is open, or a lookup has not
-- shown it, which is no proof.
-- Called by: server and worker.
create or replace function may_have_been_created(p_payment uuid, p_attempt integer) returns boolean
language sql stable set search_path = public, pg_temp as $$
  select exists (select from provider_requests
    where payment_id = p_payment and attempt = p_attempt and operation = 'create'
      -- guard: taken-reference-may-exist
      and outcome_may_be_effect(outcome))
$$;

-- Whether two people said lately that the payment was never created, or was not paid: what they know may be wrong. These three are
-- planned with the query that asks, as functions with a search path of their own would not be.
-- Called by: server and worker.
create or replace function is_resolved_as_unpaid(p_row payments) returns boolean language sql as $$
  select p_row.error_code in ('resolved_never_created', 'resolved_rejected', 'resolved_failed')
    and p_row.ended_at > clock_timestamp() - interval '7 days'
$$;

-- Whether a payment is looked for by its reference, for a week: its creation was not seen, or not answered, and it is unknown or was
-- resolved by people as unpaid, so that it has no id by which it could be read.
-- Called by: server and worker.
create or replace function creation_is_looked_for(p_row payments) returns boolean language sql as $$
  select (p_row.state = 'unknown' or public.is_resolved_as_unpaid(p_row)) and p_row.provider_payment_id is null
    and p_row.ended_at > clock_timestamp() - interval '7 days' and public.may_have_been_created(p_row.payment_id, p_row.attempt)
$$;

-- Whether a payment that has ended for payrun is read or looked for at the provider all the same: what it shows may contradict people.
-- Called by: worker.
create or replace function payment_is_watched(p_row payments) returns boolean language sql as $$
  select public.creation_is_looked_for(p_row) or p_row.provider_payment_id is not null and public.is_resolved_as_unpaid(p_row)
$$;

-- Whether a request to fund an attempt was sent, and may have taken effect, or may yet.
-- Called by: other functions.
create or replace function may_have_been_funded(p_payment uuid, p_attempt integer) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from provider_requests where payment_id = p_payment and attempt = p_attempt and operation = 'fund'
    and outcome_may_be_effect(outcome))
$$;

-- Whether a debit that the ledger has posted to an attempt is its own: a request may have taken effect, or the debit came after
-- the last one was not seen. If it was there before, the provider has shown the payment unfunded since, and it is of an equal one.
-- Called by: other functions.
create or replace function has_own_debit(p_payment uuid, p_attempt integer) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from ledger_transfers cross join lateral (
      select bool_or(outcome_blocks_another(outcome)) as is_blocked, max(answered_at) as not_seen_at from provider_requests
      where payment_id = p_payment and attempt = p_attempt and operation = 'fund' and outcome_may_be_effect(outcome)) as fundings
    where debit = ledger_account_of(p_payment, p_attempt) and credit = 'outside'
      -- guard: late-debit-is-its-own
      and (is_blocked or made_at > not_seen_at))
$$;

-- A payment that ends leaves no request open, whoever says how it ended. A request has taken effect where the end shows it; otherwise it
-- was only not seen: it may have taken effect all the same, its money stays committed, and it is looked for.
-- Called by: triggers.
create or replace function close_requests() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  v record;
begin
  for v in
    update provider_requests set answered_at = clock_timestamp(), answer = coalesce(answer, 'unknown_outcome'),
      -- guard: ended-requests-took-effect (3 lines)
      outcome = case when payment_was_paid(new.state)
        or case operation when 'create' then new.provider_payment_id is not null else has_own_debit(new.payment_id, new.attempt) end
        then 'took_effect' else 'not_seen' end
    where payment_id = new.payment_id and non_idempotent and outcome is null returning request_id, operation, outcome
  loop
    perform note('database', v.operation || '_resolved', new.run_id, new.payment_id,
      jsonb_build_object('request', v.request_id, 'outcome', v.outcome, 'state', new.state));
  end loop;
  return null;
end $$;

-- guard: ended-without-open-requests (3 lines)
create or replace trigger ended_payments_close_requests after update of state on payments
  for each row when (old.state <> new.state and (payment_was_paid(new.state) or payment_was_never_paid(new.state)))
  execute function close_requests();
