/** When to ask the provider what explains money that came in. Ages and pauses in milliseconds. */

export interface ReceiptSettings {
  /** Between two lists of one kind, whatever asks for them. */
  listEveryMs: number;
  /** While payments may come back, also if nothing asks for it. */
  idleListEveryMs: number;
  /** Payments that were paid in this time may come back. */
  returnsWithinMs: number;
}

const DAY_MS = 86_400_000;

export const RECEIPT_SETTINGS: ReceiptSettings = {
  listEveryMs: 60_000,
  idleListEveryMs: DAY_MS,
  returnsWithinMs: 60 * DAY_MS,
};

export interface ReceiptNeeds {
  /** Payments were paid lately, or refunds are expected. */
  mayComeBack: boolean;
  /** Since the list of refunds was last asked for; null: never. */
  sinceRefundsAskedMs: number | null;
  /** A notification of a refund, or money that nothing explains, came after that. */
  hasNewsOfRefunds: boolean;
  /** A refund that a notification named, and that no list has shown; null: none to ask for now. */
  unlistedRefund: string | null;
}

/** One request: a list, or a record by its id. */
export type ReceiptRead = { kind: 'refunds' } | { kind: 'refund'; id: string };

export interface ReceiptPlan {
  /** Null: nothing now. */
  read: ReceiptRead | null;
  /** When to plan again. */
  waitMs: number;
}

export function receiptSchedule(needs: ReceiptNeeds, settings: ReceiptSettings): ReceiptPlan {
  const dueInMs = refundsDueInMs(needs, settings);
  if (dueInMs <= 0) return { read: { kind: 'refunds' }, waitMs: settings.listEveryMs };
  const { unlistedRefund } = needs;
  if (unlistedRefund !== null) return { read: { kind: 'refund', id: unlistedRefund }, waitMs: settings.listEveryMs };
  return { read: null, waitMs: dueInMs };
}

function refundsDueInMs(needs: ReceiptNeeds, settings: ReceiptSettings): number {
  const { sinceRefundsAskedMs, hasNewsOfRefunds, mayComeBack } = needs;
  if (!hasNewsOfRefunds && !mayComeBack) return Infinity;
  if (sinceRefundsAskedMs === null) return 0;
  return (hasNewsOfRefunds ? settings.listEveryMs : settings.idleListEveryMs) - sinceRefundsAskedMs;
}
