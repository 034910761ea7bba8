import type { Account } from '../account/account.ts';
import { invariantHolds } from '../account/ledger-invariant.ts';
import type { PaymentStatus } from '../account/simple-payment.ts';
import type { UserStatus } from '../account/user.ts';

/** The money, the users and the requests of one API key, for assertions in tests. It contains no personal data. */
export interface LedgerReport {
  /** Reference ids with more than one payment, or more than one conversion. */
  readonly createdMoreThanOnce: readonly string[];
  /** Ids of payments and conversions whose total was debited more than once. */
  readonly fundedMoreThanOnce: readonly string[];
  /** Ids of users who share an e-mail, one list for each e-mail. */
  readonly signedUpMoreThanOnce: readonly (readonly string[])[];
  readonly invariantHolds: boolean;
  /** Decimal strings by currency. */
  readonly balances: Readonly<Record<string, string>>;
  readonly payments: Readonly<Partial<Record<PaymentStatus, number>>>;
  readonly users: Readonly<Partial<Record<UserStatus, number>>>;
  /** `total` counts requests to the API, including refused ones; uploads are counted by operation only. */
  readonly requests: { readonly total: number; readonly byOperation: Readonly<Record<string, number>> };
  readonly rejectedByLimit: number;
  /** The maximum number of requests in any window of a second, accepted or not. */
  readonly mostInAnySecond: number;
  readonly credentialLeaks: number;
}

export function ledgerReport(account: Account): LedgerReport {
  const { ledger, payments } = account;
  return { ...ledgerCounts(account), invariantHolds: invariantHolds(ledger, payments, account.treasury()) };
}

/** The report without `invariantHolds`, which reads the whole history. */
export function ledgerCounts(account: Account): Omit<LedgerReport, 'invariantHolds'> {
  const { ledger, payments, conversions, users, rateLimiter } = account;
  const balances = ledger
    .opened()
    .map(({ currency, amount }) => [currency.code, amount.toFixed(currency.decimalPlaces)]);
  return {
    createdMoreThanOnce: [...payments.createdMoreThanOnce, ...conversions.createdMoreThanOnce],
    fundedMoreThanOnce: [...payments.fundedMoreThanOnce, ...conversions.fundedMoreThanOnce],
    signedUpMoreThanOnce: users.signedUpMoreThanOnce(),
    balances: Object.fromEntries(balances) as Record<string, string>,
    payments: Object.fromEntries(Object.entries(payments.counts).filter(([, count]) => count > 0)),
    users: users.counts(),
    requests: { total: account.requests, byOperation: Object.fromEntries(account.requestsByOperation) },
    rejectedByLimit: rateLimiter.rejectedByLimit,
    mostInAnySecond: rateLimiter.mostInAnySecond,
    credentialLeaks: account.credentialLeaks,
  };
}
