-- How many units of one currency are one unit of another, by the newest reference rates of the record that have both; null: none of
-- the last five days have (`ownReference` in domain/rates/reference-rates.ts allows the same age), or the newest are in doubt.
-- Called by: other functions.
create or replace function reference_rate(p_from text, p_to text) returns numeric
language sql stable security definer set search_path = public, pg_temp as $$
  select case when p_from = p_to then 1 else (
    -- guard: doubted-rates-are-missing
    select case when array[p_from, p_to] && doubted then null
      else case when base = p_to then 1 else (rates ->> p_to)::numeric end / case when base = p_from then 1 else (rates ->> p_from)::numeric end end
    from reference_rates, lateral (select (clock_timestamp() at time zone 'UTC')::date as today) as clock
    -- guard: reference-rates-of-these-days
    where day between today - 5 and today + 1
      and (base = p_from or rates ? p_from) and (base = p_to or rates ? p_to)
    order by day desc, seen_at desc limit 1) end
$$;

-- Keeps reference rates, and answers the currencies whose rates are in doubt. Earlier ones stay; of a day, the last ones count. The
-- limits of the policy rely on them, so they name their source and day, and what changes is in the audit trail.
-- Called by: worker.
create or replace function keep_reference_rates(p_source text, p_day date, p_base text, p_rates jsonb) returns text[]
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_known reference_rates%rowtype;
  v_doubted text[];
begin
  -- guard: rates-named-and-positive (7 lines)
  if coalesce(trim(p_source), '') = '' or p_day is null or p_day > (clock_timestamp() at time zone 'UTC')::date + 1
    or (p_base ~ '^[A-Z]{3}$' and jsonb_typeof(p_rates) = 'object') is not true
    or exists (select from jsonb_each_text(p_rates) as given (currency, rate)
      where (currency ~ '^[A-Z]{3}$' and rate ~ '^[0-9]{1,9}([.][0-9]{1,10})?$' and rate ~ '[1-9]') is not true)
  then
    raise exception 'reference rates have a source, a day that has begun, a currency as their base, and rates above zero' using errcode = 'check_violation';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('reference rates', 0));
  select * into v_known from reference_rates where source = p_source and day = p_day order by seen_at desc limit 1;
  if v_known.base = p_base and v_known.rates = p_rates then return v_known.doubted; end if;
  v_doubted := doubted_currencies(p_day, p_rates || jsonb_build_object(p_base, '1'));
  insert into reference_rates (source, day, base, rates, doubted) values (p_source, p_day, p_base, p_rates, v_doubted);
  perform note('worker', 'reference_rates_kept', null, null,
    jsonb_build_object('source', p_source, 'day', p_day, 'base', p_base, 'rates', p_rates, 'doubted', v_doubted));
  return v_doubted;
end $$;

-- The currencies whose rates are more than a fifth from those of any rates of the week before or after, whatever their source and base,
-- but those that are in doubt. Where all have moved alike, another base is the reason: what counts is how far a currency is from the others.
-- Called by: other functions.
create or replace function doubted_currencies(p_day date, p_rates jsonb) returns text[]
language sql stable security definer set search_path = public, pg_temp as $$
  with compared as (
    select known.source, known.day, known.seen_at, currency, (p_rates ->> currency)::numeric / before.rate::numeric as moved
    from reference_rates known, jsonb_each_text(rates || jsonb_build_object(base, '1')) as before (currency, rate)
    where day between p_day - 7 and p_day + 7 and p_rates ? currency and currency <> all(doubted)
  ), middles as (
    select source, day, seen_at, percentile_disc(0.5) within group (order by moved) as middle from compared group by source, day, seen_at
  )
  select array(select distinct currency from compared join middles using (source, day, seen_at)
    -- guard: rates-do-not-jump
    where moved not between middle / 1.2 and middle * 1.2 order by currency)
$$;

-- guard: rates-kept (2 lines)
create or replace trigger reference_rates_are_kept before update or delete or truncate on reference_rates
  for each statement execute function refuse_append_only_change();
