import type Big from 'big.js';
import { type Json, RawJson, amountJson } from '../core/json.ts';
import type { Currency } from '../market/currencies.ts';
import { isoTime } from './simple-payment.ts';

export const conversionStatuses = ['awaiting_funds', 'completed'] as const;

export type ConversionStatus = (typeof conversionStatuses)[number];

/** A price for one conversion. Callers are not told when it expires. Contract: payments 2.3. */
export interface ConversionQuote {
  readonly id: string;
  readonly sell: Currency;
  readonly buy: Currency;
  readonly fixedSide: 'buy' | 'sell';
  readonly rate: Big;
  readonly sellAmount: Big;
  readonly buyAmount: Big;
  readonly totalFees: Big;
  /** sellAmount and totalFees, in the sell currency. */
  readonly totalAmount: Big;
  expiresAtMs: number;
  used: boolean;
}

export interface Conversion {
  readonly id: string;
  readonly number: number;
  readonly quote: ConversionQuote;
  readonly referenceId: string | null;
  readonly createdAtMs: number;
  readonly fundingCutoffAtMs: number;
  status: ConversionStatus;
  /** How often totalAmount was debited, which the status does not show. */
  timesFunded: number;
  /** Whether buyAmount was credited, which no later status reverses. */
  credited: boolean;
}

/** The fields that quotes and conversions have in common. */
const priceAnswer = (quote: ConversionQuote): Record<string, Json> => ({
  currencyPair: `${quote.buy.code}${quote.sell.code}`,
  buyCurrency: quote.buy.code,
  sellCurrency: quote.sell.code,
  buyAmount: amountJson(quote.buyAmount, quote.buy.decimalPlaces),
  sellAmount: amountJson(quote.sellAmount, quote.sell.decimalPlaces),
  rate: new RawJson(quote.rate.toFixed()),
  totalFees: amountJson(quote.totalFees, quote.sell.decimalPlaces),
  totalAmount: amountJson(quote.totalAmount, quote.sell.decimalPlaces),
  fixedSide: quote.fixedSide,
});

export const conversionQuoteAnswer = (quote: ConversionQuote): Json => ({
  ...priceAnswer(quote),
  quoteId: quote.id,
  settlementCutOffTime: isoTime(quote.expiresAtMs),
});

/** A conversion in answers, including the deprecated fields. Contract: payments 2.4. */
export const conversionAnswer = (conversion: Conversion): Record<string, Json> => ({
  conversionId: conversion.id,
  referenceId: conversion.referenceId,
  status: conversion.status,
  ...priceAnswer(conversion.quote),
  createdAt: isoTime(conversion.createdAtMs),
  fundingCutoffTime: isoTime(conversion.fundingCutoffAtMs),
  id: conversion.id,
  username: 'sandbox',
  conversionDate: isoTime(conversion.createdAtMs).slice(0, 10),
});
