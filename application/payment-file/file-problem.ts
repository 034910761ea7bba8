import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import type { FileProblem } from '../../domain/payment-file/row-problem.ts';

/** Thrown inside the reader, which stops at the first problem; callers get the problem itself. */
export class UnreadableFile extends Error {
  readonly fileProblem: FileProblem;

  constructor(position: { line: number; column?: string }, code: FileProblemCode, problem: string, fix: string) {
    super(problem);
    this.name = 'UnreadableFile';
    this.fileProblem = {
      line: position.line,
      rowRef: null,
      column: position.column ?? null,
      value: null,
      problem,
      fix,
      code,
    };
  }
}

/** Why a file cannot be read, as plain data: it is passed between threads. */
export interface Unreadable {
  fileProblem: FileProblem;
  /** Of a workbook whose sheet was not chosen: those with content. */
  sheetNames: string[];
}
