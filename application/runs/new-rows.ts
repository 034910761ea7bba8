import { paymentIdOf } from '../../domain/payments/payment-identity.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { RawRow } from '../../domain/payment-file/raw-row.ts';
import { columnInWords } from '../../domain/payment-file/problem-causes.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import type { NewRow } from '../../domain/runs/new-row.ts';

/** A valid row as it is stored with its run. `rowNumber` counts the rows of the file from 1. */
export function newRow(runId: string, rowNumber: number, row: RawRow, instruction: PaymentInstruction): NewRow {
  return {
    paymentId: paymentIdOf(runId, instruction.rowRef),
    rowNumber,
    line: row.line,
    rowRef: instruction.rowRef,
    state: 'ready',
    cells: row.original,
    instruction,
    errorCode: null,
    problems: null,
  };
}

/** A row that is kept and never paid, with everything that is wrong with it. */
export function newInvalidRow(runId: string, rowNumber: number, row: RawRow, problems: readonly RowProblem[]): NewRow {
  return {
    // Its reference may be missing or the one of another row: its line identifies it.
    paymentId: paymentIdOf(runId, `invalid line ${row.line}`),
    rowNumber,
    line: row.line,
    rowRef: (row.cells.row_ref ?? '').trim(),
    state: 'invalid',
    cells: row.original,
    instruction: null,
    errorCode: problems[0]?.code ?? 'invalid',
    problems: problems
      .map(({ problem, fix, ...cell }) => `${columnInWords(cell) ?? 'line'}: ${problem}; ${fix}`)
      .join(' | '),
  };
}
