import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listRefunds } from '../../store/accounts/refund-views.ts';
import { endRun } from '../../store/runs/run-outcome.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';
import { listRefundsAs, refundOf, returnsOf, explainReceiptsAs } from './refunds-under-test.ts';

/** Which refunds are credited by which money, and what that does to payments. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

let worlds = 0;

/** A currency of its own, with enough money and so many paid payments of 100. */
async function paidPayments(
  count: number,
  fee = 0,
): Promise<{ world: LedgerWorld; paymentIds: string[]; runId: string }> {
  worlds += 1;
  const world = new LedgerWorld(
    testDatabase,
    `R${String.fromCharCode(65 + Math.floor(worlds / 26), 65 + (worlds % 26))}`,
  );
  world.change(100_000);
  await world.readHistory();
  const runId = count === 0 ? '' : await world.approveRun(Array.from({ length: count }, () => 100));
  const paymentIds = world.runs[0]?.paymentIds ?? [];
  for (const paymentId of paymentIds) {
    await world.create(paymentId, fee, 'took_effect');
    expect(await world.fund(paymentId, 'answered')).toBe('funded');
    await world.readHistory();
    await world.end(paymentId, 'paid');
  }
  return { world, paymentIds, runId };
}

const stateOf = async (paymentId: string) => (await returnsOf(testDatabase, [paymentId]))[0];

describe('a payment is returned', () => {
  test('when the provider shows its refund and the history its money, in whatever order', async () => {
    for (const order of ['refund first', 'money first'] as const) {
      const { world, paymentIds, runId } = await paidPayments(2);
      const [first = ''] = paymentIds;
      await endRun(testDatabase.asWorker, runId);
      const refund = await refundOf(testDatabase, world, first, '100');
      if (order === 'refund first') await listRefundsAs(testDatabase, refund);
      await explainReceiptsAs(testDatabase);
      world.change(100);
      await world.readHistory();
      await explainReceiptsAs(testDatabase);
      expect(await stateOf(first)).toEqual({ state: 'paid', returned: null });
      await listRefundsAs(testDatabase, refund);
      await explainReceiptsAs(testDatabase);
      await explainReceiptsAs(testDatabase);
      expect(await returnsOf(testDatabase, paymentIds)).toEqual([
        { state: 'returned', returned: 100 },
        { state: 'paid', returned: null },
      ]);
      const { rows } = await testDatabase.database.query('select state from runs where run_id = $1', [runId]);
      expect(rows).toEqual([{ state: 'partially_completed' }]);
      const audited = await testDatabase.database.query(
        `select actor, kind from audit_entries where payment_id = $1 and kind in ('refund_credited', 'payment_returned') order by 2`,
        [first],
      );
      expect(audited.rows).toEqual([
        { actor: 'database', kind: 'payment_returned' },
        { actor: 'database', kind: 'refund_credited' },
      ]);
    }
  });

  test('also if it is known only long after the money of its refund came', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const [paymentId = ''] = paymentIds;
    const refund = await refundOf(testDatabase, world, paymentId, '100');
    await bypassTriggers(
      testDatabase.database,
      'update payments set provider_payment_id = null where payment_id = $1',
      [paymentId],
    );
    world.change(100);
    await world.readHistory();
    await listRefundsAs(testDatabase, refund);
    await explainReceiptsAs(testDatabase);
    for (const table of [`receipts set explained_at = explained_at`, `refunds set first_seen_at = first_seen_at`]) {
      await bypassTriggers(testDatabase.database, `update ${table} - interval '40 days' where currency = $1`, [
        world.currency,
      ]);
    }
    await testDatabase.asWorker.query('update payments set provider_payment_id = $2 where payment_id = $1', [
      paymentId,
      refund.resourceId,
    ]);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual({ state: 'returned', returned: 100 });
  });

  test('by the only payment of its run: the run was completed, and is not failed', async () => {
    const { world, paymentIds, runId } = await paidPayments(1);
    expect(await endRun(testDatabase.asWorker, runId)).toBe('completed');
    world.change(100);
    await world.readHistory();
    await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentIds[0] ?? '', '100'));
    await explainReceiptsAs(testDatabase);
    const { rows } = await testDatabase.database.query('select state from runs where run_id = $1', [runId]);
    expect(rows).toEqual([{ state: 'partially_completed' }]);
  });

  test('without its fees, if the provider keeps them', async () => {
    const { world, paymentIds } = await paidPayments(1, 5);
    world.change(100);
    await world.readHistory();
    await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentIds[0] ?? '', '100'));
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentIds[0] ?? '')).toEqual({ state: 'returned', returned: 100 });
  });

  test('when the money came before it was known to be paid', async () => {
    const { world } = await paidPayments(0);
    await world.approveRun([100]);
    const paymentId = world.runs[0]?.paymentIds[0] ?? '';
    await world.create(paymentId, 0, 'took_effect');
    await world.fund(paymentId, 'answered');
    world.change(100);
    await world.readHistory();
    await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentId, '100'));
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual({ state: 'funded', returned: 100 });
    await world.end(paymentId, 'paid');
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual({ state: 'returned', returned: 100 });
  });

  test('in parts, once they are all of it', async () => {
    const { world, paymentIds } = await paidPayments(1, 5);
    const [paymentId = ''] = paymentIds;
    const [first, second] = [
      await refundOf(testDatabase, world, paymentId, '40'),
      await refundOf(testDatabase, world, paymentId, '60'),
    ];
    world.change(40);
    await world.readHistory();
    await listRefundsAs(testDatabase, first);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual({ state: 'paid', returned: 40 });
    world.change(60);
    await world.readHistory();
    await listRefundsAs(testDatabase, first, second);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual({ state: 'returned', returned: 100 });
  });
});

