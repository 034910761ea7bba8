import type { Patterns } from './corridor.ts';
import { indonesianCities, indonesianRegions } from './indonesia.ts';

/** The fields beside the bank account that a country of residence can ask for. Contract: payments 2.1. */
export const rootFields = [
  'city',
  'address',
  'postcode',
  'stateOrProvince',
  'firstName',
  'lastName',
  'companyName',
  'businessRegistration',
  'nationalIdentificationNumber',
  'region',
  'relationship',
] as const;

export type RootField = (typeof rootFields)[number];

const oneOf = (values: readonly string[]): string => `^(${values.join('|')})$`;
const line = '^.{1,140}$';
const name = '^.{1,70}$';
const registration = '^[A-Za-z0-9][A-Za-z0-9 ./-]{1,34}$';

const usStates =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR ' +
  'PA PR RI SC SD TN TX UT VT VA WA WV WI WY';
const canadianProvinces = 'AB BC MB NB NL NS NT NU ON PE QC SK YT';

/** What names every beneficiary of a kind. */
export const nameFields: Readonly<Record<'company' | 'individual', Patterns<RootField>>> = {
  company: { companyName: '^.{1,140}$' },
  individual: { firstName: name, lastName: name },
};

/** Where the address matters to the receiving clearing, by country of the beneficiary. */
export const addressFields: Readonly<Record<string, Patterns<RootField>>> = {
  US: { address: line, city: name, stateOrProvince: oneOf(usStates.split(' ')), postcode: '^[0-9]{5}(-[0-9]{4})?$' },
  CA: {
    address: line,
    city: name,
    stateOrProvince: oneOf(canadianProvinces.split(' ')),
    postcode: '^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$',
  },
  ID: { address: line, city: oneOf(indonesianCities), region: oneOf(indonesianRegions) },
  CN: { address: line, city: name },
  IN: { address: line, city: name, postcode: '^[1-9][0-9]{5}$' },
  BR: { address: line, city: name },
  MX: { address: line, city: name },
  PH: { address: line, city: name },
};

/** SWIFT messages carry the beneficiary's address, wherever that is. */
export const swiftAddressFields: Patterns<RootField> = { address: line, city: name };

/** Countries whose clearing names the beneficiary by an official number as well. */
export const officialNumbers: Readonly<Record<string, Record<'company' | 'individual', Patterns<RootField>>>> = {
  BR: {
    company: { businessRegistration: '^[0-9]{14}$' },
    individual: { nationalIdentificationNumber: '^[0-9]{11}$' },
  },
  CN: {
    company: { businessRegistration: '^[0-9A-Z]{18}$' },
    individual: { nationalIdentificationNumber: '^[0-9]{17}[0-9X]$' },
  },
  ID: {
    company: { businessRegistration: registration },
    individual: { nationalIdentificationNumber: '^[0-9]{16}$' },
  },
};
