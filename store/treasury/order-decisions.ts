import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

/** What people do with orders. All throw `Refused`. */

/** Places an order. False: it was placed before, with the same terms. */
export async function placeOrderAs(
  database: Queryable,
  tokenHash: TokenHash,
  { terms, orderHash, approvedUpTo }: { terms: ConversionOrder; orderHash: string; approvedUpTo: string },
): Promise<boolean> {
  const { orderId, account } = terms;
  const { isNew } = await callAsUser<{ isNew: boolean }>(database, 'place_conversion($1, $2, $3, $4, $5, $6)', [
    tokenHash.bytes,
    orderId,
    account,
    termsColumns(terms),
    orderHash,
    approvedUpTo,
  ]);
  return isNew;
}

/** Terms as JSON with the names that the functions of the database read. */
export function termsColumns(terms: ConversionOrder): string {
  const { sellCurrency, buyCurrency, fixedSide, amount, limitPrice, maxCostBps, cap, expiresAt } = terms;
  const limit = limitPrice === null ? {} : limitColumns(limitPrice);
  return JSON.stringify({ sellCurrency, buyCurrency, fixedSide, amount, ...limit, maxCostBps, cap, expiresAt });
}

function limitColumns(limit: NonNullable<ConversionOrder['limitPrice']>): Record<string, string> {
  return 'buyPerSellAtLeast' in limit
    ? { leastBuyPerSell: limit.buyPerSellAtLeast }
    : { mostSellPerBuy: limit.sellPerBuyAtMost };
}

export type OrderDecision = 'approved' | 'rejected' | 'withdrawn' | 'released';

/** Decides on the terms that were seen, by their hash. */
export async function decideOrderAs(
  database: Queryable,
  tokenHash: TokenHash,
  decision: { orderId: string; decision: OrderDecision; orderHash: string; reason: string | null },
): Promise<void> {
  await callAsUser(database, 'decide_conversion($1, $2, $3, $4, $5)', [
    tokenHash.bytes,
    decision.orderId,
    decision.decision,
    decision.orderHash,
    decision.reason,
  ]);
}

export type OrderManualOutcomeKind = 'never_created' | 'funded' | 'fund_again' | 'lapsed' | 'settled';

/** Answers the id of the manual outcome. */
export async function proposeOrderManualOutcomeAs(
  database: Queryable,
  tokenHash: TokenHash,
  { orderId, outcome, reason }: { orderId: string; outcome: OrderManualOutcomeKind; reason: string },
): Promise<string> {
  const { manualOutcomeId } = await callAsUser<{ manualOutcomeId: string }>(
    database,
    'propose_conversion_manual_outcome($1, $2, $3, $4)',
    [tokenHash.bytes, orderId, outcome, reason],
  );
  return manualOutcomeId;
}

export async function confirmOrderManualOutcomeAs(
  database: Queryable,
  tokenHash: TokenHash,
  manualOutcomeId: string,
): Promise<void> {
  await callAsUser(database, 'confirm_conversion_manual_outcome($1, $2)', [tokenHash.bytes, manualOutcomeId]);
}

export async function rejectOrderManualOutcomeAs(
  database: Queryable,
  tokenHash: TokenHash,
  manualOutcomeId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'reject_conversion_manual_outcome($1, $2, $3)', [
    tokenHash.bytes,
    manualOutcomeId,
    reason,
  ]);
}
