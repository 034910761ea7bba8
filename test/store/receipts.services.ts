import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportDeposit } from '../../store/accounts/deposits.ts';
import { type ShownFunding, storeFundings } from '../../store/accounts/fundings.ts';
import { assignReceiptAs } from '../../store/accounts/receipts.ts';
import { listReceipts } from '../../store/accounts/receipt-views.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { listFundingsAs, listRefundsAs, refundOf, returnsOf, explainReceiptsAs } from './refunds-under-test.ts';

/** What is said to explain money that came in: fundings, deposits and people. */

let testDatabase: TestDatabase;
let treasurer: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurer = await aUser(testDatabase, 'Tess Treasurer', 'treasurer');
});
afterAll(() => testDatabase.drop());

let worlds = 0;

/** A currency of its own whose history begins with 10,000 that a person has explained. */
async function aWorld(): Promise<LedgerWorld> {
  worlds += 1;
  const code = `Q${String.fromCharCode(65 + Math.floor(worlds / 26), 65 + (worlds % 26))}`;
  const world = new LedgerWorld(testDatabase, code);
  world.change(10_000);
  await world.readHistory();
  const [opening] = await receiptsOf(world);
  await assign(world, opening?.entryId ?? '', null);
  return world;
}

const receiptsOf = (world: LedgerWorld) =>
  listReceipts(testDatabase.asServer, { accounts: [ACCOUNT], currency: world.currency, all: true, limit: 100 });
const explanationsOf = async (world: LedgerWorld) => {
  const receipts = (await receiptsOf(world)).filter(({ amount }) => Number(amount) !== 10_000).reverse();
  return receipts.map(({ explainedBy, fundingId, depositTransactionId }) => ({
    explainedBy,
    ...(fundingId === null ? {} : { fundingId }),
    ...(depositTransactionId === null ? {} : { deposit: depositTransactionId }),
  }));
};

function assign(world: LedgerWorld, entryId: string, refundId: string | null, reason = 'told by the bank') {
  const receipt = { account: ACCOUNT, currency: world.currency, entryId, refundId, reason };
  return assignReceiptAs(testDatabase.asServer, treasurer.tokenHash, receipt);
}

/** Amounts that no other test of this file has: deposits are reported without a currency. */
let amounts = 100;
const anAmount = (): number => (amounts += 1);

const aFunding = (world: LedgerWorld, amount: number, status: string): ShownFunding => ({
  ...{ id: randomUUID(), balanceId: null, currency: world.currency, amount: String(amount), reference: 'FD1', status },
});

async function shows(funding: ShownFunding): Promise<void> {
  const readAt = await beginReading(testDatabase.asWorker);
  await storeFundings(testDatabase.asWorker, ACCOUNT, [funding], { readAt, pass: null });
}

const report = (transactionId: string, amount: number, status = 'completed') =>
  reportDeposit(testDatabase.asServer, ACCOUNT, {
    ...{ transactionId, amount: String(amount), status, virtualAccountId: null, accountNumber: null },
  });

async function arrive(world: LedgerWorld, amount: number, transactionId: string | null = null): Promise<void> {
  world.change(amount, { transactionId });
  await world.readHistory();
  await explainReceiptsAs(testDatabase);
  await listRefundsAs(testDatabase);
  await explainReceiptsAs(testDatabase);
}

async function paidPayments(world: LedgerWorld, ...sold: number[]): Promise<string[]> {
  await world.approveRun(sold);
  const paymentIds = world.runs[0]?.paymentIds ?? [];
  for (const paymentId of paymentIds) {
    await world.create(paymentId, 0, 'took_effect');
    await world.fund(paymentId, 'answered');
    await world.readHistory();
    await world.end(paymentId, 'paid');
  }
  return paymentIds;
}

