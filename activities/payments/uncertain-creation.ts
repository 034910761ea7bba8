import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import { CREATION_UNCERTAIN } from '../../store/payments/unapproved.ts';

/**
 * The transition of a payment that cannot be sent: as given, unless the provider may already have the payment. Then it
 * becomes `unknown`, so that nobody submits it again. A create request with an unknown outcome is looked up (`resolve-payment-creation.ts`).
 */
export function unknownIfCreated<To extends 'held' | 'rejected'>(
  mayExist: boolean,
  transition: { to: To; update: PaymentUpdate },
  nowMs: number,
): { to: To | 'unknown'; update: PaymentUpdate } {
  // guard: aside-unless-created
  return mayExist ? { to: 'unknown', update: { ...CREATION_UNCERTAIN, ended_at: new Date(nowMs) } } : transition;
}
