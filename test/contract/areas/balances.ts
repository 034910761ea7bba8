import { Big } from 'big.js';
import { expect } from 'vitest';
import type { Timestamp } from '../../../provider/calls/answer-fields.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { expectTime } from '../additional-fields.ts';

/** The order of the history is not documented. */
const inOrderOfTime = <Entry extends { date: Timestamp | null }>(entries: readonly Entry[]): Entry[] =>
  [...entries].sort((one, other) => (one.date?.epochMs ?? 0) - (other.date?.epochMs ?? 0));

/** Contract: payments 2.7, 4.5. */
const cases: readonly ContractCase[] = [
  {
    name: 'a balance is the same in the list, by its currency and by its id, with the decimals of its currency',
    covers: ['balance-find', 'balance-get-by-currency', 'balance-get-by-id'],
    calls: ['balances.find', 'balances.findReadable', 'balances.byCurrency', 'balances.byId'],
    run: async (context) => {
      const { balances } = context.client;
      const all = await balances.find();
      const amounts = Object.fromEntries(all.map(({ currency, amount }) => [currency, amount]));
      expect(amounts).toEqual(context.ledger().balances);
      expect(amounts).toMatchObject({ USD: '5000000.00', JPY: '500000000' });
      expect(await balances.findReadable()).toHaveLength(all.length);
      const usd = await balances.byCurrency('USD');
      expect(all).toContainEqual(usd);
      expect(await balances.byId(usd.id)).toEqual(usd);
      expect(await context.askList('balance-find')).toHaveLength(all.length);
      const byCurrency = await context.ask('balance-get-by-currency', { params: { currency: 'USD' } });
      expect(await context.ask('balance-get-by-id', { params: { balanceId: usd.id } })).toEqual(byCurrency);
    },
  },
  {
    name: 'a currency that was never used has a balance of zero; anything else than a currency or an id has no balance',
    covers: ['balance-get-by-currency', 'balance-get-by-id'],
    calls: ['balances.byCurrency', 'balances.byId'],
    run: async (context) => {
      const { balances } = context.client;
      expect(Number((await balances.byCurrency('MYR')).amount)).toBe(0);
      const missing = { kind: 'refused', status: 404, code: 'not_found' } as const;
      await context.expectRefused(balances.byCurrency('XXX'), missing);
      await context.expectRefused(balances.byId('nobodys'), missing);
      const { id: balanceId } = await balances.byCurrency('USD');
      await context.expectHidden('balance-get-by-id', { balanceId });
      await context.expectUnsent(balances.byId('USD'), 'request');
      await context.expectUnsent(balances.byCurrency('usd'), 'request');
    },
  },
  {
    name: 'the history has every change, start inclusive and end exclusive',
    covers: ['balance-history'],
    calls: ['balances.history', 'balances.historyReadable', 'balances.byCurrency'],
    run: async (context) => {
      const { balances } = context.client;
      const { id: balanceId } = await balances.byCurrency('USD');
      const startDate = new Date(context.nowMs);
      await context.control('balance', { currency: 'USD', credit: '10.50' });
      await context.advance(1000);
      const endDate = new Date(context.nowMs);
      await context.control('balance', { currency: 'USD', amount: '5000000.25' });
      const [first, second, ...others] = inOrderOfTime(await balances.history({ startDate }));
      expect([first, second]).toMatchObject([
        { balanceId, currency: 'USD', amountBefore: '5000000.00', amountAfter: '5000010.50', totalAmount: '10.50' },
        { balanceId, currency: 'USD', amountBefore: '5000010.50', amountAfter: '5000000.25', totalAmount: '10.25' },
      ]);
      expect(
        others.filter(({ currency }) => currency === 'USD').map(({ amountBefore }) => new Big(amountBefore).toFixed()),
      ).toEqual([]);
      expectTime(first?.date, startDate.getTime());
      const readable = await balances.historyReadable({ startDate });
      expect(readable.unreadable).toBe(0);
      expect(
        inOrderOfTime(readable.entries)
          .slice(0, 2)
          .map(({ id }) => id),
      ).toEqual([first?.id, second?.id]);
      const ids = async (range: object): Promise<string[]> => (await balances.history(range)).map(({ id }) => id);
      expect(await ids({ startDate, endDate })).not.toContain(second?.id);
      expect(await ids({ startDate, endDate })).toContain(first?.id);
      expect(await ids({ startDate: endDate })).toEqual([second?.id]);
    },
  },
  {
    name: 'a payment is one change of the balance, with a numeric transaction id',
    covers: ['balance-history'],
    calls: ['balances.history', 'conversions.fund'],
    run: async (context) => {
      const { balances, conversions } = context.client;
      const request = { buyCurrency: 'EUR', sellCurrency: 'USD', fixedSide: 'sell', amount: '250.00' } as const;
      const { quoteId } = await conversions.quote(request);
      await context.advance(1);
      const startDate = new Date(context.nowMs);
      const { conversionId, totalAmount } = await conversions.create({ quoteId });
      await conversions.fund({ conversionId });
      const [entry, ...others] = await balances.history({ startDate });
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ totalAmount, transactionId: expect.stringMatching(/^\d+$/) as string });
      const [written] = await context.askList('balance-history', { body: { startDate: startDate.toISOString() } });
      expect(typeof written!['transactionId']).toBe('number');
      await context.expectFieldsRefused('balance-history', {}, {}, { startDate: 'yesterday', endDate: '31/12/2026' });
      await context.expectUnsent(balances.history({ startDate, endDate: startDate }), 'endDate');
    },
  },
];

export const balances: Area = { name: 'balances', settings: [], cases };
