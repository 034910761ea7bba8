import type { AnswerForm } from '../answers/answer-form.ts';
import { type Json, RawJson, writeJson, amountJson } from '../core/json.ts';
import type { Beneficiary } from './beneficiaries.ts';
import type { Quote } from './quotes.ts';

export const paymentStatuses = ['awaiting_funds', 'processing', 'completed', 'rejected', 'failed'] as const;

export type PaymentStatus = (typeof paymentStatuses)[number];

/** The fields that a caller sends to create a payment. Contract: payments 2.6. */
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
  /** The payment's number in the balance history, whose transaction ids are numbers. */
  readonly number: number;
  readonly quote: Quote;
  readonly beneficiary: Beneficiary;
  readonly instruction: PaymentInstruction;
  readonly reference: string;
  readonly fundingReference: string;
  readonly createdAtMs: number;
  readonly fundingCutoffAtMs: number;
  status: PaymentStatus;
  /** A status outside the contract, shown instead of processing. */
  interimStatus: string | null;
  completedAtMs: number | null;
  /** Why it was rejected or failed, as in its notification. */
  reason: string | null;
  /** The same as far as answers show it. */
  failureReason: string | null;
  /** How often its total was debited, and how often it was refunded. */
  timesFunded: number;
  timesRefunded: number;
  /** The serialized answer, cleared by every change: a find of thousands of payments reads it repeatedly. */
  cachedAnswer: RawJson | null;
}

export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();

/** The status that callers see. */
export const shownStatusOf = ({ status, interimStatus }: SimplePayment): string =>
  status === 'processing' ? (interimStatus ?? status) : status;

/** A payment in answers. Contract: payments 2.6. */
export function paymentAnswer(payment: SimplePayment, form: AnswerForm): RawJson {
  payment.cachedAnswer ??= new RawJson(writeJson(form.record('simple-payment', answerOf(payment))));
  return payment.cachedAnswer;
}

/** The answer to its creation, which may show a status outside the contract. */
export function createdAnswer(payment: SimplePayment, form: AnswerForm): RawJson {
  const answer = answerOf(payment);
  const status = form.statusAtCreation(payment.id, shownStatusOf(payment));
  return new RawJson(writeJson(form.record('simple-payment', { ...answer, status })));
}

function answerOf(payment: SimplePayment): Record<string, Json> {
  const { quote, instruction } = payment;
  const holder = payment.beneficiary.bankAccount.bankAccountHolderName;
  const inSell = quote.sell.decimalPlaces;
  return {
    simplePaymentId: payment.id,
    totalAmount: amountJson(quote.totalAmount, inSell),
    status: shownStatusOf(payment),
    buyAmount: amountJson(quote.buyAmount, quote.buy.decimalPlaces),
    sellAmount: amountJson(quote.sellAmount, inSell),
    rate: new RawJson(quote.rate.toFixed()),
    totalFee: amountJson(quote.totalFee, inSell),
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

/** Payments show a part of the beneficiary, as of their creation. */
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
