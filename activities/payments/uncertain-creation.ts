import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { CREATION_UNCERTAIN } from '../../store/payments/unapproved.ts';

/**
 * The move of a payment that goes no further: as given, unless the provider may have it. Then it is unknown, and nobody is
 * told that it may be submitted again.
 */
export function asideUnlessCreated<To extends 'held' | 'rejected'>(
  mayExist: boolean,
  move: { to: To; facts: PaymentUpdate },
  nowMs: number,
): { to: To | 'unknown'; facts: PaymentUpdate } {
  return mayExist ? { to: 'unknown', facts: { ...CREATION_UNCERTAIN, ended_at: new Date(nowMs) } } : move;
}
