import { columnOfField, type PaymentColumn } from './csv-columns.ts';
import type { Destination } from './check-beneficiary.ts';
import { corridorKey, type ReferenceData, type RequirementSet } from './reference-data.ts';
import type { RequirementPattern } from './requirement-pattern.ts';
import type { RowUnderCheck } from './row-validation.ts';

/** What the checks of all rows share: compiled patterns, and what was warned of already. */
export interface RequirementMemory {
  patternOf: (source: string) => RequirementPattern;
  warned: Set<string>;
}

/** The provider's own rules for the beneficiary's corridor. Contract: payments 2.1 and 4.1. */
export function checkRequirements(
  check: RowUnderCheck,
  destination: Destination,
  reference: ReferenceData,
  memory: RequirementMemory,
): void {
  const { corridor, entityType } = destination;
  const requirements = reference.requirements.get(corridorKey(corridor));
  if (requirements === undefined) {
    check.refuse('bank_country', {
      code: 'requirements_unknown',
      problem: `what the provider requires for ${corridorKey(corridor)} could not be read`,
      fix: 'submit the file again when the provider answers',
    });
    return;
  }
  if (requirements.length === 0) {
    check.refuse('bank_country', {
      code: 'corridor_unsupported',
      problem: `the provider does not pay ${corridor.currency} to a bank in ${corridor.bankAccountCountry} for a beneficiary in ${corridor.beneficiaryCountry}`,
      fix: 'check the currency and both countries, or pay another way',
    });
    return;
  }
  const required = requirements.find((set) => fitsEntityType(set, entityType, memory));
  if (required === undefined) {
    check.refuse('beneficiary_entity_type', {
      code: 'entity_type_unsupported',
      problem: `the provider does not pay this kind of beneficiary in ${corridorKey(corridor)}`,
      fix: `it pays ${requirements.map((set) => set.entityType).join(', ')}`,
    });
    return;
  }
  checkFields(check, required, destination, memory);
}

/** The type stands there as itself or as a pattern. */
function fitsEntityType(set: RequirementSet, entityType: string, memory: RequirementMemory): boolean {
  if (set.entityType === entityType) return true;
  const pattern = memory.patternOf(set.entityType);
  return 'accepts' in pattern && pattern.accepts(entityType);
}

function checkFields(
  check: RowUnderCheck,
  required: RequirementSet,
  destination: Destination,
  memory: RequirementMemory,
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
      const given = column === null ? '' : check.text(column);
      // An account without a currency of its own is in the one that is bought.
      const text = column === 'bank_currency' ? destination.corridor.currency : given;
      checkField(check, { column, field, source, text, corridor }, memory);
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

function checkField(check: RowUnderCheck, required: RequiredField, memory: RequirementMemory): void {
  const { column, field, source, text, corridor } = required;
  const pattern = memory.patternOf(source);
  // A pattern that the empty text fits asks for nothing.
  if (text === '' && 'accepts' in pattern && pattern.accepts('')) return;
  if (column === null) {
    check.refuse('bank_country', {
      code: 'requirement_without_column',
      problem: `the provider asks for ${field} in ${corridor}, for which payrun has no column`,
      fix: 'pay to a beneficiary that the provider holds already, by beneficiary_id',
    });
    return;
  }
  if (check.isRefused(column)) return;
  if (text === '') {
    check.needed(column, `the provider asks for it in ${corridor}`);
  } else if ('unusable' in pattern) {
    warnOnce(check, column, `${corridor} ${column}`, pattern.unusable, memory);
  } else if (!pattern.accepts(text)) {
    check.refuse(column, {
      code: 'requirement_not_met',
      problem: `${column} is not what the provider asks for in ${corridor}: ${source}`,
      fix: fixFor(text, pattern.accepts),
    });
  }
}

/** One warning for a field of a corridor, not one for each of its rows. */
function warnOnce(
  check: RowUnderCheck,
  column: PaymentColumn,
  place: string,
  reason: string,
  memory: RequirementMemory,
): void {
  if (memory.warned.has(place)) return;
  memory.warned.add(place);
  check.warn(column, {
    code: 'pattern_unusable',
    problem: `the provider's pattern for ${place} could not be used: ${reason}`,
    fix: 'check this column by eye; the provider may still refuse it',
  });
}

/** How spreadsheets and people usually spoil a code, tried out on the pattern. */
function fixFor(text: string, accepts: (text: string) => boolean): string {
  const bare = text.replace(/[\s-]/g, '');
  if (bare !== text && accepts(bare)) return 'write it without blanks and dashes';
  if (accepts(bare.toUpperCase())) return 'write it in capitals, without blanks and dashes';
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(text)) {
    return 'a spreadsheet put it into scientific notation: format the column as text and enter it again';
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
