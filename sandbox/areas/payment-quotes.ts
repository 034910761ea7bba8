import Big from 'big.js';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { currencyNamed, type Quote } from '../account/quotes.ts';
import { isoTime } from '../account/simple-payment.ts';
import { corridorOf, localCurrencies } from '../corridors/requirements.ts';
import type { SandboxOptions } from '../defaults.ts';
import { inData, operation } from '../http/operation.ts';
import { exactNumber, type Json, Written, writtenAt } from '../json.ts';
import type { PaymentChannel } from '../market/fees.ts';
import { invalidField, notFound } from '../refusal.ts';
import { quoteSchema } from './payment-schemas.ts';

const quoteBody = z.object({
  beneficiaryId: z.string().nullable(),
  sellCurrency: z.string(),
  buyCurrency: z.string(),
  amount: exactNumber,
  fixedSide: z.enum(['buy', 'sell']).nullish(),
  partner: z.object({ fee: exactNumber.nullish(), markup: exactNumber.nullish() }).nullish(),
  paymentChannel: z.enum(['LOCAL', 'SWIFT-SHA', 'SWIFT-OUR']).nullish(),
});

/** Contract: payments 2.5 and 4.4. */
export const paymentQuotes = [
  operation({
    ids: ['simple-payment-supported-local-currencies'],
    method: 'GET',
    path: '/simple-payments/v1/supported-local-currencies',
    summary: "Where payments go by the country's own clearing, as <currency>-<beneficiary country>",
    answer: inData(z.array(z.string())),
    perform: () => ({ data: localCurrencies }),
  }),
  operation({
    ids: ['simple-payment-quote'],
    method: 'POST',
    path: '/simple-payments/v1/quote',
    summary: 'A price for one payment, to be used before it expires',
    body: quoteBody,
    answer: inData(quoteSchema),
    perform: ({ world, account, body }) => {
      const { options, clock } = world;
      const sell = currencyNamed('sellCurrency', body.sellCurrency);
      const buy = currencyNamed('buyCurrency', body.buyCurrency);
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
          partner: partnerOf(options, body.partner ?? {}),
        },
        nowMs,
        nowMs + options.quoteTtlMs,
      );
      return { data: quoteAnswer(quote, options) };
    },
  }),
];

/** The channel asked for where the beneficiary's bank can be reached so, else the one that its corridor has. */
function channelOf(
  account: Account,
  beneficiaryId: string | null,
  buyCurrency: string,
  asked: PaymentChannel | undefined,
): PaymentChannel {
  if (beneficiaryId === null) return asked ?? 'SWIFT-SHA';
  const beneficiary = account.beneficiaries.get(beneficiaryId);
  if (!beneficiary) throw notFound('beneficiary');
  const { currency, country } = beneficiary.bankAccount;
  if (currency !== buyCurrency) {
    throw invalidField('buyCurrency', `the beneficiary's bank account is in ${currency}`);
  }
  const local = corridorOf(currency, country, beneficiary.country)?.network === 'LOCAL';
  if (asked === 'LOCAL' && !local) {
    throw invalidField('paymentChannel', `${currency} reaches banks in ${country} by SWIFT only`);
  }
  return asked ?? (local ? 'LOCAL' : 'SWIFT-SHA');
}

/** What a partner adds counts for an ultimate partner only. */
function partnerOf(
  options: SandboxOptions,
  partner: { fee?: Big | null | undefined; markup?: Big | null | undefined },
): { fee: Big; markup: Big } {
  const none = { fee: new Big(0), markup: new Big(0) };
  if (!options.ultimatePartner) return none;
  const { fee, markup } = { fee: partner.fee ?? none.fee, markup: partner.markup ?? none.markup };
  if (fee.lt(0)) throw invalidField('partner.fee', 'must not be negative');
  if (markup.lt(0) || markup.gte(100)) throw invalidField('partner.markup', 'must be a percentage from 0 to 100');
  return { fee, markup };
}

function quoteAnswer(quote: Quote, options: SandboxOptions): Json {
  const { sell, buy } = quote;
  const inSell = (amount: Big): Written => writtenAt(amount, sell.decimalPlaces);
  const inBuy = (amount: Big): Written => writtenAt(amount, buy.decimalPlaces);
  return {
    quoteId: quote.id,
    currencyPair: `${buy.code}${sell.code}`,
    buyCurrency: buy.code,
    sellCurrency: sell.code,
    buyAmount: inBuy(quote.buyAmount),
    sellAmount: inSell(quote.sellAmount),
    rate: new Written(quote.rate.toFixed()),
    fixedSide: quote.fixedSide,
    beneficiaryId: quote.beneficiaryId,
    partnerRate: new Written(quote.partnerRate.toFixed()),
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
    midMarketRate: new Written(quote.midRate.toFixed()),
    feeRate: 0,
    conversionFeeRate: 0,
    paymentFeeRate: 0,
    totalFeeRate: 0,
    conversionDate: isoTime(quote.issuedAtMs).slice(0, 10),
    setlementCutOffTime: isoTime(quote.expiresAtMs),
  };
}
