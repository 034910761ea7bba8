import { endOrderWithCredit } from '../../store/treasury/order-credit.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import { notifyFundsArrivedActivity } from '../payments/notify-funds-arrived.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { stateOf, type OrderOutcome } from './order-calls.ts';

/**
 * Ends a completed order once the bought money is in the history, and wakes the payments that wait for it. If it is not seen for
 * long, people are notified.
 */
export function checkCreditActivity(dependencies: ActivityDependencies) {
  const { database, settings, now } = dependencies;
  const notifyFundsArrived = notifyFundsArrivedActivity(dependencies);
  return async function checkCredit({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    if (await endOrderWithCredit(database, orderId)) {
      const { terms } = await readOrder(database, orderId);
      await notifyFundsArrived({ account: terms.account, source: 'ledger' });
    } else {
      const { state, completedAtMs } = await readOrder(database, orderId);
      const isLate = completedAtMs !== null && now() - completedAtMs > settings.treasury.creditAgeLimitMs;
      if (state === 'completed' && isLate) await moveOrder(database, orderId, 'unknown', { reason: 'credit_not_seen' });
    }
    return stateOf(database, orderId);
  };
}
