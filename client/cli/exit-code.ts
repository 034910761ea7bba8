import { CommanderError } from 'commander';
import { PayrunApiError, PayrunUnreachableError } from '../sdk/errors.ts';

/** What scripts go by. Nothing else decides an exit code. */
export const EXIT = {
  done: 0,
  bug: 1,
  /** The input is wrong; nothing was done. */
  wrongInput: 2,
  /** The run ended with rows not paid. */
  notAllPaid: 3,
  notAllowed: 4,
  unreachable: 5,
  /** The audit trail is not as it was written. */
  auditBroken: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What was typed, or a file or variable that it names, is wrong. The message names the place and the fix. */
export class WrongInput extends Error {
  override readonly name = 'WrongInput';
}

/** A run that was waited for has ended, and not every row of it is paid. */
export class NotAllPaid extends Error {
  override readonly name = 'NotAllPaid';
}

/** The audit trail was verified, and something does not fit. */
export class AuditBroken extends Error {
  override readonly name = 'AuditBroken';
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof WrongInput) return EXIT.wrongInput;
  if (error instanceof NotAllPaid) return EXIT.notAllPaid;
  if (error instanceof AuditBroken) return EXIT.auditBroken;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongInput;
  if (error instanceof PayrunUnreachableError) return EXIT.unreachable;
  return error instanceof PayrunApiError ? exitCodeOfRefusal(error) : EXIT.bug;
}

function exitCodeOfRefusal({ status, code }: PayrunApiError): ExitCode {
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (code === 'unexpected_answer' || status === 503) return EXIT.unreachable;
  return status >= 500 ? EXIT.bug : EXIT.wrongInput;
}
