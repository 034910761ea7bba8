import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { ApprovedContent } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { openPayeeData, type PayeeData } from '../../store/personal-data/payee-data.ts';
import { approvedInstruction } from '../approvals/approved-row.ts';
import { configuredKeys } from '../data-keys.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { recordNotSent, type RequestRef } from './record-if-current.ts';

type Dependencies = Pick<ActivityDependencies, 'database' | 'dataKeys'>;

/** @throws where no key is configured, DataKeyMissing */
export function payeesOf(dependencies: Dependencies): Promise<PayeeData> {
  return openPayeeData(dependencies.database, configuredKeys(dependencies));
}

/** The approved instruction of a request that was begun. If it cannot be read, as without its data key, nothing was sent. */
export async function instructionToSend(
  dependencies: Dependencies,
  request: RequestRef,
  of: { payment: PaymentRecord; approved: ApprovedContent | null },
): Promise<PaymentInstruction | null> {
  try {
    return approvedInstruction(await payeesOf(dependencies), of.payment, of.approved);
  } catch (error) {
    // guard: unreadable-not-sent
    await recordNotSent(dependencies.database, request);
    throw error;
  }
}
