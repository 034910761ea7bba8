/** Why a use case failed: the server turns it into a status, the CLI into an exit code. */
export type ApplicationErrorCode =
  | 'invalid_input'
  | 'unauthenticated'
  | 'not_found'
  | 'not_allowed'
  | 'conflict'
  | 'unavailable';

/** The message is for people: what happened, to what, and what to do. It carries no personal data. */
export class ApplicationError extends Error {
  readonly code: ApplicationErrorCode;

  constructor(code: ApplicationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApplicationError';
    this.code = code;
  }
}

/** What was found. @throws ApplicationError `not_found` with the message when it is null */
export function orNotFound<T>(found: T | null, message: string): T {
  if (found === null) throw new ApplicationError('not_found', message);
  return found;
}
