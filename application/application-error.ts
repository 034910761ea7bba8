/** Why the application refused, in the words that the server turns into a status and the CLI into an exit code. */
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
