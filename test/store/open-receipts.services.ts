import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportDeposit } from '../../store/accounts/deposits.ts';
import { assignReceiptAs } from '../../store/accounts/receipts.ts';
import { listReceipts } from '../../store/accounts/receipt-views.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { explainReceiptsAs, listRefundsAs } from './refunds-under-test.ts';

/** Which receipts are looked at, and what is locked for them. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

let worlds = 0;

/** A currency of its own, with a receipt of this amount that nothing explains. */
async function aWorldWith(amount: number, transactionId: string | null = null): Promise<LedgerWorld> {
  worlds += 1;
  const world = new LedgerWorld(
    testDatabase,
    `R${String.fromCharCode(65 + Math.floor(worlds / 26), 65 + (worlds % 26))}`,
  );
  world.change(amount, { transactionId });
  await world.readHistory();
  await listRefundsAs(testDatabase);
  await explainReceiptsAs(testDatabase);
  return world;
}

const explanationsOf = async ({ currency }: LedgerWorld) => {
  const query = { accounts: [ACCOUNT], currency, all: true, limit: 10 };
  return (await listReceipts(testDatabase.asServer, query)).map(({ explainedBy }) => explainedBy);
};

const report = (transactionId: string, amount: number) =>
  reportDeposit(testDatabase.asServer, ACCOUNT, {
    ...{ transactionId, amount: String(amount), status: 'completed', virtualAccountId: null, accountNumber: null },
  });

describe('a receipt', () => {
  /** Whether a payment in the currency could commit its money while receipts are explained. */
  async function isLocked(world: LedgerWorld): Promise<boolean> {
    const client = await testDatabase.asWorker.connect();
    try {
      await client.query('begin');
      await client.query('select explain_receipts($1)', [ACCOUNT]);
      const lock = `select from balance_chains where account = $1 and currency = $2 for no key update nowait`;
      return await testDatabase.database.query(lock, [ACCOUNT, world.currency]).then(
        () => false,
        (error: unknown) => String(error).includes('could not obtain lock'),
      );
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  test('locks its currency alone, and only while something open may explain it', async () => {
    const [world, other] = [await aWorldWith(101), await aWorldWith(102)];
    expect([await isLocked(world), await isLocked(other)]).toEqual([false, false]);
    await report(randomUUID(), 101);
    expect([await isLocked(world), await isLocked(other)]).toEqual([true, false]);
    await explainReceiptsAs(testDatabase);
    expect(await explanationsOf(world)).toEqual(['deposit']);
  });

  test('locks nothing for a report of its amount that cannot be its deposit', async () => {
    const world = await aWorldWith(104);
    await testDatabase.database.query(
      `update receipts set dated_at = now() - interval '60 days' where account = $1 and currency = $2`,
      [ACCOUNT, world.currency],
    );
    await report(randomUUID(), 104);
    expect(await isLocked(world)).toBe(false);
    const explained = await aWorldWith(105);
    await report(randomUUID(), 105);
    await explainReceiptsAs(testDatabase);
    expect(await explanationsOf(explained)).toEqual(['deposit']);
    await report(randomUUID(), 105);
    expect(await isLocked(explained)).toBe(false);
  });

  test('is not explained by what was reported long before it came', async () => {
    const transactionId = randomUUID();
    await report(transactionId, 103);
    await testDatabase.database.query(
      `update deposits set reported_at = now() - interval '40 days', last_reported_at = now() - interval '40 days'
       where transaction_id = $1`,
      [transactionId],
    );
    expect(await explanationsOf(await aWorldWith(103, transactionId))).toEqual([null]);
  });

  test('is assigned by a person only after what explains the receipts of all currencies', async () => {
    const treasurer = await aUser(testDatabase, 'Tess Treasurer', 'treasurer');
    const world = await aWorldWith(103);
    const query = { accounts: [ACCOUNT], currency: world.currency, all: true, limit: 10 };
    const entryId = (await listReceipts(testDatabase.asServer, query))[0]?.entryId ?? '';
    const assignment = {
      account: ACCOUNT,
      currency: world.currency,
      entryId,
      refundId: null,
      reason: 'as the bank says',
    };
    const explaining = await testDatabase.database.connect();
    const order: string[] = [];
    try {
      await explaining.query('begin');
      await explaining.query('select explain_receipts($1)', [ACCOUNT]);
      const assigned = assignReceiptAs(testDatabase.asServer, treasurer.tokenHash, assignment).then(() =>
        order.push('assigned'),
      );
      await expect
        .poll(async () => {
          const { rows } = await testDatabase.database.query(
            `select from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and not granted
               and pg_stat_activity.datname = current_database()`,
          );
          return rows.length + order.length;
        })
        .toBe(1);
      order.push('explained');
      await explaining.query('commit');
      await assigned;
    } finally {
      explaining.release(true);
    }
    expect(order).toEqual(['explained', 'assigned']);
  });
});
