import { randomUUID } from 'node:crypto';
import type { PayrunClient } from '../../client/sdk/index.ts';
import { until } from './until.ts';

type Order = Parameters<PayrunClient['treasury']['place']>[0];

/** An order to sell 1,000 dollars. */
export function orderOf(buyCurrency: string): Order {
  return { sellCurrency: 'USD', buyCurrency, fixedSide: 'sell', amount: '1000.00' };
}

/** Places such an order, and waits until it can be decided. Returns its id. */
export async function placedOrder(treasurer: PayrunClient, buyCurrency: string): Promise<string> {
  const { orderId } = await treasurer.treasury.place(orderOf(buyCurrency), randomUUID());
  await until(async () => (await treasurer.treasury.get(orderId)).state === 'in_approval');
  return orderId;
}

export async function decideOrder(
  checker: PayrunClient,
  orderId: string,
  decision: 'approve' | 'decline',
): Promise<void> {
  const { orderHash } = await checker.treasury.get(orderId);
  await checker.treasury[decision](orderId, { orderHash, reason: null });
}
