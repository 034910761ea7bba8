import { randomUUID } from 'node:crypto';
import type { NewOrderRequest, PayrunClient } from '../../client/sdk/index.ts';
import { until } from './until.ts';

/** An order to sell 1,000 dollars. */
export function orderOf(buyCurrency: string): NewOrderRequest {
  return { sellCurrency: 'USD', buyCurrency, fixedSide: 'sell', amount: '1000.00' };
}

/** Places such an order, and waits until it can be decided. Returns its id. */
export async function placedOrder(treasurer: PayrunClient, buyCurrency: string): Promise<string> {
  const { orderId } = await treasurer.placeOrder(orderOf(buyCurrency), {
    headers: { 'idempotency-key': randomUUID() },
  });
  await until(async () => (await treasurer.getOrder({ orderId })).state === 'in_approval');
  return orderId;
}

export async function decideOrder(
  checker: PayrunClient,
  orderId: string,
  decision: 'approveOrder' | 'rejectOrder',
): Promise<void> {
  const { orderHash } = await checker.getOrder({ orderId });
  await checker[decision]({ orderId, orderHash });
}
