import { closestName } from './closest-name.ts';
import { CSV_COLUMNS, detailColumn, isPaymentColumn, type PaymentColumn } from './csv-columns.ts';
import type { Cells } from './raw-row.ts';
import type { RowProblem } from './row-problem.ts';

/** Columns that mean nothing when every row has the same. */
const ROWS_OWN: readonly PaymentColumn[] = ['row_ref'];

/** Columns given once for all rows: column name to text. Every wrong name is told at once. */
export function readRunDefaults(given: Record<string, string>): { defaults: Cells } | { problems: RowProblem[] } {
  const defaults: Cells = {};
  const problems: RowProblem[] = [];
  for (const [name, value] of Object.entries(given)) {
    const refusal = refusalOf(name);
    if (refusal !== null) problems.push({ line: 0, rowRef: null, column: name, value: null, ...refusal });
    else if (isPaymentColumn(name) && value.trim() !== '') defaults[name] = value;
  }
  return problems.length > 0 ? { problems } : { defaults };
}

function refusalOf(name: string): { code: string; problem: string; fix: string } | null {
  if (!isPaymentColumn(name)) {
    const suggestion = closestName(
      name,
      CSV_COLUMNS.map((column) => column.name),
    );
    return {
      code: 'unknown_default',
      problem: 'the run defaults name a column that does not exist',
      fix: suggestion === null ? 'take it out of the defaults' : `did you mean ${suggestion}?`,
    };
  }
  if (ROWS_OWN.includes(name)) {
    return {
      code: 'default_not_allowed',
      problem: `${name} cannot be the same for all rows`,
      fix: 'give it in the file, row by row',
    };
  }
  return null;
}

/**
 * The row's own cells, and the defaults where it says nothing. A row that names its beneficiary one way takes no
 * defaults that would name it the other way as well.
 */
export function withDefaults(own: Cells, defaults: Cells): Cells {
  const defaultNames = Object.keys(defaults) as PaymentColumn[];
  if (defaultNames.length === 0) return own;
  const names = Object.keys(own) as PaymentColumn[];
  const ownId = own.beneficiary_id !== undefined;
  const ownDetails = !ownId && names.some((name) => detailColumn(name) !== null);
  const filled: Cells = {};
  for (const name of defaultNames) {
    const clashes = (ownId && detailColumn(name) !== null) || (ownDetails && name === 'beneficiary_id');
    if (!clashes) filled[name] = defaults[name];
  }
  return Object.assign(filled, own);
}
