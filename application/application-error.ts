/** Why the engine refused, in the words that the server turns into a status and the CLI into an exit code. */
export type EngineErrorCode =
  | 'invalid_input'
  | 'unauthenticated'
  | 'not_found'
  | 'not_allowed'
  | 'conflict'
  | 'unavailable';

/** The message is for people: what happened, to what, and what to do. It carries no personal data. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}
