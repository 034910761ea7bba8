import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import type { Database } from '../../store/database/database.ts';
import type { ApprovedContent, OfWorker } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { DataKeyMissing, SecretMissing } from '../../store/personal-data/key-wrapping.ts';
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

/** What a worker has for the requests of a payment. It has no data key that opens a row if it cannot open the secret of all payees. */
export async function ofWorker(dependencies: Dependencies & Pick<ActivityDependencies, 'now'>): Promise<OfWorker> {
  const { database, dataKeys, now } = dependencies;
  dataKeys?.reread?.();
  const isReadable = dataKeys !== null && (await canOpenPayees(database, dataKeys));
  return { at: new Date(now()), dataKeys: isReadable ? dataKeys.all.map(({ id }) => id) : [] };
}

async function canOpenPayees(database: Database, dataKeys: DataKeys): Promise<boolean> {
  try {
    await openPayeeData(database, dataKeys);
    return true;
  } catch (error) {
    if (error instanceof DataKeyMissing || error instanceof SecretMissing) return false;
    throw error;
  }
}

/** What is read between the intent of a request and its sending. If it cannot be read, as damaged, nothing was sent. */
export async function readToSend<T>(database: Database, request: RequestRef, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // guard: unreadable-not-sent
    await recordNotSent(database, request);
    throw error;
  }
}

/** The approved instruction of a request that was begun. */
export function instructionToSend(
  dependencies: Dependencies,
  request: RequestRef,
  of: { payment: PaymentRecord; approved: ApprovedContent | null },
): Promise<PaymentInstruction | null> {
  return readToSend(dependencies.database, request, async () =>
    approvedInstruction(await payeesOf(dependencies), of.payment, of.approved),
  );
}
