import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { referenceRatesIn } from '../../config/treasury/reference-rates-file.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const RATES = { source: 'the house', date: '2026-01-30', base: 'EUR', rates: { USD: '1.0850' } };

function aFile(content: string): string {
  const path = join(temporaryFolder(), 'rates.json');
  writeFileSync(path, content);
  return path;
}

test('reference rates are read from their file, and again when it changes', async () => {
  const path = aFile(JSON.stringify(RATES));
  const read = referenceRatesIn(path);
  expect(await read()).toEqual(RATES);
  writeFileSync(path, JSON.stringify({ ...RATES, rates: { USD: '1.0900' } }));
  utimesSync(path, new Date(), new Date(Date.now() + 5_000));
  expect(await read()).toMatchObject({ rates: { USD: '1.0900' } });
  expect(await referenceRatesIn(null)()).toBeNull();
});

test.each([
  ['not JSON', 'are not JSON'],
  [JSON.stringify({ ...RATES, rates: { USD: 1.085 } }), 'rates.USD: give the rate in quotes'],
  [JSON.stringify({ ...RATES, date: 'today' }), 'date: give a date'],
])('a wrong file is refused, and says where: %s', async (content, message) => {
  await expect(referenceRatesIn(aFile(content))()).rejects.toThrow(message);
});

test('a file that is missing is refused, since other rates would take its place', async () => {
  await expect(referenceRatesIn('/nowhere/rates.json')()).rejects.toThrow('PAYRUN_REFERENCE_RATES: /nowhere');
});
