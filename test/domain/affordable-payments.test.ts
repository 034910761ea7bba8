import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { selectAffordable } from '../../domain/payments/affordable-payments.ts';

const waiting = (currency: string, balance: string, ...totals: string[]) =>
  totals.map((total, n) => ({ paymentId: `${currency}-${n + 1}`, currency, total, balance, reserved: null }));

describe('the payments that a balance covers', () => {
  test('are the first ones, to the cent', () => {
    expect(selectAffordable(waiting('USD', '0.30', '0.10', '0.20', '0.01'))).toEqual(['USD-1', 'USD-2']);
  });

  test('skip one that is too large', () => {
    expect(selectAffordable(waiting('USD', '100.00', '60.00', '60.00', '40.00'))).toEqual(['USD-1', 'USD-3']);
  });

  test('are selected for each currency separately', () => {
    const all = [
      ...waiting('SGD', '0.00', '1.00'),
      ...waiting('EUR', '1.00', '1.00'),
      ...waiting('USD', '5.00', '4.99'),
    ];
    expect(selectAffordable(all)).toEqual(['EUR-1', 'USD-1']);
  });

  test('take what is reserved for their run first, and what is reserved for no other', () => {
    const of = (paymentId: string, runId: string, total: string) => ({
      ...{ paymentId, currency: 'USD', total, balance: '5.00' },
      reserved: { runId, amount: runId === 'first' ? '10.00' : '0.00' },
    });
    const all = [
      of('1', 'first', '8.00'),
      of('2', 'second', '4.00'),
      of('3', 'first', '3.00'),
      of('4', 'second', '1.00'),
    ];
    expect(selectAffordable(all)).toEqual(['1', '2', '3']);
    expect(selectAffordable(all.toReversed())).toEqual(['4', '3', '2']);
  });

  test('never cost more than the balance', () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(fc.nat(500_000), fc.array(cents, { maxLength: 40 }), (balance, totals) => {
        const all = totals.map((total, n) => ({
          paymentId: String(n),
          currency: 'USD',
          total: (total / 100).toFixed(2),
          balance: (balance / 100).toFixed(2),
          reserved: null,
        }));
        const paid = selectAffordable(all).reduce((sum, id) => sum + (totals[Number(id)] ?? 0), 0);
        expect(paid).toBeLessThanOrEqual(balance);
      }),
      { seed: 5 },
    );
  });
});
