import { setPaymentAside } from '../store/payment-outcome.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Takes a payment out of its run before anything of it was created, for a person to look at. */
export function holdPaymentActivity({ database }: ActivityDependencies) {
  return async function holdPayment(hold: { paymentId: string; code: string; message: string }): Promise<void> {
    await setPaymentAside(database, {
      paymentId: hold.paymentId,
      to: 'held',
      kind: 'held',
      facts: { error_code: hold.code, error_message: hold.message },
      detail: { code: hold.code },
      untilCreated: true,
    });
  };
}
