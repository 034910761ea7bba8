import { expect } from 'vitest';
import { randomUUID } from 'node:crypto';
import { type ShownFunding, storeFundings } from '../../store/accounts/fundings.ts';
import { beginPass, noteListingAsked, noteListingRead, noteUnreadable } from '../../store/accounts/listings.ts';
import { recordReturn, explainReceipts } from '../../store/accounts/receipts.ts';
import { type ShownRefund, storeRefunds } from '../../store/accounts/refunds.ts';
import { beginReading } from '../../store/payments/reading.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT } from './a-stored-run.ts';
import type { LedgerWorld } from './ledger-world.ts';

/** A refund of a payment, as the provider would show it. */
export async function refundOf(
  { database }: TestDatabase,
  world: LedgerWorld,
  paymentId: string,
  amount: string,
): Promise<ShownRefund> {
  const { rows } = await database.query<{ id: string }>(
    'select provider_payment_id as id from payments where payment_id = $1',
    [paymentId],
  );
  const resourceId = rows[0]?.id ?? null;
  return { id: randomUUID(), resource: 'simple_payment', resourceId, currency: world.currency, amount, remarks: null };
}

/** As a worker reads the lists of all refunds and of all fundings, of which there are none. */
export async function listRefundsAs(testDatabase: TestDatabase, ...refunds: ShownRefund[]): Promise<void> {
  await listRefundsWith(testDatabase, 0, ...refunds);
}

/** `unreadable`: so many more, which cannot be read. */
export async function listRefundsWith(
  testDatabase: TestDatabase,
  unreadable: number,
  ...refunds: ShownRefund[]
): Promise<void> {
  const { asWorker } = testDatabase;
  await noteListingAsked(asWorker, ACCOUNT, 'refunds');
  const readAt = await beginReading(asWorker);
  await storeRefunds(asWorker, ACCOUNT, refunds);
  const digests = Array.from({ length: unreadable }, (_, n) => `unreadable ${n}`);
  await noteUnreadable(asWorker, ACCOUNT, 'refunds', digests);
  await noteListingRead(asWorker, ACCOUNT, { kind: 'refunds', readAt });
  await listFundingsAs(testDatabase);
}

export async function listFundingsAs({ asWorker }: TestDatabase, ...fundings: ShownFunding[]): Promise<void> {
  await noteListingAsked(asWorker, ACCOUNT, 'fundings');
  const readAt = await beginReading(asWorker);
  const pass = await beginPass(asWorker, ACCOUNT, 'fundings');
  await storeFundings(asWorker, ACCOUNT, fundings, { readAt, pass });
  await noteListingRead(asWorker, ACCOUNT, { kind: 'fundings', readAt: pass });
}

/** As the watch of the money does whenever it plans. */
export async function explainReceiptsAs({ asWorker }: TestDatabase): Promise<void> {
  for (const returned of await explainReceipts(asWorker, ACCOUNT)) await recordReturn(asWorker, returned);
}

/** In the order of the rows. */
export async function returnsOf(
  { database }: TestDatabase,
  paymentIds: readonly string[],
): Promise<{ state: string; returned: number | null }[]> {
  const { rows } = await database.query<{ state: string; returned: number | null }>(
    'select state, returned_amount::float8 as returned from payments where payment_id = any($1) order by row_number',
    [paymentIds],
  );
  return rows;
}

export async function pay(world: LedgerWorld, paymentId: string): Promise<void> {
  await world.create(paymentId, 0, 'took_effect');
  expect(await world.fund(paymentId, 'answered')).toBe('funded');
  await world.readHistory();
  await world.end(paymentId, 'paid');
}

export async function arrive(world: LedgerWorld, amount: number, transactionId: string | null = null): Promise<void> {
  world.change(amount, { transactionId });
  await world.readHistory();
}