describe('a funding', () => {
  test('explains a receipt of its amount once it is completed, before or after the money is seen', async () => {
    for (const order of ['funding first', 'money first'] as const) {
      const world = await aWorld();
      const amount = anAmount();
      const funding = aFunding(world, amount, 'awaiting_funds');
      await shows(funding);
      if (order === 'money first') await arrive(world, amount);
      await shows({ ...funding, status: 'pending' });
      await explainReceiptsAs(testDatabase);
      await shows({ ...funding, status: 'completed' });
      await explainReceiptsAs(testDatabase);
      if (order === 'funding first') await arrive(world, amount);
      expect(await explanationsOf(world)).toEqual([{ explainedBy: 'funding', fundingId: funding.id }]);
    }
  });

  test('that was completed before payrun saw it explains no money that comes later', async () => {
    const world = await aWorld();
    const amount = anAmount();
    await shows(aFunding(world, amount, 'completed'));
    await testDatabase.database.query(
      `update fundings set first_seen_at = now() - interval '1 hour' where currency = $1`,
      [world.currency],
    );
    await arrive(world, amount);
    expect(await explanationsOf(world)).toEqual([{ explainedBy: null }]);
  });

  test('keeps the status of the newest read, and a final one', async () => {
    const world = await aWorld();
    const funding = aFunding(world, anAmount(), 'awaiting_funds');
    const early = await beginReading(testDatabase.asWorker);
    await shows({ ...funding, status: 'pending' });
    await storeFundings(testDatabase.asWorker, ACCOUNT, [funding], { readAt: early, pass: null });
    const statusOf = async () =>
      (
        await testDatabase.database.query<{ status: string }>('select status from fundings where funding_id = $1', [
          funding.id,
        ])
      ).rows[0];
    expect(await statusOf()).toEqual({ status: 'pending' });
    await shows({ ...funding, status: 'failed' });
    await shows({ ...funding, status: 'pending' });
    expect(await statusOf()).toEqual({ status: 'failed' });
  });
});

describe('a deposit', () => {
  test('is reported until a receipt has its amount; one of its transaction id comes first', async () => {
    const world = await aWorld();
    const amount = anAmount();
    await arrive(world, amount, 'other');
    await arrive(world, amount, 'mine');
    await report('mine', amount);
    await explainReceiptsAs(testDatabase);
    expect(await explanationsOf(world)).toEqual([{ explainedBy: null }, { explainedBy: 'deposit', deposit: 'mine' }]);
  });

  test('is not confirmed by money in two currencies: a notification has none', async () => {
    const worldsOf = [await aWorld(), await aWorld()];
    const amount = anAmount();
    for (const world of worldsOf) await arrive(world, amount);
    await report('unclear', amount);
    await explainReceiptsAs(testDatabase);
    for (const world of worldsOf) expect(await explanationsOf(world)).toEqual([{ explainedBy: null }]);
  });

  test('that is false keeps no true one away, and explains nothing without money', async () => {
    const world = await aWorld();
    const amount = anAmount();
    await report('forged', amount + 1_000_000);
    await report('forged', amount);
    await arrive(world, amount);
    expect(await explanationsOf(world)).toEqual([{ explainedBy: 'deposit', deposit: 'forged' }]);
    const { rows } = await testDatabase.database.query(
      `select amount::float8 as amount, entry_id is null as reported from deposits where transaction_id = 'forged' order by 1`,
    );
    expect(rows).toEqual([
      { amount, reported: false },
      { amount: amount + 1_000_000, reported: true },
    ]);
  });

  test('and a funding of the same amount are one fact, unless there are two receipts', async () => {
    const world = await aWorld();
    const amount = anAmount();
    const funding = aFunding(world, amount, 'pending');
    await shows(funding);
    await report('both', amount);
    await shows({ ...funding, status: 'completed' });
    await arrive(world, amount);
    await explainReceiptsAs(testDatabase);
    expect(await explanationsOf(world)).toEqual([{ explainedBy: 'funding', fundingId: funding.id, deposit: 'both' }]);
    await arrive(world, amount);
    expect(await explanationsOf(world)).toEqual([
      { explainedBy: 'funding', fundingId: funding.id },
      { explainedBy: 'deposit', deposit: 'both' },
    ]);
  });
});

