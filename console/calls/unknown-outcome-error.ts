import { PayrunUnreachableError } from '../../client/sdk/errors.ts';

/** No answer came to something that changes the database: it may have been recorded all the same. */
export class UnknownOutcomeError extends PayrunUnreachableError {
  override readonly name = 'UnknownOutcomeError';
}
