-- From when on the data of a run's payees may be erased: the policy says how long it is kept, else five years. Null: it has not ended.
-- Called by: server.
create or replace function run_erasable_from(p_run uuid) returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select finished_at + make_interval(days => coalesce((current_policy() #>> '{retention,payeesDays}')::integer, 1827))
  from runs where run_id = p_run
$$;

-- Why personal data is not erased yet that may be from this time on.
-- Called by: other functions.
create or replace function kept_until(p_from timestamptz) returns text language sql immutable
set search_path = public, pg_temp as $$
  select 'the data is to be kept until ' || to_char(p_from at time zone 'UTC', 'YYYY-MM-DD') || ': the policy sets how long'
$$;

-- Why the data of a run's payees is not erased now; null: nothing speaks against it. Whoever answers an open question about a row needs
-- to know whom it pays.
-- Called by: other functions.
create or replace function objection_to_erasing_run(p_run uuid) returns text
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  v runs%rowtype;
  v_from timestamptz := run_erasable_from(p_run);
begin
  select * into v from runs where run_id = p_run;
  if v.erased_at is not null then return 'the data of the run is erased already'; end if;
  if v_from is null then return 'the run is ' || replace(v.state, '_', ' ') || ': only the data of an ended run is erased'; end if;
  -- guard: payees-kept-until-retention
  if v_from > clock_timestamp() then
    return kept_until(v_from);
  end if;
  -- guard: erased-without-open-rows
  if exists (select from payments where run_id = p_run and (payment_is_unresolved(state) or payment_keeps_commitment(state))) then
    return 'the outcome of a row is not known: it is resolved first';
  end if;
  -- guard: erased-without-open-outcomes (2 lines)
  if exists (select from payment_manual_outcomes outcomes join payments using (payment_id)
    where run_id = p_run and outcomes.state = 'proposed') then
    return 'an outcome of a row is proposed: it is confirmed or rejected first';
  end if;
  -- guard: erased-without-open-requests (2 lines)
  if exists (select from provider_requests join payments using (payment_id)
    where run_id = p_run and non_idempotent and provider_requests.outcome is null) then
    return 'the outcome of a request for a row is not known: it is resolved first';
  end if;
  -- What is found then is resolved by people.
  -- guard: erased-once-not-looked-for
  if exists (select from payments where run_id = p_run and payment_is_watched(payments)) then
    return 'a payment that people called unpaid is still looked for at the provider: at least a week is kept after its end';
  end if;
  -- As long as for refunds that the provider shows, and books: afterwards people find out.
  -- guard: erased-once-nothing-comes-back (2 lines)
  if exists (select from payments where run_id = p_run and payment_money_has_left(state)
    and greatest(funded_at, ended_at) > clock_timestamp() - interval '60 days') then
    return 'money of a row may still come back: at least 60 days are kept after a payment';
  end if;
  return null;
end $$;

-- Null when the user may propose to erase the data of a run's payees; else the refusal, which is in the audit trail by then where it is
-- about authority.
-- Called by: other functions.
create or replace function authorize_run_erasure(p_user uuid, p_token uuid, p_run uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_refusal jsonb;
  v_objection text;
begin
  -- guard: may-erase-run
  v_refusal := authorize_user(p_user, p_token, 'erase_run', p_run, 'erase_run');
  if v_refusal is not null then return v_refusal; end if;
  if not exists (select from runs where run_id = p_run) then return refused('not_found', 'there is no such run'); end if;
  v_objection := objection_to_erasing_run(p_run);
  return case when v_objection is not null then refused('conflict', v_objection) end;
end $$;

-- An administrator proposes to erase what a run has of its payees. A second one confirms it.
-- Called by: server.
create or replace function erase_run(p_token_hash bytea, p_run uuid) returns jsonb
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  me record;
  v_refusal jsonb;
begin
  perform lock_authority();
  select * into me from session_of(p_token_hash);
  v_refusal := authorize_run_erasure(me.user_id, me.token_id, p_run);
  if v_refusal is not null then return v_refusal; end if;
  -- guard: factor-to-erase-run (2 lines)
  v_refusal := authorize_change(me.user_id, me.token_id, 'erase_run', jsonb_build_array(p_run));
  if v_refusal is not null then return v_refusal; end if;
  return begin_change_once(me.user_id, me.token_id, 'erase_run', null, jsonb_build_object('run', p_run));
end $$;

-- Erases what a run has of its payees by destroying its key. Hashes, amounts, states and what the provider calls things stay.
-- Called by: other functions.
create or replace function erase_payees(p_run uuid, p_by uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- guard: run-key-erased
  delete from run_keys where run_id = p_run;
  update payments set encrypted = null, search_keys = '{}', invoice_key = null, error_message = null where run_id = p_run;
  update run_warnings set encrypted = null where run_id = p_run;
  delete from run_profiles where run_id = p_run;
  -- Those of names that no other row has. Whoever adds a name meanwhile waits.
  perform pg_advisory_xact_lock(hashtextextended('look-alikes', 0));
  delete from look_alike_keys keys using (select distinct account, name_hash from payments where run_id = p_run) mine
  where keys.account = mine.account and keys.name_hash = mine.name_hash
    and not exists (select from payments other where other.account = mine.account and other.name_hash = mine.name_hash and other.encrypted is not null)
    and not exists (select from provider_beneficiaries named where named.account = mine.account and named.name_hash = mine.name_hash);
  update supporting_files set encrypted = null where run_id = p_run;
  -- Where files were sent.
  update file_uploads set upload_url = '' where payment_id in (select payment_id from payments where run_id = p_run);
  update runs set erased_at = clock_timestamp() where run_id = p_run;
  perform note(p_by::text, 'run_erased', p_run, null, '{}');
end $$;
