/** When to ask the provider what explains money that came in. Ages and pauses in milliseconds. */

export interface ReceiptSettings {
  /** Between two lists of one kind, whatever asks for them. */
  listEveryMs: number;
  /** While money may come, also if nothing asks for it. */
  idleListEveryMs: number;
  /** Payments that were paid in this time may come back. */
  returnsWithinMs: number;
  /** How often the request for a virtual account is read that waits for the provider. */
  virtualAccountEveryMs: number;
}

const DAY_MS = 86_400_000;

export const RECEIPT_SETTINGS: ReceiptSettings = {
  listEveryMs: 60_000,
  idleListEveryMs: DAY_MS,
  returnsWithinMs: 60 * DAY_MS,
  virtualAccountEveryMs: 3_600_000,
};

export interface ListNeeds {
  /** Since the list was last asked for; null: never. */
  sinceAskedMs: number | null;
  /** A notification that only the list explains, or money that nothing explains, came after that. */
  hasNews: boolean;
}

export interface ReceiptNeeds {
  /** Payments were paid lately, or refunds, fundings or deposits are open. */
  mayCome: boolean;
  refunds: ListNeeds;
  /** A refund that a notification named, and that no list has shown; null: none to ask for now. */
  unlistedRefund: string | null;
  fundings: ListNeeds & {
    /** Whether a pass through its pages goes on, and with which page; null: the first. */
    goesOn: boolean;
    nextPage: number | null;
    /** Whether the last page was not answered. */
    isFailing: boolean;
  };
  /** A funding that a notification named since it was read; null: none to ask for now. */
  namedFunding: string | null;
}

/** One request: a list, a page of one, or a record by its id. The first page has no number. */
export type ReceiptRead =
  | { kind: 'refunds' }
  | { kind: 'refund'; id: string }
  | { kind: 'fundings'; page: number | null }
  | { kind: 'funding'; id: string };

export interface ReceiptPlan {
  /** Null: nothing now. */
  read: ReceiptRead | null;
  /** When to plan again. */
  waitMs: number;
}

export function receiptSchedule(needs: ReceiptNeeds, settings: ReceiptSettings): ReceiptPlan {
  const { mayCome, refunds, fundings, unlistedRefund, namedFunding } = needs;
  const at = (read: ReceiptRead): ReceiptPlan => ({ read, waitMs: settings.listEveryMs });
  const refundsDueInMs = dueInMs(refunds, mayCome, settings);
  if (refundsDueInMs <= 0) return at({ kind: 'refunds' });
  if (namedFunding !== null) return at({ kind: 'funding', id: namedFunding });
  if (unlistedRefund !== null) return at({ kind: 'refund', id: unlistedRefund });
  const { goesOn, nextPage, isFailing, sinceAskedMs } = fundings;
  const goesOnInMs = isFailing ? settings.listEveryMs - (sinceAskedMs ?? 0) : 0;
  const pageDueInMs = goesOn ? goesOnInMs : dueInMs(fundings, mayCome, settings);
  if (pageDueInMs <= 0) return at({ kind: 'fundings', page: nextPage });
  return { read: null, waitMs: Math.min(refundsDueInMs, pageDueInMs) };
}

function dueInMs({ sinceAskedMs, hasNews }: ListNeeds, mayCome: boolean, settings: ReceiptSettings): number {
  if (!hasNews && !mayCome) return Infinity;
  if (sinceAskedMs === null) return 0;
  return (hasNews ? settings.listEveryMs : settings.idleListEveryMs) - sinceAskedMs;
}
