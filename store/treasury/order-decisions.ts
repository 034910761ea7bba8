import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenProof } from '../users/token-proof.ts';

/** What people do with orders. All throw `Refused`. */

/** Places an order. False: it was placed before, with the same terms. */
export async function placeOrderAs(
  database: Queryable,
  proof: TokenProof,
  { terms, orderHash, approvedUpTo }: { terms: ConversionOrder; orderHash: string; approvedUpTo: string },
): Promise<boolean> {
  const { orderId, account } = terms;
  const { isNew } = await callAsUser<{ isNew: boolean }>(database, 'place_conversion($1, $2, $3, $4, $5, $6)', [
    proof.bytes,
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

export type OrderDecision = 'approved' | 'declined' | 'withdrawn' | 'released';

/** Decides on the terms that were seen, by their hash. */
export async function decideOrderAs(
  database: Queryable,
  proof: TokenProof,
  decision: { orderId: string; decision: OrderDecision; orderHash: string; reason: string | null },
): Promise<void> {
  await callAsUser(database, 'decide_conversion($1, $2, $3, $4, $5)', [
    proof.bytes,
    decision.orderId,
    decision.decision,
    decision.orderHash,
    decision.reason,
  ]);
}

export type OrderResolution = 'never_created' | 'funded' | 'fund_again' | 'lapsed' | 'settled';

/** Answers the id of the resolution. */
export async function proposeOrderResolutionAs(
  database: Queryable,
  proof: TokenProof,
  { orderId, outcome, reason }: { orderId: string; outcome: OrderResolution; reason: string },
): Promise<string> {
  const { resolutionId } = await callAsUser<{ resolutionId: string }>(
    database,
    'propose_conversion_resolution($1, $2, $3, $4)',
    [proof.bytes, orderId, outcome, reason],
  );
  return resolutionId;
}

export async function confirmOrderResolutionAs(
  database: Queryable,
  proof: TokenProof,
  resolutionId: string,
): Promise<void> {
  await callAsUser(database, 'confirm_conversion_resolution($1, $2)', [proof.bytes, resolutionId]);
}

export async function denyOrderResolutionAs(
  database: Queryable,
  proof: TokenProof,
  resolutionId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'deny_conversion_resolution($1, $2, $3)', [proof.bytes, resolutionId, reason]);
}
