import { UNFUNDED_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { MAX_UNCERTAIN_MS } from '../../domain/treasury/funding-evidence.ts';
import { readFundingWait } from '../../store/treasury/order-watch.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * Whatever keeps a created order from being funded, people are notified after a day: nothing can be read, no request gets through, or
 * the ledger has posted its debit although none is known to have been sent (then also at its cut-off: it has not lapsed). Answers
 * whether they are.
 */
export async function giveUpIfUnfunded(
  { database, now }: Pick<ActivityDependencies, 'database' | 'now'>,
  orderId: string,
): Promise<boolean> {
  const wait = await readFundingWait(database, orderId);
  if (wait === null) return false;
  // guard: conversion-unfunded-has-an-age
  const isTooOld = now() - wait.sinceMs >= MAX_UNCERTAIN_MS;
  if (!isTooOld && !(wait.isDebitPosted && wait.isPastCutoff)) return false;
  return moveOrder(database, orderId, 'unknown', { from: UNFUNDED_CONVERSION_STATES, reason: 'funding_uncertain' });
}
