import { compareAmounts } from '../../../domain/money.ts';
import type { ConversionDryRun, OrderDetail, OrderFinding, OrderSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment, money, words } from '../wording.ts';
import { capitalized } from '../../../domain/capitalized.ts';

/** `sell 1,000.00 USD for EUR`, `buy 500.00 GBP for USD`. */
function orderInWords({
  fixedSide,
  amount,
  sellCurrency,
  buyCurrency,
}: Pick<OrderSummary, 'fixedSide' | 'amount' | 'sellCurrency' | 'buyCurrency'>): string {
  return fixedSide === 'sell'
    ? `sell ${money(amount)} ${sellCurrency} for ${buyCurrency}`
    : `buy ${money(amount)} ${buyCurrency} for ${sellCurrency}`;
}

export function renderOrders(orders: readonly OrderSummary[]): string {
  if (orders.length === 0) return 'No orders.';
  return textTable(
    [
      { title: 'Order' },
      { title: 'What' },
      { title: 'State' },
      { title: 'Reason' },
      { title: 'Placed by' },
      { title: 'Placed' },
    ],
    orders.map((order) => [
      order.orderId,
      orderInWords(order),
      words(order.state),
      words(order.stateReason ?? ''),
      order.placedBy.name,
      moment(order.placedAt),
    ]),
  );
}

export function renderOrder(order: OrderDetail): string {
  const lines = [
    `Order ${order.orderId}: ${orderInWords(order)}, on ${order.account}`,
    `State: ${words(order.state)}${order.stateReason === null ? '' : ` (${order.stateReason})`}. ${order.sentences.status}`,
    ...(order.sentences.toDo === null ? [] : [`To do: ${order.sentences.toDo}`]),
    ...termsOf(order),
    `Placed by ${order.placedBy.name}, ${moment(order.placedAt)}. Terms: ${order.orderHash.slice(0, 12)}`,
    ...quoteOf(order),
    ...order.findings.map(findingLine),
    ...providerOf(order),
    ...order.decisions.map(
      ({ decision, by, at, reason }) =>
        `${words(decision)} by ${by.name}, ${moment(at)}${reason === null ? '' : `: ${reason}`}`,
    ),
    ...order.requests.map(
      ({ operation, begunAt, outcome, httpStatus }) =>
        `${moment(begunAt)} ${operation}: ${outcome === null ? 'outcome not known' : words(outcome)}${httpStatus === null ? '' : ` (${httpStatus})`}`,
    ),
    ...order.manualOutcomes.map(
      ({ outcome, state, proposedBy, confirmedBy, reason }) =>
        `Manual outcome: ${words(outcome)}, ${state}, proposed by ${proposedBy.name}${confirmedBy === null ? '' : `, confirmed by ${confirmedBy.name}`}` +
        (reason === null ? '' : `: ${reason}`),
    ),
  ];
  return lines.map((line) => printable(line)).join('\n');
}

/** What an order would be quoted at. */
export function renderDryRun(dryRun: ConversionDryRun): string {
  const { quote, sellCurrency, buyCurrency, price, reference, referencePrice, costBps, problem } = dryRun;
  const lines = [
    `Nothing was placed. ${capitalized(orderInWords(dryRun))}, on ${dryRun.account}:`,
    ...(quote === null
      ? [`The provider refuses a quote: ${problem ?? 'no reason given'}`]
      : [
          `Quote: ${money(quote.totalAmount)} ${sellCurrency} with ${quote.totalFees === null ? 'its' : money(quote.totalFees)} fees for ${money(quote.buyAmount)} ${buyCurrency}`,
          `Price with fees: ${price ?? ''} ${buyCurrency} for 1 ${sellCurrency}; the provider's rate: ${quote.rate}`,
          referencePrice === null
            ? 'Reference: not clear'
            : `Reference: ${referencePrice}, from ${reference ?? ''}. Cost: ${costBps ?? ''} basis points`,
        ]),
    ...dryRun.findings.map(findingLine),
    `It would ${DECISIONS[dryRun.decision]}${dryRun.code === null ? '' : ` (${dryRun.code})`}.`,
  ];
  return lines.map((line) => printable(line)).join('\n');
}

