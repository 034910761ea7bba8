import type { ConversionOrder, LimitPrice } from '../../domain/treasury/conversion-order.ts';
import type { QuotedConversion, ShownConversion } from '../../domain/treasury/conversion-quote.ts';
import type { ConversionReason } from '../../domain/treasury/conversion-reason-codes.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import type { Queryable } from '../database/database.ts';
import { epochMs } from '../database/sql-times.ts';

/** A quote as it was shown. `rate` is for people. */
export interface StoredQuote extends QuotedConversion {
  rate: string;
}

/** What a quote is compared with: the numerator and denominator of a middle rate, as decimal strings. */
export interface StoredReference {
  /** The provider, or the source that the file of rates names. */
  source: string;
  middle: { numerator: string; denominator: string } | null;
  /** Milliseconds since the epoch. */
  readAtMs: number;
  /** Whether the middle is in units bought for one sold; otherwise its direction has to be found out. */
  isPrice: boolean;
}

/** An order as payrun works on it. Amounts are decimal strings. */
export interface OrderRecord {
  terms: ConversionOrder;
  orderHash: string;
  approvedUpTo: string;
  state: ConversionState;
  stateReason: ConversionReason | null;
  attempt: number;
  quoteId: string | null;
  quote: StoredQuote | null;
  quoteMac: string | null;
  quotedAtMs: number | null;
  quotes: number;
  reference: StoredReference | null;
  sellAmount: string | null;
  buyAmount: string | null;
  totalAmount: string | null;
  conversionId: string | null;
  conversionMac: string | null;
  shown: ShownConversion | null;
  providerStatus: string | null;
  fundingCutoffMs: number | null;
  fundedAtMs: number | null;
  completedAtMs: number | null;
}

export interface OrderRow extends Omit<OrderRecord, 'terms'> {
  orderId: string;
  account: string;
  sellCurrency: string;
  buyCurrency: string;
  fixedSide: 'sell' | 'buy';
  amount: string;
  leastBuyPerSell: string | null;
  mostSellPerBuy: string | null;
  maxCostBps: string | null;
  cap: string | null;
  expiresAt: Date;
}

export const ORDER_COLUMNS = `order_id as "orderId", account, sell_currency as "sellCurrency", buy_currency as "buyCurrency",
  fixed_side as "fixedSide", amount::text, least_buy_per_sell::text as "leastBuyPerSell", most_sell_per_buy::text as "mostSellPerBuy",
  max_cost_bps::text as "maxCostBps", cap::text, expires_at as "expiresAt", order_hash as "orderHash",
  approval_covers::text as "approvedUpTo", state, state_reason as "stateReason", attempt, quote_id as "quoteId", quote,
  quote_mac as "quoteMac", ${epochMs('quoted_at')} as "quotedAtMs", quotes, reference, sell_amount::text as "sellAmount",
  buy_amount::text as "buyAmount", total_amount::text as "totalAmount", conversion_id as "conversionId",
  conversion_mac as "conversionMac", shown, provider_status as "providerStatus",
  ${epochMs('funding_cutoff_at')} as "fundingCutoffMs", ${epochMs('funded_at')} as "fundedAtMs",
  ${epochMs('completed_at')} as "completedAtMs"`;

/** Throws if there is no such order. */
export async function readOrder(database: Queryable, orderId: string): Promise<OrderRecord> {
  return selectOrder(database, orderId, '');
}

/** As `readOrder`, and locks the order until the transaction ends. */
export async function lockOrder(transaction: Queryable, orderId: string): Promise<OrderRecord> {
  return selectOrder(transaction, orderId, 'for no key update');
}

async function selectOrder(database: Queryable, orderId: string, lock: string): Promise<OrderRecord> {
  const { rows } = await database.query<OrderRow>(
    `select ${ORDER_COLUMNS} from conversion_orders where order_id = $1 ${lock}`,
    [orderId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no order ${orderId}`);
  return orderOf(row);
}

export function orderOf(row: OrderRow): OrderRecord {
  const { leastBuyPerSell, mostSellPerBuy, expiresAt, ...rest } = row;
  const { orderId, account, sellCurrency, buyCurrency, fixedSide, amount, maxCostBps, cap, ...record } = rest;
  const terms: ConversionOrder = {
    orderId,
    account,
    sellCurrency,
    buyCurrency,
    fixedSide,
    amount,
    limitPrice: limitPriceOf(leastBuyPerSell, mostSellPerBuy),
    maxCostBps,
    cap,
    expiresAt: expiresAt.toISOString(),
  };
  return { terms, ...record };
}

function limitPriceOf(leastBuyPerSell: string | null, mostSellPerBuy: string | null): LimitPrice | null {
  if (leastBuyPerSell !== null) return { buyPerSellAtLeast: leastBuyPerSell };
  return mostSellPerBuy === null ? null : { sellPerBuyAtMost: mostSellPerBuy };
}
