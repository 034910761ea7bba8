import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paymentFacts } from '../../store/payments/payment-facts.ts';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { reopenResolvedRow } from '../../store/payments/manual-outcomes.ts';
import { listToReadSingly } from '../../store/payments/poll-batches.ts';
import { beginRequest } from '../../store/payments/payment-requests.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { timePasses } from './time-passes.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

/** A funding without an answer was not seen at the provider, which carries it out afterwards. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let testDatabase: TestDatabase;
let world: LedgerWorld;
let paymentId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
  world.change(500);
  await world.readHistory();
  await world.approveRun([100]);
  paymentId = world.runs[0]?.paymentIds[0] ?? '';
  await world.create(paymentId, 0, 'took_effect');
  const requestId = (await beginFunding()) ?? '';
  await resolveOpenRequest(testDatabase.asWorker, { requestId, outcome: 'not_seen', to: null, update: {} });
});

async function beginFunding(): Promise<string | null> {
  const whileIn = ['created', 'awaiting_funds'] as const;
  const intent = { paymentId, operation: 'fund', whileIn, at: new Date('2026-01-31'), dataKeys: TEST_KEY_IDS } as const;
  return (await beginRequest(testDatabase.asWorker, intent)).requestId;
}

async function amountsOf(id = paymentId): Promise<{ free: number; committed: number }> {
  const { rows } = await testDatabase.database.query<{ free: string; committed: string }>(
    `select ledger_amount($1, $2, 'free')::text as free,
       ledger_amount($1, $2, ledger_account_of(payment_id, attempt))::text as committed from payments where payment_id = $3`,
    [ACCOUNT, world.currency, id],
  );
  return { free: Number(rows[0]?.free), committed: Number(rows[0]?.committed) };
}

/** Nobody could have it funded any more by themselves: people decide. */
async function giveUp(): Promise<void> {
  await testDatabase.asWorker.query(`update payments set state = 'unknown', ended_at = now() where payment_id = $1`, [
    paymentId,
  ]);
}

describe('a debit that comes after its absence was inferred', () => {
  test('is that of the payment, and not taken from free money', async () => {
    world.change(-100, { isOurs: true });
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 400, committed: 0 });
  });

  test('is not committed a second time when the payment is funded again', async () => {
    world.change(-100, { isOurs: true });
    await world.readHistory();
    expect(await beginFunding()).not.toBeNull();
    expect(await amountsOf()).toEqual({ free: 400, committed: 0 });
  });

  test('is that of an equal payment that is known to be funded, which was asked for later', async () => {
    await world.approveRun([100]);
    const other = world.runs[1]?.paymentIds[0] ?? '';
    await world.create(other, 0, 'took_effect');
    expect(await world.fund(other, 'answered')).toBe('funded');
    await world.readHistory();
    expect(await amountsOf(other)).toEqual({ free: 300, committed: 0 });
    expect(await amountsOf()).toEqual({ free: 300, committed: 100 });
  });

  test('is expected from the first request on, whichever of them is known to have taken effect', async () => {
    await timePasses(testDatabase, 3 * HOUR);
    const requestId = (await beginFunding()) ?? '';
    const update = { funded_at: new Date() };
    await resolveOpenRequest(testDatabase.asWorker, { requestId, outcome: 'took_effect', to: 'funded', update });
    const facts = await paymentFacts(testDatabase.asWorker, { account: ACCOUNT, day: today() });
    const [leg] = facts.find(({ factId }) => factId === `payment/${paymentId}-1`)?.legs ?? [];
    expect(leg?.fromMs).toBeLessThan(Date.now() - 3 * HOUR);
  });

  test('is looked for in the books of the day even if nothing of it is known to have taken effect', async () => {
    await giveUp();
    const facts = await paymentFacts(testDatabase.asWorker, { account: ACCOUNT, day: today() });
    expect(facts).toContainEqual(expect.objectContaining({ factId: `payment/${paymentId}-1`, certainty: 'possible' }));
  });
});

