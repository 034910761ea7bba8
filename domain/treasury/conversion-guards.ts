import Big from 'big.js';
import { unorderedPair, type ConversionOrder } from './conversion-order.ts';
import { basisPointsText, costInBasisPoints, priceOf, type ReferencePrice } from './conversion-price.ts';
import { feeForm, quoteDifferences, type QuotedConversion, type QuoteRequest } from './conversion-quote.ts';
import type { ConversionReason } from './conversion-reason-codes.ts';
import { compareRatios, inverseOf, type Ratio, ratioOf, ratioText } from '../rates/ratio.ts';

/** What decides whether an order commits money to a quote. Amounts are decimal strings in the sell currency. */
export interface GuardInput {
  order: ConversionOrder;
  request: QuoteRequest;
  quote: QuotedConversion;
  reference: ReferencePrice;
  /** Of the installation; null: none. */
  maxOrder: string | null;
  dailyCap: string | null;
  /** Totals above it need an approval; null: every order does. */
  approvalThreshold: string | null;
  /** The largest total that the approvals of the order, or of its schedule, cover; null: there are none. */
  approvedUpTo: string | null;
  /** Committed by other orders of this account and sell currency on this local day. */
  committedToday: string;
  /** Of the ledger: in no run, payment or other conversion. */
  free: string;
  openOrders: readonly { orderId: string; sellCurrency: string; buyCurrency: string }[];
  nowMs: number;
}

export type GuardName =
  | 'quote'
  | 'fees'
  | 'limit_price'
  | 'max_cost'
  | 'max_order'
  | 'cap'
  | 'daily_cap'
  | 'funds'
  | 'open_order'
  | 'expiry'
  | 'approval';

/** `not_set`: the guard has no limit to apply. */
export type GuardVerdict = 'passes' | 'refuses' | 'not_set';

export interface GuardFinding {
  guard: GuardName;
  verdict: GuardVerdict;
  /** Of a refusal. */
  code: ConversionReason | null;
  /** For people. */
  says: string;
}

export interface GuardReport {
  /** One of each guard, in the order in which they are listed. */
  findings: readonly GuardFinding[];
  decision: 'commit' | 'ask_for_approval' | 'skip' | 'hold' | 'expire';
  /** Of the decision; null: commit. */
  code: ConversionReason | null;
}

/** All guards, so that a dry run shows each; the decision is that of the most serious refusal. */
export function conversionGuards(input: GuardInput): GuardReport {
  const findings = [
    quoteGuard(input),
    feesGuard(input),
    limitPriceGuard(input),
    maxCostGuard(input),
    maximumGuard('max_order', input.maxOrder, 'the maximum of one order', input),
    maximumGuard('cap', input.order.cap, 'the cap of this order', input),
    dailyCapGuard(input),
    fundsGuard(input),
    openOrderGuard(input),
    expiryGuard(input),
    approvalGuard(input),
  ];
  const codes = findings.flatMap(({ code }) => code ?? []);
  for (const decision of ['hold', 'expire', 'skip', 'ask_for_approval'] as const) {
    const code = codes.find((refusal) => decisionOf(refusal) === decision);
    if (code !== undefined) return { findings, decision, code };
  }
  return { findings, decision: 'commit', code: null };
}

function decisionOf(code: ConversionReason): Exclude<GuardReport['decision'], 'commit'> {
  switch (code) {
    case 'quote_differs':
    case 'fees_not_understood':
    case 'reference_unclear':
      return 'hold';
    case 'order_expired':
      return 'expire';
    case 'approval_needed':
      return 'ask_for_approval';
    default:
      return 'skip';
  }
}

function passes(guard: GuardName, says: string): GuardFinding {
  return { guard, verdict: 'passes', code: null, says };
}

function refuses(guard: GuardName, code: ConversionReason, says: string): GuardFinding {
  return { guard, verdict: 'refuses', code, says };
}

function notSet(guard: GuardName, says: string): GuardFinding {
  return { guard, verdict: 'not_set', code: null, says };
}

function quoteGuard({ request, quote }: GuardInput): GuardFinding {
  const fields = quoteDifferences(request, quote);
  return fields.length === 0
    ? passes('quote', 'the quote is for what was asked')
    : refuses('quote', 'quote_differs', `the quote is for something else than was asked: ${fields.join(', ')}`);
}

function feesGuard({ quote }: GuardInput): GuardFinding {
  const { sellAmount, totalAmount, totalFees, sellCurrency } = quote;
  const form = feeForm(quote);
  const amounts = `total ${totalAmount}, sell amount ${sellAmount}, fees ${totalFees ?? 'not given'} ${sellCurrency}`;
  if (form === null) return refuses('fees', 'fees_not_understood', `the total does not add up: ${amounts}`);
  return passes(
    'fees',
    form === 'added' ? `the fees are added: ${amounts}` : `the total is the sell amount: ${amounts}`,
  );
}

/** Prices are shown with as many decimals as rates usually have, and two more. */
const PRICE_DECIMALS = 8;

