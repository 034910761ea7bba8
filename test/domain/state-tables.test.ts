import { describe, expect, test } from 'vitest';
import {
  OPEN_VIRTUAL_ACCOUNT_STATES,
  UNANSWERED_VIRTUAL_ACCOUNT_STATES,
  VIRTUAL_ACCOUNT_STATE_TABLE,
  VIRTUAL_ACCOUNT_STATES,
  type VirtualAccountState,
  virtualAccountStatesWhere,
} from '../../domain/accounts/virtual-account-state.ts';
import {
  ATTEMPTED_DELIVERY_STATES,
  DELIVERY_STATES,
  OPEN_DELIVERY_STATES,
  UNDELIVERED_STATES,
} from '../../domain/notifications/delivery-state.ts';
import {
  CASE_STATE_TABLE,
  CASE_STATES,
  caseStatesWhere,
  NOT_SIGNED_UP_CASE_STATES,
  OBSERVED_CASE_STATES,
  ONBOARDER_CASE_STATES,
  PROVIDER_CASE_STATES,
  SUPPLIABLE_CASE_STATES,
  UNANSWERED_CASE_STATES,
} from '../../domain/onboarding/case-state.ts';
import { PAYMENT_ERRORS } from '../../domain/payments/payment-error-codes.ts';
import {
  countParts,
  FAILED_PAYMENT_STATES,
  MONEY_LEFT_PAYMENT_STATES,
  PAID_PAYMENT_STATES,
  PAYMENT_STATE_TABLE,
  PAYMENT_STATES,
  paymentStatesWhere,
  PROVIDER_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';
import type { PaymentState, PaymentStateRow } from '../../domain/payments/payment-state-row.ts';
import {
  BREAK_STATES,
  REPORTED_BREAK_STATES,
  UNRESOLVED_BREAK_STATES,
} from '../../domain/reconciliation/break-state.ts';
import {
  RUN_OUTCOMES,
  RUN_STATE_TABLE,
  RUN_STATES,
  runStatesWhere,
  STARTED_RUN_STATES,
  UNSUBMITTED_RUN_STATES,
  WAITING_RUN_STATES,
  WORKFLOW_RUN_STATES,
} from '../../domain/runs/run-state.ts';
import { actionSentence, type StateTexts, withoutMarkdown } from '../../domain/state-table.ts';
import {
  COMPLETED_CONVERSION_STATES,
  CONVERSION_STATE_TABLE,
  CONVERSION_STATES,
  conversionStatesWhere,
  EXPECTED_CONVERSION_STATES,
  mayLapse,
  MONEY_LEFT_CONVERSION_STATES,
  PLACED_CONVERSION_STATES,
  UNFUNDED_CONVERSION_STATES,
} from '../../domain/treasury/conversion-state.ts';

describe('a state that lacks an answer does not compile', () => {
  test('in the tables', () => {
    const { counts, ...rest } = PAYMENT_STATE_TABLE.paid;
    const { asDuplicate, ...others } = counts;
    // @ts-expect-error -- a question is left out
    const withoutQuestion: PaymentStateRow = { ...rest, counts: others };
    const { paid, ...fewer } = PAYMENT_STATE_TABLE;
    // @ts-expect-error -- a state is left out
    const withoutState: Readonly<Record<PaymentState, PaymentStateRow>> = fewer;
    expect([withoutQuestion.word, asDuplicate, paid.word, Object.keys(withoutState).length]).toEqual([
      ...['Paid', true, 'Paid', PAYMENT_STATES.length - 1],
    ]);
  });
});

describe('the texts of states', () => {
  const tables: readonly (readonly [string, Readonly<Record<string, StateTexts>>, readonly string[]])[] = [
    ['payments', PAYMENT_STATE_TABLE, PAYMENT_STATES],
    ['runs', RUN_STATE_TABLE, RUN_STATES],
    ['conversions', CONVERSION_STATE_TABLE, CONVERSION_STATES],
    ['cases', CASE_STATE_TABLE, CASE_STATES],
    ['virtual accounts', VIRTUAL_ACCOUNT_STATE_TABLE, VIRTUAL_ACCOUNT_STATES],
  ];

  test.each(tables)(
    'of %s are sentences, in the order of the states, and no two have the same word',
    (...[, table, states]) => {
      const rows = Object.values(table);
      expect(Object.keys(table)).toEqual([...states]);
      expect(new Set(rows.map(({ word }) => word)).size).toBe(states.length);
      for (const { meaning, action } of rows) {
        expect(meaning).toMatch(/^(?:`?[A-Z]|payrun ).*\.$/s);
        if (action !== null) expect(action).toMatch(/^[a-z].*[^.]$/s);
      }
    },
  );

  test('that ask for something say what, as a sentence', () => {
    expect(actionSentence(RUN_STATE_TABLE.paused)).toBe(
      'Lift the stop by two people (`payrun resume`), or end the run (`payrun cancel`).',
    );
    expect(withoutMarkdown(RUN_STATE_TABLE.cancelled.action ?? '')).toBe(
      'go through results.csv; resolve unknown rows first',
    );
    expect(actionSentence(RUN_STATE_TABLE.completed)).toBeNull();
  });
});

describe('what is asked of the states of a payment', () => {
  test('about money', () => {
    expect(MONEY_LEFT_PAYMENT_STATES).toEqual(['funded', 'processing', 'paid']);
    expect(PAID_PAYMENT_STATES).toEqual(['paid', 'returned']);
    expect(FAILED_PAYMENT_STATES).toEqual(['rejected', 'failed']);
    expect(PROVIDER_PAYMENT_STATES).toEqual(['created', 'awaiting_funds', 'funded', 'processing']);
    expect(paymentStatesWhere(({ payment }) => payment.keepsCommitment)).toEqual([
      ...['quoted', 'created', 'awaiting_funds', 'funded', 'processing'],
    ]);
  });

  test('each that has failed has an error code of its own', () => {
    for (const state of FAILED_PAYMENT_STATES) expect(PAYMENT_ERRORS).toHaveProperty(`provider_${state}`);
  });

  test('about the row', () => {
    const open: PaymentState[] = ['ready', 'quoted', 'created', 'awaiting_funds', 'funded', 'processing'];
    expect(paymentStatesWhere(({ counts }) => counts.asDuplicate)).toEqual([
      'account_unconfirmed',
      ...open,
      'paid',
      'unknown',
    ]);
    expect(paymentStatesWhere(({ counts }) => !counts.asSubmitted)).toEqual(['invalid', 'excluded', 'cancelled']);
    expect(paymentStatesWhere(({ counts }) => counts.asUnpaid && counts.asSubmitted)).toEqual([
      ...['duplicate_suspect', 'held', 'rejected', 'failed', 'returned'],
    ]);
    expect(paymentStatesWhere(({ row }) => !row.isDecidedOn)).toEqual([
      ...['invalid', 'duplicate_suspect', 'account_unconfirmed', 'excluded'],
    ]);
    expect(paymentStatesWhere(({ row }) => row.isInitial)).toEqual(['invalid', 'ready']);
    expect(paymentStatesWhere(({ row }) => !row.needsApproval)).toEqual([
      ...['invalid', 'duplicate_suspect', 'account_unconfirmed', 'excluded', 'held', 'ready', 'rejected', 'cancelled'],
    ]);
  });

  test('what was paid, or may still be, is never offered to be submitted again', () => {
    expect(paymentStatesWhere(({ counts }) => counts.asDuplicate && counts.asUnpaid)).toEqual([]);
    // A returned payment was paid, and is owed again.
    const paidOrMayBe = paymentStatesWhere(
      ({ payment, progress }) =>
        payment.hasLeft || payment.keepsCommitment || payment.isObserved || progress.requestsLeft > 0,
    );
    // One whose account is to be confirmed is released by that, in every run at once.
    expect(['account_unconfirmed', ...paidOrMayBe]).toEqual(paymentStatesWhere(({ counts }) => counts.asDuplicate));
  });

  test('about what it waits for', () => {
    expect(paymentStatesWhere(({ progress }) => progress.waitsFor === 'person')).toEqual([
      ...['duplicate_suspect', 'account_unconfirmed', 'held', 'unknown'],
    ]);
    expect(paymentStatesWhere(({ progress }) => progress.waitsFor === 'money')).toEqual(['awaiting_funds']);
    expect(
      PAYMENT_STATES.map((state) => PAYMENT_STATE_TABLE[state].progress.requestsLeft).filter((left) => left > 0),
    ).toEqual([...[3, 2, 1, 1]]);
  });

  test('each is in one part of the progress of its run', () => {
    const one = Object.fromEntries(PAYMENT_STATES.map((state) => [state, 1]));
    expect(countParts(one)).toEqual({ paid: 1, in_flight: 4, waiting: 2, on_hold: 3, unknown: 1, not_paid: 6 });
  });
});

test('what is asked of the states of a run', () => {
  expect(RUN_OUTCOMES).toEqual(['completed', 'partially_completed', 'failed']);
  expect(STARTED_RUN_STATES).toEqual(['awaiting_funds', 'running', 'paused']);
  expect(WORKFLOW_RUN_STATES).toEqual([
    ...['validating', 'proposed', 'checked', 'in_approval', 'scheduled', 'awaiting_funds', 'running', 'paused'],
  ]);
  expect(UNSUBMITTED_RUN_STATES).toEqual(['rejected', 'expired']);
  expect(runStatesWhere(({ decision }) => decision.isBeingPrepared)).toEqual(['validating', 'proposed']);
  expect(WAITING_RUN_STATES).toEqual(['checked', 'in_approval']);
  expect(runStatesWhere(({ decision }) => decision.isNeeded)).toEqual([
    ...['scheduled', 'awaiting_funds', 'running', 'paused', 'completed', 'partially_completed'],
  ]);
  expect(runStatesWhere(({ run }) => !run.isUsed)).toEqual(['scheduled', 'awaiting_funds']);
  expect(runStatesWhere(({ run }) => run.isSetByWorker)).toEqual([
    ...['proposed', 'checked', 'in_approval', 'completed', 'partially_completed', 'failed', 'cancelled', 'expired'],
  ]);
  for (const state of RUN_STATES) {
    const { decision, stage } = RUN_STATE_TABLE[state];
    expect([state, decision.recorded === 'pending']).toEqual([state, stage === 'checking' || stage === 'deciding']);
  }
});

describe('what is asked of the states of an order to convert', () => {
  test('about what it sells', () => {
    expect(UNFUNDED_CONVERSION_STATES).toEqual(['created', 'funding']);
    expect(MONEY_LEFT_CONVERSION_STATES).toEqual(['funded', 'completed', 'settled']);
    expect(PLACED_CONVERSION_STATES).toEqual(['proposed', 'in_approval', 'approved', 'quoted', 'held']);
    expect(CONVERSION_STATES.filter(mayLapse)).toEqual(['created', 'funding', 'held', 'unknown']);
    expect(conversionStatesWhere(({ order }) => order.isSetByFunction)).toEqual(['committed', 'funding', 'rejected']);
    expect(conversionStatesWhere(({ amounts }) => amounts.areCommitted)).toEqual([
      ...['committed', 'created', 'funding', 'funded', 'completed', 'settled', 'held', 'unknown'],
    ]);
  });

  test('about what it buys: whatever is not over, and may have been created, may still bring it', () => {
    const sent = ['committed', 'created', 'funding', 'funded', 'completed'] as const;
    expect(EXPECTED_CONVERSION_STATES).toEqual(sent);
    const mayCome = (answer: string) => conversionStatesWhere(({ amounts }) => amounts.mayCome === answer);
    expect([mayCome('always'), mayCome('if_created')]).toEqual([[...sent, 'unknown'], ['held']]);
    expect(COMPLETED_CONVERSION_STATES).toEqual(['completed', 'settled']);
    expect(conversionStatesWhere(({ stage, withProvider }) => stage !== 'ended' && withProvider !== 'never')).toEqual(
      conversionStatesWhere(({ amounts }) => amounts.mayCome !== 'never'),
    );
  });

  test('about people', () => {
    expect(conversionStatesWhere(({ order }) => order.notifiesPeople)).toEqual(['held', 'lapsed', 'unknown']);
  });
});

test('what is asked of the states of a case', () => {
  expect(NOT_SIGNED_UP_CASE_STATES).toEqual(['draft', 'signing_up']);
  expect(UNANSWERED_CASE_STATES).toEqual(['signing_up', 'unknown']);
  expect(SUPPLIABLE_CASE_STATES).toEqual(['incomplete', 'needs_provider', 'resubmission']);
  expect(ONBOARDER_CASE_STATES).toEqual(['incomplete', 'needs_provider', 'resubmission', 'unknown']);
  expect(PROVIDER_CASE_STATES).toEqual(['screening', 'verification', 'inactive']);
  expect(OBSERVED_CASE_STATES).toEqual([
    ...['incomplete', 'needs_provider', 'ready', 'screening', 'verification', 'inactive', 'resubmission'],
  ]);
  expect(caseStatesWhere(({ signUp }) => !signUp.blocksAnother)).toEqual([
    ...['refused', 'withdrawn', 'never_created', 'erased'],
  ]);
  expect(caseStatesWhere(({ case: { isDecidedByProvider } }) => isDecidedByProvider)).toEqual(['approved', 'rejected']);
  expect(caseStatesWhere(({ case: { isSetByPeople } }) => isSetByPeople)).toEqual(['draft', 'withdrawn', 'erased']);
});

test('what is asked of the states of a virtual account', () => {
  const all: readonly VirtualAccountState[] = VIRTUAL_ACCOUNT_STATES;
  expect(OPEN_VIRTUAL_ACCOUNT_STATES).toEqual(['asked', 'pending', 'unknown']);
  expect(OPEN_VIRTUAL_ACCOUNT_STATES).toEqual(
    all.filter((state) => VIRTUAL_ACCOUNT_STATE_TABLE[state].next.length > 0),
  );
  expect(UNANSWERED_VIRTUAL_ACCOUNT_STATES).toEqual(['asked', 'unknown']);
  expect(virtualAccountStatesWhere(({ mayBeResolved }) => mayBeResolved)).toEqual(['pending', 'unknown']);
});

test('what is asked of the states of breaks and deliveries', () => {
  expect(UNRESOLVED_BREAK_STATES).toEqual(['open', 'explained']);
  expect(REPORTED_BREAK_STATES).toEqual(BREAK_STATES.filter((state) => state !== 'gone'));
  expect(OPEN_DELIVERY_STATES).toEqual(['queued', 'delivering', 'failing']);
  expect(UNDELIVERED_STATES).toEqual(['queued', 'delivering', 'failing', 'disabled']);
  expect(ATTEMPTED_DELIVERY_STATES).toEqual(['delivering', 'disabled']);
  expect(DELIVERY_STATES.filter((state) => !UNDELIVERED_STATES.includes(state))).toEqual(['delivered', 'failed']);
});
