import type { Event } from './event.ts';
import type { ProviderPayment } from './simulated-provider.ts';
import { currencyOf, type World } from './world.ts';

/** What the provider does by itself, and others at the provider. */

const payments = ({ provider, dice }: World, isMeant: (payment: ProviderPayment) => boolean): ProviderPayment | null =>
  dice.pickOrNull(provider.payments.filter(isMeant));

/** It carries out a payment, or does not. */
export const paymentEnds: Event = (world) => {
  const payment = payments(world, ({ status }) => status === 'processing');
  if (payment === null) return false;
  world.provider.end(payment, world.dice.weighted({ completed: 7, failed: 2, rejected: 1 }));
  return true;
};

/** Of a payment that was never funded. */
export const unfundedIsCancelled: Event = (world) => {
  const payment = payments(world, ({ status }) => status === 'awaiting_funds');
  if (payment === null) return false;
  world.provider.end(payment, world.dice.pick(['rejected', 'failed']));
  // Nobody carries out a funding of it any more.
  return true;
};

/** What was asked long ago is done. */
export const lateEffect: Event = ({ provider, dice }) => {
  const pending = dice.pickOrNull(provider.pending);
  if (pending === null) return false;
  provider.carryOut(pending);
  return true;
};

/** What was paid comes back from the beneficiary's bank, some of it without the fee. */
export const paymentComesBack: Event = (world) => {
  const payment = payments(world, ({ status, isReversed }) => status === 'completed' && !isReversed);
  if (payment === null) return false;
  world.provider.refund(payment, payment.sell);
  return true;
};

export const refundIsPaidOut: Event = ({ provider, dice }) => {
  const refund = dice.pickOrNull(provider.owed);
  if (refund === null) return false;
  provider.payOut(refund);
  return true;
};

/** Of what was paid, so that it stays paid. */
export const refundFails: Event = ({ provider, dice }) => {
  const refund = dice.pickOrNull(
    provider.owed.filter(({ resourceId }) => provider.payment(resourceId ?? '')?.status === 'completed'),
  );
  if (refund === null) return false;
  provider.keep(refund);
  return true;
};

/** Money from outside, often as much as a payment. */
export const deposit: Event = ({ provider, dice }) => {
  const currency = currencyOf(dice);
  provider.deposit(currency, dice.pick([10_000, 10_000, 20_000, 50_000]), dice.chance(0.7));
  return true;
};

/** Somebody takes money out at the provider, and payrun is not told: never as much as a payment, as nobody could tell these apart. */
export const withdrawal: Event = ({ provider, dice }) => {
  const currency = currencyOf(dice);
  const amount = dice.pick([2_500, 7_500]);
  if (provider.balanceOf(currency) < amount) return false;
  provider.post(currency, -amount);
  return true;
};
