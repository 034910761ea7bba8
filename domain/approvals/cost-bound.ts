/** What a payment may cost where the policy does not say: `cost_bound` in the database has the same. */
export const COST_BOUND = { feePercent: 20, rateBasisPoints: 300 } as const;

/** What a run may cost, as its approval covers it. Amounts and rates are decimal strings. */
export interface CostBound {
  feePercent: string;
  /** How much worse than the reference rate a rate may be. */
  rateBasisPoints: number;
  /** What leaves the balance at most, with the fees; null: the rate of a pair is not known. */
  totals: { currency: string; most: string | null }[];
  /** What one unit sold buys: by the reference rate, and at least. Null: there is no reference rate. */
  rates: { sellCurrency: string; buyCurrency: string; reference: string | null; least: string | null }[];
}

/** The same in the console and at the command line. */
export function costBoundInWords(bound: CostBound, writeAmount: (amount: string) => string): string[] {
  const { feePercent, totals, rates } = bound;
  return [
    ...totals.map(({ currency, most }) =>
      most === null
        ? `How much ${currency} leaves the balance has no bound; the fees are at most ${feePercent} % of the amount sold.`
        : `At most ${writeAmount(most)} ${currency} leave the balance, with fees of at most ${feePercent} % of the amount sold.`,
    ),
    ...rates.map(({ sellCurrency, buyCurrency, reference, least }) =>
      reference === null || least === null
        ? `The rate of ${sellCurrency} to ${buyCurrency} has no bound: the record has no reference rate of the last five days.`
        : `One ${sellCurrency} buys at least ${least} ${buyCurrency}; the reference rate is ${reference}.`,
    ),
  ];
}

/** `3 %`, `1.5 %`. */
export function basisPointsInPercent(basisPoints: number): string {
  return `${basisPoints / 100} %`;
}
