import { v5 as uuidV5 } from 'uuid';

/** Pinned for ever: another namespace would give every payment a new identity, and so pay it again. */
const PAYMENT_NAMESPACE = '6f1c1a52-4a3e-5b0c-9d0e-7a2f54c3b8d1';

/** The identity of one row of one run, the same however often it is derived. */
export function paymentIdOf(runId: string, rowRef: string): string {
  return uuidV5(`${runId}/${rowRef}`, PAYMENT_NAMESPACE);
}

/**
 * The `referenceId` that the provider sees. A technical retry reuses it; only a new attempt, begun after the provider
 * itself said that the last one is dead, has another. 40 characters at most.
 */
export function referenceIdOf(paymentId: string, attempt: number): string {
  if (!Number.isInteger(attempt) || attempt < 1) throw new RangeError(`attempt must be 1 or more, not ${attempt}`);
  return `${paymentId}-${attempt}`;
}
