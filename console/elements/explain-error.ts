import { PayrunApiError, PayrunUnreachableError } from '../../client/sdk/errors.ts';
import { UnknownOutcomeError } from '../calls/unknown-outcome-error.ts';
import { capitalized } from '../../domain/capitalized.ts';

/** An error for people: what happened, and what the server said about it. */
export function explain(error: unknown): { title: string; message: string } {
  if (error instanceof UnknownOutcomeError) {
    return {
      title: 'No answer came',
      message:
        'Whether it was recorded is not known, and it is not sent again by itself: look at what is recorded first.',
    };
  }
  if (error instanceof PayrunUnreachableError) {
    return { title: 'payrun cannot be reached', message: 'The page tries again by itself. Check your connection.' };
  }
  if (!(error instanceof PayrunApiError)) {
    return { title: 'This page has a fault', message: error instanceof Error ? error.message : String(error) };
  }
  return { title: TITLES[error.code] ?? 'payrun refused this', message: sentence(error.message) };
}

const TITLES: Readonly<Record<string, string>> = {
  invalid_input: 'Something in it is wrong',
  not_allowed: 'You may not do this',
  not_found: 'It is not there',
  method_not_allowed: 'The address does not do that',
  conflict: 'It has changed meanwhile',
  too_large: 'It is too large',
  too_many: 'Too many at once',
  unavailable: 'A service does not answer',
  internal: 'payrun has failed',
  signed_in_as_another: 'Somebody else has signed in with this browser',
  unauthenticated: 'You are not signed in',
};

/** Messages of the server begin small, so that they fit behind a name. */
function sentence(message: string): string {
  const text = capitalized(message);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
