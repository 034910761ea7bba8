import { z } from 'zod';
import type { Balance, LedgerEntry } from '../account/ledger.ts';
import { isoTime } from '../account/simple-payment.ts';
import { newestFirst, readTimeRange } from '../account/time-range.ts';
import { inData, operation } from '../http/operation.ts';
import { type Json, amountJson } from '../core/json.ts';
import { currencies } from '../market/currencies.ts';
import { notFound } from '../core/refusal.ts';
import { currencyCode, id, timestamp } from './field-types.ts';
import { timeRangeFields } from './date-formats.ts';

const balanceSchema = z.object({
  id,
  amount: z.number(),
  currency: currencyCode,
  currencyName: z.string(),
});

const historySchema = z.object({
  id,
  balanceId: id,
  amountBefore: z.number(),
  amountAfter: z.number(),
  currency: currencyCode,
  totalAmount: z.number(),
  transactionId: z.int().nullable(),
  transactionType: z.string(),
  date: timestamp,
});

const balanceAnswer = ({ id, amount, currency }: Balance): Json => ({
  id,
  amount: amountJson(amount, currency.decimalPlaces),
  currency: currency.code,
  currencyName: currency.name,
});

const historyAnswer = (entry: LedgerEntry): Json => {
  const { balance, amountBefore, amountAfter, change } = entry;
  const { code, decimalPlaces } = balance.currency;
  return {
    id: entry.id,
    balanceId: balance.id,
    amountBefore: amountJson(amountBefore, decimalPlaces),
    amountAfter: amountJson(amountAfter, decimalPlaces),
    currency: code,
    totalAmount: amountJson(change.abs(), decimalPlaces),
    transactionId: entry.transactionId,
    transactionType: entry.type,
    date: isoTime(entry.atMs),
  };
};

/** Contract: payments 4.5. */
export const balances = [
  operation({
    ids: ['balance-find'],
    method: 'GET',
    path: '/balances/v1/find',
    summary: 'Every balance that was ever used',
    answer: inData(z.array(balanceSchema)),
    links: {
      balance: {
        operationId: 'balance-get-by-currency_or_balance-get-by-id',
        parameters: { currencyOrId: '$response.body#/data/0/id' },
      },
    },
    perform: ({ account }) => ({ data: account.ledger.opened().map(balanceAnswer) }),
  }),
  operation({
    ids: ['balance-get-by-currency', 'balance-get-by-id'],
    idOf: ({ currencyOrId }) => (currencies.has(currencyOrId) ? 'balance-get-by-currency' : 'balance-get-by-id'),
    method: 'GET',
    path: '/balances/v1/item/:currencyOrId',
    summary: 'One balance, by a supported currency code or else by its id',
    params: z.object({ currencyOrId: z.string() }),
    answer: inData(balanceSchema),
    perform: ({ account, params: { currencyOrId } }) => {
      const balance = account.ledger.in(currencyOrId) ?? account.ledger.withId(currencyOrId);
      if (!balance) throw notFound('balance');
      return { data: balanceAnswer(balance) };
    },
  }),
  operation({
    ids: ['balance-history'],
    method: 'POST',
    reads: true,
    path: '/balances/v1/history',
    summary: 'Changes of all balances, newest first; totalAmount has no sign',
    body: z.object(timeRangeFields).optional(),
    answer: inData(z.array(historySchema)),
    perform: ({ account, body }) => {
      const range = readTimeRange(body?.startDate, body?.endDate);
      return { data: newestFirst(account.ledger.entries, ({ atMs }) => atMs, range).map(historyAnswer) };
    },
  }),
];
