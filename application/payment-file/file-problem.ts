import type { FileProblem } from '../../domain/payment-file/row-problem.ts';

/** Thrown inside the reader, where the first trouble ends the reading; callers get the problem itself. */
export class UnreadableFile extends Error {
  readonly fileProblem: FileProblem;

  constructor(place: { line: number; column?: string }, code: string, problem: string, fix: string) {
    super(problem);
    this.name = 'UnreadableFile';
    this.fileProblem = {
      line: place.line,
      rowRef: null,
      column: place.column ?? null,
      value: null,
      problem,
      fix,
      code,
    };
  }
}
