import { z } from 'zod';
import { inData, operation } from '../http/operation.ts';
import { RawJson } from '../core/json.ts';
import { currencies, currencyPairs } from '../market/currencies.ts';
import { notFound } from '../core/refusal.ts';
import { currencyCode } from './field-types.ts';

/** Contract: payments 4.2. */
export const currencyOperations = [
  operation({
    ids: ['currency-rate'],
    method: 'GET',
    path: '/currencies/v1/rates/:currencyPair',
    summary: 'The rate of a pair, buy code first: units bought for one unit sold. It changes every minute',
    params: z.object({ currencyPair: z.string().regex(/^[A-Z]{6}$/, 'must be six capital letters') }),
    answer: inData(z.object({ currencyPair: z.string(), bid: z.number(), ask: z.number() })),
    perform: ({ world, params: { currencyPair } }) => {
      const rate = world.rates.at(currencyPair.slice(0, 3), currencyPair.slice(3), world.clock.now());
      if (!rate) throw notFound('currency pair');
      const { bid, ask } = rate;
      return { data: { currencyPair, bid: new RawJson(bid.toFixed()), ask: new RawJson(ask.toFixed()) } };
    },
  }),
  operation({
    ids: ['currency-supported'],
    method: 'GET',
    path: '/currencies/v1/supported',
    summary: 'The supported currencies',
    answer: inData(z.array(z.object({ code: currencyCode, decimalPlaces: z.int(), name: z.string() }))),
    perform: () => ({
      data: [...currencies.values()].map(({ code, decimalPlaces, name }) => ({ code, decimalPlaces, name })),
    }),
  }),
  operation({
    ids: ['currency-pairs'],
    method: 'GET',
    path: '/currencies/v1/pairs',
    summary: 'The pairs that can be quoted, buy code first; no envelope',
    answer: z.array(z.string()),
    perform: () => currencyPairs,
  }),
];
