import { describe, expect, test } from 'vitest';
import { CASE_REASONS, type CaseReason } from '../../domain/onboarding/case-reason-codes.ts';
import { type CaseFacts, caseSentences } from '../../domain/onboarding/case-sentences.ts';
import { CASE_STATES } from '../../domain/onboarding/case-state-table.ts';
import { HOLD_KINDS } from '../../domain/onboarding/onboarding-hold.ts';
import { MANUAL_OUTCOME_STATES } from '../../domain/payments/manual-outcome-state.ts';
import { CONVERSION_REASONS, type ConversionReason } from '../../domain/treasury/conversion-reason-codes.ts';
import { CONVERSION_STATE_TABLE, CONVERSION_STATES } from '../../domain/treasury/conversion-state-table.ts';
import { type OrderFacts, orderSentences } from '../../domain/treasury/order-sentences.ts';

const mia = { name: 'Mia Maker' };
const chris = { name: 'Chris Checker' };
const sam = { name: 'Sam Second' };

const SAID = MANUAL_OUTCOME_STATES.flatMap((state) =>
  [null, sam].map((confirmedBy) => ({ outcome: 'fund_again', state, proposedBy: chris, confirmedBy })),
);
const expectSentence = (sentence: string | null): void => {
  if (sentence !== null) expect(sentence).toMatch(/^([A-Z]|payrun ).*\.$/s);
  expect(sentence ?? '').not.toMatch(/`|undefined|null|\bCASE\b/);
};

describe('what is said of an order', () => {
  const DECISIONS = [[], ...(['approved', 'rejected', 'withdrawn', 'released'] as const).map((each) => [each])];
  const reasons = Object.keys(CONVERSION_REASONS) as ConversionReason[];
  const orders: OrderFacts[] = CONVERSION_STATES.flatMap((state) =>
    [
      null,
      ...reasons.filter((reason) => (CONVERSION_REASONS[reason].states as readonly string[]).includes(state)),
    ].flatMap((stateReason) =>
      DECISIONS.flatMap((decisions) =>
        [[], ...SAID.map((said) => [said])].map((manualOutcomes) => ({
          ...{ state, stateReason, placedBy: mia, manualOutcomes },
          decisions: decisions.map((decision) => ({ decision, by: chris })),
        })),
      ),
    ),
  );

  test('is whole sentences for every state, reason, decision and outcome', () => {
    for (const order of orders) {
      const { status, toDo } = orderSentences(order);
      expectSentence(status);
      expectSentence(toDo);
    }
    expect(orders.length).toBeGreaterThan(1_000);
  });

  test('names who ended it only where that person did, and never while it can still be carried out', () => {
    for (const order of orders) {
      const isEnded = CONVERSION_STATE_TABLE[order.state].stage === 'ended';
      const [decision] = order.decisions;
      const isNamed = isEnded && (decision?.decision === 'rejected' || decision?.decision === 'withdrawn');
      expect(orderSentences(order).status.includes(chris.name)).toBe(isNamed);
    }
  });

  test('never asks the person who placed it to approve it, nor who said an outcome to confirm it', () => {
    const order = { stateReason: null, placedBy: mia, decisions: [], manualOutcomes: [] };
    expect(orderSentences({ ...order, state: 'in_approval' }).toDo).toBe(
      'A checker other than Mia Maker approves or rejects it.',
    );
    const said = { outcome: 'fund_again', state: 'proposed', proposedBy: chris, confirmedBy: null } as const;
    expect(orderSentences({ ...order, state: 'unknown', manualOutcomes: [said] }).toDo).toBe(
      'Somebody other than Chris Checker confirms or declines what was said of it: "fund again".',
    );
    const confirmed = { ...said, confirmedBy: sam };
    expect(orderSentences({ ...order, state: 'unknown', manualOutcomes: [confirmed] }).toDo).toMatch(/^Nothing: /);
  });
});

describe('what is said of a case', () => {
  const reasons = [null, ...(Object.keys(CASE_REASONS) as CaseReason[])];
  const cases: CaseFacts[] = CASE_STATES.flatMap((state) =>
    reasons.flatMap((stateReason) =>
      [[], ...HOLD_KINDS.map((kind) => [{ kind }])].flatMap((holds) =>
        [[], ...SAID.map((said) => [said])].map((manualOutcomes) => ({
          ...{ caseId: 'case-7', state, stateReason, holds, manualOutcomes },
          withdrawn: state === 'withdrawn' ? { by: chris } : null,
          erased: state === 'erased' ? { by: sam } : null,
        })),
      ),
    ),
  );

  test('is whole sentences for every state, reason, hold and outcome, with its own id', () => {
    const seen = new Set<string | null>();
    for (const of of cases) {
      const { status, toDo } = caseSentences(of);
      for (const sentence of [status, toDo]) if (!seen.has(sentence)) expectSentence(sentence);
      seen.add(status).add(toDo);
    }
    expect(seen.size).toBeGreaterThan(30);
  });

  test('names who withdrew or erased it', () => {
    const of = { caseId: 'case-7', stateReason: null, withdrawn: null, erased: null, holds: [], manualOutcomes: [] };
    expect(caseSentences({ ...of, state: 'withdrawn', withdrawn: { by: chris } }).status).toBe(
      'Withdrawn by Chris Checker.',
    );
    expect(caseSentences({ ...of, state: 'erased', withdrawn: { by: chris }, erased: { by: sam } }).status).toBe(
      'The personal data was erased by Sam Second.',
    );
  });

  test('says that nothing is to be done while payrun carries out what two people said', () => {
    const said = { state: 'proposed', proposedBy: chris, confirmedBy: sam };
    const of = { caseId: 'case-7', stateReason: null, withdrawn: null, erased: null, holds: [] };
    expect(caseSentences({ ...of, state: 'unknown', manualOutcomes: [said] }).toDo).toContain(
      'payrun is carrying it out',
    );
  });
});
