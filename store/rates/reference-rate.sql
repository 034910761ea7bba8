-- How many units of one currency are one unit of another, by the newest reference rates of the record that have both; null: none of
-- the last five days have (`ownReference` in domain/rates/reference-rates.ts allows the same age).
-- Called by: other functions.
create or replace function reference_rate(p_from text, p_to text) returns numeric
language sql stable security definer set search_path = public, pg_temp as $$
  select case when p_from = p_to then 1 else (
    select case when base = p_to then 1 else (rates ->> p_to)::numeric end
      / case when base = p_from then 1 else (rates ->> p_from)::numeric end
    from reference_rates, lateral (select (clock_timestamp() at time zone 'UTC')::date as today) as clock
    -- guard: reference-rates-of-these-days
    where day between today - 5 and today + 1
      and (base = p_from or rates ? p_from) and (base = p_to or rates ? p_to)
    order by day desc, seen_at desc limit 1) end
$$;
