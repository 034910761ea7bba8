import { compareAmounts, subtractAmounts, sumAmounts } from '../money.ts';
import type { Certainty, Fact } from './money-fact.ts';

/** How long after an event its entry may be dated, and how much before, as clocks differ. Milliseconds. */
export interface EntryDelays {
  readonly beforeMs: number;
  readonly debitMs: number;
  readonly creditMs: number;
}

const HOUR_MS = 3_600_000;

export const ENTRY_DELAYS: EntryDelays = { beforeMs: 5 * 60_000, debitMs: HOUR_MS, creditMs: 24 * HOUR_MS };

/** The debit of a funding that was not seen may come as long as its money stays committed: `debit_period` in the database. */
const UNSEEN_DEBIT_MS = 7 * 24 * HOUR_MS;

/** Amounts are decimal strings without sign, times milliseconds since the epoch. */
interface Recorded {
  readonly factId: string;
  readonly providerId: string | null;
}

export interface FundedPayment extends Recorded {
  readonly currency: string;
  /** With fees, as the provider showed it at creation. */
  readonly totalAmount: string;
  readonly sellAmount: string;
  /** Those that the provider named, such as the payment fee and bank charges. */
  readonly fees: readonly string[];
  /** When the request to fund it was sent, and when it was last seen unfunded or its answer came. */
  readonly fundedFromMs: number;
  readonly fundedUntilMs: number;
  /** False while it is not known whether it was funded. */
  readonly isFunded: boolean;
}

/** A debit of the total, which may come late if it is not known whether it was funded. Contract: payments 2.6. */
export function paymentFact(payment: FundedPayment, delays: EntryDelays = ENTRY_DELAYS): Fact {
  const certainty: Certainty = payment.isFunded ? 'expected' : 'possible';
  const leg = {
    currency: payment.currency,
    amount: negative(payment.totalAmount),
    fees: feesWithin(payment.totalAmount, payment.sellAmount, payment.fees),
    fromMs: payment.fundedFromMs - delays.beforeMs,
    // guard: late-debit-is-explained
    untilMs: payment.fundedUntilMs + (payment.isFunded ? delays.debitMs : Math.max(delays.debitMs, UNSEEN_DEBIT_MS)),
  };
  return { factId: payment.factId, kind: 'payment', certainty, providerId: payment.providerId, legs: [leg] };
}

export interface FundedConversion extends Omit<FundedPayment, 'currency'> {
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  readonly buyAmount: string;
  /** When it was seen completed; null if it was not yet, and its credit is expected by `creditUntilMs`. */
  readonly completedMs: number | null;
  readonly creditUntilMs: number;
}

/** A debit of the total and a credit of what was bought. Contract: payments 2.4. */
export function conversionFact(conversion: FundedConversion, delays: EntryDelays = ENTRY_DELAYS): Fact {
  const sold = paymentFact({ ...conversion, currency: conversion.sellCurrency }, delays);
  const bought = {
    currency: conversion.buyCurrency,
    amount: conversion.buyAmount,
    fees: [],
    fromMs: conversion.fundedFromMs - delays.beforeMs,
    untilMs: conversion.completedMs === null ? conversion.creditUntilMs : conversion.completedMs + delays.creditMs,
  };
  return { ...sold, kind: 'conversion', legs: [...sold.legs, bought] };
}

export interface Receipt extends Recorded {
  readonly currency: string;
  readonly amount: string;
  /** Between these two times the provider reported it. */
  readonly reportedFromMs: number;
  readonly reportedUntilMs: number;
}

/** A credit. A deposit has the currency of its virtual account, as its event names none. Contract: account 2.7, payments 6. */
export function receiptFact(kind: 'funding' | 'deposit', receipt: Receipt, delays: EntryDelays = ENTRY_DELAYS): Fact {
  const { factId, providerId } = receipt;
  return { factId, kind, certainty: 'expected', providerId, legs: [creditLeg(receipt, [], delays)] };
}

export interface Refund extends Receipt {
  /** The payment of ours that it returns, if it was debited. */
  readonly paymentId: string | null;
  /** The fees of that payment, which the refund may not contain. */
  readonly fees: readonly string[];
}

/** A credit, with the fees of the payment or without. Contract: account 2.8. */
export function refundFact(refund: Refund, delays: EntryDelays = ENTRY_DELAYS): Fact {
  const { factId, providerId, paymentId } = refund;
  const fees = compareAmounts(sumAmounts(refund.fees), refund.amount) < 0 ? refund.fees : [];
  return {
    factId,
    kind: 'refund',
    certainty: 'expected',
    providerId,
    paymentId,
    legs: [creditLeg(refund, fees, delays)],
  };
}

function creditLeg(receipt: Receipt, fees: readonly string[], delays: EntryDelays): Fact['legs'][number] {
  const { currency, amount, reportedFromMs, reportedUntilMs } = receipt;
  // Money may be in the history a while before it is reported.
  return {
    currency,
    amount,
    fees,
    fromMs: reportedFromMs - delays.creditMs,
    untilMs: reportedUntilMs + delays.creditMs,
  };
}

/** The named fees, if they are the difference between total and sold amount; else the difference itself. */
function feesWithin(total: string, sold: string, fees: readonly string[]): string[] {
  const difference = subtractAmounts(total, sold);
  if (compareAmounts(difference, '0') <= 0) return [];
  const named = fees.filter((fee) => compareAmounts(fee, '0') > 0);
  return compareAmounts(sumAmounts(named), difference) === 0 ? named : [difference];
}

function negative(amount: string): string {
  return subtractAmounts('0', amount);
}
