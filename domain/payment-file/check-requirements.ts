import { columnOfField, type PaymentColumn } from './csv-columns.ts';
import type { Destination } from './check-beneficiary.ts';
import { withoutSeparators } from './canonical-text.ts';
import { corridorKey, type ReferenceData, type RequirementSet } from './reference-data.ts';
import { patternInWords, type RequirementPattern } from './requirement-pattern.ts';
import type { RowValidation } from './row-validation.ts';

/** What the checks of all rows share: compiled patterns, and the fields that a warning was given for. */
export interface RequirementCache {
  patternOf: (source: string) => RequirementPattern;
  warned: Set<string>;
}

/** The columns of the account that the provider asks for in a corridor; null: not known. */
export function columnsAskedFor(
  { corridor, entityType }: Destination,
  reference: ReferenceData,
  cache: RequirementCache,
): ReadonlySet<PaymentColumn> | null {
  const required = reference.requirements
    .get(corridorKey(corridor))
    ?.find((set) => isForEntityType(set, entityType, cache));
  if (required === undefined) return null;
  const columns = Object.keys(required.bankAccount).map((field) => columnOfField('bankAccount', field));
  return new Set(columns.filter((column) => column !== null));
}

/** The provider's own rules for the beneficiary's corridor. Contract: payments 2.1 and 4.1. */
export function checkRequirements(
  row: RowValidation,
  destination: Destination,
  reference: ReferenceData,
  cache: RequirementCache,
): void {
  const { corridor, entityType } = destination;
  const requirements = reference.requirements.get(corridorKey(corridor));
  if (requirements === undefined) {
    row.addError('bank_country', {
      code: 'requirements_unknown',
      problem: `what the provider requires for ${corridorKey(corridor)} could not be read`,
      fix: 'submit the file again when the provider answers',
    });
    return;
  }
  if (requirements.length === 0) {
    row.addError('bank_country', {
      code: 'corridor_unsupported',
      problem: `the provider does not pay ${corridor.currency} to a bank in ${corridor.bankAccountCountry} for a beneficiary in ${corridor.beneficiaryCountry}`,
      fix: 'check the currency and both countries, or pay another way',
    });
    return;
  }
  const required = requirements.find((set) => isForEntityType(set, entityType, cache));
  if (required === undefined) {
    row.addError('beneficiary_entity_type', {
      code: 'entity_type_unsupported',
      problem: `the provider does not pay this kind of beneficiary in ${corridorKey(corridor)}`,
      fix: `it pays ${requirements.map((set) => set.entityType).join(', ')}`,
    });
    return;
  }
  checkFields(row, required, destination, cache);
}

/** The provider gives the entity type literally or as a pattern. */
function isForEntityType(set: RequirementSet, entityType: string, cache: RequirementCache): boolean {
  if (set.entityType === entityType) return true;
  const pattern = cache.patternOf(set.entityType);
  return 'accepts' in pattern && pattern.accepts(entityType);
}

function checkFields(
  row: RowValidation,
  required: RequirementSet,
  destination: Destination,
  cache: RequirementCache,
): void {
  const corridor = corridorKey(destination.corridor);
  const parts = [
    { part: 'beneficiary', patterns: required.fields },
    { part: 'bankAccount', patterns: required.bankAccount },
  ] as const;
  for (const { part, patterns } of parts) {
    for (const [field, source] of Object.entries(patterns)) {
      if (field === 'entityType' || field === 'bankAccount') continue;
      const column = columnOfField(part, field);
      const given = column === null ? '' : row.text(column);
      // An account whose currency is not given is in the buy currency.
      const text = column === 'bank_currency' ? destination.corridor.currency : given;
      checkField(row, { column, field, source, text, corridor }, cache);
    }
  }
}

interface RequiredField {
  column: PaymentColumn | null;
  field: string;
  source: string;
  text: string;
  corridor: string;
}

function checkField(row: RowValidation, required: RequiredField, cache: RequirementCache): void {
  const { column, field, source, text, corridor } = required;
  const pattern = cache.patternOf(source);
  // A field whose pattern accepts the empty text is optional.
  if (text === '' && 'accepts' in pattern && pattern.accepts('')) return;
  if (column === null) {
    row.addError('bank_country', {
      code: 'requirement_without_column',
      problem: `the provider asks for ${field} in ${corridor}, for which payrun has no column`,
      fix: 'pay to a beneficiary that the provider holds already, by beneficiary_id',
    });
    return;
  }
  if (row.hasError(column)) return;
  if (text === '') {
    row.require(column, `the provider asks for it in ${corridor}`);
  } else if ('unusable' in pattern) {
    warnOnce(row, column, `${corridor} ${column}`, pattern.unusable, cache);
  } else if (!pattern.accepts(text)) {
    row.addError(column, {
      code: 'requirement_not_met',
      problem: `${column} is not what the provider asks for in ${corridor}: ${patternInWords(source)}`,
      fix: suggestFix(text, pattern.accepts),
    });
  }
}

/** One warning for each field of a corridor, not one for each row. */
function warnOnce(
  row: RowValidation,
  column: PaymentColumn,
  field: string,
  reason: string,
  cache: RequirementCache,
): void {
  if (cache.warned.has(field)) return;
  cache.warned.add(field);
  row.addWarning(column, {
    code: 'pattern_unusable',
    problem: `the provider's pattern for ${field} could not be used: ${reason}`,
    fix: 'check this column by eye; the provider may still refuse it',
  });
}

/** Tries out on the pattern how spreadsheets and people usually corrupt a code. */
function suggestFix(text: string, accepts: (text: string) => boolean): string {
  const bare = withoutSeparators(text);
  if (bare !== text && accepts(bare)) return 'write it without blanks and dashes';
  if (accepts(bare.toUpperCase())) return 'write it in capitals, without blanks and dashes';
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(text)) {
    return 'a spreadsheet changed it to scientific notation: format the column as text and enter it again';
  }
  if (/^\d+$/.test(text)) {
    for (let zeros = 1; zeros <= 10; zeros++) {
      if (accepts('0'.repeat(zeros) + text)) {
        return 'leading zeros seem to be lost: format the column as text and enter it again';
      }
    }
  }
  return 'compare it with the invoice or ask the beneficiary';
}
