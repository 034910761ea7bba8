import { describe, expect, test } from 'vitest';
import { MANUAL_OUTCOME_KINDS } from '../../domain/payments/manual-outcome.ts';
import { accountText, consequenceOf, evidenceOf, instructionFields } from '../../console/payments/row-words.ts';
import { anAccount } from '../server/application-records.ts';
import { aManualOutcome, aRowDetail } from '../server/a-row-detail.ts';

describe('what a dialog about an outcome is about', () => {
  const row = aRowDetail();
  const [request] = row.requests;
  const [look] = row.lookups;

  test('is the same when somebody has looked once more, and seen the same', () => {
    if (look === undefined) throw new Error('nothing was looked up');
    const again = { ...look, times: look.times + 1, lastAt: '2026-01-05T09:30:00.000Z' };
    expect(evidenceOf(aRowDetail({ lookups: [again] }))).toBe(evidenceOf(row));
  });

  test('is something else when more is known, or somebody has said how it ended', () => {
    if (request === undefined) throw new Error('nothing was sent');
    const others = [
      aRowDetail({ providerStatus: 'processing' }),
      aRowDetail({ providerPaymentId: 'sp-1' }),
      aRowDetail({ requests: [{ ...request, httpStatus: 500 }] }),
      aRowDetail({ state: 'paid' }),
      aRowDetail({ manualOutcomes: [aManualOutcome()] }),
      aRowDetail({ line: 3 }),
    ];
    expect(new Set([row, ...others].map(evidenceOf)).size).toBe(others.length + 1);
  });
});

test.each(MANUAL_OUTCOME_KINDS)('the consequence of %s is said', (outcome) => {
  const isPaid = outcome === 'paid';
  expect(consequenceOf(outcome)).toContain(
    isPaid ? 'counts as paid' : 'counts as not paid, and may be submitted again',
  );
});

test('an account is shown by its IBAN, else by its number and the codes of its bank', () => {
  expect(accountText(anAccount({ iban: 'DE02120300000000202051' }))).toBe('DE02120300000000202051');
  expect(accountText(anAccount())).toBe('4567890123 (bank code 014)');
  expect(accountText(null)).toBeNull();
});

test('what an approval covers is said in words, without what is not set', () => {
  const instruction = {
    ...{ amount: '10.00', amountSide: 'sell', payOn: null, supportingFiles: ['a.pdf', 'b.pdf'] },
    beneficiary: { kind: 'details', details: { bankAccount: { accountNumber: '4567890123' } } },
  };
  expect(instructionFields(instruction)).toEqual([
    ['Amount', '10.00'],
    ['Amount side', 'sell'],
    ['Supporting files', 'a.pdf, b.pdf'],
    ['Kind', 'details'],
    ['Bank account: account number', '4567890123'],
  ]);
});