function limitPriceGuard({ order, quote }: GuardInput): GuardFinding {
  const { limitPrice } = order;
  if (limitPrice === null) return notSet('limit_price', 'the order has no limit price');
  const { sellCurrency: sell, buyCurrency: buy } = order;
  const price = positivePrice(quote);
  if (price === null) return refuses('limit_price', 'price_beyond_limit', 'the quote has no positive price');
  const isBought = 'buyPerSellAtLeast' in limitPrice;
  const limit = isBought ? limitPrice.buyPerSellAtLeast : limitPrice.sellPerBuyAtMost;
  const shown = ratioText(isBought ? price : inverseOf(price), PRICE_DECIMALS);
  const isKept = isBought
    ? compareRatios(price, ratioOf(limit, 1)) >= 0
    : compareRatios(inverseOf(price), ratioOf(limit, 1)) <= 0;
  const says = isBought
    ? `the price with fees is ${shown} ${buy} for 1 ${sell}, the limit at least ${limit}`
    : `the price with fees is ${shown} ${sell} for 1 ${buy}, the limit at most ${limit}`;
  // guard: conversion-limit-price
  return isKept ? passes('limit_price', says) : refuses('limit_price', 'price_beyond_limit', says);
}

function maxCostGuard({ order, quote, reference }: GuardInput): GuardFinding {
  const { maxCostBps } = order;
  if (maxCostBps === null) return notSet('max_cost', 'the order has no maximum cost');
  // guard: conversion-reference-needed
  if (reference.price === null) return refuses('max_cost', reference.code, reference.says);
  const price = positivePrice(quote);
  if (price === null) return refuses('max_cost', 'cost_beyond_maximum', 'the quote has no positive price');
  const cost = costInBasisPoints(price, reference.price);
  const says = `the cost is ${basisPointsText(cost)} basis points, the maximum ${maxCostBps}`;
  return compareRatios(cost, ratioOf(maxCostBps, 1)) <= 0
    ? passes('max_cost', says)
    : refuses('max_cost', 'cost_beyond_maximum', says);
}

function positivePrice(quote: QuotedConversion): Ratio | null {
  const isPositive = new Big(quote.totalAmount).gt(0) && new Big(quote.buyAmount).gt(0);
  return isPositive ? priceOf(quote) : null;
}

function maximumGuard(
  guard: 'max_order' | 'cap',
  maximum: string | null,
  name: string,
  { quote }: GuardInput,
): GuardFinding {
  if (maximum === null) return notSet(guard, `${name} is not set`);
  const says = `the total is ${quote.totalAmount} ${quote.sellCurrency}, ${name} ${maximum}`;
  return new Big(quote.totalAmount).lte(maximum) ? passes(guard, says) : refuses(guard, 'order_too_large', says);
}

function dailyCapGuard({ quote, dailyCap, committedToday }: GuardInput): GuardFinding {
  if (dailyCap === null) return notSet('daily_cap', 'there is no daily cap for the currency');
  // guard: conversion-daily-cap
  const withThis = new Big(committedToday).plus(quote.totalAmount);
  const says = `today ${withThis.toFixed()} ${quote.sellCurrency} would be sold with this order, the daily cap is ${dailyCap}`;
  return withThis.lte(dailyCap) ? passes('daily_cap', says) : refuses('daily_cap', 'daily_cap_reached', says);
}

function fundsGuard({ quote, free }: GuardInput): GuardFinding {
  const says = `the total is ${quote.totalAmount} ${quote.sellCurrency}, and ${free} are free`;
  return new Big(quote.totalAmount).lte(free) ? passes('funds', says) : refuses('funds', 'not_enough_money', says);
}

function openOrderGuard({ order, openOrders }: GuardInput): GuardFinding {
  const pair = unorderedPair(order);
  // guard: conversion-one-open-order
  const other = openOrders.find(({ orderId, ...of }) => orderId !== order.orderId && unorderedPair(of) === pair);
  return other === undefined
    ? passes('open_order', `no other order of ${pair} is open`)
    : refuses('open_order', 'pair_has_open_order', `order ${other.orderId} of ${pair} is open`);
}

function expiryGuard({ order, nowMs }: GuardInput): GuardFinding {
  const says = `the order expires at ${order.expiresAt}`;
  return nowMs <= Date.parse(order.expiresAt) ? passes('expiry', says) : refuses('expiry', 'order_expired', says);
}

function approvalGuard({ quote, approvalThreshold, approvedUpTo }: GuardInput): GuardFinding {
  const total = `the total is ${quote.totalAmount} ${quote.sellCurrency}`;
  const isWithin = (limit: string | null): boolean => limit !== null && new Big(quote.totalAmount).lte(limit);
  if (isWithin(approvalThreshold)) {
    return passes('approval', `${total}, and up to ${approvalThreshold ?? ''} need no approval`);
  }
  // guard: conversion-approval-covers-total
  if (isWithin(approvedUpTo)) return passes('approval', `${total}, and up to ${approvedUpTo ?? ''} are approved`);
  const approved = approvedUpTo === null ? 'nothing is approved' : `only up to ${approvedUpTo} are approved`;
  return refuses('approval', 'approval_needed', `${total}, and ${approved}`);
}
