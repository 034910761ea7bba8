/** What the provider supports, as last read. Contract: payments 2.1, 2.2 and 4.4. */
export interface ReferenceData {
  /** By code. */
  currencies: ReadonlyMap<string, CurrencyFact>;
  /** Six letters each: the buy currency, then the sell currency. */
  pairs: ReadonlySet<string>;
  /** `<currency>-<beneficiary country>`, for example `EUR-DE`: where the LOCAL channel is available. */
  localCurrencies: ReadonlySet<string>;
  /** By corridor key. An empty list: the provider does not support the corridor. No entry: not asked yet. */
  requirements: ReadonlyMap<string, readonly RequirementSet[]>;
}

export interface CurrencyFact {
  code: string;
  decimalPlaces: number;
  name: string;
}

/** What the provider requires of one kind of beneficiary. Every value is a regular expression for the whole field. */
export interface RequirementSet {
  /** A literal or a pattern. */
  entityType: string;
  fields: Record<string, string>;
  bankAccount: Record<string, string>;
}

/** What the provider's requirements depend on. */
export interface Corridor {
  currency: string;
  bankAccountCountry: string;
  beneficiaryCountry: string;
}

/** For example `EUR/DE/DE`: currency, bank country, beneficiary country. */
export function corridorKey(corridor: Corridor): string {
  return `${corridor.currency}/${corridor.bankAccountCountry}/${corridor.beneficiaryCountry}`;
}
