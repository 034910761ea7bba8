import type { Account } from '../account/account.ts';
import { invariantHolds } from '../account/invariant.ts';
import type { PaymentStatus } from '../account/simple-payment.ts';

/** What happened to one API key's money and requests, to be asserted on. */
export interface LedgerReport {
  /** Reference ids under which more than one payment was created. */
  readonly createdMoreThanOnce: readonly string[];
  /** Ids of payments whose total was debited more than once. */
  readonly fundedMoreThanOnce: readonly string[];
  readonly invariantHolds: boolean;
  /** Decimal strings by currency. */
  readonly balances: Readonly<Record<string, string>>;
  readonly payments: Readonly<Partial<Record<PaymentStatus, number>>>;
  /** `total` counts requests to the API, refused ones included; uploads are counted by operation only. */
  readonly requests: { readonly total: number; readonly byOperation: Readonly<Record<string, number>> };
  readonly rejectedByLimit: number;
  /** The most arrivals in any window of a second, accepted or not. */
  readonly mostInAnySecond: number;
  readonly credentialLeaks: number;
}

export function ledgerReport(account: Account): LedgerReport {
  const { ledger, payments } = account;
  return { ...ledgerCounts(account), invariantHolds: invariantHolds(ledger, payments, account.treasury()) };
}

/** The report without the one part that has to go through the whole history. */
export function ledgerCounts(account: Account): Omit<LedgerReport, 'invariantHolds'> {
  const { ledger, payments, arrivals } = account;
  const balances = ledger
    .opened()
    .map(({ currency, amount }) => [currency.code, amount.toFixed(currency.decimalPlaces)]);
  return {
    createdMoreThanOnce: [...payments.createdMoreThanOnce],
    fundedMoreThanOnce: [...payments.fundedMoreThanOnce],
    balances: Object.fromEntries(balances) as Record<string, string>,
    payments: Object.fromEntries(Object.entries(payments.counts).filter(([, count]) => count > 0)),
    requests: { total: account.requests, byOperation: Object.fromEntries(account.requestsByOperation) },
    rejectedByLimit: arrivals.rejectedByLimit,
    mostInAnySecond: arrivals.mostInAnySecond,
    credentialLeaks: account.credentialLeaks,
  };
}
