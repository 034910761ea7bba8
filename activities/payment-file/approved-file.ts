import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { readFileDetails, type SupportingFile } from '../../store/payments/file-uploads.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { ofWorker, payeesOf } from '../payments/payee-data.ts';
import { approvedInstruction, refuseUnapproved } from '../approvals/approved-row.ts';

/** A payment and its n-th supporting file (from 0), with the SHA-256 (hex) of the approved bytes. */
export type ApprovedFile =
  | { kind: 'file'; payment: PaymentRecord; details: SupportingFile; sha256: string }
  /** A stop is active, or the data key is missing: nothing may be sent. */
  | { kind: 'stopped' }
  /** The payment's state, if the file or the payment is not approved. */
  | { kind: 'not_approved'; state: PaymentState };

/** Throws if the payment has no such file. */
export async function approvedFileOf(
  dependencies: Pick<ActivityDependencies, 'database' | 'dataKeys' | 'now'>,
  { paymentId, file }: { paymentId: string; file: number },
): Promise<ApprovedFile> {
  const { database } = dependencies;
  const { payment, approved, isStopped } = await readApproval(database, {
    paymentId,
    ...(await ofWorker(dependencies)),
  });
  if (isStopped) return { kind: 'stopped' };
  const payees = await payeesOf(dependencies);
  // guard: payment-file-as-approved
  const instruction = approvedInstruction(payees, payment, approved);
  const name = instruction?.supportingFiles[file];
  const sha256 = name === undefined ? undefined : approved?.files[name];
  if (instruction === null || (name !== undefined && sha256 === undefined)) {
    return { kind: 'not_approved', state: await refuseUnapproved(database, payment, 'upload') };
  }
  const details = name === undefined ? null : await readFileDetails(database, payment.runId, name);
  if (details === null || sha256 === undefined) {
    throw new Error(`payment ${paymentId} has no supporting file number ${file}`);
  }
  return { kind: 'file', payment, details, sha256 };
}
