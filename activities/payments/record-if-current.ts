import { type BeneficiaryClaim, saveBeneficiary } from '../../store/beneficiaries/beneficiaries.ts';
import type { Queryable } from '../../store/database/database.ts';
import { transitionPayment } from '../../store/payments/payment-outcome.ts';
import { type Answer, recordAnswer } from '../../store/payments/payment-requests.ts';
import { tryAgainIn } from './call-provider.ts';

const LOOK_AGAIN_MS = 1_000;

const superseded = () => tryAgainIn(LOOK_AGAIN_MS, 'superseded', 'another worker has taken this step over');

/**
 * Records the answer to a request. A worker that was thought dead has lost its turn: whoever took over has settled the
 * request, or has gone on with a quote of its own, so this activity begins again from what the record says now.
 */
export async function recordIfCurrent(database: Queryable, answer: Answer): Promise<void> {
  const recorded = await recordAnswer(database, answer);
  const isOvertaken = answer.operation === 'quote' && recorded === 'not_moved';
  if (recorded === 'superseded' || isOvertaken) throw superseded();
}

/** Sets a payment aside before its creation, unless it has moved on meanwhile: then the turn is lost as well. */
export async function transitionIfCurrent(
  database: Queryable,
  aside: Omit<Parameters<typeof transitionPayment>[1], 'untilCreated'>,
): Promise<void> {
  if (!(await transitionPayment(database, { ...aside, untilCreated: true }))) throw superseded();
}

/** Keeps the beneficiary that was made or found, unless another worker has taken it over meanwhile. */
export async function saveBeneficiaryIfCurrent(
  database: Queryable,
  turn: BeneficiaryClaim,
  made: { beneficiaryId: string; seal: string },
): Promise<void> {
  if (!(await saveBeneficiary(database, turn, made))) throw superseded();
}
