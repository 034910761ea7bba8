-- What an account's provider pays locally: the countries of each currency, as {"IDR": ["ID"]}.
-- Called by: worker.
create or replace function local_currencies_of(p_account text) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_object_agg(currency, countries), '{}') from (
    select split_part(listed, '-', 1) as currency, jsonb_agg(split_part(listed, '-', 2)) as countries
    from reference_data cross join jsonb_array_elements_text(content) as listed
    where account = p_account and kind = 'local_currencies' group by 1) as listed
$$;

-- The channel by which a row is priced: the one that it names, or else the local one where there is one, which the provider prefers.
-- Empty: the provider decides, and nothing is known. A condition on one row, planned with the query that asks. `p_local`: of its account.
-- Called by: server and worker.
create or replace function priced_channel(p_instruction jsonb, p_buy text, p_local jsonb) returns text language sql immutable as $$
  select coalesce(p_instruction ->> 'paymentChannel', case
    when jsonb_path_exists(p_instruction -> 'countries', '$[*] ? (@ == $local[*])', jsonb_build_object('local', coalesce(p_local -> p_buy, '[]')))
    then 'LOCAL' else '' end)
$$;

-- The indicative prices by which the rows of a run are expected to cost what they do: by "USD/EUR/LOCAL", where the last part is the
-- channel. They are at most a day old, and have the decimals that amounts of both currencies have. `local`: see `priced_channel`.
-- Called by: other functions.
create or replace function indicative_prices_of_run(p_run uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  with mine as materialized (
    select account, local_currencies_of(account) as local from runs where run_id = p_run
  ), decimals as materialized (
    select listed ->> 'code' as currency, (listed ->> 'decimalPlaces')::int as places
    from mine join reference_data using (account) cross join jsonb_array_elements(content) as listed
    where kind = 'currencies'
  )
  select jsonb_build_object('local', (select local from mine)) || coalesce(jsonb_object_agg(sell_currency || '/' || buy_currency || '/' || channel, jsonb_build_object(
    'rate', rate::text, 'feeShare', fee_share::text, 'feePerPayment', fee_per_payment::text, 'quotedAt', to_char(quoted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'sellDecimals', coalesce((select places from decimals where currency = sell_currency), 2),
    'buyDecimals', coalesce((select places from decimals where currency = buy_currency), 2))), '{}')
  from (select distinct payments.account, sell_currency, buy_currency, priced_channel(instruction, buy_currency, local) as channel
    from payments cross join mine where run_id = p_run) as ways
  join indicative_prices using (account, sell_currency, buy_currency, channel)
  where quoted_at between clock_timestamp() - interval '1 day' and clock_timestamp() + interval '1 minute'
$$;

-- What a row is expected to sell, to buy and to cost in fees, by the indicative prices of its run. Null: as far as there is no price. Inlined
-- into the query that asks: it is asked of each row of a run.
-- Called by: server and worker.
create or replace function expected_cost(p_amount numeric, p_side text, p_sell text, p_buy text, p_channel text, p_prices jsonb)
returns table (price jsonb, sells numeric, buys numeric, fees numeric) language sql stable as $$
  select price, sells,
    case when p_side = 'buy' or p_sell = p_buy then p_amount
      else round(p_amount * (price ->> 'rate')::numeric, (price ->> 'buyDecimals')::int) end,
    round(sells * (price ->> 'feeShare')::numeric, (price ->> 'sellDecimals')::int) + (price ->> 'feePerPayment')::numeric
  from (select price, case when p_side = 'sell' or p_sell = p_buy then p_amount
      else round(p_amount / (price ->> 'rate')::numeric, (price ->> 'sellDecimals')::int) end as sells
    from (select p_prices -> (p_sell || '/' || p_buy || '/' || p_channel) as price offset 0) as priced offset 0) as sold
$$;
