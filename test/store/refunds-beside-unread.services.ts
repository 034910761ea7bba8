import { afterAll, beforeAll, expect, test } from 'vitest';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';
import { arrive, explainReceiptsAs, listRefundsAs, pay, refundOf, returnsOf } from './refunds-under-test.ts';

/** The money of a payment that has failed there, before anybody here has read how it ended. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

let worlds = 0;

const stateOf = async (paymentId: string) => (await returnsOf(testDatabase, [paymentId]))[0];

test.each(['funded', 'unknown', 'created'])(
  'a paid payment is not returned by what the provider gives back of an equal one that is %s here',
  async (here) => {
    worlds += 1;
    const world = new LedgerWorld(testDatabase, `W${String.fromCharCode(65, 65 + worlds)}`);
    world.change(100_000);
    await world.readHistory();
    await world.approveRun([100, 100]);
    const [paymentId = '', failing = ''] = world.runs[0]?.paymentIds ?? [];
    await pay(world, paymentId);
    await world.create(failing, 0, 'took_effect');
    await world.fund(failing, here === 'created' ? 'lost' : 'answered');
    world.change(100);
    for (const entry of world.entries.slice(-2)) Object.assign(entry, { transactionId: 'same' });
    if (here === 'unknown') {
      const update = { ended_at: new Date() };
      await transitionPayment(testDatabase.asWorker, { paymentId: failing, to: here, kind: 'given_up', update });
    }
    expect((await stateOf(failing))?.state).toBe(here);
    await world.readHistory();
    const refund = await refundOf(testDatabase, world, paymentId, '100');
    await listRefundsAs(testDatabase, refund);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual({ state: 'paid', returned: null });
    await arrive(world, 100);
    await listRefundsAs(testDatabase, refund);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual({ state: 'returned', returned: 100 });
  },
);
