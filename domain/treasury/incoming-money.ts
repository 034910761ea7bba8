/** Money that an order has bought. */
export interface BoughtMoney {
  currency: string;
  /** A decimal string, written as those of credits are. */
  amount: string;
  /** Since when its credit may have come, in milliseconds since the epoch; null: it was not to be funded yet. */
  creditableSinceMs: number | null;
  /** False: people have to find out whether it comes. */
  isExpected: boolean;
}

/** A credit in the history that nothing else explains. */
export interface UnexplainedCredit {
  currency: string;
  amount: string;
  seenAtMs: number;
}

/**
 * What is still on its way: without orders whose exact amount was credited since they were to be funded. It is in the balance,
 * although they have not ended yet. Equal credits are interchangeable, and each is of one order: of an expected one first, so that
 * nobody counts on money that is in the balance already.
 */
export function notYetCredited<Bought extends BoughtMoney>(
  bought: readonly Bought[],
  credits: readonly UnexplainedCredit[],
): Bought[] {
  const left = [...credits].sort((one, other) => one.seenAtMs - other.seenAtMs);
  const credited = new Set<Bought>();
  // The latest order first, each with its earliest credit: a later one may be that of more orders.
  const latestFirst = [...bought].sort(
    (one, other) =>
      Number(other.isExpected) - Number(one.isExpected) ||
      (other.creditableSinceMs ?? 0) - (one.creditableSinceMs ?? 0),
  );
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
