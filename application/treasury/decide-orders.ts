import type {
  OrderConfirmation,
  OrderDecision,
  OrderOutcomeRejection,
  OrderDetail,
  OrderManualOutcomeRequest,
} from '../../api/treasury/order.ts';
import {
  confirmOrderManualOutcomeAs,
  decideOrderAs,
  rejectOrderManualOutcomeAs,
  proposeOrderManualOutcomeAs,
} from '../../store/treasury/order-decisions.ts';
import { listOrderManualOutcomes } from '../../store/treasury/order-views.ts';
import { orNotFound } from '../application-error.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { notifyConversion } from './notify-conversion.ts';
import { findOrder } from './order-views.ts';

/** What people do with an order before it is created. */
export type OrderVerb = 'approved' | 'rejected' | 'withdrawn' | 'released';

export async function decideOrder(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  orderId: string,
  verb: OrderVerb,
  { orderHash, reason }: OrderDecision,
): Promise<OrderDetail> {
  const decision = { orderId, decision: verb, orderHash, reason };
  const recorded = decideOrderAs(dependencies.database, user.tokenHash, decision);
  await asApplicationError(recorded);
  return changedOrder(dependencies, orderId);
}

export async function proposeOrderManualOutcome(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  orderId: string,
  proposal: OrderManualOutcomeRequest,
): Promise<OrderDetail> {
  await asApplicationError(
    proposeOrderManualOutcomeAs(dependencies.database, user.tokenHash, { orderId, ...proposal }),
  );
  return shown(dependencies, orderId);
}

/** A worker then reads the provider once more, and acts on it. */
export async function confirmOrderManualOutcome(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  orderId: string,
  { manualOutcomeId }: OrderConfirmation,
): Promise<OrderDetail> {
  await requireManualOutcome(dependencies, orderId, manualOutcomeId);
  const confirmed = confirmOrderManualOutcomeAs(dependencies.database, user.tokenHash, manualOutcomeId);
  await asApplicationError(confirmed);
  return changedOrder(dependencies, orderId);
}

export async function rejectOrderManualOutcome(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  orderId: string,
  { manualOutcomeId, reason }: OrderOutcomeRejection,
): Promise<OrderDetail> {
  await requireManualOutcome(dependencies, orderId, manualOutcomeId);
  await asApplicationError(rejectOrderManualOutcomeAs(dependencies.database, user.tokenHash, manualOutcomeId, reason));
  return shown(dependencies, orderId);
}

/** What is decided on belongs to the order that the address names. @throws ApplicationError `not_found` */
async function requireManualOutcome(
  { database }: ApplicationDependencies,
  orderId: string,
  manualOutcomeId: string,
): Promise<void> {
  const manualOutcomes = await listOrderManualOutcomes(database, orderId);
  // guard: order-of-address (4 lines)
  orNotFound(
    manualOutcomes.find((one) => one.manualOutcomeId === manualOutcomeId) ?? null,
    'this order has no such proposal',
  );
}

/** The order that a person has changed, of which its workflow is notified. */
async function changedOrder(dependencies: ApplicationDependencies, orderId: string): Promise<OrderDetail> {
  const order = await shown(dependencies, orderId);
  await notifyConversion(dependencies, { orderId, account: order.account });
  return order;
}

async function shown(dependencies: ApplicationDependencies, orderId: string): Promise<OrderDetail> {
  return orNotFound(await findOrder(dependencies, orderId), 'there is no such order');
}
