import { expect } from 'vitest';
import type { Area, ContractCase } from '../contract-case.ts';

const MINUTE_MS = 60_000;

/** Contract: payments 2.2, 4.2. */
const cases: readonly ContractCase[] = [
  {
    name: 'a rate is the bid and ask of a pair, and changes each minute',
    covers: ['currency-rate'],
    calls: ['currencies.rate'],
    run: async (context) => {
      const { currencies } = context.client;
      const rate = await currencies.rate('EURUSD');
      expect(rate.currencyPair).toBe('EURUSD');
      expect([Number(rate.bid) > 0, Number(rate.bid) <= Number(rate.ask)]).toEqual([true, true]);
      expect(await currencies.rate('EURUSD')).toEqual(rate);
      await context.advance(MINUTE_MS);
      expect(await currencies.rate('EURUSD')).not.toEqual(rate);
      await context.ask('currency-rate', { params: { currencyPair: 'EURUSD' } });
    },
  },
  {
    name: 'an invalid pair and an unsupported pair have no rate',
    covers: ['currency-rate'],
    calls: ['currencies.rate'],
    run: async (context) => {
      const wrong = { status: 400, code: 'validation_failed', field: 'currencyPair' };
      await context.expectRawRefusal('currency-rate', { params: { currencyPair: 'EUR' } }, wrong);
      const none = context.client.currencies.rate('XXXUSD');
      await context.expectRefused(none, { kind: 'refused', status: 404, code: 'not_found' });
      await context.expectUnsent(context.client.currencies.rate('EUR-USD'), 'request');
    },
  },
  {
    name: 'currencies have their decimals; pairs have no envelope, and consist of supported currencies',
    covers: ['currency-supported', 'currency-pairs'],
    calls: ['currencies.supported', 'currencies.pairs'],
    run: async (context) => {
      const supported = await context.client.currencies.supported();
      expect(supported).toContainEqual(expect.objectContaining({ code: 'JPY', decimalPlaces: 0 }));
      expect(supported).toContainEqual(expect.objectContaining({ code: 'USD', decimalPlaces: 2 }));
      const codes = new Set(supported.map(({ code }) => code));
      const pairs = await context.client.currencies.pairs();
      expect(pairs).toContain('EURUSD');
      expect(pairs.filter((pair) => !codes.has(pair.slice(0, 3)) || !codes.has(pair.slice(3)))).toEqual([]);
      expect(await context.askList('currency-supported')).toHaveLength(supported.length);
      expect(await context.askList('currency-pairs')).toHaveLength(pairs.length);
    },
  },
];

export const currencies: Area = { name: 'currencies', settings: [], cases };
