import { randomUUID } from 'node:crypto';
import { approvedTotal, type ConversionOrder, conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { decideOrderAs, placeOrderAs } from '../../store/treasury/order-decisions.ts';
import { readOrder, type StoredQuote } from '../../store/treasury/orders.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';

let pairs = 0;

/** A pair that no other test of the file has, so that its order is the only open one. */
function newPair(): { sellCurrency: string; buyCurrency: string } {
  pairs += 1;
  const letter = (n: number): string => String.fromCharCode(65 + (n % 26));
  return { sellCurrency: `X${letter(pairs)}${letter(Math.floor(pairs / 26))}`, buyCurrency: 'EUR' };
}

export function anOrder(values: Partial<ConversionOrder> = {}): ConversionOrder {
  return {
    orderId: randomUUID(),
    account: ACCOUNT,
    ...newPair(),
    fixedSide: 'sell',
    amount: '1000.00',
    limitPrice: null,
    maxCostBps: null,
    cap: null,
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    ...values,
  };
}

/** Places the order as the treasurer; answers whether it is new. */
export function placed({ asServer }: TestDatabase, treasurer: TestUser, terms: ConversionOrder): Promise<boolean> {
  return placeOrderAs(asServer, treasurer.tokenHash, {
    terms,
    orderHash: conversionOrderHash(terms),
    approvedUpTo: approvedTotal(terms) ?? '0',
  });
}

/** An order that a treasurer placed, in the state without any of the ways there. */
export async function aStoredOrder(
  testDatabase: TestDatabase,
  treasurer: TestUser,
  state: ConversionState = 'proposed',
  values: Partial<ConversionOrder> & { hasConversion?: boolean } = {},
): Promise<ConversionOrder> {
  const { hasConversion = false, ...terms } = values;
  const order = anOrder(terms);
  await placed(testDatabase, treasurer, order);
  await bypassTriggers(
    testDatabase.database,
    'update conversion_orders set state = $2, conversion_id = $3 where order_id = $1',
    [order.orderId, state, hasConversion ? randomUUID() : null],
  );
  return order;
}

export function aQuote(order: ConversionOrder, parts: Partial<StoredQuote> = {}): StoredQuote {
  const { sellCurrency, buyCurrency, amount } = order;
  return {
    ...{ sellCurrency, buyCurrency, fixedSide: 'sell', sellAmount: amount, buyAmount: '900.00' },
    ...{ totalAmount: '1002.50', totalFees: '2.50', rate: '0.9' },
    ...parts,
  };
}

/** Approved by another person than its treasurer, and quoted. */
export async function aQuotedOrder(
  testDatabase: TestDatabase,
  { treasurer, checker }: { treasurer: TestUser; checker: TestUser },
  values: Partial<ConversionOrder> & { isApproved?: boolean } = {},
): Promise<ConversionOrder> {
  const { isApproved = true, ...terms } = values;
  const order = await aStoredOrder(testDatabase, treasurer, 'in_approval', terms);
  const { orderId } = order;
  const orderHash = conversionOrderHash(order);
  const decision = { orderId, decision: 'approved', orderHash, reason: null } as const;
  if (isApproved) await decideOrderAs(testDatabase.asServer, checker.tokenHash, decision);
  await bypassTriggers(
    testDatabase.database,
    `update conversion_orders set state = 'quoted', quote_id = 'q', quote = $2, quoted_at = clock_timestamp() where order_id = $1`,
    [orderId, JSON.stringify(aQuote(order))],
  );
  return order;
}

export async function stateOf({ asWorker }: TestDatabase, orderId: string): Promise<ConversionState> {
  return (await readOrder(asWorker, orderId)).state;
}
