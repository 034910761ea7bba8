import type { PaymentUpdate } from '../../store/payments/payment-transition.ts';
import type { Queryable } from '../../store/database/database.ts';
import { mayHaveBeenCreated } from '../../store/payments/request-history.ts';
import { CREATION_UNCERTAIN } from '../../store/payments/unapproved.ts';

/**
 * The transition of a payment that cannot be sent: as given, unless the provider may already have the payment. Then it
 * becomes `unknown`, so that nobody submits it again. A create request with an unknown outcome is looked up (`resolve-payment-creation.ts`);
 * `currentRequest` is not counted.
 */
export async function unknownIfCreated<To extends 'held' | 'rejected'>(
  database: Queryable,
  { paymentId, currentRequest = null }: { paymentId: string; currentRequest?: string | null },
  transition: { to: To; update: PaymentUpdate },
  nowMs: number,
): Promise<{ to: To | 'unknown'; update: PaymentUpdate }> {
  const mayExist = await mayHaveBeenCreated(database, paymentId, currentRequest);
  // guard: aside-unless-created
  return mayExist ? { to: 'unknown', update: { ...CREATION_UNCERTAIN, ended_at: new Date(nowMs) } } : transition;
}