const DECISIONS: Readonly<Record<ConversionDryRun['decision'], string>> = {
  commit: 'be created',
  ask_for_approval: 'wait for the approval of another person',
  skip: 'be skipped',
  hold: 'be held for people',
  expire: 'expire',
};

function findingLine({ guard, verdict, message }: OrderFinding): string {
  return `  ${VERDICTS[verdict]} ${words(guard)}: ${message}`;
}

const VERDICTS = { passes: 'ok     ', refuses: 'REFUSES', not_set: '–      ' } as const;

function termsOf({
  limitPrice,
  maxCostBps,
  cap,
  expiresAt,
  approvedUpTo,
  sellCurrency,
  buyCurrency,
}: OrderDetail): string[] {
  const limit =
    limitPrice === null
      ? 'none'
      : 'buyPerSellAtLeast' in limitPrice
        ? `at least ${limitPrice.buyPerSellAtLeast} ${buyCurrency} for 1 ${sellCurrency}`
        : `at most ${limitPrice.sellPerBuyAtMost} ${sellCurrency} for 1 ${buyCurrency}`;
  return [
    `Limit price: ${limit}. Maximum cost: ${maxCostBps === null ? 'none' : `${maxCostBps} basis points`}. Cap: ${cap === null ? 'none' : `${money(cap)} ${sellCurrency}`}.`,
    `Expires ${moment(expiresAt)}. An approval covers up to ${money(approvedUpTo)} ${sellCurrency}.`,
  ];
}

function quoteOf({ quote, sellCurrency, buyCurrency, costBps, reference }: OrderDetail): string[] {
  if (quote === null) return [];
  const cost = costBps === null ? '' : `, ${costBps} basis points against ${reference ?? 'the reference'}`;
  return [
    `Quote: ${money(quote.totalAmount)} ${sellCurrency} with ${quote.totalFees === null ? 'its' : money(quote.totalFees)} fees for ${money(quote.buyAmount)} ${buyCurrency}${cost}`,
  ];
}

const DEBITS: Readonly<Record<NonNullable<OrderDetail['fundingEvidence']>['debit'], string>> = {
  seen: 'the total has left the balance',
  absent: 'a complete history of the balance has none',
  incomplete: 'entries of the history are missing',
  contested: 'an equal one may be of another payment or conversion',
};

/** Whether the provider shows an amount of the conversion otherwise than quoted. */
function differ(shown: NonNullable<OrderDetail['providerAmounts']>, quote: NonNullable<OrderDetail['quote']>): boolean {
  return (['totalAmount', 'sellAmount', 'buyAmount'] as const).some((name) => {
    const amount = shown[name];
    return amount !== null && compareAmounts(amount, quote[name]) !== 0;
  });
}

function providerOf(order: OrderDetail): string[] {
  const { conversionId, providerStatus, fundingCutoffAt, providerMessage, providerAmounts, quote, fundingEvidence } =
    order;
  const differs = providerAmounts !== null && quote !== null && differ(providerAmounts, quote);
  return [
    ...(conversionId === null
      ? []
      : [
          `At the provider: conversion ${conversionId}, ${words(providerStatus ?? 'not read')}` +
            (fundingCutoffAt === null ? '' : `, to be funded by ${moment(fundingCutoffAt)}`),
        ]),
    ...(differs
      ? [
          `  with other amounts: total ${providerAmounts.totalAmount ?? 'not shown'}, sells ${providerAmounts.sellAmount ?? 'not shown'}, ` +
            `buys ${providerAmounts.buyAmount ?? 'not shown'}`,
        ]
      : []),
    ...(fundingEvidence === null
      ? []
      : [`Debit: ${DEBITS[fundingEvidence.debit]} (history of ${moment(fundingEvidence.readAt)})`]),
    ...(providerMessage === null ? [] : [`The provider says: ${providerMessage}`]),
  ];
}
