import { describe, expect, test } from 'vitest';
import { requestsNeeded, secondsToSend } from '../../domain/finishing-time.ts';

describe('the finishing time', () => {
  test('counts a quote, a creation and a funding for each payment, and a tenth of a request for confirming it', () => {
    expect(requestsNeeded({ payments: 1_000, newBeneficiaries: 0, files: 0 })).toBe(3_100);
  });

  test('counts a request for each new payee and one for the address of each file', () => {
    expect(requestsNeeded({ payments: 10, newBeneficiaries: 4, files: 3 })).toBe(38);
    expect(requestsNeeded({ payments: 0, newBeneficiaries: 0, files: 0 })).toBe(0);
  });

  test('is that of the requests at the limit, behind those that other runs still have to send', () => {
    expect(secondsToSend(3_100, 0, 5)).toBe(620);
    expect(secondsToSend(3_100, 400, 5)).toBe(700);
    expect(secondsToSend(1, 0, 5)).toBe(1);
    expect(secondsToSend(0, 0, 5)).toBe(0);
  });

  test('is nothing where the limit is lifted', () => {
    expect(secondsToSend(3_100, 400, 0)).toBe(0);
  });
});
