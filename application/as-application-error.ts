import { Refused } from '../store/database/call-as-user.ts';
import { ApplicationError, type ApplicationErrorCode } from './application-error.ts';

const CODES: Readonly<Record<Refused['code'], ApplicationErrorCode>> = {
  unauthenticated: 'unauthenticated',
  not_allowed: 'not_allowed',
  second_factor_needed: 'second_factor_needed',
  not_found: 'not_found',
  conflict: 'conflict',
  invalid_input: 'invalid_input',
  too_many: 'too_many',
};

/** Throws what the database refuses as an ApplicationError. */
export async function asApplicationError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused) {
      const { retryAfterSeconds, userId, subject, factors } = error.facts;
      const details =
        typeof retryAfterSeconds === 'number'
          ? { details: { retryAfterSeconds } }
          : subject === undefined
            ? {}
            : { details: { subject, factors } };
      throw new ApplicationError(CODES[error.code], error.message, {
        cause: error,
        ...details,
        ...(typeof userId === 'string' ? { userId } : {}),
      });
    }
    throw error;
  }
}

/** The code with which the server answers a refusal of the database. */
export function applicationCodeOf(refused: string): ApplicationErrorCode {
  return Object.values(CODES).find((code) => code === refused) ?? 'conflict';
}
