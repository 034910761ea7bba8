import { describe, expect, test } from 'vitest';
import { mayTransitionPayment, PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { MANUAL_OUTCOME_STATES } from '../../domain/payments/manual-outcome-state.ts';
import {
  type Evidence,
  evidenceText,
  objectionToConfirming,
  objectionToProposal,
  MANUAL_OUTCOME_KINDS,
  stateOfManualOutcome,
} from '../../domain/payments/manual-outcome.ts';

const UNKNOWN = { state: 'unknown', errorCode: 'step_failed', providerPaymentId: null } as const;
const NO_ID = { providerPaymentId: null };

describe('a manual outcome', () => {
  test('is only for an unknown payment, and ends it by an allowed transition', () => {
    for (const outcome of MANUAL_OUTCOME_KINDS) {
      expect(mayTransitionPayment('unknown', stateOfManualOutcome(outcome))).toBe(true);
      for (const state of PAYMENT_STATES.filter((other) => other !== 'unknown')) {
        expect(objectionToProposal({ ...UNKNOWN, state }, { outcome, ...NO_ID })).toContain(state);
      }
      expect(objectionToProposal(UNKNOWN, { outcome, ...NO_ID })).toBeNull();
    }
    expect(stateOfManualOutcome('never_created')).toBe('cancelled');
  });

  test('never says that what the provider has an id for was never created', () => {
    const proposal = { outcome: 'never_created', ...NO_ID } as const;
    expect(objectionToProposal({ ...UNKNOWN, providerPaymentId: 'sp-1' }, proposal)).toContain('sp-1');
    expect(objectionToProposal(UNKNOWN, { ...proposal, providerPaymentId: 'sp-1' })).toContain('leave it out');
  });

  test('may name another payment only if the provider showed several', () => {
    const known = { ...UNKNOWN, providerPaymentId: 'sp-1' };
    const other = { outcome: 'paid', providerPaymentId: 'sp-2' } as const;
    expect(objectionToProposal(known, other)).toContain('sp-1');
    expect(objectionToProposal({ ...known, errorCode: 'found_more_than_once' }, other)).toBeNull();
    expect(objectionToProposal(known, { ...other, providerPaymentId: 'sp-1' })).toBeNull();
  });
});

describe('a confirmation', () => {
  const proposal = { state: 'proposed', proposedBy: 'ana', evidenceHash: 'a' } as const;
  const now = { confirmedBy: 'bo', maker: 'mia', evidenceHash: 'a' };

  test('counts from a second person who is not the maker of the run', () => {
    expect(objectionToConfirming(proposal, now)).toBeNull();
    expect(objectionToConfirming(proposal, { ...now, confirmedBy: 'ana' })?.why).toBe('proposer_confirms');
    expect(objectionToConfirming(proposal, { ...now, confirmedBy: 'mia' })?.why).toBe('maker_confirms');
  });

  test('counts for an open proposal and for what was known then', () => {
    for (const state of MANUAL_OUTCOME_STATES.filter((other) => other !== 'proposed')) {
      expect(objectionToConfirming({ ...proposal, state }, now)?.why).toBe('not_open');
    }
    expect(objectionToConfirming(proposal, { ...now, evidenceHash: 'b' })?.why).toBe('row_has_changed');
  });

  test.each<[string, Partial<Evidence>]>([
    ['the state', { state: 'paid' }],
    ['the attempt', { attempt: 2 }],
    ['the code', { errorCode: 'not_confirmed' }],
    ['the provider’s id', { providerPaymentId: 'sp-1' }],
    ['the provider’s status', { providerStatus: 'completed' }],
    ['a request', { requests: [{ operation: 'create', attempt: 1, outcome: 'took_effect', httpStatus: 200 }] }],
  ])('does not count when %s has changed since the proposal', (_what, change) => {
    const requests = [{ operation: 'create', attempt: 1, outcome: null, httpStatus: null }];
    const evidence = { ...UNKNOWN, attempt: 1, providerStatus: null, requests };
    expect(evidenceText({ ...evidence })).toBe(evidenceText(evidence));
    expect(evidenceText({ ...evidence, ...change })).not.toBe(evidenceText(evidence));
  });
});
