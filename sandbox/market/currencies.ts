/** A currency that the sandbox supports. Contract: payments 2.2. */
export interface Currency {
  readonly code: string;
  readonly name: string;
  /** ISO 4217 minor units. */
  readonly decimalPlaces: number;
  /** Units for one US dollar, before rate movements. */
  readonly perUsd: string;
  /** Whether it can be sold; restricted currencies can only be bought. */
  readonly canBeSold: boolean;
}

const row = (code: string, name: string, decimalPlaces: number, perUsd: string, canBeSold = true): Currency => ({
  code,
  name,
  decimalPlaces,
  perUsd,
  canBeSold,
});

export const currencies: ReadonlyMap<string, Currency> = new Map(
  [
    row('AED', 'UAE Dirham', 2, '3.6725'),
    row('AUD', 'Australian Dollar', 2, '1.52'),
    row('BHD', 'Bahraini Dinar', 3, '0.376'),
    row('BRL', 'Brazilian Real', 2, '5.4', false),
    row('CAD', 'Canadian Dollar', 2, '1.37'),
    row('CHF', 'Swiss Franc', 2, '0.88'),
    row('CNY', 'Chinese Yuan', 2, '7.2', false),
    row('DKK', 'Danish Krone', 2, '6.9'),
    row('EUR', 'Euro', 2, '0.92'),
    row('GBP', 'Pound Sterling', 2, '0.78'),
    row('HKD', 'Hong Kong Dollar', 2, '7.8'),
    row('IDR', 'Indonesian Rupiah', 2, '16000'),
    row('INR', 'Indian Rupee', 2, '83.5', false),
    row('JPY', 'Japanese Yen', 0, '150'),
    row('KRW', 'South Korean Won', 0, '1380', false),
    row('KWD', 'Kuwaiti Dinar', 3, '0.307'),
    row('MXN', 'Mexican Peso', 2, '18.5'),
    row('MYR', 'Malaysian Ringgit', 2, '4.5'),
    row('NOK', 'Norwegian Krone', 2, '10.8'),
    row('NZD', 'New Zealand Dollar', 2, '1.66'),
    row('PHP', 'Philippine Peso', 2, '57', false),
    row('PLN', 'Polish Zloty', 2, '3.95'),
    row('SEK', 'Swedish Krona', 2, '10.5'),
    row('SGD', 'Singapore Dollar', 2, '1.34'),
    row('THB', 'Thai Baht', 2, '35'),
    row('USD', 'US Dollar', 2, '1'),
    row('VND', 'Vietnamese Dong', 0, '25000', false),
  ].map((currency) => [currency.code, currency]),
);

/** Every pair that can be quoted, buy code first. Contract: payments 2.2. */
export const currencyPairs: readonly string[] = [...currencies.values()].flatMap((buy) =>
  [...currencies.values()]
    .filter((sell) => sell.canBeSold && sell.code !== buy.code)
    .map((sell) => `${buy.code}${sell.code}`),
);
