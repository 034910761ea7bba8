import type { RowProblem } from '../payment-file/row-problem.ts';
import { headerKey } from './headers.ts';
import { columnsOf, type Profile } from './profile.ts';

/** Says of problems what the sheet calls the cells that fill their columns, as `Vorname + Nachname`, where it has other names than we. */
export function namedByHeaders(profile: Profile): (problem: RowProblem) => RowProblem {
  const headers = new Map<string | null, string>(
    columnsOf(profile)
      .filter(({ column, source: { from } }) => from.length > 0 && from.some((header) => headerKey(header) !== column))
      .map(({ column, source: { from } }) => [column, from.join(' + ')]),
  );
  return (problem) => {
    const header = headers.get(problem.column);
    return header === undefined ? problem : { ...problem, header };
  };
}
