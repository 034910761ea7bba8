import { type PaymentRecord, readPayment } from '../store/payments.ts';
import type { Queryable } from '../store/database.ts';
import { readFileFacts, type SupportingFile } from '../store/file-uploads.ts';

/** The payment and its n-th supporting file, from 0. Throws when either is not in the record. */
export async function fileOfPayment(
  database: Queryable,
  { paymentId, file }: { paymentId: string; file: number },
): Promise<{ payment: PaymentRecord; facts: SupportingFile }> {
  const payment = await readPayment(database, paymentId);
  const name = payment.instruction?.supportingFiles[file];
  const facts = name === undefined ? null : await readFileFacts(database, payment.runId, name);
  if (facts === null) throw new Error(`payment ${paymentId} has no supporting file number ${file}`);
  return { payment, facts };
}
