import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newOrderSchema } from '../../api/treasury/order.ts';
import { keepReferenceRates } from '../../store/rates/reference-rates.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import {
  approveOrder,
  findOrder,
  follow,
  placeOrder,
  setConversionPolicy,
  untilOrder,
} from '../helpers/conversions-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** What a conversion would cost, and what was paid has cost. */

let payrun: PayrunUnderTest;
let treasurer: TestUser;

const today = new Date().toISOString().slice(0, 10);
/** Near the rates of the sandbox. */
const HOUSE = { source: 'the house', date: today, base: 'USD', rates: { EUR: '0.92', GBP: '0.78' } };

beforeAll(async () => {
  payrun = await startPayrun({
    settings: {
      treasury: {
        referenceRates: () => Promise.resolve(HOUSE),
        ...{
          mayTakeEffectMs: 1_000,
          firstPauseMs: 100,
          maxPauseMs: 500,
          creditAgeLimitMs: 86_400_000,
          completionAgeLimitMs: 86_400_000,
        },
      },
    },
  });
  await keepReferenceRates(payrun.testDatabase.asWorker, HOUSE);
  treasurer = await aUser(payrun.testDatabase, 'Tessa Treasurer', 'treasurer');
  await follow(payrun, 'USD', '100000.00');
});
afterAll(() => payrun.stop());

describe('a dry run', () => {
  const order = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '1000.00' } as const;

  test('shows the quote, its cost against the reference and what each guard says, and commits nothing', async () => {
    await setConversionPolicy(payrun, { limits: { USD: { dailyCap: '1000.00' } } });
    const dryRun = await payrun.application.dryRunOrder(treasurer, newOrderSchema.parse({ ...order, maxCostBps: '1' }));
    expect(dryRun).toMatchObject({
      ...{ reference: 'the house', referencePrice: '0.92000000', problem: null },
      quote: { sellAmount: '1000.00', totalAmount: '1002.50', totalFees: '2.50' },
      ...{ decision: 'skip', code: 'cost_beyond_maximum' },
    });
    expect(Number(dryRun.costBps)).toBeGreaterThan(20);
    const verdicts = Object.fromEntries(dryRun.findings.map(({ guard, verdict }) => [guard, verdict]));
    expect(verdicts).toMatchObject({
      ...{ quote: 'passes', fees: 'passes', limit_price: 'not_set', max_cost: 'refuses', daily_cap: 'refuses' },
      ...{ funds: 'passes', approval: 'refuses', open_order: 'passes', expiry: 'passes' },
    });
    const { rows } = await payrun.database.query('select order_id from conversion_orders');
    expect(rows).toEqual([]);
    const requests = payrun.sandbox.ledger().requests.byOperation;
    expect([requests['conversion-create'] ?? 0, requests['conversion-fund'] ?? 0]).toEqual([0, 0]);
  });

  test('says why the provider refuses a quote', async () => {
    const refused = newOrderSchema.parse({ ...order, buyCurrency: 'USD', sellCurrency: 'CNY' });
    const dryRun = await payrun.application.dryRunOrder(treasurer, refused);
    expect(dryRun).toMatchObject({ quote: null, decision: 'skip', code: 'quote_refused', findings: [] });
    expect(dryRun.problem).not.toBe('');
  });
});

describe('costs', () => {
  test('are the fees and the exchange of payments and conversions, by currency and by run', async () => {
    await setConversionPolicy(payrun, {});
    const runId = await beginRun(payrun, newRows(2, { amount: '1000.00' }));
    await untilPaid(payrun, runId);
    const { orderId } = await placeOrder(payrun, treasurer);
    await approveOrder(payrun, orderId);
    await untilOrder(payrun, orderId, 'settled');
    const { costBps } = await findOrder(payrun, orderId);
    const query = { from: today, to: new Date().toISOString().slice(0, 10), account: null } as const;
    const byCurrency = await payrun.application.readCosts(treasurer, { ...query, by: 'currency' });
    expect(byCurrency.groups).toMatchObject([
      { of: 'conversions', currency: 'USD', count: 1, total: '1002.50', fees: '2.50', withoutReference: 0 },
      // 0.25 % for the exchange and 1.50 for each payment.
      { of: 'payments', currency: 'USD', count: 2, total: '2008.00', fees: '8.00', withoutReference: 0, runId: null },
    ]);
    // The cost of the order is against the price, this one a part of the total: the same but for its own rounding.
    expect(Number(byCurrency.groups[0]?.costBps)).toBeCloseTo(Number(costBps), 0);
    const byRun = await payrun.application.readCosts(treasurer, { ...query, by: 'run' });
    expect(byRun.groups.map(({ runId: of }) => of)).toEqual([null, runId]);
    const ofRun = await payrun.application.readRunCosts(runId);
    expect(ofRun?.groups).toEqual(byRun.groups.filter(({ runId: of }) => of === runId));
    expect(await payrun.application.readRunCosts(randomUUID())).toBeNull();
    const elsewhere = await aUser(payrun.testDatabase, 'Lea Elsewhere', 'viewer');
    const limited = { ...elsewhere, accounts: ['elsewhere'] };
    expect((await payrun.application.readCosts(limited, { ...query, by: 'run' })).groups).toEqual([]);
  });

  test('of payments without a reference rate of their day are their fees', async () => {
    await bypassTriggers(payrun.database, 'delete from reference_rates');
    const query = { from: today, to: today, account: null, by: 'currency' } as const;
    const { groups } = await payrun.application.readCosts(treasurer, query);
    expect(groups.find(({ of }) => of === 'payments')).toMatchObject({
      ...{ fees: '8.00', exchangeCost: '0', withoutReference: 2, costBps: null },
    });
  });
});
