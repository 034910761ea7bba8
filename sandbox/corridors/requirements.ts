import type { SandboxOptions } from '../config/options.ts';
import type { Json } from '../core/json.ts';
import {
  addressFields,
  nameFields,
  officialNumbers,
  type RootField,
  swiftAddressFields,
} from './beneficiary-fields.ts';
import type { BankField, Corridor, Patterns } from './corridor.ts';
import { beneficiaryCountries } from './countries.ts';
import { localCorridors } from './local-corridors.ts';
import { swift } from './swift.ts';

export type EntityType = 'company' | 'individual';

/** The required fields of a beneficiary and their patterns. Contract: payments 2.1. */
export interface Requirements {
  readonly entityType: EntityType;
  readonly root: Patterns<RootField | 'country'>;
  readonly bankAccount: Patterns<BankField | 'country' | 'currency' | 'bankName' | 'bankAccountHolderName'>;
}

/** By currency and country of the bank; a local corridor takes precedence over SWIFT. */
const corridors: ReadonlyMap<string, Corridor> = new Map(
  [...swift, ...localCorridors].map((corridor) => [`${corridor.currency}-${corridor.bankCountry}`, corridor]),
);

/** Every corridor. */
export const allCorridors: readonly Corridor[] = [...corridors.values()];

/** The pairs `<currency>-<beneficiary country>` that use a country's own clearing. Contract: payments 4.4. */
export const localCurrencies: readonly string[] = localCorridors.map(
  ({ currency, bankCountry }) => `${currency}-${bankCountry}`,
);

/** The corridor of a currency, bank country and beneficiary country; undefined when there is none. */
export const corridorOf = (currency: string, bankCountry: string, beneficiaryCountry: string): Corridor | undefined =>
  beneficiaryCountries.has(beneficiaryCountry) ? corridors.get(`${currency}-${bankCountry}`) : undefined;

/** The fields that a corridor requires for a beneficiary in a country. */
export function requirementsOf(corridor: Corridor, beneficiaryCountry: string, entityType: EntityType): Requirements {
  return {
    entityType,
    root: {
      country: `^${beneficiaryCountry}$`,
      ...nameFields[entityType],
      ...(corridor.network === 'SWIFT' ? swiftAddressFields : {}),
      ...addressFields[beneficiaryCountry],
      ...officialNumbers[beneficiaryCountry]?.[entityType],
    },
    bankAccount: {
      country: `^${corridor.bankCountry}$`,
      currency: `^${corridor.currency}$`,
      bankName: '^.{2,140}$',
      bankAccountHolderName: '^.{2,140}$',
      ...corridor.bankAccount,
    },
  };
}

/** Requirements in answers, in either form. Contract: payments 2.1. */
export function requirementsAnswer(
  { entityType, root, bankAccount }: Requirements,
  form: SandboxOptions['requirementForm'],
): Json {
  if (form === 'literal') return { entityType, ...root, bankAccount: { ...bankAccount } };
  return { entityType: `^${entityType}$`, ...unanchored(root), bankAccount: unanchored(bankAccount) };
}

const unanchored = (patterns: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(patterns).map(([field, pattern]) => [field, pattern.replace(/^\^/, '').replace(/\$$/, '')]),
  );