describe('money of an amount that a refund has too', () => {
  test('is not taken for the refund while a funding of it is open, nor for the funding', async () => {
    const world = await aWorld();
    const amount = anAmount();
    const [paymentId = ''] = await paidPayments(world, amount);
    const refund = await refundOf(testDatabase, world, paymentId, String(amount));
    const funding = aFunding(world, amount, 'pending');
    await shows(funding);
    await arrive(world, amount);
    await listRefundsAs(testDatabase, refund);
    await shows({ ...funding, status: 'completed' });
    await explainReceiptsAs(testDatabase);
    expect(await explanationsOf(world)).toEqual([{ explainedBy: null }]);
    expect(await returnsOf(testDatabase, [paymentId])).toEqual([{ state: 'paid', returned: null }]);
    await arrive(world, amount);
    await listRefundsAs(testDatabase, refund);
    await explainReceiptsAs(testDatabase);
    await explainReceiptsAs(testDatabase);
    expect((await explanationsOf(world)).map(({ explainedBy }) => explainedBy).sort()).toEqual(['funding', 'refund']);
    expect(await returnsOf(testDatabase, [paymentId])).toEqual([{ state: 'returned', returned: amount }]);
  });

  test('is not taken for the refund before fundings were listed', async () => {
    const world = await aWorld();
    const amount = anAmount();
    const [paymentId = ''] = await paidPayments(world, amount);
    const refund = await refundOf(testDatabase, world, paymentId, String(amount));
    await arrive(world, amount);
    await testDatabase.database.query(
      `update listings set read_at = now() - interval '1 hour' where kind = 'fundings'`,
    );
    const before = await testDatabase.database.query<{ read_at: Date }>(
      `select read_at from listings where kind = 'fundings'`,
    );
    await listRefundsAs(testDatabase, refund);
    await testDatabase.database.query(`update listings set read_at = $1 where kind = 'fundings'`, [
      before.rows[0]?.read_at ?? new Date(0),
    ]);
    await explainReceiptsAs(testDatabase);
    expect(await returnsOf(testDatabase, [paymentId])).toEqual([{ state: 'paid', returned: null }]);
    await listFundingsAs(testDatabase);
    await explainReceiptsAs(testDatabase);
    expect(await returnsOf(testDatabase, [paymentId])).toEqual([{ state: 'returned', returned: amount }]);
  });
});

describe('a person', () => {
  test('says what a receipt is, with a reason, and may say otherwise later; both are in the audit trail', async () => {
    const world = await aWorld();
    await arrive(world, anAmount());
    const [receipt] = await receiptsOf(world);
    await expect(assign(world, receipt?.entryId ?? '', null, ' ')).rejects.toThrow('give a reason');
    await expect(assign(world, 'nothing', null)).rejects.toThrow('no such receipt');
    await assign(world, receipt?.entryId ?? '', null, 'interest');
    await assign(world, receipt?.entryId ?? '', null, 'interest of March');
    expect((await receiptsOf(world))[0]).toMatchObject({
      ...{ explainedBy: 'person', assignedBy: 'Tess Treasurer', reason: 'interest of March' },
    });
    const { rows } = await testDatabase.database.query(
      `select actor, detail ? 'remark' as remark from audit_entries where kind = 'receipt_assigned' and detail ->> 'entry' = $1`,
      [receipt?.entryId],
    );
    const audited = { actor: treasurer.userId, remark: true };
    expect(rows).toEqual([audited, audited]);
  });

  test('decides which of two refunds of one amount the money is of; of another amount it cannot be', async () => {
    const world = await aWorld();
    const amount = anAmount();
    const [first = '', second = ''] = await paidPayments(world, amount, amount);
    const refunds = [
      await refundOf(testDatabase, world, first, String(amount)),
      await refundOf(testDatabase, world, second, String(amount)),
      await refundOf(testDatabase, world, second, '1'),
    ];
    await arrive(world, amount);
    await listRefundsAs(testDatabase, ...refunds);
    await explainReceiptsAs(testDatabase);
    const [receipt] = await receiptsOf(world);
    const entryId = receipt?.entryId ?? '';
    await expect(assign(world, entryId, refunds[2]?.id ?? '')).rejects.toThrow('another amount');
    await expect(assign(world, entryId, 'nobodys')).rejects.toThrow('no such refund');
    await assign(world, entryId, refunds[1]?.id ?? '');
    await explainReceiptsAs(testDatabase);
    expect(await returnsOf(testDatabase, [first, second])).toEqual([
      { state: 'paid', returned: null },
      { state: 'returned', returned: amount },
    ]);
    await expect(assign(world, entryId, refunds[0]?.id ?? '')).rejects.toThrow('that of a refund already');
  });

  test('who may use other accounts only cannot say it, and a reason cannot be changed', async () => {
    const world = await aWorld();
    await arrive(world, anAmount());
    const [receipt] = await receiptsOf(world);
    const other = await aUser(testDatabase, 'Olga Other', 'treasurer');
    await limitTo(testDatabase.database, other, 'another');
    const said = { account: ACCOUNT, currency: world.currency, entryId: receipt?.entryId ?? '', refundId: null };
    await expect(assignReceiptAs(testDatabase.asServer, other.tokenHash, { ...said, reason: 'x' })).rejects.toThrow(
      'may not use the account',
    );
    await expect(testDatabase.database.query('delete from receipt_assignments')).rejects.toThrow();
  });
});
