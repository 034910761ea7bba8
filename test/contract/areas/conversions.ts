import { Big } from 'big.js';
import { expect } from 'vitest';
import type { Conversion, NewConversion } from '../../../provider/treasury/conversion-fields.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import { expectTime } from '../additional-fields.ts';
import type { ContractContext } from '../contract-context.ts';
import { LONG_ENOUGH_MS } from '../payments.ts';

const HOUR_MS = 3_600_000;
const aRequest = { buyCurrency: 'EUR', sellCurrency: 'USD', fixedSide: 'sell', amount: '250.00' } as const;

async function aConversion(context: ContractContext, differences: Partial<NewConversion> = {}): Promise<Conversion> {
  const { quoteId } = await context.client.conversions.quote(aRequest);
  return context.client.conversions.create({ quoteId, ...differences });
}

/** Contract: payments 2.3, 2.4, 4.3. */
const lifecycle: readonly ContractCase[] = [
  {
    name: 'a quote fixes one side, computes the other, and totals the sold amount and the fees',
    covers: ['conversion-quote'],
    calls: ['conversions.quote'],
    run: async (context) => {
      const { conversions } = context.client;
      const selling = await conversions.quote(aRequest);
      expect(selling).toMatchObject({ currencyPair: 'EURUSD', sellAmount: '250.00', fixedSide: 'sell' });
      const buying = await conversions.quote({ ...aRequest, fixedSide: 'buy', amount: '99.90' });
      expect(buying).toMatchObject({ buyAmount: '99.90', fixedSide: 'buy' });
      for (const { sellAmount, totalFees, totalAmount } of [selling, buying]) {
        expect(new Big(sellAmount).plus(totalFees ?? '').eq(totalAmount)).toBe(true);
      }
      expect(await context.ask('conversion-quote', { body: { ...aRequest, amount: 250 } })).toMatchObject({
        settlementCutOffTime: expect.any(String) as string,
      });
    },
  },
  {
    name: 'a funded conversion debits at once, still has awaiting_funds, then completes and credits',
    covers: ['conversion-create', 'conversion-fund', 'conversion-get'],
    calls: ['conversions.create', 'conversions.fund', 'conversions.item'],
    ledger: (context) =>
      context.setting('second-funding') === 'charge' ? { fundedMoreThanOnce: [expect.any(String)] } : {},
    run: async (context) => {
      const { conversions } = context.client;
      const before = context.ledger().balances;
      const created = await aConversion(context, { referenceId: 'c-1' });
      context.expectCreated(created.status);
      expect(created).toMatchObject({ referenceId: 'c-1', sellAmount: '250.00' });
      expectTime(created.fundingCutoffTime, context.nowMs + 24 * HOUR_MS);
      const { conversionId, totalAmount, buyAmount } = created;
      expect((await conversions.fund({ conversionId })).status).toBe('awaiting_funds');
      expect(context.ledger().balances['USD']).toBe(new Big(before['USD']!).minus(totalAmount!).toFixed(2));
      const twice = conversions.fund({ conversionId });
      const word = context.setting('second-funding');
      if (word === 'refuse') {
        await context.expectRefused(twice, { kind: 'refused', status: 409, code: 'not_fundable' });
      } else expect((await twice).status).toBe('awaiting_funds');
      const taken = new Big(totalAmount!).times(word === 'charge' ? 2 : 1);
      expect(context.ledger().balances['USD']).toBe(new Big(before['USD']!).minus(taken).toFixed(2));
      expect(context.ledger().balances['EUR']).toBe(before['EUR']);
      await context.advance(LONG_ENOUGH_MS);
      expect(await conversions.item(conversionId)).toMatchObject({ ...created, status: 'completed' });
      expect(context.ledger().balances['EUR']).toBe(new Big(before['EUR']!).plus(buyAmount!).toFixed(2));
      expect(await context.notifiedStatuses(conversionId)).toEqual(['awaiting_funds', 'completed']);
      await context.expectKind(conversionId, 'conversion');
      const written = await context.ask('conversion-get', { params: { conversionId } });
      expect(written['id']).toBe(conversionId);
    },
  },
  {
    name: 'conversions are found by time, start inclusive and end exclusive, and by exact reference',
    covers: ['conversion-find', 'conversion-create'],
    calls: ['conversions.find', 'conversions.getByReference', 'conversions.create'],
    run: async (context) => {
      const { conversions } = context.client;
      const first = (await aConversion(context, { referenceId: 'c-1' })).conversionId;
      const firstAt = new Date(context.nowMs);
      await context.advance(HOUR_MS);
      const second = (await aConversion(context, { referenceId: 'c-10' })).conversionId;
      const secondAt = new Date(context.nowMs);
      const found = async (request: object): Promise<string[]> =>
        (await conversions.find(request)).map(({ conversionId }) => conversionId);
      expect(await found({})).toEqual([second, first]);
      expect(await found({ startDate: firstAt, endDate: secondAt })).toEqual([first]);
      expect(await found({ startDate: secondAt })).toEqual([second]);
      expect(await found({ endDate: firstAt })).toEqual([]);
      expect(await found({ referenceId: 'c-1' })).toEqual([first]);
      const { ours } = await conversions.getByReference('c-1');
      expect(ours.map(({ conversionId }) => conversionId)).toEqual([first]);
      expect((await conversions.getByReference('c-100')).ours).toEqual([]);
      expect(await context.askList('conversion-find', { body: {} })).toHaveLength(2);
      await context.expectFieldsRefused('conversion-find', {}, {}, { startDate: 'yesterday', endDate: '31/12/2026' });
      await context.expectUnsent(conversions.find({ startDate: firstAt, endDate: firstAt }), 'endDate');
    },
  },
];

