import type { AnswerForm } from '../answers/answer-form.ts';
import { type Json, Written, writeJson, writtenAt } from '../core/json.ts';
import type { Beneficiary } from './beneficiaries.ts';
import type { Quote } from './quotes.ts';

export const paymentStatuses = ['awaiting_funds', 'processing', 'completed', 'rejected', 'failed'] as const;

export type PaymentStatus = (typeof paymentStatuses)[number];

/** What the caller says when it creates a payment. Contract: payments 2.6. */
export interface PaymentInstruction {
  readonly fundingSource: string;
  readonly paymentReference: string;
  readonly purposeOfTransfer: string;
  readonly purposeOfTransferDescription?: string | null | undefined;
  readonly referenceId?: string | null | undefined;
  readonly uniqueReferenceId?: boolean | null | undefined;
  readonly senderUserId?: string | null | undefined;
  readonly fundingMethod: string;
  readonly fundingBankAccountNumber?: string | null | undefined;
  readonly fundingCountry?: string | null | undefined;
  readonly files?: readonly string[] | null | undefined;
}

export interface SimplePayment {
  readonly id: string;
  /** What the balance history calls the payment, as its ids are numbers. */
  readonly number: number;
  readonly quote: Quote;
  readonly beneficiary: Beneficiary;
  readonly instruction: PaymentInstruction;
  readonly reference: string;
  readonly fundingReference: string;
  readonly createdAtMs: number;
  readonly fundingCutoffAtMs: number;
  status: PaymentStatus;
  /** What answers and notifications call a payment on its way that passes through a status beyond the contract. */
  statusOnTheWay: string | null;
  completedAtMs: number | null;
  /** Why it ended badly, as its notification says. */
  reason: string | null;
  /** The same, as far as its answers say. */
  failureReason: string | null;
  /** How often its total was taken from the balance, and how often it was given back. */
  timesFunded: number;
  timesRefunded: number;
  /** The answer as it was last written; forgotten with every change. Finds of thousands read it again and again. */
  written: Written | null;
}

export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** The status as callers are shown it. */
export const shownStatusOf = ({ status, statusOnTheWay }: SimplePayment): string =>
  status === 'processing' ? (statusOnTheWay ?? status) : status;

/** A payment as its calls answer it. Contract: payments 2.6. */
export function paymentAnswer(payment: SimplePayment, form: AnswerForm): Written {
  payment.written ??= new Written(writeJson(form.record('simple-payment', answerOf(payment))));
  return payment.written;
}

function answerOf(payment: SimplePayment): Json {
  const { quote, instruction } = payment;
  const holder = payment.beneficiary.bankAccount.bankAccountHolderName;
  const inSell = quote.sell.decimalPlaces;
  return {
    simplePaymentId: payment.id,
    totalAmount: writtenAt(quote.totalAmount, inSell),
    status: shownStatusOf(payment),
    buyAmount: writtenAt(quote.buyAmount, quote.buy.decimalPlaces),
    sellAmount: writtenAt(quote.sellAmount, inSell),
    rate: new Written(quote.rate.toFixed()),
    totalFee: writtenAt(quote.totalFee, inSell),
    buyCurrency: quote.buy.code,
    sellCurrency: quote.sell.code,
    currencyPair: `${quote.buy.code}${quote.sell.code}`,
    fixedSide: quote.fixedSide,
    createdAt: isoTime(payment.createdAtMs),
    completedAt: payment.completedAtMs === null ? null : isoTime(payment.completedAtMs),
    reference: payment.reference,
    referenceId: instruction.referenceId ?? null,
    paymentReference: instruction.paymentReference,
    failureReason: payment.failureReason,
    fundingSource: instruction.fundingSource,
    purposeOfTransfer: instruction.purposeOfTransfer,
    beneficiary: beneficiaryAnswer(payment.beneficiary),
    fundingReference: payment.fundingReference,
    fundingCutoffTime: isoTime(payment.fundingCutoffAtMs),
    fundingCountry: instruction.fundingCountry ?? null,
    beneficiaryName: holder,
    settlementDate: isoTime(payment.createdAtMs).slice(0, 10),
    paymentDate: isoTime(payment.createdAtMs).slice(0, 10),
  };
}

/** Payments show a part of the beneficiary, as it was when they were created. */
const beneficiaryAnswer = (beneficiary: Beneficiary): Json => ({
  address: beneficiary.address ?? null,
  city: beneficiary.city ?? null,
  country: beneficiary.country,
  email: beneficiary.email ?? null,
  firstName: beneficiary.firstName ?? null,
  lastName: beneficiary.lastName ?? null,
  beneficiaryId: beneficiary.id,
  nickname: beneficiary.nickname,
  type: beneficiary.type,
  bankAccount: {
    accountNumber: beneficiary.bankAccount.accountNumber ?? beneficiary.bankAccount.iban ?? null,
    bankAccountHolderName: beneficiary.bankAccount.bankAccountHolderName,
    bicSwift: beneficiary.bankAccount.bicSwift ?? null,
    country: beneficiary.bankAccount.country,
    currency: beneficiary.bankAccount.currency,
  },
});
