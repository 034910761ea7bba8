export type FactKind = 'payment' | 'conversion' | 'refund' | 'funding' | 'deposit';

/**
 * `expected`: money moved, by our record. `possible`: it may have moved, as for a payment whose funding has an unknown
 * outcome. `provider_only`: in the provider's own lists and not in our record, such as a payment made in its dashboard.
 */
export type Certainty = 'expected' | 'possible' | 'provider_only';

/** One change of a balance that a fact leads to. Times are milliseconds since the epoch, both inclusive. */
export interface ExpectedLeg {
  readonly currency: string;
  /** Signed, a debit is negative; with fees. A decimal string. */
  readonly amount: string;
  /** Contained in the amount, each positive. The provider may write them as entries of their own, or not refund them. */
  readonly fees: readonly string[];
  /** The earliest and the latest date that its entry may have. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What our record, or a list of the provider, says about money that moved. */
export interface Fact {
  readonly factId: string;
  readonly kind: FactKind;
  readonly certainty: Certainty;
  /** The provider's id of the payment, conversion, refund, funding or deposit. */
  readonly providerId: string | null;
  /** For refunds: the debited payment that it belongs to, or null if there is none. */
  readonly paymentId?: string | null;
  /** Others of its legs were matched before. */
  readonly hasMatchedLegs?: boolean;
  /** A conversion has two: what was sold, with its fees, and what was bought. */
  readonly legs: readonly ExpectedLeg[];
}
