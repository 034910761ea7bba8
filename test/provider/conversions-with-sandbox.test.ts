import { expect, onTestFinished, test } from 'vitest';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { startSandbox } from '../../sandbox/server.ts';
import {
  basisPointsText,
  costInBasisPoints,
  middleOf,
  priceOf,
  referencePrice,
} from '../../domain/treasury/conversion-price.ts';
import { conversionDifferences, feeForm, quoteDifferences } from '../../domain/treasury/conversion-quote.ts';
import { sweepQuote } from '../../domain/treasury/conversion-amount.ts';
import { decimalsWarnings } from '../../domain/treasury/currency-decimals.ts';
import { wasItFunded } from '../../domain/treasury/funding-evidence.ts';
import type { Conversion, ConversionQuote } from '../../provider/treasury/conversion-fields.ts';
import { aClient } from './local-provider.ts';

const NOW_MS = Date.UTC(2026, 10, 23, 10);

async function theSandbox() {
  const sandbox = await startSandbox({ answers: 'plain', limitPerSecond: 0, frozenAtMs: NOW_MS });
  onTestFinished(() => sandbox.close());
  return aClient({ baseUrl: sandbox.url }, { credentials: defaultAccount, now: Date.now });
}

const quoted = ({ totalFees, fixedSide, ...quote }: ConversionQuote) => ({
  ...quote,
  totalFees: totalFees ?? null,
  fixedSide: fixedSide ?? null,
});
const shown = (conversion: Conversion) => ({
  sellCurrency: conversion.sellCurrency ?? null,
  buyCurrency: conversion.buyCurrency ?? null,
  fixedSide: conversion.fixedSide ?? null,
  sellAmount: conversion.sellAmount ?? null,
  buyAmount: conversion.buyAmount ?? null,
  totalAmount: conversion.totalAmount ?? null,
  totalFees: conversion.totalFees ?? null,
  referenceId: conversion.referenceId ?? null,
});

test('quotes of the provider are understood: their fees, their reference price and their cost', async () => {
  const { conversions, currencies } = await theSandbox();
  for (const [sellCurrency, buyCurrency] of [
    ...[['USD', 'EUR'] as const, ['EUR', 'USD'] as const, ['SGD', 'JPY'] as const, ['JPY', 'USD'] as const],
  ]) {
    const request = { sellCurrency, buyCurrency, fixedSide: 'sell', amount: '100000' } as const;
    const quote = quoted(await conversions.quote(request));
    expect(quoteDifferences(request, quote)).toEqual([]);
    expect(feeForm(quote)).toBe('added');
    const reference = referencePrice(quote, middleOf(await currencies.rate(`${buyCurrency}${sellCurrency}`)), null);
    expect(reference.price).not.toBeNull();
    // A spread of 0.15 % to the middle, and a fee of 0.25 %.
    const cost = Number(basisPointsText(costInBasisPoints(priceOf(quote), reference.price!)));
    expect(cost).toBeGreaterThan(38);
    expect(cost).toBeLessThan(42);
  }
  const listed = new Map((await currencies.supported()).map((currency) => [currency.code, currency]));
  expect(decimalsWarnings(listed.keys(), listed)).toEqual([]);
});

test('a sweep comes within its surplus with the second quote', async () => {
  const { conversions } = await theSandbox();
  const surplus = '25000.00';
  const totalOf = async (amount: string) =>
    (await conversions.quote({ sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount })).totalAmount;
  const first = sweepQuote({ surplus, asked: surplus, total: await totalOf(surplus), quotes: 1 }, 2);
  if (first.kind !== 'ask_again') throw new Error(first.kind);
  const again = { surplus, asked: first.amount, total: await totalOf(first.amount), quotes: 2 };
  expect(sweepQuote(again, 2)).toEqual({ kind: 'fits' });
});

test('the history shows whether a conversion was funded, which its status does not', async () => {
  const { conversions, balances } = await theSandbox();
  const quote = quoted(
    await conversions.quote({ sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '1000' }),
  );
  const [balanceBefore, earlier] = [await balances.byCurrency('USD'), await balances.history()];
  const referenceId = 'order-1-1';
  const created = await conversions.create({ quoteId: quote.quoteId, referenceId, uniqueReferenceId: true });
  expect(conversionDifferences({ quote, referenceId }, shown(created), true)).toEqual([]);

  const evidence = async () => {
    const known = new Set(earlier.map(({ id }) => id));
    const entries = (await balances.history()).filter(({ id, currency }) => currency === 'USD' && !known.has(id));
    const { amount } = await balances.byCurrency('USD');
    const last = entries.at(-1)?.amountAfter ?? balanceBefore.amount;
    const { status } = await conversions.item(created.conversionId);
    return wasItFunded(
      {
        entries: entries.map(({ amountBefore, amountAfter, date }) => ({
          amountBefore,
          amountAfter,
          date: date?.raw ?? '',
        })),
        isComplete: last === amount,
        total: quote.totalAmount,
        sellAmount: quote.sellAmount,
        otherDebits: { earlier: 0, expected: 0, possible: 0 },
        status,
        requests: 1,
        secondRequest: 'payrun',
        times: {
          lastRequestEndedMs: NOW_MS,
          readBeganMs: NOW_MS + 600_000,
          earlierAbsenceMs: NOW_MS + 60_000,
          fundingCutoffMs: created.fundingCutoffTime?.epochMs ?? null,
        },
      },
      30_000,
    );
  };
  expect(await evidence()).toEqual({ decision: 'fund_once_more', by: 'payrun' });
  expect((await conversions.fund({ conversionId: created.conversionId })).status).toBe('awaiting_funds');
  expect(await evidence()).toEqual({ decision: 'funded', by: 'history' });
});
