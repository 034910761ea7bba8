import { bicPattern, type Corridor } from './corridor.ts';
import { ibanPatterns } from './iban-countries.ts';

/** Countries without IBANs that large currencies reach through correspondent banks. */
const accountCountries = [
  'AU',
  'BR',
  'CA',
  'CN',
  'HK',
  'ID',
  'IN',
  'JP',
  'KR',
  'MX',
  'MY',
  'NZ',
  'PH',
  'SG',
  'TH',
  'US',
  'VN',
  'ZA',
];

const widelyHeld = ['USD', 'EUR', 'GBP', 'SGD', 'AUD', 'JPY', 'CHF', 'CAD', 'HKD'];

const toAccount = (currency: string, country: string): Corridor => ({
  currency,
  bankCountry: country,
  network: 'SWIFT',
  bankAccount: { bicSwift: bicPattern(country), accountNumber: '^[A-Z0-9]{4,34}$' },
});

const toIban = (currency: string, country: string, iban: string): Corridor => ({
  currency,
  bankCountry: country,
  network: 'SWIFT',
  bankAccount: { bicSwift: bicPattern(country), iban },
});

/** Foreign-currency accounts in every country, by SWIFT; a local corridor for the same pair takes precedence. */
export const swift: readonly Corridor[] = widelyHeld.flatMap((currency) => [
  ...accountCountries.map((country) => toAccount(currency, country)),
  ...Object.entries(ibanPatterns).map(([country, iban]) => toIban(currency, country, iban)),
]);
