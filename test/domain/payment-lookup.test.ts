import { describe, expect, test } from 'vitest';
import { contradictionOf, type PaymentLookup, lookupSummary } from '../../domain/payments/payment-lookup.ts';
import { stateByStatus } from '../../domain/payments/provider-status.ts';
import type { ManualOutcomeKind } from '../../domain/payments/manual-outcome.ts';

const stateOf = stateByStatus({});
const BEFORE = { stateOf, isPastCutoff: false };

function aFind(...statuses: string[]): PaymentLookup {
  const payments = statuses.map((status, index) => ({ providerPaymentId: `sp-${index + 1}`, status }));
  return { asked: 'by_reference', payments, onlyOthers: false };
}

const ONLY_OTHERS: PaymentLookup = { ...aFind(), onlyOthers: true };
const READ_NOTHING: PaymentLookup = { ...aFind(), asked: 'by_id' };
const READ_OTHERS: PaymentLookup = { ...READ_NOTHING, onlyOthers: true };

function isContradicted(outcome: ManualOutcomeKind, ...lookups: PaymentLookup[]): boolean {
  return contradictionOf({ outcome, providerPaymentId: null }, lookups, BEFORE) !== null;
}

describe('the provider contradicts', () => {
  test.each<[ManualOutcomeKind, string[]]>([
    ['never_created', ['awaiting_funds', 'processing', 'completed', 'rejected', 'failed', 'on_hold']],
    ['paid', ['awaiting_funds', 'rejected', 'failed']],
    ['failed', ['awaiting_funds', 'processing', 'completed', 'rejected']],
    ['rejected', ['awaiting_funds', 'processing', 'completed', 'failed']],
  ])('%s when it shows the payment as one of %j, and only then', (outcome, contradicting) => {
    for (const status of ['awaiting_funds', 'processing', 'completed', 'rejected', 'failed', 'on_hold']) {
      expect([status, isContradicted(outcome, aFind(status))]).toEqual([status, contradicting.includes(status)]);
    }
  });

  test('no failed one that it shows unfunded past its cut-off time, when nobody can fund it there any more', () => {
    const contradicting = (outcome: ManualOutcomeKind, ...statuses: string[]) =>
      contradictionOf({ outcome, providerPaymentId: null }, [aFind(...statuses)], { stateOf, isPastCutoff: true });
    expect(contradicting('failed', 'awaiting_funds')).toBeNull();
    expect(contradicting('failed', 'awaiting_funds', 'processing')).not.toBeNull();
    for (const status of ['processing', 'completed', 'rejected'])
      expect(contradicting('failed', status)).not.toBeNull();
    for (const outcome of ['paid', 'rejected', 'never_created'] as const)
      expect(contradicting(outcome, 'awaiting_funds')).not.toBeNull();
  });

  test('nothing by an answer without the payment, which may be incomplete', () => {
    for (const outcome of ['paid', 'rejected', 'failed', 'never_created'] as const) {
      expect(isContradicted(outcome, aFind())).toBe(false);
      expect(isContradicted(outcome, ONLY_OTHERS)).toBe(false);
    }
  });

  test('a manual outcome as paid or with an id when it does not have the payment with that id', () => {
    expect(isContradicted('paid', aFind(), READ_NOTHING)).toBe(true);
    expect(contradictionOf({ outcome: 'failed', providerPaymentId: 'sp-9' }, [READ_NOTHING], BEFORE)?.state).toBeNull();
  });

  test.each(['paid', 'rejected', 'failed', 'never_created'] as const)(
    '%s when the payment with its id has another reference',
    (outcome) => {
      const contradiction = contradictionOf({ outcome, providerPaymentId: null }, [aFind(), READ_OTHERS], BEFORE);
      expect(contradiction).toMatchObject({ shown: null, state: null });
      expect(isContradicted(outcome, aFind('failed'), READ_OTHERS)).toBe(true);
    },
  );

  test('a manual outcome as unpaid when any of several payments is paid, without deciding which of them counts', () => {
    const contradiction = contradictionOf(
      { outcome: 'failed', providerPaymentId: null },
      [aFind('failed', 'completed')],
      BEFORE,
    );
    expect(contradiction).toMatchObject({ shown: null, state: null });
    expect(contradiction?.says).toBe('the provider shows payment sp-1 as failed, payment sp-2 as completed');
    expect(isContradicted('failed', aFind('failed', 'rejected'))).toBe(false);
  });

  test('a manual outcome as never created with the state of the payment, or with none while it has not ended', () => {
    const proposal = { outcome: 'never_created', providerPaymentId: null } as const;
    expect(contradictionOf(proposal, [aFind('completed')], BEFORE)?.state).toBe('paid');
    expect(contradictionOf(proposal, [aFind('rejected')], BEFORE)?.state).toBe('rejected');
    expect(contradictionOf(proposal, [aFind('processing')], BEFORE)).toMatchObject({
      shown: { providerPaymentId: 'sp-1', status: 'processing' },
      state: null,
    });
  });
});

test('the summary of a lookup is one word: nothing, only_others, several, or the status', () => {
  expect([aFind(), ONLY_OTHERS, aFind('completed', 'failed'), aFind('on_hold')].map(lookupSummary)).toEqual([
    'nothing',
    'only_others',
    'several',
    'on_hold',
  ]);
});
