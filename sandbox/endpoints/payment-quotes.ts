import Big from 'big.js';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { requireCurrency, type Quote } from '../account/quotes.ts';
import { isoTime } from '../account/simple-payment.ts';
import { corridorOf, localCurrencies } from '../corridors/requirements.ts';
import type { SandboxOptions } from '../config/options.ts';
import { inData, operation } from '../http/operation.ts';
import { exactNumberIn, type Json, RawJson, amountJson } from '../core/json.ts';
import type { Currency } from '../market/currencies.ts';
import type { PaymentChannel } from '../market/fees.ts';
import { invalidField, notFound, Refusal } from '../core/refusal.ts';
import { currencyCode, quotableAmount, withExample } from './field-types.ts';
import { quoteSchema } from './payment-schemas.ts';

const quoteBody = withExample(
  z.object({
    beneficiaryId: z.string().nullable(),
    sellCurrency: currencyCode,
    buyCurrency: currencyCode,
    amount: quotableAmount,
    fixedSide: z.enum(['buy', 'sell']).nullish(),
    partner: z
      .object({
        fee: exactNumberIn({ minimum: 0 }).nullish(),
        markup: exactNumberIn({ minimum: 0, exclusiveMaximum: 100 }).nullish(),
      })
      .nullish(),
    paymentChannel: z.enum(['LOCAL', 'SWIFT-SHA', 'SWIFT-OUR']).nullish(),
  }),
  { beneficiaryId: null, sellCurrency: 'USD', buyCurrency: 'EUR', amount: 100 },
);

/** Contract: payments 2.5 and 4.4. */
export const paymentQuotes = [
  operation({
    ids: ['simple-payment-supported-local-currencies'],
    method: 'GET',
    path: '/simple-payments/v1/supported-local-currencies',
    summary: 'Local clearing by currency and beneficiary country, as <currency>-<country>',
    answer: inData(z.array(z.string())),
    perform: () => ({ data: localCurrencies }),
  }),
  operation({
    ids: ['simple-payment-quote'],
    method: 'POST',
    path: '/simple-payments/v1/quote',
    summary: 'A price for one payment, valid until it expires',
    body: quoteBody,
    answer: inData(quoteSchema),
    refusals: [404],
    links: {
      create: { operationId: 'simple-payment-create', requestBody: { quoteId: '$response.body#/data/quoteId' } },
    },
    perform: ({ world, account, body }) => {
      const { options, clock } = world;
      const sell = requireCurrency('sellCurrency', body.sellCurrency);
      const buy = requireCurrency('buyCurrency', body.buyCurrency);
      const channel = channelOf(account, body.beneficiaryId, buy.code, body.paymentChannel ?? undefined);
      const nowMs = clock.now();
      const quote = account.quotes.issue(
        {
          beneficiaryId: body.beneficiaryId,
          sell,
          buy,
          amount: body.amount,
          fixedSide: body.fixedSide ?? 'sell',
          channel,
          partner: partnerOf(options, body.partner, sell),
        },
        nowMs,
        nowMs + options.quoteTtlMs,
      );
      return { data: quoteAnswer(quote, options) };
    },
  }),
];

/** The requested channel if it reaches the beneficiary's bank; without a request, the channel of the corridor. */
function channelOf(
  account: Account,
  beneficiaryId: string | null,
  buyCurrency: string,
  requested: PaymentChannel | undefined,
): PaymentChannel {
  if (beneficiaryId === null) return requested ?? 'SWIFT-SHA';
  const beneficiary = account.beneficiaries.get(beneficiaryId);
  if (!beneficiary) throw notFound('beneficiary');
  const { currency, country } = beneficiary.bankAccount;
  if (currency !== buyCurrency) {
    throw invalidField('buyCurrency', `the beneficiary's bank account is in ${currency}`);
  }
  const isLocal = corridorOf(currency, country, beneficiary.country)?.network === 'LOCAL';
  if (requested === 'LOCAL' && !isLocal) {
    throw invalidField('paymentChannel', `${currency} reaches banks in ${country} by SWIFT only`);
  }
  return requested ?? (isLocal ? 'LOCAL' : 'SWIFT-SHA');
}

/**
 * The fee and markup of an ultimate partner; zero for other callers.
 * @throws Refusal `validation_failed`, or 403 `forbidden` for other callers where an option says so
 */
function partnerOf(
  { ultimatePartner, partnerFromOtherCallers }: SandboxOptions,
  partner: { fee?: Big | null | undefined; markup?: Big | null | undefined } | null | undefined,
  { code, decimalPlaces }: Currency,
): { fee: Big; markup: Big } {
  const none = { fee: new Big(0), markup: new Big(0) };
  if (!partner) return none;
  if (!ultimatePartner && partnerFromOtherCallers === 'refuse') {
    throw new Refusal(403, 'forbidden', 'partner: is for ultimate partners only');
  }
  if (!ultimatePartner) return none;
  const { fee, markup } = { fee: partner.fee ?? none.fee, markup: partner.markup ?? none.markup };
  // A fee with more decimals than its currency would add digits to the ledger that no answer shows.
  if (!fee.eq(fee.round(decimalPlaces)))
    throw invalidField('partner.fee', `${code} has ${decimalPlaces} decimal places`);
  return { fee, markup };
}

function quoteAnswer(quote: Quote, options: SandboxOptions): Json {
  const { sell, buy } = quote;
  const inSell = (amount: Big): RawJson => amountJson(amount, sell.decimalPlaces);
  const inBuy = (amount: Big): RawJson => amountJson(amount, buy.decimalPlaces);
  return {
    quoteId: quote.id,
    currencyPair: `${buy.code}${sell.code}`,
    buyCurrency: buy.code,
    sellCurrency: sell.code,
    buyAmount: inBuy(quote.buyAmount),
    sellAmount: inSell(quote.sellAmount),
    rate: new RawJson(quote.rate.toFixed()),
    fixedSide: quote.fixedSide,
    beneficiaryId: quote.beneficiaryId,
    partnerRate: new RawJson(quote.partnerRate.toFixed()),
    partnerBuyAmount: inBuy(quote.partnerBuyAmount),
    partnerSellAmount: inSell(quote.partnerSellAmount),
    partnerPaymentFee: inSell(quote.partner.fee),
    expiresAt: isoTime(quote.expiresAtMs),
    conversionFee: inSell(quote.conversionFee),
    paymentFee: inSell(quote.paymentFee),
    totalFee: inSell(quote.totalFee),
    totalAmount: inSell(quote.totalAmount),
    paymentChannel: quote.channel,
    bankCharges: inSell(quote.bankCharges),
    supportingDocumentsRequired: options.paymentVariant === 'later' ? quote.documentsRequired : undefined,
    midMarketRate: new RawJson(quote.midRate.toFixed()),
    feeRate: 0,
    conversionFeeRate: 0,
    paymentFeeRate: 0,
    totalFeeRate: 0,
    conversionDate: isoTime(quote.issuedAtMs).slice(0, 10),
    setlementCutOffTime: isoTime(quote.expiresAtMs),
  };
}
