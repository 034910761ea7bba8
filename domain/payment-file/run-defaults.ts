import { closestName } from '../closest-name.ts';
import { CSV_COLUMNS, detailColumn, isPaymentColumn, type PaymentColumn } from './csv-columns.ts';
import type { Cells } from './raw-row.ts';
import type { FileProblemCode } from './file-problem-codes.ts';
import type { FileProblem } from './row-problem.ts';
import type { CellIssue } from './row-validation.ts';

/** Columns that must differ from row to row. */
const PER_ROW_COLUMNS: readonly PaymentColumn[] = ['row_ref'];

/** Reads values given once for all rows: column name to text. Reports every wrong name at once. */
export function readRunDefaults(given: Record<string, string>): { defaults: Cells } | { problems: FileProblem[] } {
  const defaults: Cells = {};
  const problems: FileProblem[] = [];
  for (const [name, value] of Object.entries(given)) {
    const issue = issueOf(name);
    if (issue !== null) problems.push({ line: 0, rowRef: null, column: name, value: null, ...issue });
    else if (isPaymentColumn(name) && value.trim() !== '') defaults[name] = value;
  }
  return problems.length > 0 ? { problems } : { defaults };
}

function issueOf(name: string): CellIssue<FileProblemCode> | null {
  if (!isPaymentColumn(name)) {
    const suggestion = closestName(
      name,
      CSV_COLUMNS.map((column) => column.name),
    );
    return {
      code: 'unknown_default',
      problem: 'the run defaults name a column that does not exist',
      fix: suggestion === null ? 'remove it from the defaults' : `did you mean ${suggestion}?`,
    };
  }
  if (PER_ROW_COLUMNS.includes(name)) {
    return {
      code: 'default_not_allowed',
      problem: `${name} cannot be the same for all rows`,
      fix: 'give it in the file, row by row',
    };
  }
  return null;
}

/**
 * The row's cells, with defaults for the empty ones. A row that names its beneficiary by id takes no defaults that
 * describe one, and the other way round.
 */
export function withDefaults(own: Cells, defaults: Cells): Cells {
  const defaultNames = Object.keys(defaults) as PaymentColumn[];
  if (defaultNames.length === 0) return own;
  const names = Object.keys(own) as PaymentColumn[];
  const namesBeneficiary = own.beneficiary_id !== undefined;
  const describesBeneficiary = !namesBeneficiary && names.some((name) => detailColumn(name) !== null);
  const filled: Cells = {};
  for (const name of defaultNames) {
    const isConflict =
      (namesBeneficiary && detailColumn(name) !== null) || (describesBeneficiary && name === 'beneficiary_id');
    if (!isConflict) filled[name] = defaults[name];
  }
  return Object.assign(filled, own);
}
