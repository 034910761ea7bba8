import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepReferenceRates, listReferenceRates } from '../../store/rates/reference-rates.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/** The limits of the policy are in one currency: whoever can write rates could approve whatever they like. */

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(() => bypassTriggers(testDatabase.database, 'delete from reference_rates', []));
afterAll(() => testDatabase.drop());

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const ofHouse = (rates: Record<string, string>, { source = 'house', date = dayIn(0), base = 'USD' } = {}) =>
  keepReferenceRates(testDatabase.asWorker, { source, date, base, rates });
const rateOf = async (from: string, to: string): Promise<number | null> => {
  const { rows } = await testDatabase.database.query<{ rate: string | null }>('select reference_rate($1, $2) as rate', [
    from,
    to,
  ]);
  const rate = rows[0]?.rate ?? null;
  return rate === null ? null : Number(rate);
};

describe('reference rates', () => {
  test('are written by neither login, but by a function that a server may not call', async () => {
    const { asServer, asWorker } = testDatabase;
    for (const login of [asServer, asWorker]) {
      for (const statement of [
        `insert into reference_rates (source, day, base, rates) values ('x', current_date, 'USD', '{"EUR": "9"}')`,
        `update reference_rates set rates = '{"EUR": "9"}'`,
        'delete from reference_rates',
      ]) {
        await expect(login.query(statement)).rejects.toThrow('permission denied');
      }
    }
    const rates = { source: 'x', date: dayIn(0), base: 'USD', rates: { EUR: '0.5' } };
    await expect(keepReferenceRates(asServer, rates)).rejects.toThrow('permission denied');
  });

  test.each([
    ['no source', { EUR: '0.5' }, { source: ' ' }],
    ['a day to come', { EUR: '0.5' }, { date: dayIn(2) }],
    ['no currency as their base', { EUR: '0.5' }, { base: '' }],
    ['a rate of nothing', { EUR: '0.00' }, {}],
    ['a rate that is no number', { EUR: 'NaN' }, {}],
  ])('with %s are refused', async (_what, rates: Record<string, string>, named) => {
    await expect(ofHouse(rates, { source: 'refused', ...named })).rejects.toMatchObject({ code: '23514' });
  });

  test('are only added to: the last of a day counts, and each is in the audit trail', async () => {
    expect(await ofHouse({ EUR: '0.50', GBP: '0.80' })).toEqual([]);
    expect(await ofHouse({ EUR: '0.51', GBP: '0.80' })).toEqual([]);
    await ofHouse({ EUR: '0.51', GBP: '0.80' });
    expect(await rateOf('USD', 'EUR')).toBe(0.51);
    const { rows } = await testDatabase.database.query(
      `select actor, detail from audit_entries where kind = 'reference_rates_kept' order by entry_id`,
    );
    const entry = { source: 'house', day: dayIn(0), base: 'USD', doubted: [] };
    expect(rows).toEqual([
      { actor: 'worker', detail: { ...entry, rates: { EUR: '0.50', GBP: '0.80' } } },
      { actor: 'worker', detail: { ...entry, rates: { EUR: '0.51', GBP: '0.80' } } },
    ]);
    await expect(testDatabase.database.query('delete from reference_rates')).rejects.toThrow('only be added to');
    expect(await listReferenceRates(testDatabase.asServer, dayIn(-1), dayIn(1))).toMatchObject([
      { source: 'house', rates: { EUR: '0.51' } },
    ]);
  });

  test('that jump are in doubt: they count as missing, until there are others', async () => {
    await ofHouse({ EUR: '0.51', GBP: '0.80' });
    expect(await ofHouse({ EUR: '5.10', GBP: '0.81' })).toEqual(['EUR']);
    expect([await rateOf('USD', 'EUR'), await rateOf('USD', 'GBP')]).toEqual([null, 0.81]);
    expect(await listReferenceRates(testDatabase.asServer, dayIn(-1), dayIn(1))).toMatchObject([
      { rates: { GBP: '0.81' } },
    ]);
    // Neither under another name, nor with another base, nor of another day.
    expect(await ofHouse({ EUR: '5.10' }, { source: 'another' })).toEqual(['EUR']);
    expect(await ofHouse({ USD: '0.20', GBP: '0.16' }, { base: 'EUR', date: dayIn(1) })).toEqual(['EUR']);
    expect(await rateOf('USD', 'EUR')).toBeNull();
    expect(await ofHouse({ EUR: '0.52', GBP: '0.80' }, { date: dayIn(1) })).toEqual([]);
    expect(await rateOf('USD', 'EUR')).toBe(0.52);
  });

  test('do not jump in small steps either, and after a week nothing is left to compare them with', async () => {
    await ofHouse({ EUR: '0.50', GBP: '0.80' });
    await ofHouse({ EUR: '0.59', GBP: '0.80' }, { date: dayIn(1) });
    expect(await ofHouse({ EUR: '0.68', GBP: '0.80' }, { date: dayIn(1) })).toEqual(['EUR']);
    await bypassTriggers(testDatabase.database, 'update reference_rates set day = day - 9', []);
    expect(await ofHouse({ EUR: '0.68', GBP: '0.80' })).toEqual([]);
    expect(await rateOf('USD', 'EUR')).toBe(0.68);
  });
});
