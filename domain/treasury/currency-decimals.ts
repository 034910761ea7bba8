/** How many decimals amounts have. The provider's list decides; ISO 4217 only warns. Contract: payments 2.2. */

/** Those of ISO 4217 that do not have two. */
const ISO_DECIMALS: ReadonlyMap<string, number> = new Map([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'UYI',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ].map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
  ...['CLF', 'UYW'].map((code) => [code, 4] as const),
]);

/** The provider's list of currencies, by code. */
export type ListedCurrencies = ReadonlyMap<string, { decimalPlaces: number }>;

/** Null: the provider does not list the currency, so that no amount of it can be rounded or sent. */
export function listedDecimals(currency: string, listed: ListedCurrencies): number | null {
  return listed.get(currency)?.decimalPlaces ?? null;
}

/** One text for each of these currencies whose decimals are not those of ISO 4217. */
export function decimalsWarnings(currencies: Iterable<string>, listed: ListedCurrencies): string[] {
  return [...new Set(currencies)].flatMap((currency) => {
    const decimals = listedDecimals(currency, listed);
    const iso = ISO_DECIMALS.get(currency) ?? 2;
    if (decimals === null || decimals === iso) return [];
    return [
      `the provider lists ${currency} with ${decimals} decimals, and ISO 4217 has ${iso}: amounts have ${decimals}`,
    ];
  });
}
