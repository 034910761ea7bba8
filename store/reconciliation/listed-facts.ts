import { conversionFact, paymentFact } from '../../domain/accounts/expected-movements.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import { END_OF_DAY, type FactRange, notClosed } from '../accounts/fact-sources.ts';
import type { Queryable } from '../database/database.ts';

/** A payment or conversion as the provider lists it. Amounts are decimal strings. */
export interface ListedItem {
  kind: 'payment' | 'conversion';
  providerId: string;
  status: string;
  sellCurrency: string;
  buyCurrency: string | null;
  totalAmount: string;
  sellAmount: string;
  buyAmount: string | null;
  fee: string | null;
  createdMs: number;
}

/** Stores what a list has shown; a later reading replaces an earlier one. */
export async function storeListed(
  database: Queryable,
  { account, day }: FactRange,
  items: readonly ListedItem[],
): Promise<void> {
  const rows = items.map((item) => ({ ...item, createdAt: new Date(item.createdMs).toISOString() }));
  await database.query(
    `insert into listed_facts (account, kind, provider_id, listed_on, status, sell_currency, buy_currency, total_amount,
       sell_amount, buy_amount, fee, created_at)
     select distinct on (kind, "providerId") $1, kind, "providerId", $2::date, status, "sellCurrency", "buyCurrency",
       "totalAmount", "sellAmount", "buyAmount", fee, "createdAt"
     from jsonb_to_recordset($3::jsonb) as shown (kind text, "providerId" text, status text, "sellCurrency" text, "buyCurrency" text,
       "totalAmount" numeric, "sellAmount" numeric, "buyAmount" numeric, fee numeric, "createdAt" timestamptz)
     on conflict (account, kind, provider_id) do update set status = excluded.status, total_amount = excluded.total_amount,
       sell_amount = excluded.sell_amount, buy_amount = excluded.buy_amount, fee = excluded.fee, read_at = clock_timestamp()`,
    [account, day, JSON.stringify(rows)],
  );
}

/** Of our payments that the provider created in this time, how many it has listed, and how many not. */
export async function countOursListed(
  database: Queryable,
  account: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  listedIds: readonly string[],
): Promise<{ listed: number; left: number }> {
  const { rows } = await database.query<{ listed: number; left: number }>(
    `select count(*) filter (where provider_payment_id = any($4))::int as listed,
       count(*) filter (where provider_payment_id <> all($4))::int as left
     from payments where account = $1 and provider_created_at >= to_timestamp($2::float8 / 1000)
       and provider_created_at < to_timestamp($3::float8 / 1000)`,
    [account, fromMs, toMs, listedIds],
  );
  return rows[0] ?? { listed: 0, left: 0 };
}

/** Money of what was listed in the last days may move on this day. */
const LISTED_WITHIN = '7 days';
const FUNDED_WITHIN_MS = 7 * 86_400_000;

interface ListedRow extends Omit<ListedItem, 'createdMs'> {
  createdMs: number;
}

/**
 * What the provider's lists say that may have moved money by the end of the day. A payment that still awaits funds has not;
 * a conversion may have (its status does not move when it is funded). Contract: payments 4.3, 4.4.
 */
export async function listedFacts(database: Queryable, { account, day }: FactRange): Promise<Fact[]> {
  const { rows } = await database.query<ListedRow>(
    `select kind, provider_id as "providerId", status, sell_currency as "sellCurrency", buy_currency as "buyCurrency",
       total_amount::text as "totalAmount", sell_amount::text as "sellAmount", buy_amount::text as "buyAmount", fee::text as fee,
       (extract(epoch from created_at) * 1000)::float8 as "createdMs"
     from listed_facts
     where account = $1 and listed_on > $2::date - interval '${LISTED_WITHIN}' and created_at < ${END_OF_DAY}
       and (kind <> 'payment' or status not in ('awaiting_funds', 'rejected'))
       and ${notClosed(`'listed/' || kind || '/' || provider_id`)}
     order by kind, provider_id`,
    [account, day],
  );
  return rows.map(factOf);
}

function factOf(row: ListedRow): Fact {
  const moved = {
    factId: `listed/${row.kind}/${row.providerId}`,
    providerId: row.providerId,
    totalAmount: withoutFloatNoise(row.totalAmount),
    sellAmount: withoutFloatNoise(row.sellAmount),
    fees: row.fee === null ? [] : [withoutFloatNoise(row.fee)],
    fundedFromMs: row.createdMs,
    fundedUntilMs: row.createdMs + FUNDED_WITHIN_MS,
    isFunded: true,
  };
  if (row.kind === 'payment' || row.buyCurrency === null || row.buyAmount === null) {
    return { ...paymentFact({ ...moved, currency: row.sellCurrency }), kind: row.kind, certainty: 'provider_only' };
  }
  const conversion = conversionFact({
    ...moved,
    sellCurrency: row.sellCurrency,
    buyCurrency: row.buyCurrency,
    buyAmount: withoutFloatNoise(row.buyAmount),
    completedMs: null,
    creditUntilMs: moved.fundedUntilMs,
  });
  return { ...conversion, certainty: 'provider_only' };
}
