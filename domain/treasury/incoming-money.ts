/** Money that an order has bought. */
export interface BoughtMoney {
  currency: string;
  /** A decimal string, written as those of credits are. */
  amount: string;
  /** Since when its credit may have come, in milliseconds since the epoch; null: it was not to be funded yet. */
  creditableSinceMs: number | null;
}

/** A credit in the history that nothing else explains. */
export interface UnexplainedCredit {
  currency: string;
  amount: string;
  seenAtMs: number;
}

/**
 * What is still on its way: without orders whose exact amount was credited since they were to be funded. It is in the balance,
 * although they have not ended yet. Equal credits are interchangeable, and each is of one order.
 */
export function notYetCredited<Bought extends BoughtMoney>(
  bought: readonly Bought[],
  credits: readonly UnexplainedCredit[],
): Bought[] {
  const left = [...credits];
  const credited = new Set<Bought>();
  // The latest first: what may be its credit may be that of each earlier one as well, but not the other way round.
  const latestFirst = [...bought].sort((one, other) => (other.creditableSinceMs ?? 0) - (one.creditableSinceMs ?? 0));
  for (const order of latestFirst) {
    const { currency, amount, creditableSinceMs } = order;
    if (creditableSinceMs === null) continue;
    const found = left.findIndex(
      (credit) => credit.currency === currency && credit.amount === amount && credit.seenAtMs > creditableSinceMs,
    );
    if (found < 0) continue;
    left.splice(found, 1);
    credited.add(order);
  }
  return bought.filter((order) => !credited.has(order));
}
