import type { Account } from '../account/account.ts';
import type { LedgerEntry } from '../account/ledger.ts';
import { isoTime, type SimplePayment } from '../account/simple-payment.ts';
import type { Delivery } from '../webhooks/webhooks.ts';
import { ledgerCounts, ledgerReport } from './ledger-report.ts';
import { paymentLine } from './payment-line.ts';

/** Adding up more than this takes so long that a page which looks every second would slow the sandbox down. */
const MOST_ADDED_UP = 20_000;
const SHOWN_PAYMENTS = 20;
const SHOWN_CHANGES = 12;
const SHOWN_REQUESTS = 20;
const SHOWN_DELIVERIES = 12;

/**
 * One look at an account, all of one moment. `ledger.invariantHolds` is null where there is too much to add up.
 * Lists are newest first. Names, account numbers and secrets stay out.
 */
export const overview = (account: Account, nowMs: number): Record<string, unknown> => ({
  now: isoTime(nowMs),
  ledger:
    account.ledger.entries.length > MOST_ADDED_UP
      ? { ...ledgerCounts(account), invariantHolds: null }
      : ledgerReport(account),
  changes: account.ledger.entries.slice(-SHOWN_CHANGES).reverse().map(changeLine),
  payments: account.payments.all().slice(-SHOWN_PAYMENTS).reverse().map(timedPaymentLine),
  requests: account.requestLines.list().slice(-SHOWN_REQUESTS).reverse(),
  webhooks: {
    url: account.webhooks.url === null ? null : withoutSecrets(account.webhooks.url),
    deliveries: account.webhooks.recent().slice(-SHOWN_DELIVERIES).reverse().map(deliveryLine),
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

/** A delivery without its body, which may name an account number; what it was about is kept. */
function deliveryLine({ at, body, attempts, lastStatus, outcome }: Delivery): Record<string, unknown> {
  const { resource, action, refundId, status } = JSON.parse(body) as Record<string, unknown>;
  const about = refundId === undefined ? (resource ?? action ?? 'user') : 'refund';
  return { at, about, status: status ?? null, attempts, lastStatus, outcome };
}

/** Receivers put tokens into their paths and queries: long parts are cut to their last characters, queries are left out. */
export function withoutSecrets(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  const parts = pathname.split('/').map((part) => (part.length > 15 ? `…${part.slice(-4)}` : part));
  return `${protocol}//${host}${parts.join('/')}`;
}
