-- Who is paid by a row, for every question that asks for it: as the row describes the beneficiary or, where it names one by the
-- provider's id, as the provider has shown it. `paid_to` is equal for all rows that pay one account, and never null. It is planned with
-- the query that asks, as a function with a search path of its own would not be: its tables are written in full instead.
-- Called by: server and worker.
create or replace function beneficiary_of(p_row payments)
returns table (account_hash text, routing_hash text, name_hash text, paid_to text, countries jsonb, shown bytea,
  is_read boolean)
language sql stable as $$
  select coalesce(p_row.account_hash, named.account_hash), coalesce(p_row.routing_hash, named.routing_hash),
    coalesce(p_row.name_hash, named.name_hash),
    coalesce(p_row.account_hash, named.account_hash, p_row.account || ' ' || (p_row.instruction #>> '{beneficiary,beneficiaryId}')),
    coalesce(nullif(p_row.instruction -> 'countries', 'null'), named.countries), named.encrypted, p_row.account_hash is not null or named.read_at is not null
  from (values (true)) as one_row left join public.provider_beneficiaries named on p_row.account_hash is null
    and named.account = p_row.account and named.beneficiary_id = p_row.instruction #>> '{beneficiary,beneficiaryId}'
$$;

-- The rows of any account with the provider that pay the bank account of a row, in whatever state: those that give it, and those that name a
-- beneficiary by the provider's id, which is one of an account. Where the account of a row is not known, those that name the same one.
-- Inlined, as `beneficiary_of`.
-- Called by: server and worker.
create or replace function rows_to_beneficiary(p_account text, p_fingerprint text, p_account_hash text) returns setof public.payments
language sql stable as $$
  select other.* from public.payments other where other.account_hash = p_account_hash
  union all
  select other.* from (
    select p_account, p_fingerprint where p_account_hash is null union all
    select named.account, encode(sha256(convert_to('beneficiary ' || named.beneficiary_id, 'UTF8')), 'hex')
    from public.provider_beneficiaries named where named.account_hash = p_account_hash
  ) as named (account, fingerprint)
  join public.payments other on other.account_hash is null and other.account = named.account and other.beneficiary_fingerprint = named.fingerprint
$$;

-- What the provider has shown of a beneficiary does not change.
-- Called by: triggers.
create or replace function refuse_other_beneficiary() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  raise exception 'what the provider has shown of a beneficiary does not change';
end $$;

-- guard: beneficiary-as-shown (2 lines)
create or replace trigger beneficiaries_stay_as_shown before update on provider_beneficiaries
  for each row when (old.encrypted is not null and (new.account, new.beneficiary_id, new.encrypted, new.countries, new.account_hash,
    new.routing_hash, new.name_hash) is distinct from (old.account, old.beneficiary_id, old.encrypted, old.countries, old.account_hash,
    old.routing_hash, old.name_hash)) execute function refuse_other_beneficiary();
