import { bicPattern, type Corridor } from './corridor.ts';
import { euroCountries, ibanPatterns } from './iban-countries.ts';

/** Corridors that use the country's own clearing. */

const local = (currency: string, bankCountry: string, bankAccount: Corridor['bankAccount']): Corridor => ({
  currency,
  bankCountry,
  network: 'LOCAL',
  bankAccount,
});

const americas: readonly Corridor[] = [
  local('USD', 'US', { aba: '^[0-9]{9}$', accountNumber: '^[0-9]{4,17}$' }),
  local('CAD', 'CA', { institutionNo: '^[0-9]{3}$', branchCode: '^[0-9]{5}$', accountNumber: '^[0-9]{7,12}$' }),
  local('MXN', 'MX', { clabe: '^[0-9]{18}$' }),
  local('BRL', 'BR', { bankCode: '^[0-9]{3}$', branchCode: '^[0-9]{4}$', accountNumber: '^[0-9]{5,12}[0-9X]$' }),
];

/** For countries whose local clearing identifies banks by BIC. */
const byBic = (currency: string, country: string, accountNumber: string): Corridor =>
  local(currency, country, { bicSwift: bicPattern(country), accountNumber });

const asiaPacific: readonly Corridor[] = [
  local('AUD', 'AU', { bsbCode: '^[0-9]{6}$', accountNumber: '^[0-9]{5,10}$' }),
  local('CNY', 'CN', { cnaps: '^[0-9]{12}$', accountNumber: '^[0-9]{10,25}$' }),
  local('HKD', 'HK', { bankCode: '^[0-9]{3}$', accountNumber: '^[0-9]{6,12}$' }),
  byBic('IDR', 'ID', '^[0-9]{6,16}$'),
  local('INR', 'IN', { ifscCode: '^[A-Z]{4}0[A-Z0-9]{6}$', accountNumber: '^[0-9]{9,18}$' }),
  local('JPY', 'JP', { bankCode: '^[0-9]{4}$', branchCode: '^[0-9]{3}$', accountNumber: '^[0-9]{7}$' }),
  local('KRW', 'KR', { bankCode: '^[0-9]{3}$', accountNumber: '^[0-9]{10,14}$' }),
  byBic('MYR', 'MY', '^[0-9]{7,17}$'),
  local('NZD', 'NZ', { accountNumber: '^[0-9]{15,16}$' }),
  byBic('PHP', 'PH', '^[0-9]{6,16}$'),
  byBic('SGD', 'SG', '^[0-9]{6,14}$'),
  byBic('THB', 'TH', '^[0-9]{10,15}$'),
  byBic('VND', 'VN', '^[0-9]{6,19}$'),
];

const byIban = (currency: string, country: string): Corridor =>
  local(currency, country, { iban: ibanPatterns[country] ?? '^$' });

/** SEPA, the United Kingdom's Faster Payments, and countries whose own clearing uses IBANs. */
const europeAndGulf: readonly Corridor[] = [
  ...euroCountries.map((country) => byIban('EUR', country)),
  local('GBP', 'GB', { sortCode: '^[0-9]{6}$', accountNumber: '^[0-9]{8}$' }),
  byIban('CHF', 'CH'),
  byIban('DKK', 'DK'),
  byIban('NOK', 'NO'),
  byIban('PLN', 'PL'),
  byIban('SEK', 'SE'),
  byIban('AED', 'AE'),
  byIban('BHD', 'BH'),
  byIban('KWD', 'KW'),
];

export const localCorridors: readonly Corridor[] = [...europeAndGulf, ...americas, ...asiaPacific];
