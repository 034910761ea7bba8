import { Refused } from '../../store/approvals/authority.ts';
import { EngineError, type EngineErrorCode } from '../application-error.ts';

const CODES: Readonly<Record<Refused['code'], EngineErrorCode>> = {
  unauthenticated: 'unauthenticated',
  not_allowed: 'not_allowed',
  not_found: 'not_found',
  conflict: 'conflict',
  invalid_input: 'invalid_input',
};

/** What the record refuses, in the engine's words. */
export async function asEngineError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused) throw new EngineError(CODES[error.code], error.message, { cause: error });
    throw error;
  }
}
