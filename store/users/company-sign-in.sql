-- Null when the claims of an id token say that the company has asked for what the policy requires: one of the listed `acr`, and all of the
-- listed `amr`; else the refusal. What is not listed is not asked for.
-- Called by: other functions.
create or replace function refuse_weak_sign_in(p_claims jsonb) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select refused('not_allowed', 'the sign-in of the company has not asked for what the policy requires: '
    || concat_ws(' and ', 'acr ' || list_of(required -> 'acr', ' or '), 'amr ' || list_of(required -> 'amr', ' and ')))
  from (select current_policy() -> 'companySignIn' as required) as policy
  -- guard: company-acr
  where required ? 'acr' and (required -> 'acr' ? (p_claims ->> 'acr')) is not true
    -- guard: company-amr
    or required ? 'amr' and (jsonb_typeof(p_claims -> 'amr') = 'array' and p_claims -> 'amr' @> (required -> 'amr')) is not true
$$;

-- The texts of a JSON array, each in quotes; null: there is none.
-- Called by: other functions.
create or replace function list_of(p_texts jsonb, p_between text) returns text language sql immutable
set search_path = public, pg_temp as $$
  select string_agg('"' || text || '"', p_between) from jsonb_array_elements_text(p_texts) as texts (text)
$$;

-- Null where passwords are taken; else the refusal: the policy takes the sign-in of the company alone. A one-time link still opens a session,
-- in which its user connects their identity.
-- Called by: server.
create or replace function refuse_password() returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select refused('not_allowed', 'the policy takes the sign-in of the company alone, and no password')
  -- guard: company-sign-in-alone
  where (current_policy() #>> '{companySignIn,only}')::boolean
$$;
