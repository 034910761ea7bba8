import type { Queryable } from '../database/database.ts';

/** A way to pay, and an amount of a row that is paid so. `channel`: empty where the provider decides. */
export interface WayToPay {
  account: string;
  sellCurrency: string;
  buyCurrency: string;
  channel: string;
  side: 'sell' | 'buy';
  /** The largest that rows have: with it, the rate has the most digits. */
  amount: string;
}

/** What a quote gave. Decimal strings. */
export interface IndicativePrice {
  rate: string;
  feeShare: string;
  feePerPayment: string;
}

/**
 * The way to pay that most rows of the run have, of those whose price nobody has asked for within the last minute, and which is asked for
 * from now on; null: there is none, or another run is asking. `left`: how many others there are.
 */
export async function beginIndicativeQuote(
  database: Queryable,
  runId: string,
): Promise<{ way: WayToPay | null; left: number }> {
  const { rows } = await database.query<WayToPay & { isBegun: boolean; left: number }>(
    `with ways as (
       select payments.account, sell_currency, buy_currency, priced_channel(instruction, buy_currency, local) as channel, amount_side,
         count(*) as rows, max(amount) as amount
       from payments
       cross join (select local_currencies_of(account) as local from runs where run_id = $1 offset 0) as known
       where run_id = $1 and state = 'ready' group by 1, 2, 3, 4, 5
     ), wanted as (
       select distinct on (sell_currency, buy_currency, channel) * from ways order by sell_currency, buy_currency, channel, rows desc
     ), next as (
       select wanted.*, (count(*) over ())::int - 1 as left
       from wanted left join indicative_prices known using (account, sell_currency, buy_currency, channel)
       where known.asked_at is null or known.asked_at not between clock_timestamp() - interval '1 minute' and clock_timestamp()
       order by rows desc, sell_currency, buy_currency, channel limit 1
     ), begun as (
       insert into indicative_prices as known (account, sell_currency, buy_currency, channel)
       select account, sell_currency, buy_currency, channel from next
       on conflict (account, sell_currency, buy_currency, channel) do update set asked_at = excluded.asked_at
       -- By the time of now: another worker may have begun later than this one, and be done before it.
       -- guard: one-price-a-minute
       where known.asked_at not between clock_timestamp() - interval '1 minute' and clock_timestamp()
       returning account
     )
     select account, sell_currency as "sellCurrency", buy_currency as "buyCurrency", channel, amount_side as side, amount::text,
       "left", exists (select from begun) as "isBegun"
     from next`,
    [runId],
  );
  const [next] = rows;
  if (next === undefined) return { way: null, left: 0 };
  const { isBegun, left, ...way } = next;
  return { way: isBegun ? way : null, left };
}

/** Keeps what was quoted. */
export async function keepIndicativePrice(
  database: Queryable,
  { account, sellCurrency, buyCurrency, channel }: WayToPay,
  { rate, feeShare, feePerPayment }: IndicativePrice,
): Promise<void> {
  await database.query(
    `update indicative_prices set quoted_at = clock_timestamp(), rate = $5, fee_share = $6, fee_per_payment = $7
     where account = $1 and sell_currency = $2 and buy_currency = $3 and channel = $4`,
    [account, sellCurrency, buyCurrency, channel, rate, feeShare, feePerPayment],
  );
}
