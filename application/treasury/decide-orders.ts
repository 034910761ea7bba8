import type {
  OrderConfirmation,
  OrderDecision,
  OrderDenial,
  OrderDetail,
  OrderResolution,
} from '../../api/treasury/order.ts';
import {
  confirmOrderResolutionAs,
  decideOrderAs,
  denyOrderResolutionAs,
  proposeOrderResolutionAs,
} from '../../store/treasury/order-decisions.ts';
import { listOrderResolutions } from '../../store/treasury/order-views.ts';
import { orNotFound } from '../application-error.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { sayingWhichFactor } from '../users/step-up-subject.ts';
import { notifyConversion } from './notify-conversion.ts';
import { findOrder } from './order-views.ts';
import type { OrderVerb } from './treasury-api.ts';

export async function decideOrder(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  orderId: string,
  verb: OrderVerb,
  { orderHash, reason }: OrderDecision,
): Promise<OrderDetail> {
  const decision = { orderId, decision: verb, orderHash, reason };
  const recorded = decideOrderAs(dependencies.database, user.proof, decision);
  const subject = {
    kind: 'order',
    id: orderId,
    contentHash: orderHash,
    decision: verb === 'released' ? 'released' : 'approved',
  } as const;
  await asApplicationError(sayingWhichFactor(dependencies, user, subject, recorded));
  return changedOrder(dependencies, orderId);
}

export async function proposeOrderResolution(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  orderId: string,
  proposal: OrderResolution,
): Promise<OrderDetail> {
  await asApplicationError(proposeOrderResolutionAs(dependencies.database, user.proof, { orderId, ...proposal }));
  return shown(dependencies, orderId);
}

/** A worker then reads the provider once more, and acts on it. */
export async function confirmOrderResolution(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  orderId: string,
  { resolutionId }: OrderConfirmation,
): Promise<OrderDetail> {
  await requireResolution(dependencies, orderId, resolutionId);
  const confirmed = confirmOrderResolutionAs(dependencies.database, user.proof, resolutionId);
  await asApplicationError(sayingWhichFactor(dependencies, user, null, confirmed));
  return changedOrder(dependencies, orderId);
}

export async function denyOrderResolution(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  orderId: string,
  { resolutionId, reason }: OrderDenial,
): Promise<OrderDetail> {
  await requireResolution(dependencies, orderId, resolutionId);
  await asApplicationError(denyOrderResolutionAs(dependencies.database, user.proof, resolutionId, reason));
  return shown(dependencies, orderId);
}

/** What is decided on belongs to the order that the address names. @throws ApplicationError `not_found` */
async function requireResolution(
  { database }: ApplicationDependencies,
  orderId: string,
  resolutionId: string,
): Promise<void> {
  const resolutions = await listOrderResolutions(database, orderId);
  // guard: order-of-address
  orNotFound(resolutions.find((one) => one.resolutionId === resolutionId) ?? null, 'this order has no such proposal');
}

/** The order that a person has changed, of which its workflow is told. */
async function changedOrder(dependencies: ApplicationDependencies, orderId: string): Promise<OrderDetail> {
  const order = await shown(dependencies, orderId);
  await notifyConversion(dependencies, { orderId, account: order.account });
  return order;
}

async function shown(dependencies: ApplicationDependencies, orderId: string): Promise<OrderDetail> {
  return orNotFound(await findOrder(dependencies, orderId), 'there is no such order');
}
