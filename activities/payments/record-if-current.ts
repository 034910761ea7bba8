import type { ApplicationFailure } from '@temporalio/common';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { outcomeOfFailure } from '../../domain/payments/request-result.ts';
import type { ProviderFailure } from '../../provider/calls/failure.ts';
import { type BeneficiaryClaim, saveBeneficiary } from '../../store/beneficiaries/beneficiaries.ts';
import type { Queryable } from '../../store/database/database.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { type Answer, recordAnswer } from '../../store/payments/payment-requests.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';

/** A request whose intent is recorded and whose answer is still to be recorded. */
export type RequestRef = Pick<Answer, 'requestId' | 'operation'>;

const RETRY_SUPERSEDED_MS = 1_000;

/** Another worker has taken this step over: begin again from what the database says now. */
export function superseded(): ApplicationFailure {
  return tryAgainIn(RETRY_SUPERSEDED_MS, 'superseded', 'another worker has taken this step over');
}

/**
 * Records the answer to a request, unless this worker was superseded: it was taken for dead, and another one has resolved
 * the request or gone on with its own quote.
 */
export async function recordIfCurrent(database: Queryable, answer: Answer): Promise<void> {
  unlessSuperseded(answer.operation, await recordAnswer(database, answer));
}

export function unlessSuperseded(
  operation: Answer['operation'],
  recorded: Awaited<ReturnType<typeof recordAnswer>>,
): void {
  const isOvertaken = operation === 'quote' && recorded === 'not_applied';
  // guard: lost-turn-begins-again
  if (recorded === 'superseded' || isOvertaken) throw superseded();
}

/** Nothing was sent. A request left open would mean that the payment may exist at the provider. */
export function recordNotSent(
  database: Queryable,
  request: RequestRef,
  to: Answer['transition']['to'] = null,
): Promise<void> {
  const notSent = { outcome: 'not_sent', answer: 'not_sent', httpStatus: null } as const;
  return recordIfCurrent(database, { ...request, ...notSent, transition: { to } });
}

/** The request failed, and changed nothing that matters for the payment. */
export function recordNoEffect(
  database: Queryable,
  request: RequestRef,
  { kind, httpStatus }: ProviderFailure,
): Promise<void> {
  return recordIfCurrent(database, {
    ...request,
    outcome: outcomeOfFailure(kind),
    answer: kind,
    httpStatus,
    transition: { to: null },
  });
}

/** Transitions a payment that is not yet created, unless another worker has changed it meanwhile. Returns its state then. */
export async function transitionIfCurrent(
  database: Queryable,
  transition: Omit<Parameters<typeof transitionPayment>[1], 'untilCreated'>,
): Promise<PaymentState> {
  const state = await transitionPayment(database, { ...transition, untilCreated: true });
  if (state === null) throw superseded();
  return state;
}

/** Saves the beneficiary that was created or found, unless another worker has taken the claim over. */
export async function saveBeneficiaryIfCurrent(
  database: Queryable,
  claim: BeneficiaryClaim,
  beneficiary: { beneficiaryId: string; mac: string },
): Promise<void> {
  if (!(await saveBeneficiary(database, claim, beneficiary))) throw superseded();
}
