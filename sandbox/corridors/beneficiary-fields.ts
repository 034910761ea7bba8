import type { Patterns } from './corridor.ts';
import { indonesianCities, indonesianRegions } from './indonesia.ts';

/** The fields outside the bank account that a beneficiary's country can require. Contract: payments 2.1. */
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

/** The names of beneficiaries, by entity type. */
export const nameFields: Readonly<Record<'company' | 'individual', Patterns<RootField>>> = {
  company: { companyName: '^.{1,140}$' },
  individual: { firstName: name, lastName: name },
};

/** Address fields that local clearing requires, by country of the beneficiary. */
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

/** SWIFT messages contain the beneficiary's address for every country. */
export const swiftAddressFields: Patterns<RootField> = { address: line, city: name };

/** Registration and identity numbers that some countries require. */
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