describe('what was committed to a payment whose funding was not seen', () => {
  test('stays committed when it is given up', async () => {
    await giveUp();
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 400, committed: 100 });
    world.change(-100, { isOurs: true });
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 400, committed: 0 });
  });

  test('stays committed for the same time when two people have said that it failed', async () => {
    await giveUp();
    await testDatabase.asWorker.query(`update payments set state = 'failed' where payment_id = $1`, [paymentId]);
    await timePasses(testDatabase, 6 * DAY);
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 400, committed: 100 });
    await timePasses(testDatabase, 2 * DAY);
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 500, committed: 0 });
  });

  test('stays committed for the same time while its request has no answer, as its payment was given up, then is free', async () => {
    expect(await beginFunding()).not.toBeNull();
    await giveUp();
    await timePasses(testDatabase, 6 * DAY);
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 400, committed: 100 });
    await timePasses(testDatabase, 2 * DAY);
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 500, committed: 0 });
  });

  test('is free when a complete history has not shown its debit for a week, with an alarm', async () => {
    await giveUp();
    await timePasses(testDatabase, 6 * DAY);
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 400, committed: 100 });
    await timePasses(testDatabase, 2 * DAY);
    await world.readHistory();
    expect(await amountsOf()).toEqual({ free: 500, committed: 0 });
    const { rows } = await testDatabase.database.query('select kind from money_alarms where currency = $1', [
      world.currency,
    ]);
    expect(rows).toEqual([{ kind: 'debit_not_found' }]);
  });
});

describe('the debit of a payment whose state says unpaid', () => {
  const alarms = async (): Promise<unknown[]> => {
    const { rows } = await testDatabase.database.query<Record<string, unknown>>(
      'select kind, amount::float8 as amount from money_alarms where currency = $1 and ended_at is null',
      [world.currency],
    );
    return rows;
  };
  const isRead = async (): Promise<boolean> => {
    const limits = { ageLimitMs: DAY, fundsAgeLimitMs: DAY, limit: 1_000 };
    return (await listToReadSingly(testDatabase.asWorker, ACCOUNT, limits)).includes(paymentId);
  };

  beforeEach(async () => {
    await giveUp();
    await testDatabase.asWorker.query(
      `update payments set state = 'failed', error_code = 'resolved_failed' where payment_id = $1`,
      [paymentId],
    );
    await timePasses(testDatabase, DAY);
    await isRead();
    expect([await isRead(), await alarms()]).toEqual([false, []]);
    world.change(-100, { isOurs: true });
    await world.readHistory();
  });

  test('is an alarm, and has the payment read at once', async () => {
    expect(await amountsOf()).toEqual({ free: 400, committed: 0 });
    expect([await isRead(), await alarms()]).toEqual([true, [{ kind: 'debit_of_unpaid', amount: 100 }]]);
  });

  test('is none any more when the money has come back', async () => {
    world.change(100);
    await world.readHistory();
    expect(await alarms()).toEqual([]);
  });

  test('is none any more when the row is unknown again', async () => {
    await bypassTriggers(
      testDatabase.database,
      `insert into payment_manual_outcomes (payment_id, resolved_as, reason, evidence_hash, proposed_by, state, closed_by, closed_at)
       select payment_id, 'failed', 'x', 'x', submitted_by, 'confirmed', (select user_id from users where user_id <> submitted_by limit 1), now()
       from payments join runs using (run_id) where payment_id = $1`,
      [paymentId],
    );
    const { provider_payment_id: providerPaymentId } = (
      await testDatabase.database.query<{ provider_payment_id: string }>(
        'select provider_payment_id from payments where payment_id = $1',
        [paymentId],
      )
    ).rows[0] ?? { provider_payment_id: null };
    const shown = { providerPaymentId, status: 'processing', mayBePaid: true };
    expect(await reopenResolvedRow(testDatabase.asWorker, paymentId, shown)).toBe(true);
    expect(await alarms()).toEqual([]);
  });
});

test('a payment that failed after it was funded has a debit without an alarm', async () => {
  expect(await world.fund(paymentId, 'answered')).toBe('funded');
  await world.end(paymentId, 'failed');
  await world.readHistory();
  const { rows } = await testDatabase.database.query(`select from money_alarms where currency = $1`, [world.currency]);
  expect(rows).toEqual([]);
});

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