const refusals: readonly ContractCase[] = [
  {
    name: 'a unique reference creates one conversion, whether the second request is refused or returns the first one',
    covers: ['conversion-create'],
    calls: ['conversions.create'],
    ledger: (context) => (context.setting('duplicate-reference') === 'create' ? { createdMoreThanOnce: ['c-1'] } : {}),
    run: async (context) => {
      const once = { referenceId: 'c-1', uniqueReferenceId: true };
      const first = await aConversion(context, once);
      const second = aConversion(context, once);
      const word = context.setting('duplicate-reference');
      if (word === 'return') {
        expect((await second).conversionId).toBe(first.conversionId);
      } else if (word === 'create') {
        expect((await second).conversionId).not.toBe(first.conversionId);
      } else {
        const taken = { kind: 'duplicate_reference', status: 409, code: 'duplicate_reference' } as const;
        await context.expectRefused(second, { ...taken, field: 'referenceId' });
      }
      expect(await context.client.conversions.find({ referenceId: 'c-1' })).toHaveLength(word === 'create' ? 2 : 1);
      const unsent = context.client.conversions.create({ quoteId: 'q', uniqueReferenceId: true });
      await context.expectUnsent(unsent, 'referenceId');
    },
  },
  {
    name: 'a quote is valid once and for ten minutes; an unknown quote is not found',
    covers: ['conversion-create'],
    calls: ['conversions.create'],
    run: async (context) => {
      const { conversions } = context.client;
      const { quoteId } = await conversions.quote(aRequest);
      await context.ask('conversion-create', { body: { quoteId } });
      // Any 409 to a creation may mean a duplicate reference, so the client requires a lookup.
      const used = { kind: 'duplicate_reference', status: 409, code: 'quote_used', field: 'quoteId' } as const;
      await context.expectRefused(conversions.create({ quoteId }), used);
      const late = await conversions.quote(aRequest);
      await context.advance(10 * 60_000 + 1);
      const expired = { kind: 'refused', status: 400, code: 'quote_expired', field: 'quoteId' } as const;
      await context.expectRefused(conversions.create({ quoteId: late.quoteId }), expired);
      const invented = { kind: 'refused', status: 404, code: 'quote_not_found', field: 'quoteId' } as const;
      await context.expectRefused(conversions.create({ quoteId: 'invented' }), invented);
      await context.expectFieldsRefused('conversion-create', {}, {}, { quoteId: undefined });
    },
  },
  {
    name: 'without money, after its cut-off time, or by another caller, a conversion is not funded',
    covers: ['conversion-fund', 'conversion-get'],
    calls: ['conversions.fund', 'conversions.item'],
    run: async (context) => {
      const { conversions } = context.client;
      const { conversionId } = await aConversion(context);
      await context.control('balance', { currency: 'USD', amount: '1.00' });
      const poor = { kind: 'refused', status: 400, code: 'insufficient_balance' } as const;
      await context.expectRefused(conversions.fund({ conversionId }), poor);
      expect(context.ledger().balances['USD']).toBe('1.00');
      await context.control('balance', { currency: 'USD', amount: '1000.00' });
      await context.expectHidden('conversion-get', { conversionId });
      await context.expectRawRefusal(
        'conversion-fund',
        { body: { conversionId: 'x' } },
        { status: 404, code: 'not_found' },
      );
      await context.expectFieldsRefused('conversion-fund', {}, {}, { conversionId: undefined });
      const nobodys = { kind: 'refused', status: 404, code: 'not_found' } as const;
      await context.expectRefused(conversions.item('nobodys'), nobodys);
      const funded = await aConversion(context);
      await context.ask('conversion-fund', { body: { conversionId: funded.conversionId } });
      await context.advance(24 * HOUR_MS + 1);
      const late = { kind: 'refused', status: 409, code: 'funding_cutoff_passed' } as const;
      await context.expectRefused(conversions.fund({ conversionId }), late);
    },
  },
  {
    name: 'an amount or a currency that cannot be quoted is refused with the field',
    covers: ['conversion-quote'],
    calls: ['conversions.quote'],
    run: async (context) => {
      const good = { ...aRequest, amount: 250 };
      const wrong = { buyCurrency: 'XXX', sellCurrency: undefined, fixedSide: 'both', amount: 0 };
      await context.expectFieldsRefused('conversion-quote', {}, good, wrong);
      await context.expectFieldsRefused('conversion-quote', {}, good, { amount: 1.005 });
      await context.expectFieldsRefused('conversion-quote', {}, good, { amount: '250' });
      await context.expectFieldsRefused('conversion-quote', {}, good, { buyCurrency: 'USD' });
      await context.expectUnsent(context.client.conversions.quote({ ...aRequest, amount: '-1' }), 'amount');
    },
  },
];

export const conversions: Area = {
  name: 'conversions',
  settings: ['duplicate-reference', 'second-funding', 'answers'],
  cases: [...lifecycle, ...refusals],
};
