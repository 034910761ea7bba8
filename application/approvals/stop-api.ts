/** What the application says of stops. Times are ISO-8601 UTC strings. */

/** Rows of a stopped run: sent, created with the provider and unfunded, and not sent. */
export interface StopCountsSummary {
  sent: number;
  created: number;
  notSent: number;
  /** With a request on its way, or about to be kept back, or whose outcome is being looked up. */
  underWay: number;
}

export interface MadeStop {
  stopId: string;
  /** Null: it is not of one run, or its rows could not be counted. */
  counts: StopCountsSummary | null;
}

export interface LiftedStop {
  stopId: string;
  /** `asked`: a second person lifts it. */
  state: 'asked' | 'lifted';
}

export interface CancelledRun {
  /** Rows that were ended; others are being looked up and end by themselves. */
  cancelled: number;
  counts: StopCountsSummary;
}

export interface StopSummary {
  stopId: string;
  scope: 'run' | 'account' | 'all';
  runId: string | null;
  account: string | null;
  /** Null: at a start of payrun, by whoever started it. */
  stoppedBy: { userId: string; name: string } | null;
  stoppedAt: string;
  reason: string | null;
  /** Who has asked to lift it; a checker other than they lifts it. */
  liftAskedBy: { userId: string; name: string } | null;
  /** The run was ended for good instead. */
  isCancelled: boolean;
}
