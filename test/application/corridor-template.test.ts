import { describe, expect, it, test } from 'vitest';
import { columnsNeededFor, corridorTemplate, FILL_IN } from '../../domain/payment-file/corridor-template.ts';
import type { PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import { corridorKey, type ReferenceData } from '../../domain/payment-file/reference-data.ts';
import { allCorridors, requirementsOf } from '../../sandbox/corridors/requirements.ts';
import { currencies, currencyPairs } from '../../sandbox/market/currencies.ts';
import { aReference, check, requiring } from '../domain/payment-rows.ts';

const GERMANY = { currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' };

/** What the sandbox requires for a beneficiary at home, of companies and of individuals. */
function referenceFor(corridor: (typeof allCorridors)[number]): ReferenceData {
  const { currency, bankCountry } = corridor;
  const sets = (['company', 'individual'] as const).map((entityType) => {
    const { root, bankAccount } = requirementsOf(corridor, bankCountry, entityType);
    return { entityType, fields: { ...root }, bankAccount: { ...bankAccount } };
  });
  const key = corridorKey({ currency, bankAccountCountry: bankCountry, beneficiaryCountry: bankCountry });
  return {
    currencies: new Map(
      [...currencies].map(([code, { decimalPlaces }]) => [code, { code, name: code, decimalPlaces }]),
    ),
    pairs: new Set(currencyPairs),
    localCurrencies: new Set(),
    requirements: new Map([[key, sets]]),
  };
}

describe('columns that rows to somebody need', () => {
  const company = { entityType: '^company$', fields: { city: '^.+$' }, bankAccount: { iban: '^DE' } };
  const person = { entityType: '^individual$', fields: { firstName: '^.+$' }, bankAccount: { iban: '^DE' } };
  const needed = (entityType: string, ...sets: Parameters<typeof requiring>) =>
    columnsNeededFor({ corridor: GERMANY, entityType }, requiring(...sets));

  it('are those that the provider requires of their kind', () => {
    expect(needed('company', company, person)).toEqual(['beneficiary_city', 'bank_iban']);
    expect(needed('individual', company, person)).toEqual(['beneficiary_first_name', 'bank_iban']);
  });

  it('are none that it lets empty in one of several ways', () => {
    expect(needed('company', company, { ...company, fields: { city: '^.*$' } })).toEqual(['bank_iban']);
    expect(needed('company')).toEqual([]);
  });
});

describe('a template for a corridor', () => {
  test.each(allCorridors.map((corridor) => [`${corridor.currency} to ${corridor.bankCountry}`, corridor] as const))(
    '%s has the columns that the check asks for, and only what is to be filled in is wrong',
    (_, corridor) => {
      const { currency, bankCountry } = corridor;
      const reference = referenceFor(corridor);
      const at = { currency, bankAccountCountry: bankCountry, beneficiaryCountry: bankCountry };
      const template = corridorTemplate(at, 'USD', reference);
      const row = { line: 2, cells: template?.example ?? {}, original: [], unread: [] };
      const { problems, valid } = check(row, { reference });
      const open = template?.columns.filter((column) => template.example[column] === FILL_IN) ?? [];
      const found = new Set(problems.map(({ column }) => column as PaymentColumn));
      // Cells that wait for another one are checked once that is right.
      expect([...found].filter((column) => !open.includes(column))).toEqual([]);
      expect(valid).toEqual([]);
      expect(open).toContain('amount');
    },
  );

  it('leaves out what the provider lets empty, and the currency of the account', () => {
    const optional = {
      entityType: '^company$',
      fields: { city: '^.{0,35}$' },
      bankAccount: { currency: 'EUR', iban: '^DE' },
    };
    const { columns = [] } = corridorTemplate(GERMANY, 'USD', requiring(optional)) ?? {};
    expect(columns).not.toContain('beneficiary_city');
    expect(columns).not.toContain('bank_currency');
    expect(columns).toContain('bank_iban');
  });

  it('is for people where the provider pays no companies, and there is none for a corridor without requirements', () => {
    const people = { entityType: 'individual', fields: { firstName: '^.+$' }, bankAccount: {} };
    expect(corridorTemplate(GERMANY, 'USD', requiring(people))?.example).toMatchObject({
      beneficiary_entity_type: 'individual',
      beneficiary_first_name: 'Anneke',
    });
    const france = { ...GERMANY, bankAccountCountry: 'FR' };
    expect(corridorTemplate(france, 'USD', aReference())).toBeNull();
  });
});
