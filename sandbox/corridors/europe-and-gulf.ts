import { type Corridor, local } from './corridor.ts';
import { euroCountries, ibanPatterns } from './iban-countries.ts';

const byIban = (currency: string, country: string): Corridor =>
  local(currency, country, { iban: ibanPatterns[country] ?? '^$' });

/** SEPA, the United Kingdom's Faster Payments, and countries whose own clearing uses IBANs. */
export const europeAndGulf: readonly Corridor[] = [
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
