import type { Account } from '../account/account.ts';
import type { LedgerEntry } from '../account/ledger.ts';
import { isoTime, type SimplePayment } from '../account/simple-payment.ts';
import type { Delivery } from '../webhooks/webhooks.ts';
import { ledgerCounts, ledgerReport } from './ledger-report.ts';
import { paymentLine } from './payment-line.ts';

/** Checking the invariant of a longer history every second, as the page does, would slow the sandbox down. */
const MAX_CHECKED_ENTRIES = 20_000;
const MAX_PAYMENTS = 20;
const MAX_CHANGES = 12;
const MAX_REQUESTS = 20;
const MAX_DELIVERIES = 12;

/**
 * An account at one point in time. `ledger.invariantHolds` is null when the history is too long to check. Lists are
 * newest first. It contains no names, account numbers or secrets.
 */
export const overview = (account: Account, nowMs: number): Record<string, unknown> => ({
  now: isoTime(nowMs),
  ledger:
    account.ledger.entries.length > MAX_CHECKED_ENTRIES
      ? { ...ledgerCounts(account), invariantHolds: null }
      : ledgerReport(account),
  changes: account.ledger.entries.slice(-MAX_CHANGES).reverse().map(changeLine),
  payments: account.payments.all().slice(-MAX_PAYMENTS).reverse().map(timedPaymentLine),
  requests: account.requestLines.list().slice(-MAX_REQUESTS).reverse(),
  webhooks: {
    url: account.webhooks.url === null ? null : withoutSecrets(account.webhooks.url),
    deliveries: account.webhooks.recent().slice(-MAX_DELIVERIES).reverse().map(deliveryLine),
  },
  faults: account.faults.list(),
});

const changeLine = ({ balance, change, amountAfter, type, atMs }: LedgerEntry): Record<string, string> => ({
  at: isoTime(atMs),
  currency: balance.currency.code,
  change: change.toFixed(balance.currency.decimalPlaces),
  amountAfter: amountAfter.toFixed(balance.currency.decimalPlaces),
  type,
});

const timedPaymentLine = (payment: SimplePayment): Record<string, unknown> => ({
  ...paymentLine(payment),
  createdAt: isoTime(payment.createdAtMs),
});

/** A delivery without its body, which may contain an account number; `about` is its resource. */
function deliveryLine({ at, body, attempts, lastStatus, outcome }: Delivery): Record<string, unknown> {
  const { resource, action, refundId, status } = JSON.parse(body) as Record<string, unknown>;
  const about = refundId === undefined ? (resource ?? action ?? 'user') : 'refund';
  return { at, about, status: status ?? null, attempts, lastStatus, outcome };
}

/** Paths and queries of receivers may contain tokens: long parts are cut to their last characters, queries are omitted. */
export function withoutSecrets(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  const parts = pathname.split('/').map((part) => (part.length > 15 ? `…${part.slice(-4)}` : part));
  return `${protocol}//${host}${parts.join('/')}`;
}
