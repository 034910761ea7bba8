import type { RefusableStep } from '../../domain/payments/refusal-streak.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { ProviderFailure } from '../../provider/calls/failure.ts';
import { type Database, inTransaction, type Queryable } from '../../store/database/database.ts';
import { type Answer, recordAnswer } from '../../store/payments/payment-requests.ts';
import { readPayment } from '../../store/payments/payments.ts';
import { countRefusal } from '../../store/payments/refusal-streaks.ts';
import { refusalReason } from '../calls/failure-meaning.ts';
import { transitionIfCurrent, unlessSuperseded } from './record-if-current.ts';

interface RefusedRow {
  payment: { paymentId: string; runId: string };
  failure: ProviderFailure;
}

/** Records the refusal that ends a row, unless this worker was superseded. So many in a row stop the run. Returns its state then. */
export async function recordRefusal(
  database: Database,
  { payment, failure }: RefusedRow,
  answer: Answer & { operation: RefusableStep },
): Promise<PaymentState> {
  const recorded = await counting(
    database,
    { payment, failure, step: answer.operation },
    (transaction) => recordAnswer(transaction, answer),
    (outcome) => outcome === 'recorded',
  );
  // Only now, so that what was recorded stays.
  unlessSuperseded(answer.operation, recorded);
  return (await readPayment(database, payment.paymentId)).state;
}

/** As `recordRefusal`, for a beneficiary, whose request is not recorded. */
export async function recordRefusedBeneficiary(
  database: Database,
  { payment, failure }: RefusedRow,
  nowMs: number,
): Promise<PaymentState> {
  const { paymentId } = payment;
  const update = { ...refusalReason(failure), ended_at: new Date(nowMs) };
  const refused = { paymentId, kind: 'beneficiary_refused', to: 'rejected', update } as const;
  return counting(
    database,
    { payment, failure, step: 'beneficiary' },
    (transaction) => transitionIfCurrent(transaction, refused),
    () => true,
  );
}

/** A request that payrun itself did not let out has no answer of the provider that could be equal to another one. */
function counting<T>(
  database: Database,
  { payment, failure, step }: RefusedRow & { step: RefusableStep },
  record: (transaction: Queryable) => Promise<T>,
  counts: (recorded: T) => boolean,
): Promise<T> {
  const { httpStatus } = failure;
  if (httpStatus === null) return record(database);
  const refusal = { step, httpStatus, errorCode: refusalReason(failure).error_code };
  return inTransaction(database, (transaction) =>
    countRefusal(transaction, { runId: payment.runId, refusal }, () => record(transaction), counts),
  );
}
