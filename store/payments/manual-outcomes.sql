-- What a manual outcome of a row says, as one hash: who confirms it with a second factor confirms exactly this.
-- Called by: other functions.
create or replace function manual_outcome_hash(p_manual_outcome uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select encode(sha256(convert_to(concat_ws(' ', 'payrun manual outcome', manual_outcome_id, payment_id, resolved_as,
    coalesce(provider_payment_id, '-'), coalesce(evidence_hash, '-')), 'UTF8')), 'hex')
  from payment_manual_outcomes where manual_outcome_id = p_manual_outcome
$$;

-- A maker or checker proposes how an unknown row ended. One proposal of a row is open at a time.
-- Called by: server.
create or replace function propose_manual_outcome(
  p_token_hash bytea, p_payment uuid, p_as text, p_provider_payment text, p_reason text, p_evidence_hash text
) returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_payment payments%rowtype;
  v_refusal jsonb;
  v_remark uuid;
  v_manual_outcome uuid;
begin
  select * into me from session_of(p_token_hash);
  select * into v_payment from payments where payment_id = p_payment for update;
  -- guard: may-propose-manual-outcome
  v_refusal := authorize_user(me.user_id, me.token_id, 'propose_manual_outcome', v_payment.run_id, 'propose_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  -- guard: unknown-rows-alone
  if v_payment.state is distinct from 'unknown' then
    return refused('conflict', 'only an unknown row is resolved by people');
  end if;
  v_remark := keep_remark(me.user_id, v_payment.run_id, p_reason);
  insert into payment_manual_outcomes (payment_id, resolved_as, provider_payment_id, reason, remark_id, evidence_hash, proposed_by)
  values (p_payment, p_as, p_provider_payment, '', v_remark, p_evidence_hash, me.user_id)
  on conflict (payment_id) where state = 'proposed' do nothing returning manual_outcome_id into v_manual_outcome;
  if v_manual_outcome is null then
    return refused('conflict', 'there is an open proposal for this row: have it confirmed or rejected first');
  end if;
  perform note(me.user_id::text, 'manual_outcome_proposed', v_payment.run_id, p_payment, jsonb_build_object(
    'manualOutcome', v_manual_outcome, 'as', p_as, 'providerPaymentId', p_provider_payment, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('manualOutcomeId', v_manual_outcome);
end $$;

-- A checker confirms how an unknown row ended: neither who proposed it nor the run's maker. The worker asks the provider before
-- the row changes.
-- Called by: server.
create or replace function confirm_manual_outcome(p_token_hash bytea, p_manual_outcome uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v record;
  v_refusal jsonb;
  v_why text;
begin
  perform apply_due_changes();
  select * into me from session_of(p_token_hash);
  select payment_manual_outcomes.state, proposed_by, payment_id, runs.run_id, runs.submitted_by into v
  from payment_manual_outcomes join payments using (payment_id) join runs using (run_id)
  where manual_outcome_id = p_manual_outcome for update of payment_manual_outcomes;
  -- guard: may-confirm-manual-outcome
  v_refusal := authorize_user(me.user_id, me.token_id, 'decide_run', v.run_id, 'confirm_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  if v.run_id is null then return refused('not_found', 'there is no such proposal'); end if;
  -- guard: resolved-by-another, not-resolved-by-maker
  v_why := case when v.proposed_by = me.user_id then 'proposer_confirms' when v.submitted_by = me.user_id then 'maker_confirms' end;
  if v_why is not null then
    perform note(me.user_id::text, 'manual_outcome_refused', v.run_id, v.payment_id,
      jsonb_build_object('manualOutcome', p_manual_outcome, 'why', v_why, 'token', me.token_id));
    return refused('not_allowed', case v_why
      when 'proposer_confirms' then 'who proposed a manual outcome cannot confirm it; ask a second person'
      else 'the maker of a run cannot confirm how a row of it ended; ask a checker' end);
  end if;
  -- guard: resolved-while-open
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is ' || v.state || ' already'); end if;
  v_refusal := authorize_by_second_factor(me.user_id, me.token_id, v.run_id, 'manual_outcome', p_manual_outcome,
    -- guard: second-factor-for-manual-outcome (2 lines)
    manual_outcome_hash(p_manual_outcome), 'confirmed');
  if v_refusal is not null then return v_refusal; end if;
  insert into payment_manual_outcome_confirmations (manual_outcome_id, confirmed_by, token_id) values (p_manual_outcome, me.user_id, me.token_id)
  on conflict do nothing;
  perform note(me.user_id::text, 'manual_outcome_confirm_asked', v.run_id, v.payment_id,
    jsonb_build_object('manualOutcome', p_manual_outcome, 'token', me.token_id));
  return jsonb_build_object('done', true);
end $$;

-- Rejects a proposed manual outcome: a checker, or who proposed it.
-- Called by: server.
create or replace function reject_manual_outcome(p_token_hash bytea, p_manual_outcome uuid, p_reason text) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v record;
  v_refusal jsonb;
  v_remark uuid;
begin
  select * into me from session_of(p_token_hash);
  select payment_manual_outcomes.state, proposed_by, payment_id, run_id into v
  from payment_manual_outcomes join payments using (payment_id) where manual_outcome_id = p_manual_outcome for update of payment_manual_outcomes;
  -- guard: may-reject-manual-outcome
  v_refusal := authorize_user(me.user_id, me.token_id, 'propose_manual_outcome', v.run_id, 'reject_manual_outcome');
  if v_refusal is not null then return v_refusal; end if;
  if v.run_id is null then return refused('not_found', 'there is no such proposal'); end if;
  -- guard: rejected-by-checker
  if v.proposed_by <> me.user_id and not may_by_token(me.user_id, me.token_id, 'decide_run') then
    return refused('not_allowed', 'only who proposed it, or one who decides on runs, may reject a proposal');
  end if;
  if v.state <> 'proposed' then return refused('conflict', 'the proposal is not open'); end if;
  v_remark := keep_remark(me.user_id, v.run_id, p_reason);
  update payment_manual_outcomes set state = 'rejected', closed_by = me.user_id, closed_at = clock_timestamp(), closing_remark_id = v_remark
  where manual_outcome_id = p_manual_outcome;
  perform note(me.user_id::text, 'manual_outcome_rejected', v.run_id, v.payment_id,
    jsonb_build_object('manualOutcome', p_manual_outcome, 'token', me.token_id) || remark_note(v_remark));
  return jsonb_build_object('done', true);
end $$;

-- Voids the open proposal about a row that is no longer unknown.
-- Called by: triggers.
create or replace function void_manual_outcomes() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  with voided as (
    update payment_manual_outcomes set state = 'voided', closed_at = clock_timestamp(),
      closing_reason = 'the row became ' || new.state || ' meanwhile'
    where payment_id = new.payment_id and state = 'proposed' returning manual_outcome_id
  )
  insert into audit_entries (actor, kind, run_id, payment_id, detail)
  select 'worker', 'manual_outcome_voided', new.run_id, new.payment_id,
    jsonb_build_object('manualOutcome', manual_outcome_id, 'state', new.state) from voided;
  return null;
end $$;

create or replace trigger open_manual_outcomes_rest_on_unknown after update of state on payments
  for each row when (old.state = 'unknown' and new.state <> 'unknown') execute function void_manual_outcomes();

-- The provider shows a payment of a row that two people resolved as never created, or shows one that they called rejected or failed as paid, or
-- as one that may be paid (`p_may_be_paid`): what they said is contradicted, and the row is unknown again, with its id there (null: it
-- shows several). False: the row is not resolved so. Needs a transaction that holds its run.
-- Called by: worker.
create or replace function reopen_resolved_row(p_payment uuid, p_provider_payment text, p_status text, p_may_be_paid boolean)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v payments%rowtype;
  v_said record;
  v_copy uuid;
begin
  select * into v from payments where payment_id = p_payment and payment_was_never_paid(state)
    and (provider_payment_id is null or provider_payment_id = p_provider_payment) for update;
  update payment_manual_outcomes set state = 'contradicted', closing_reason = 'the provider shows a payment of the row',
    contradicted_at = clock_timestamp()
  where payment_id = v.payment_id and state = 'confirmed'
    -- guard: unpaid-stays-unless-it-may-be-paid
    and (resolved_as = 'never_created' or p_may_be_paid)
  returning manual_outcome_id, resolved_as into v_said;
  if not found then return false; end if;
  -- guard: paid-copy-is-an-alert (3 lines)
  select copy.payment_id into v_copy from copies_of(p_payment) as copies (payment_id) join payments copy using (payment_id)
  where submitted_in_place_of(copy, p_payment) and not payment_was_never_paid(copy.state)
    and (payment_money_has_left(copy.state) or may_have_been_funded(copy.payment_id, copy.attempt)) limit 1;
  update payments set state = 'unknown', ended_at = clock_timestamp(), changed_at = clock_timestamp(), provider_payment_id = p_provider_payment,
    provider_status = p_status,
    error_code = case when p_provider_payment is null then 'found_more_than_once' else 'resolution_contradicted' end,
    error_message = 'two people resolved it as ' || replace(v_said.resolved_as, '_', ' ')
      || ', and the provider shows it: what was submitted again in its place '
      || case when v_copy is null then 'is held' else 'was paid, or is being paid' end
  where payment_id = p_payment;
  perform note('worker', 'resolution_contradicted', v.run_id, v.payment_id, jsonb_build_object('manualOutcome', v_said.manual_outcome_id,
    'attempt', v.attempt, 'providerPaymentId', p_provider_payment, 'providerStatus', p_status));
  update money_alarms set ended_at = clock_timestamp()
  where account = v.account and kind = 'debit_of_unpaid' and ledger_account = ledger_account_of(v.payment_id, v.attempt) and ended_at is null;
  if v_copy is not null then perform note('worker', 'copy_paid', v.run_id, v.payment_id, jsonb_build_object('copy', v_copy)); end if;
  return true;
end $$;

-- The rows that have the reference of this one, or pay the same amount to the same account, as `markDuplicates` compares them
-- (runs/duplicates.ts).
-- Called by: other functions.
create or replace function copies_of(p_payment uuid) returns setof uuid language sql stable
set search_path = public, pg_temp as $$
  with mine as (select payments.*, whom.account_hash as paid_hash from payments cross join lateral beneficiary_of(payments) whom where payment_id = p_payment),
  found as (
    select other.* from mine join payments other on other.account = mine.account and other.row_ref = mine.row_ref
    union all
    select other.* from mine join payments other on (other.amount, other.amount_side, other.sell_currency, other.buy_currency)
      = (mine.amount, mine.amount_side, mine.sell_currency, mine.buy_currency)
      and (other.account_hash = mine.paid_hash or other.account = mine.account and other.beneficiary_fingerprint = mine.beneficiary_fingerprint)
    union all
    select other.* from mine join provider_beneficiaries named on named.account_hash = mine.paid_hash
    join payments other on other.account = named.account and other.account_hash is null
      and other.instruction #>> '{beneficiary,beneficiaryId}' = named.beneficiary_id
      and (other.amount, other.amount_side, other.sell_currency, other.buy_currency)
        = (mine.amount, mine.amount_side, mine.sell_currency, mine.buy_currency)
  )
  select distinct payment_id from found where payment_id <> p_payment
$$;

-- Whether a row was compared with others, or released, after two people said that the other one was not paid, and before the provider
-- contradicted them: nobody knew then that it repeats it.
-- Called by: other functions.
create or replace function submitted_in_place_of(p_copy payments, p_payment uuid) returns boolean language sql stable
set search_path = public, pg_temp as $$
  select exists (select from payment_manual_outcomes said
    cross join lateral (select greatest(duplicates_checked_at, (select max(released_at) from row_releases
      where row_releases.payment_id = p_copy.payment_id and row_releases.attempt = p_copy.attempt)) as at
      from runs where run_id = p_copy.run_id) compared
    where said.payment_id = p_payment and compared.at > said.closed_at and compared.at < said.contradicted_at)
$$;

-- Whether a row was submitted in the place of one that the provider shows after all: it is not paid unless that one is resolved as unpaid.
-- Asked before each request, so its plan is kept.
-- Called by: worker.
create or replace function repeats_contradicted(p_payment uuid) returns boolean language plpgsql stable
security definer set search_path = public, pg_temp as $$
begin
  return exists (select from payments mine join runs using (run_id)
    join payment_manual_outcomes said on said.contradicted_at > runs.duplicates_checked_at
    join payments shown on shown.payment_id = said.payment_id and not payment_was_never_paid(shown.state)
    where mine.payment_id = p_payment and submitted_in_place_of(mine, shown.payment_id)
      and mine.payment_id in (select copies_of(shown.payment_id)));
end $$;
