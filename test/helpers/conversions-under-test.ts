import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { NewOrderRequest, OrderDetail } from '../../api/treasury/order.ts';
import { newOrderSchema } from '../../api/treasury/order.ts';
import { type ConversionState, stageOfConversion } from '../../domain/treasury/conversion-state.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { until } from './until.ts';
import { setBalance } from './sandbox-control.ts';
import type { TestUser } from './users.ts';

export type OrderParts = Partial<NewOrderRequest>;

/** Places an order to sell USD 1,000.00 for EUR, or another one. */
export function placeOrder(
  { application }: PayrunUnderTest,
  treasurer: TestUser,
  parts: OrderParts = {},
  key: string = randomUUID(),
): Promise<OrderDetail> {
  const order = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '1000.00', ...parts } as const;
  return application.placeOrder(treasurer, newOrderSchema.parse(order), key);
}

export async function findOrder({ application }: PayrunUnderTest, orderId: string): Promise<OrderDetail> {
  const order = await application.findOrder(orderId);
  if (order === null) throw new Error('there is no such order');
  return order;
}

/** Waits until the order has one of the states. Throws when it ends in another one. */
export function untilOrder(
  payrun: PayrunUnderTest,
  orderId: string,
  ...states: ConversionState[]
): Promise<OrderDetail> {
  return until(async () => {
    const order = await findOrder(payrun, orderId);
    if (states.includes(order.state)) return order;
    if (stageOfConversion(order.state) === 'ended') {
      throw new Error(`the order is ${order.state} (${order.stateReason ?? ''}): ${JSON.stringify(order.findings)}`);
    }
    return null;
  });
}

/** Approves the order as the checker, once it waits for that. */
export async function approveOrder(payrun: PayrunUnderTest, orderId: string): Promise<void> {
  const { orderHash } = await untilOrder(payrun, orderId, 'in_approval');
  await payrun.application.decideOrder(payrun.checker, orderId, 'approved', { orderHash, reason: null });
}

/** Has the ledger follow a currency, with this balance. */
export async function follow(payrun: PayrunUnderTest, currency: string, amount: string): Promise<void> {
  await setBalance(payrun.sandbox, currency, '1.00');
  await setBalance(payrun.sandbox, currency, amount);
  await until(async () => {
    const [account] = await payrun.application.listBalances(payrun.checker, { account: null, currency });
    return Number(account?.balances[0]?.amountByHistory) === Number(amount);
  });
}

/** Limits of conversions, as two administrators would set them. */
export async function setConversionPolicy({ database }: PayrunUnderTest, conversions: object): Promise<void> {
  await database.query('insert into policies (policy) values ($1)', [
    JSON.stringify({
      rules: [{ name: 'one checker', when: {}, steps: [{ role: 'checker' }] }],
      changes: { delayHours: null },
      conversions,
    }),
  ]);
}

/** Every currency may be sold up to a million without an approval. */
export const NO_APPROVALS = {
  limits: Object.fromEntries(
    ['USD', 'EUR', 'GBP', 'SGD', 'JPY', 'AUD', 'CAD', 'CHF', 'HKD', 'NZD'].map((currency) => [
      currency,
      { approvalAbove: '1000000.00' },
    ]),
  ),
};

/** Nothing was created or funded twice, and the ledgers of both sides agree. */
export function expectConvertedOnce({ sandbox }: PayrunUnderTest): void {
  expect(sandbox.ledger()).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [], invariantHolds: true });
}

/** How often a request about the order was sent. */
export function countRequests(order: OrderDetail, operation: 'quote' | 'create' | 'fund'): number {
  return order.requests.filter((request) => request.operation === operation).length;
}
