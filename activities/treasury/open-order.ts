import { isWithinApproval } from '../../domain/treasury/conversion-order.ts';
import { stageOfConversion } from '../../domain/treasury/conversion-state.ts';
import { readConversionLimits } from '../../store/treasury/order-guards.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { holdUnlessAsApproved, type OrderOutcome, stateOf } from './order-calls.ts';

/** Begins an order: it waits for an approval, unless what it sells is known to need none. Its quote may show otherwise. */
export function openOrderActivity({ database }: ActivityDependencies) {
  return async function openOrder({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const record = await readOrder(database, orderId);
    if (record.state === 'proposed' && (await holdUnlessAsApproved(database, record))) {
      const { approvalAbove } = await readConversionLimits(database, record.terms);
      const to = isWithinApproval(record.terms, approvalAbove) ? 'approved' : 'in_approval';
      await moveOrder(database, orderId, to, { reason: to === 'in_approval' ? 'approval_needed' : null });
    }
    return stateOf(database, orderId);
  };
}

/** Ends an order whose time is over, and of which the provider has nothing. */
export function expireOrderActivity({ database }: ActivityDependencies) {
  return async function expireOrder({ orderId }: { orderId: string }): Promise<OrderOutcome> {
    const { state } = await readOrder(database, orderId);
    const reason = stageOfConversion(state) === 'deciding' ? 'not_approved_in_time' : 'order_expired';
    await moveOrder(database, orderId, 'expired', { reason, from: [state] });
    return stateOf(database, orderId);
  };
}
