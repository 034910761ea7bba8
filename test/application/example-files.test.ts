import { readFileSync, readdirSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { beneficiaryFingerprintText } from '../../domain/beneficiaries/beneficiary-identity.ts';
import { paymentInstructionSchema } from '../../domain/payments/payment-instruction.ts';
import { corridorKey, type ReferenceData } from '../../domain/payment-file/reference-data.ts';
import { fileKindOf } from '../../domain/payment-file/supporting-file-kind.ts';
import { corridorOf, localCurrencies, requirementsOf } from '../../sandbox/corridors/requirements.ts';
import { currencies, currencyPairs } from '../../sandbox/market/currencies.ts';
import { type CheckedRows, check, corridorsOf } from '../domain/payment-rows.ts';
import { rowsOf } from './payment-files.ts';

const examples = new URL('../../examples/', import.meta.url);
const files = new Map(
  readdirSync(new URL('files/', examples)).map((name) => [
    name,
    {
      sizeBytes: statSync(new URL(`files/${name}`, examples)).size,
      kind: fileKindOf(readFileSync(new URL(`files/${name}`, examples))),
    },
  ]),
);

/** Checks an example by what the sandbox really supports, so that the two cannot drift apart. */
async function checkExample(name: string): Promise<CheckedRows & { corridors: string[] }> {
  const { rows } = await rowsOf(readFileSync(new URL(name, examples)));
  const corridors = corridorsOf(rows);
  const requirements: ReferenceData['requirements'] = new Map(
    corridors.map((corridor) => {
      const { currency, bankAccountCountry, beneficiaryCountry } = corridor;
      const supported = corridorOf(currency, bankAccountCountry, beneficiaryCountry);
      const sets = (['company', 'individual'] as const).flatMap((entityType) => {
        if (supported === undefined) return [];
        const { root, bankAccount } = requirementsOf(supported, beneficiaryCountry, entityType);
        return [{ entityType, fields: { ...root }, bankAccount: { ...bankAccount } }];
      });
      return [corridorKey(corridor), sets];
    }),
  );
  const reference: ReferenceData = {
    currencies: new Map(
      [...currencies].map(([code, { name: title, decimalPlaces }]) => [code, { code, name: title, decimalPlaces }]),
    ),
    pairs: new Set(currencyPairs),
    localCurrencies: new Set(localCurrencies),
    requirements,
  };
  return { ...check(rows, { reference, files }), corridors: corridors.map(corridorKey) };
}

describe('the examples', () => {
  test('supplier-payments.csv is 48 good rows in six corridors, to fewer beneficiaries than rows', async () => {
    const { valid, problems, warnings, corridors } = await checkExample('supplier-payments.csv');
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    expect(valid).toHaveLength(48);
    expect(valid.map((instruction) => paymentInstructionSchema.parse(instruction))).toEqual(valid);
    expect(corridors.sort()).toEqual(['AUD/AU/AU', 'EUR/DE/DE', 'GBP/GB/GB', 'INR/IN/IN', 'MXN/MX/MX', 'USD/US/US']);
    const beneficiaries = valid.flatMap(({ beneficiary }) =>
      beneficiary.kind === 'details' ? [beneficiaryFingerprintText(beneficiary.details)] : [],
    );
    expect(new Set(beneficiaries).size).toBe(30);
  });

  test('supplier-payments.csv has two rows that are rejected, two that fail, and three that need their files', async () => {
    const { valid } = await checkExample('supplier-payments.csv');
    const ending = (cents: string) => valid.filter(({ amount }) => amount.endsWith(cents));
    expect(ending('.13')).toHaveLength(2);
    expect(ending('.14')).toHaveLength(2);
    expect(ending('.15')).toHaveLength(3);
    expect(valid.filter(({ supportingFiles }) => supportingFiles.length > 0)).toEqual(ending('.15'));
  });

  test('payroll.csv is ten good rows to individuals', async () => {
    const { valid, problems } = await checkExample('payroll.csv');
    expect(problems).toEqual([]);
    expect(valid).toHaveLength(10);
    expect(valid.every(({ beneficiary: to }) => to.kind === 'details' && to.details.entityType === 'individual')).toBe(
      true,
    );
  });

  test('broken-payments.csv has a mistake in every row, of a dozen kinds and more', async () => {
    const { valid, problems } = await checkExample('broken-payments.csv');
    expect(valid).toEqual([]);
    expect(new Set(problems.map(({ line }) => line)).size).toBe(16);
    expect(new Set(problems.map(({ code, column }) => `${code} ${column ?? ''}`)).size).toBeGreaterThanOrEqual(12);
  });
});
