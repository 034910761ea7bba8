import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';
import { runOrderId } from './conversion-identity.ts';
import type { ConversionOrder, LimitPrice } from './conversion-order.ts';
import {
  type CashSituation,
  fixedAmountOf,
  runFundingOf,
  whyNoOrders,
  type WithoutOrder,
} from './planned-conversions.ts';
import type { IndicativePrice } from './run-funding.ts';
import type { Schedule } from './schedule.ts';

/** What the second person of a version of a schedule approves: SHA-256 over all of it. */
export function scheduleHash(schedule: Schedule): string {
  return contentSha256(canonicalJson(schedule));
}

/**
 * The orders of one occurrence, or why there are none. Their cap is the maximum order that the schedule was approved with, so
 * they need no approval of their own up to it.
 */
export function scheduledOrders(
  schedule: Schedule,
  { occurrenceId, expiresAt }: { occurrenceId: string; expiresAt: string },
  { cash, priceOf }: { cash: CashSituation; priceOf: IndicativePrice },
): { orders: ConversionOrder[] } | WithoutOrder {
  const terms = { account: schedule.account, maxCostBps: schedule.max_cost_bps, expiresAt };
  if (schedule.kind === 'fund_run') {
    const plan = runFundingOf(schedule, cash, priceOf);
    if (plan.orders.length === 0) return whyNoOrders(plan);
    const orders = plan.orders.map(({ sell, buy, buyAmount, cap }) => ({
      ...terms,
      orderId: runOrderId(occurrenceId, { sell, buy }),
      sellCurrency: sell,
      buyCurrency: buy,
      fixedSide: 'buy' as const,
      amount: buyAmount,
      limitPrice: null,
      cap,
    }));
    return { orders };
  }
  const fixed = fixedAmountOf(schedule, cash);
  if ('why' in fixed) return fixed;
  const order = {
    ...terms,
    orderId: occurrenceId,
    sellCurrency: schedule.sell,
    buyCurrency: schedule.buy,
    fixedSide: fixed.side,
    amount: fixed.amount,
    limitPrice: limitPriceOf(schedule.limit_price),
    cap: schedule.max_order,
  };
  return { orders: [order] };
}

function limitPriceOf(limit: Exclude<Schedule, { kind: 'fund_run' }>['limit_price']): LimitPrice | null {
  if (limit === null) return null;
  return 'buy_per_sell_at_least' in limit
    ? { buyPerSellAtLeast: limit.buy_per_sell_at_least }
    : { sellPerBuyAtMost: limit.sell_per_buy_at_most };
}
