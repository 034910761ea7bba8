import { conversionFact } from '../../domain/accounts/expected-movements.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import { END_OF_DAY, type FactRange, notClosed } from '../accounts/fact-sources.ts';
import type { Queryable } from '../database/database.ts';
import { epochMs } from '../database/sql-times.ts';
import { SENT } from './funding-facts.ts';

interface FundedOrderRow {
  orderId: string;
  conversionId: string | null;
  sellCurrency: string;
  buyCurrency: string;
  totalAmount: string;
  sellAmount: string;
  buyAmount: string;
  fundedFromMs: number;
  fundedUntilMs: number;
  isFunded: boolean;
  /** Null: it was not seen completed, or after the day. */
  completedMs: number | null;
  creditUntilMs: number;
}

/** Orders that have not changed for so long have ended, or never will. */
const MAX_AGE = '60 days';

/** From its funding on, the bought money of a conversion is expected for so long. */
const CREDITED_WITHIN = '7 days';

/**
 * Conversions that the provider was asked to fund, from the first request that was sent on, and those that it carried out without:
 * what was sold with its fees, and what was bought. That a debit was not seen does not prove that it does not come.
 */
export async function conversionFacts(database: Queryable, { account, day }: FactRange): Promise<Fact[]> {
  const { rows } = await database.query<FundedOrderRow>(
    `select orders.order_id as "orderId", conversion_id as "conversionId", sell_currency as "sellCurrency",
       buy_currency as "buyCurrency", total_amount::text as "totalAmount", sell_amount::text as "sellAmount",
       buy_amount::text as "buyAmount", ${epochMs('first_at')} as "fundedFromMs",
       ${epochMs("coalesce(last_at, first_at + interval '10 minutes')")} as "fundedUntilMs", funded_at is not null as "isFunded",
       ${epochMs(`case when completed_at < ${END_OF_DAY} then completed_at end`)} as "completedMs",
       ${epochMs(`coalesce(funded_at, last_at, first_at) + interval '${CREDITED_WITHIN}'`)} as "creditUntilMs"
     from conversion_orders orders
     cross join lateral (
       select coalesce(min(begun_at), orders.funded_at) as first_at, max(answered_at) as last_at from conversion_requests requests
       where requests.order_id = orders.order_id and operation = 'fund' and ${SENT}) as asked
     where orders.account = $1 and changed_at >= $2::date - interval '${MAX_AGE}' and first_at < ${END_OF_DAY}
       and total_amount is not null and sell_amount is not null and buy_amount is not null
       and ${notClosed(`'conversion/' || orders.order_id`)}
     order by orders.order_id`,
    [account, day],
  );
  return rows.map((row) =>
    conversionFact({
      ...row,
      factId: `conversion/${row.orderId}`,
      providerId: row.conversionId,
      totalAmount: withoutFloatNoise(row.totalAmount),
      sellAmount: withoutFloatNoise(row.sellAmount),
      buyAmount: withoutFloatNoise(row.buyAmount),
      fees: [],
    }),
  );
}