describe('a payment stays paid', () => {
  test('while its refund is announced and no money came', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const refund = await refundOf(testDatabase, world, paymentIds[0] ?? '', '100');
    await listRefundsAs(testDatabase, refund);
    world.change(99);
    await world.readHistory();
    await listRefundsAs(testDatabase, refund);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentIds[0] ?? '')).toEqual({ state: 'paid', returned: null });
    const [view] = await listRefunds(testDatabase.asServer, {
      ...{ accounts: null, currency: world.currency, runId: null, state: null, limit: 10 },
    });
    expect(view).toMatchObject({ state: 'expected', paymentState: 'paid', entryId: null });
  });

  test('by money from before it was funded', async () => {
    const { world } = await paidPayments(0);
    world.change(100);
    await world.readHistory();
    await testDatabase.database.query(`update receipts set dated_at = now() - interval '1 hour' where currency = $1`, [
      world.currency,
    ]);
    await world.approveRun([100]);
    const paymentId = world.runs[0]?.paymentIds[0] ?? '';
    await world.create(paymentId, 0, 'took_effect');
    await world.fund(paymentId, 'answered');
    await world.readHistory();
    await world.end(paymentId, 'paid');
    await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentId, '100'));
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual({ state: 'paid', returned: null });
  });

  test('if two refunds of one amount have one receipt: nobody knows whose it is; with the second, both are returned', async () => {
    const { world, paymentIds } = await paidPayments(2);
    const refunds = await Promise.all(paymentIds.map((id) => refundOf(testDatabase, world, id, '100')));
    world.change(100);
    await world.readHistory();
    await listRefundsAs(testDatabase, ...refunds);
    await explainReceiptsAs(testDatabase);
    expect(await returnsOf(testDatabase, paymentIds)).toEqual(
      paymentIds.map(() => ({ state: 'paid', returned: null })),
    );
    world.change(100);
    await world.readHistory();
    await explainReceiptsAs(testDatabase);
    // The list is from before the second receipt: another refund may be in it by now.
    expect(await returnsOf(testDatabase, paymentIds)).toEqual(
      paymentIds.map(() => ({ state: 'paid', returned: null })),
    );
    await listRefundsAs(testDatabase, ...refunds);
    await explainReceiptsAs(testDatabase);
    expect(await returnsOf(testDatabase, paymentIds)).toEqual(
      paymentIds.map(() => ({ state: 'returned', returned: 100 })),
    );
  });

  test('by a refund of something else, in another currency, or that names nothing', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const refund = await refundOf(testDatabase, world, paymentIds[0] ?? '', '100');
    world.change(100);
    await world.readHistory();
    await listRefundsAs(
      testDatabase,
      { ...refund, resourceId: randomUUID() },
      { ...refund, id: randomUUID(), currency: 'XXX' },
    );
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentIds[0] ?? '')).toEqual({ state: 'paid', returned: null });
  });
});

describe('no process', () => {
  test('returns a payment whose money is not in the history', async () => {
    const { paymentIds } = await paidPayments(1);
    await expect(
      testDatabase.asWorker.query(`update payments set state = 'returned' where payment_id = $1`, [paymentIds[0]]),
    ).rejects.toThrow('once the history shows its money');
  });

  test.each([
    `update payments set returned_amount = 100`,
    `insert into receipts (account, currency, entry_id, amount, dated_at, follows_debit) values ('default', 'EUR', 'x', 1, now(), false)`,
    `update receipts set explained_by = 'refund', explained_at = now()`,
    `update refunds set entry_id = 'x', credited_at = now()`,
    `delete from refunds`,
  ])('may %s', async (statement) => {
    for (const login of [testDatabase.asServer, testDatabase.asWorker]) {
      await expect(login.query(statement)).rejects.toThrow(/permission denied/);
    }
  });

  test('changes what a refund was first shown as', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const refund = await refundOf(testDatabase, world, paymentIds[0] ?? '', '7');
    await listRefundsAs(testDatabase, refund);
    await listRefundsAs(testDatabase, { ...refund, amount: '100' });
    await expect(
      testDatabase.asWorker.query('update refunds set amount = 100 where refund_id = $1', [refund.id]),
    ).rejects.toThrow('as it was first shown');
    const { rows } = await testDatabase.database.query(
      'select amount::float8 as amount from refunds where refund_id = $1',
      [refund.id],
    );
    expect(rows).toEqual([{ amount: 7 }]);
  });
});
