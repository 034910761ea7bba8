-- What the provider has shown of a beneficiary does not change.
-- Called by: triggers.
create or replace function refuse_other_beneficiary() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'what the provider has shown of a beneficiary does not change';
end $$;

-- guard: beneficiary-as-shown (2 lines)
create or replace trigger beneficiaries_stay_as_shown before update on provider_beneficiaries
  for each row when (old.details is not null and (new.account, new.beneficiary_id, new.details, new.account_hash,
    new.routing_hash, new.name_hash) is distinct from (old.account, old.beneficiary_id, old.details, old.account_hash,
    old.routing_hash, old.name_hash)) execute function refuse_other_beneficiary();
