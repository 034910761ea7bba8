import type { RowProblem } from '../../domain/payment-file/row-problem.ts';

/**
 * The server refused. `status` is HTTP's, `code` is for programs (`invalid_input`, `file_refused`, `unauthenticated`,
 * `not_allowed`, `not_found`, `conflict`, `too_large`, `unavailable`, `internal`, …), the message for people.
 */
export class PayrunApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | null;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> | null = null) {
    super(message);
    this.name = 'PayrunApiError';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** A payment file was refused as a whole: nothing was stored, nothing is paid. */
export class FileRefusedError extends PayrunApiError {
  /** What is wrong with the file, by line and column: the first 1,000 things. */
  readonly problems: readonly RowProblem[];
  /** How many things are wrong in all. */
  readonly problemCount: number;

  constructor(message: string, problems: readonly RowProblem[], problemCount: number) {
    super(422, 'file_refused', message, { problems, problemCount });
    this.name = 'FileRefusedError';
    this.problems = problems;
    this.problemCount = problemCount;
  }
}

/**
 * No answer came: the server does not run, cannot be reached, or the line broke. Whether a request that changes
 * something took effect is then unknown: look before asking again.
 */
export class PayrunUnreachableError extends Error {
  readonly url: string;

  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(`no answer from payrun at ${url}: ${reason}`, options);
    this.name = 'PayrunUnreachableError';
    this.url = url;
  }
}
