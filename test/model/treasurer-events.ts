import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { approvedTotal, type ConversionOrder, conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import {
  confirmOrderManualOutcomeAs,
  decideOrderAs,
  type OrderManualOutcomeKind,
  placeOrderAs,
  proposeOrderManualOutcomeAs,
  rejectOrderManualOutcomeAs,
} from '../../store/treasury/order-decisions.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import { lookAt } from './conversion-events.ts';
import type { Event } from './event.ts';
import { unlessRefused } from './people-events.ts';
import type { Order, World } from './world.ts';

/** What treasurers decide: to convert, and what became of an order. */

/** A treasurer sells a fixed amount, by hand. */
export const placeOrder: Event = async (world) => {
  if (world.orders.size >= 4) return false;
  const { asServer, people, time } = world.place;
  const orderId = world.uuid();
  const terms: ConversionOrder = {
    ...{ orderId, account: world.account, sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell' },
    ...{ amount: '150.00', limitPrice: null, maxCostBps: null, cap: null },
    expiresAt: new Date(time.now() + world.dice.pick([HOUR, 24 * HOUR])).toISOString(),
  };
  const order = { terms, orderHash: conversionOrderHash(terms), approvedUpTo: approvedTotal(terms) ?? '0' };
  if (!(await unlessRefused(placeOrderAs(asServer, people.treasurer.tokenHash, order)))) return false;
  const placed = { orderId, isStepping: false, isResolved: false };
  world.orders.set(orderId, placed);
  await lookAt(world, placed);
  if (world.dice.chance(0.8)) await decide(world, placed, 'approved');
  return true;
};

/** Approved, rejected, withdrawn, or released again. */
export const decideOrder: Event = async (world) => {
  const order = world.dice.pickOrNull([...world.orders.values()]);
  if (order === null) return false;
  const decision = world.dice.weighted({ approved: 5, released: 3, rejected: 1, withdrawn: 1 });
  return decide(world, order, decision);
};

async function decide(
  { place }: World,
  { orderId }: Order,
  decision: 'approved' | 'rejected' | 'withdrawn' | 'released',
): Promise<boolean> {
  const { orderHash } = await readOrder(place.asWorker, orderId);
  const { checker, treasurer } = place.people;
  const { tokenHash } = decision === 'withdrawn' ? treasurer : checker;
  return unlessRefused(
    decideOrderAs(place.asServer, tokenHash, { orderId, decision, orderHash, reason: 'as decided' }),
  );
}

/**
 * Two people say what became of an order on hold. Of what the history shows they may say anything: payrun has to refuse what is not so.
 * Else they were told by the provider, which carries nothing of it out any more.
 */
export const resolveOrder: Event = async (world) => {
  const order = world.dice.pickOrNull([...world.orders.values()]);
  if (order === null) return false;
  const { asServer, asWorker, people } = world.place;
  const { orderId } = order;
  const { state, attempt } = await readOrder(asWorker, orderId);
  if (state !== 'unknown' && state !== 'held') return false;
  const outcome = saidOf(world, referenceIdOf(orderId, attempt));
  const reason = 'as the provider says';
  const proposing = proposeOrderManualOutcomeAs(asServer, people.treasurer.tokenHash, { orderId, outcome, reason });
  if (!(await unlessRefused(proposing))) return false;
  const manualOutcomeId = await proposing;
  const isConfirmed = world.dice.chance(0.9);
  const { tokenHash } = people.checker;
  await unlessRefused(
    isConfirmed
      ? confirmOrderManualOutcomeAs(asServer, tokenHash, manualOutcomeId)
      : rejectOrderManualOutcomeAs(asServer, tokenHash, manualOutcomeId, reason),
  );
  order.isResolved = order.isResolved || isConfirmed;
  await lookAt(world, order);
  return true;
};

function saidOf({ provider, dice }: World, referenceId: string): OrderManualOutcomeKind {
  const conversion = provider.conversions.all.find((candidate) => candidate.referenceId === referenceId);
  provider.drop(provider.pending.filter((pending) => pending.referenceId === referenceId));
  if (conversion === undefined) return 'never_created';
  const { lineIds, isCredited } = conversion;
  const isShown = provider.listed(provider.history).some(({ id }) => lineIds.includes(id));
  if (isShown && dice.chance(0.3)) return dice.pick(['lapsed', 'fund_again']);
  if (lineIds.length === 0) return dice.pick(['lapsed', 'fund_again']);
  return isCredited ? 'settled' : 'funded';
}

const HOUR = 3_600_000;
