/** What a run would do, shown before anyone approves it. All amounts are decimal strings at the currency's decimals. */

export interface CurrencyTotal {
  currency: string;
  rows: number;
  amount: string;
}

export interface FundsNeed {
  currency: string;
  /** Known sell amounts plus, at the indicative rate, those of rows that fix the buy side. Fees are not in it. */
  needed: string;
  /** What the provider holds, or null when it could not be read. */
  balance: string | null;
  /** What other runs, approved and not yet ended, still need of it. */
  committed: string;
}

export interface RunProposal {
  rows: number;
  payable: number;
  onHold: number;
  totalsByBuyCurrency: CurrencyTotal[];
  totalsBySellCurrency: CurrencyTotal[];
  funds: FundsNeed[];
  /** Provider requests needed: quotes, creations, fundings, new beneficiaries, uploads, and a share for confirming. */
  requests: number;
  /** Seconds of sending at the provider's limit, behind what other runs still have to send. */
  durationSeconds: number;
  warnings: string[];
  /** What an approval is bound to: SHA-256 over every row to be paid, in order. */
  contentHash: string;
}
