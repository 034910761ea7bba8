import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runFundingOf } from '../../domain/treasury/planned-conversions.ts';
import { fundingGap } from '../../domain/treasury/run-funding.ts';
import { readSchedule } from '../../domain/treasury/schedule-form.ts';
import { tableUnder } from '../helpers/document-tables.ts';

/** The example of docs/treasury.md, with the schedule of examples/: what runs lack is computed from the table that is shown. */

const FILE = join(import.meta.dirname, '../../examples/treasury/fund-run.yaml');
const ROWS = tableUnder('treasury.md', 'What runs lack');

const amountOf = (text = '') => text.replaceAll(',', '');
const amount = (currency: string, column: string): string =>
  amountOf(ROWS.find((row) => row['currency'] === currency)?.[column] ?? '0');

test('what is missing is costs with the margin, and the floor, less what is free and on its way', () => {
  for (const row of ROWS) {
    const position = {
      planned: amountOf(row['costs of approved rows']),
      floor: amountOf(row['floor']),
      free: amountOf(row['free']),
      incoming: amountOf(row['on its way']),
    };
    expect(Number(fundingGap(position, '0.5'))).toBe(Number(amountOf(row['missing'])));
  }
  expect(ROWS.map(({ currency }) => currency)).toEqual(['EUR', 'JPY', 'USD']);
});

test('the schedule of the example buys it with one order', () => {
  const read = readSchedule(parse(readFileSync(FILE, 'utf8')));
  if ('problems' in read || read.schedule.kind !== 'fund_run') throw new Error('the example is not in order');
  const { schedule } = read;
  const cash = {
    decimals: new Map(ROWS.map(({ currency = '' }) => [currency, currency === 'JPY' ? 0 : 2])),
    free: (currency: string) => amount(currency, 'free'),
    incoming: (currency: string) => amount(currency, 'on its way'),
    plannedWithin: (currency: string, days: number) => {
      expect(days).toBe(schedule.horizon_days);
      return amount(currency, 'costs of approved rows');
    },
  };
  const floors = Object.entries(schedule.floors).map(([currency, floor]) => [currency, Number(floor)]);
  expect(floors).toEqual([
    ['EUR', Number(amount('EUR', 'floor'))],
    ['USD', Number(amount('USD', 'floor'))],
  ]);
  const { orders, shortfalls } = runFundingOf(schedule, cash, (sell) => (sell === 'USD' ? '0.92' : '0.0061'));
  expect(orders).toMatchObject([{ sell: 'USD', buy: 'EUR', buyAmount: '61100.00' }]);
  expect(shortfalls).toEqual([]);
});
