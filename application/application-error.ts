/** Why a use case failed: the server turns it into a status, the CLI into an exit code. */
export type ApplicationErrorCode =
  | 'invalid_input'
  | 'unauthenticated'
  | 'not_found'
  | 'not_allowed'
  | 'second_factor_needed'
  | 'conflict'
  | 'too_many'
  | 'unavailable';

/** The message is for people: what happened, to what, and what to do. It carries no personal data. */
export class ApplicationError extends Error {
  readonly code: ApplicationErrorCode;
  /** For programs. */
  readonly details: Record<string, unknown> | null;
  /** Of a refused sign-in: whose it would have been, for the audit trail alone. */
  readonly userId: string | null;

  constructor(
    code: ApplicationErrorCode,
    message: string,
    options: ErrorOptions & { details?: Record<string, unknown>; userId?: string } = {},
  ) {
    super(message, options);
    this.details = options.details ?? null;
    this.userId = options.userId ?? null;
    this.name = 'ApplicationError';
    this.code = code;
  }
}

/** What was found. @throws ApplicationError `not_found` with the message when it is null */
export function orNotFound<T>(found: T | null, message: string): T {
  if (found === null) throw new ApplicationError('not_found', message);
  return found;
}
