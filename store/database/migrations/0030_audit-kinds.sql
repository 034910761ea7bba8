-- Up Migration

-- Kinds of entries are named in the field's words, and there are those of onboarding. Processes of the version before still write the former names, and
-- entries that exist keep them: the chain covers their kind.
create or replace function refuse_entry_of_others() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if exists (select from pg_class where oid = tg_relid and pg_has_role(current_user, relowner, 'USAGE')) then return new; end if;
  if exists (select from pg_roles where rolname = 'payrun_' || new.actor and pg_has_role(current_user, oid, 'MEMBER'))
    and (case new.actor
      when 'worker' then new.kind ~ '^(quote|create|fund)_(requested|took_effect|had_no_effect|refused|outcome_unknown|looked_up)$'
        or new.kind ~ '^run_(proposed|in_approval|expired|completed|partially_completed|failed|cancelled)$'
        or new.kind in ('beneficiary_created', 'beneficiary_discarded', 'beneficiary_gone', 'beneficiary_refused',
          'beneficiary_unused', 'duplicate_suspected', 'file_refused', 'file_uploaded', 'given_up', 'held',
          'not_confirmed_in_time', 'payment_differs', 'payment_ended', 'payment_sealed', 'provider_recorded',
          'provider_state_recorded', 'request_refused', 'resolution_confirmed', 'resolution_contradicted',
          'resolution_refused', 'resolution_voided', 'resolved', 'run_refused',
          'case_answered', 'case_document_verified', 'case_moved', 'case_remark_recorded', 'case_reminded', 'case_requested',
          'case_resolution_confirmed', 'case_resolution_contradicted',
          'beneficiary_disowned', 'beneficiary_left_over', 'provider_fact_recorded', 'settled')
      when 'server' then new.kind in ('access_refused', 'sign_in_refused')
      else false end)
  then
    return new;
  end if;
  raise exception 'a process writes down what it did itself, not % of %', new.kind, new.actor
    using errcode = 'insufficient_privilege';
end $$;
