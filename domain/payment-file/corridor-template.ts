import { columnsNeededWith } from './check-payment.ts';
import { CSV_COLUMNS, columnOfField, type PaymentColumn } from './csv-columns.ts';
import type { Cells } from './raw-row.ts';
import { type Corridor, corridorKey, type ReferenceData, type RequirementSet } from './reference-data.ts';
import { compileRequirementPattern } from './requirement-pattern.ts';

/** In a cell of the example that no example fits: the check refuses it or warns of it. */
export const FILL_IN = 'fill in';

export interface CorridorTemplate {
  /** Those that a row in this corridor needs, in their order. */
  columns: PaymentColumn[];
  example: Cells;
}

/** A payment file for one corridor, to a company where the provider pays one. Null: the provider does not support the corridor. */
export function corridorTemplate(
  corridor: Corridor,
  sellCurrency: string,
  reference: ReferenceData,
): CorridorTemplate | null {
  const sets = reference.requirements.get(corridorKey(corridor)) ?? [];
  const companies = sets.find((set) => accepts(set.entityType, 'company'));
  const required = companies ?? sets[0];
  if (required === undefined) return null;
  const patterns = patternsOf(required);
  const { beneficiaryCountry, bankAccountCountry } = corridor;
  const asked = new Set<PaymentColumn>([
    ...patterns.keys(),
    ...columnsNeededWith({ beneficiary_country: beneficiaryCountry, bank_country: bankAccountCountry }),
  ]);
  const columns = CSV_COLUMNS.filter(
    ({ name, need }) => need === 'always' || need === 'with_details' || asked.has(name),
  );
  const known: Cells = {
    sell_currency: sellCurrency,
    buy_currency: corridor.currency,
    beneficiary_entity_type: companies === undefined ? 'individual' : 'company',
    beneficiary_country: beneficiaryCountry,
    bank_country: bankAccountCountry,
    // guard: template-is-not-paid
    amount: FILL_IN,
  };
  const example = columns.map(({ name, part, example: text }) => {
    // The number of an account is never an example: somebody has it.
    const isOfAccount = part === 'bankAccount' && patterns.has(name) && !NAMES.has(name);
    const pattern = patterns.get(name);
    const fits = pattern === undefined || accepts(pattern, text);
    return [name, known[name] ?? (isOfAccount || !fits ? FILL_IN : text)] as const;
  });
  return { columns: columns.map(({ name }) => name), example: Object.fromEntries(example) };
}

/** Whom a row pays, as far as the provider's requirements depend on it. */
export interface Destination {
  corridor: Corridor;
  entityType: string;
}

/** Columns that every row to it needs, besides those that all rows do. None: the provider does not support it, or was not asked. */
export function columnsNeededFor({ corridor, entityType }: Destination, reference: ReferenceData): PaymentColumn[] {
  const sets = reference.requirements.get(corridorKey(corridor)) ?? [];
  const [first, ...others] = sets.filter((set) => accepts(set.entityType, entityType)).map(patternsOf);
  return [...(first ?? new Map<PaymentColumn, string>()).keys()].filter((column) =>
    others.every((set) => set.has(column)),
  );
}

const NAMES: ReadonlySet<PaymentColumn> = new Set(['bank_name', 'bank_account_holder_name', 'bank_address']);

/** By the column that it fills. What may be left empty is not needed, and the currency of the account is that of the payment. */
function patternsOf({ fields, bankAccount }: RequirementSet): Map<PaymentColumn, string> {
  const parts = [
    ...Object.entries(fields).map(([field, pattern]) => [columnOfField('beneficiary', field), pattern] as const),
    ...Object.entries(bankAccount).map(([field, pattern]) => [columnOfField('bankAccount', field), pattern] as const),
  ];
  return new Map(
    parts.flatMap(([column, pattern]) =>
      column === null || column === 'bank_currency' || accepts(pattern, '') ? [] : [[column, pattern] as const],
    ),
  );
}

function accepts(source: string, text: string): boolean {
  if (source === text) return true;
  const pattern = compileRequirementPattern(source);
  return 'accepts' in pattern && pattern.accepts(text);
}
