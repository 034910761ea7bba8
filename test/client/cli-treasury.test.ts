import { describe, expect, test } from 'vitest';
import { anOrderDetail, ORDER } from '../server/fake-treasury.ts';
import { aCommandLine } from './cli-harness.ts';

const CONVERT = ['treasury', 'convert', '--from', 'usd', '--to', 'EUR'];

describe('payrun treasury convert', () => {
  test('places an order with all its terms, under a key', async () => {
    const { application, run } = await aCommandLine();
    const { code, stdout } = await run(
      [
        ...CONVERT,
        '--sell',
        '1000.00',
        '--limit-price',
        '0.9',
        '--max-cost-bps',
        '50',
        '--cap',
        '1010.00',
        '--expires',
        '4h',
      ],
      { role: 'treasurer' },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('sell 1,000.00 USD for EUR');
    expect(application.calls.at(-1)).toMatchObject({
      method: 'placeOrder',
      asked: {
        ...{ sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '1000.00', maxCostBps: '50' },
        ...{ limitPrice: { buyPerSellAtLeast: '0.9' }, cap: '1010.00', idempotencyKey: expect.any(String) as string },
      },
    });
  });

  test.each([
    [[], 'exactly one of --sell and --buy'],
    [['--sell', '1', '--buy', '1'], 'exactly one of --sell and --buy'],
    [['--buy', '500.00'], 'nothing else bounds'],
    [['--sell', '1', '--limit-price', '1', '--limit-price-inverse', '1'], 'give one of'],
    [['--sell', '1', '--expires', 'tomorrow'], 'give a time'],
    [['--sell', '1,000'], 'plain amount'],
  ])('%j is refused, and nothing is placed', async (options, message) => {
    const { application, run } = await aCommandLine();
    const { code, stderr } = await run([...CONVERT, ...options], { role: 'treasurer' });
    expect([code, application.calls.filter(({ method }) => method === 'placeOrder')]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });
});

describe('payrun treasury', () => {
  test('lists orders, and shows one with what its guards said and what to do', async () => {
    const { application, run } = await aCommandLine();
    application.orders.set(
      ORDER,
      anOrderDetail({
        findings: [
          {
            guard: 'max_cost',
            verdict: 'refuses',
            code: 'cost_beyond_maximum',
            message: 'the cost is 80 basis points',
          },
        ],
        conversionId: 'conversion-1',
        providerStatus: 'awaiting_funds',
      }),
    );
    const listed = await run(['treasury', 'list'], { role: 'viewer' });
    expect(listed.stdout).toContain(ORDER);
    expect(listed.stdout).toContain('in approval');
    const { code, stdout } = await run(['treasury', 'show', ORDER], { role: 'viewer' });
    expect(code).toBe(0);
    for (const text of ['REFUSES max cost', '80 basis points', 'To do: A checker', 'conversion-1, awaiting funds']) {
      expect(stdout).toContain(text);
    }
  });

  test.each([
    [{ totalAmount: '1002.500', sellAmount: '1000.0', buyAmount: '900' }, false],
    [{ totalAmount: null, sellAmount: null, buyAmount: null }, false],
    [{ totalAmount: '1002.50', sellAmount: '1000.00', buyAmount: '899.99' }, true],
    // As numbers, they would be the same.
    [{ totalAmount: '1002.50000000000000001', sellAmount: '1000.00', buyAmount: '900.00' }, true],
  ])('says whether the provider shows other amounts than quoted: %j', async (providerAmounts, differs) => {
    const { application, run } = await aCommandLine();
    const amounts = { sellAmount: '1000.00', buyAmount: '900.00', totalAmount: '1002.50', totalFees: '2.50' };
    const quote = { ...amounts, rate: '0.9', quotedAt: null };
    application.orders.set(ORDER, anOrderDetail({ providerAmounts, quote, conversionId: 'conversion-1' }));
    const { stdout } = await run(['treasury', 'show', ORDER], { role: 'viewer' });
    expect(stdout.includes('with other amounts')).toBe(differs);
    expect(stdout.includes(`buys ${providerAmounts.buyAmount ?? ''}`)).toBe(differs);
  });

  test.each([
    ['approve', 'approved', 'checker'],
    ['reject', 'rejected', 'checker'],
    ['release', 'released', 'checker'],
    ['withdraw', 'withdrawn', 'treasurer'],
  ] as const)('%s decides on the terms that are recorded, or that were seen', async (verb, decision, role) => {
    const { application, run } = await aCommandLine();
    application.orders.set(ORDER, anOrderDetail());
    expect((await run(['treasury', verb, ORDER, '--content-hash', 'b'.repeat(8)], { role })).code).toBe(2);
    const { code } = await run(['treasury', verb, ORDER, '--content-hash', 'a'.repeat(8), '--reason', 'why'], { role });
    expect(code).toBe(0);
    expect(application.calls.at(-1)).toMatchObject({
      method: 'decideOrder',
      asked: { orderId: ORDER, verb: decision, orderHash: 'a'.repeat(64), reason: 'why' },
    });
  });

  test('resolve proposes an outcome with a reason, and another person confirms or rejects the open proposal', async () => {
    const { application, run } = await aCommandLine();
    application.orders.set(ORDER, anOrderDetail({ state: 'unknown', conversionId: 'conversion-1' }));
    const resolve = (...options: string[]) => run(['treasury', 'resolve', ORDER, ...options], { role: 'treasurer' });
    expect((await resolve('--outcome', 'funded')).code).toBe(2);
    expect((await resolve('--confirm', '--reject')).code).toBe(2);
    expect((await resolve('--confirm')).code).toBe(2);
    expect((await resolve('--outcome', 'fund_again', '--reason', 'no debit')).code).toBe(0);
    expect(application.calls.at(-1)).toMatchObject({ asked: { outcome: 'fund_again', reason: 'no debit' } });
    const manualOutcomeId = '018f2a00-0000-7000-8000-0000000000d1';
    const open = {
      outcome: 'fund_again',
      reason: 'no debit',
      state: 'proposed',
      confirmedBy: null,
      closedAt: null,
    } as const;
    const proposedBy = { userId: 'user-treasurer', name: 'A treasurer' };
    const proposal = { manualOutcomeId, ...open, proposedBy, proposedAt: '2026-01-05T09:00:00.000Z' };
    application.orders.set(ORDER, anOrderDetail({ state: 'unknown', manualOutcomes: [proposal] }));
    for (const [option, method] of [
      ['--confirm', 'confirmOrderManualOutcome'],
      ['--reject', 'rejectOrderManualOutcome'],
    ] as const) {
      expect((await resolve(option)).code).toBe(0);
      expect(application.calls.at(-1)).toMatchObject({ method, asked: { manualOutcomeId } });
    }
  });
});
