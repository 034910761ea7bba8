import { describe, expect, test } from 'vitest';
import { paymentFact } from '../../domain/accounts/expected-movements.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { ListedEvidence } from '../../domain/reconciliation/listed-evidence.ts';

function aPayment(factId: string, totalAmount: string, providerId: string | null = 'p-1'): Fact {
  const funded = { fundedFromMs: 0, fundedUntilMs: 1_000, isFunded: true };
  return paymentFact({ factId, providerId, currency: 'USD', totalAmount, sellAmount: '100', fees: ['1'], ...funded });
}

function kept(ours: readonly Fact[], listed: Fact): boolean {
  const evidence = new ListedEvidence(ours);
  evidence.add(listed);
  return evidence.facts.length === 1;
}

describe('of what the provider lists', () => {
  test('a payment that our record does not know is kept', () => {
    expect(kept([aPayment('ours', '101', 'p-2')], aPayment('listed', '101'))).toBe(true);
    expect(kept([aPayment('ours', '101', null)], aPayment('listed', '101'))).toBe(true);
  });

  test('one with another amount than ours is kept', () => {
    expect(kept([aPayment('ours', '101')], aPayment('listed', '102'))).toBe(true);
  });

  test('one with the same amount is not, however it is written', () => {
    expect(kept([aPayment('ours', '101')], aPayment('listed', '101.00'))).toBe(false);
  });

  test('one that several of ours may be is kept', () => {
    expect(kept([aPayment('ours', '102'), aPayment('other', '101')], aPayment('listed', '101'))).toBe(true);
  });
});
