import { v5 as uuidV5 } from 'uuid';

/** Never change it: another namespace would give every payment a new id, and so pay it again. */
const PAYMENT_NAMESPACE = '6f1c1a52-4a3e-5b0c-9d0e-7a2f54c3b8d1';

/** The id of the payment of one row of one run: always the same for the same arguments. */
export function paymentIdOf(runId: string, rowRef: string): string {
  return uuidV5(`${runId}/${rowRef}`, PAYMENT_NAMESPACE);
}

/**
 * The `referenceId` sent to the provider. A technical retry reuses it. Only a new attempt, after the provider confirmed
 * that the last one has failed, has another. At most 40 characters.
 */
export function referenceIdOf(paymentId: string, attempt: number): string {
  if (!Number.isInteger(attempt) || attempt < 1) throw new RangeError(`attempt must be 1 or more, not ${attempt}`);
  return `${paymentId}-${attempt}`;
}
