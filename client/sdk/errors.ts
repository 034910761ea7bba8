import type { ApplicantProblem } from '../../api/onboarding/applicant-problem.ts';
import type { RowProblem } from '../../api/payment-file/row-problem.ts';
import type { ScheduleProblem } from '../../api/treasury/schedule.ts';

/**
 * The server refused. `status` is HTTP's, `code` is for programs (`invalid_input`, `file_refused`, `applicants_refused`, `schedule_refused`,
 * `unauthenticated`, `not_allowed`, `not_found`, `conflict`, `too_large`, `unavailable`, `internal`, …), the message for people.
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
  /** Of a workbook whose sheet was not chosen: those that have content. */
  readonly sheetNames: readonly string[];

  constructor(
    message: string,
    problems: readonly RowProblem[],
    problemCount: number,
    sheetNames: readonly string[] = [],
  ) {
    super(422, 'file_refused', message, { problems, problemCount, sheetNames });
    this.name = 'FileRefusedError';
    this.problems = problems;
    this.problemCount = problemCount;
    this.sheetNames = sheetNames;
  }
}

/** An applicants' file was refused as a whole: nothing was stored, nobody is onboarded. */
export class ApplicantsRefusedError extends PayrunApiError {
  /** What is wrong with the file and its documents, by line and field: the first 1,000 things. */
  readonly problems: readonly ApplicantProblem[];
  /** How many things are wrong in all. */
  readonly problemCount: number;

  constructor(message: string, problems: readonly ApplicantProblem[], problemCount: number) {
    super(422, 'applicants_refused', message, { problems, problemCount });
    this.name = 'ApplicantsRefusedError';
    this.problems = problems;
    this.problemCount = problemCount;
  }
}

/** A schedule was refused: nothing was stored. */
export class ScheduleRefusedError extends PayrunApiError {
  /** Everything that is wrong with it, by field; with its line where it came from a file. */
  readonly problems: readonly (ScheduleProblem & { line?: number })[];

  constructor(message: string, problems: readonly (ScheduleProblem & { line?: number })[]) {
    super(422, 'schedule_refused', message, { problems });
    this.name = 'ScheduleRefusedError';
    this.problems = problems;
  }
}

/**
 * The server answered in another shape than this client expects. A request that changes something may have taken effect.
 * The code is `unexpected_answer`. The message names the field and never its value, which may be personal data.
 */
export class AnswerMismatchError extends PayrunApiError {
  /** The path of the first field that differs, such as `runs.0.state`; empty: the answer as a whole. */
  readonly field: string;

  constructor(status: number, field: string) {
    const place = field === '' ? 'the answer' : `the field ${field} of the answer`;
    super(
      status,
      'unexpected_answer',
      `${place} is not as this client expects: client and server are of different versions, use the same version of both`,
    );
    this.name = 'AnswerMismatchError';
    this.field = field;
  }
}

/**
 * No answer came: the server does not run, cannot be reached, or the connection broke. Whether a request that changes
 * something took effect is then unknown: check before repeating it.
 */
export class PayrunUnreachableError extends Error {
  readonly url: string;

  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(`no answer from payrun at ${url}: ${reason}`, options);
    this.name = 'PayrunUnreachableError';
    this.url = url;
  }
}
