import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ProviderFailure } from '../../provider/calls/failure.ts';
import { FORBIDDEN, isDenied } from './failure-meaning.ts';

/** A person has to act (on credentials, or on a refused read): frequent retries would only fill the provider's log. */
const SLOW_RETRY_MS = 60_000;

/** A 403 is retried sooner at first, to find out whether it is about the credentials or about the row. */
const FORBIDDEN_TRIES = 3;
const FORBIDDEN_RETRY_MS = 5_000;

/**
 * The one place where a provider failure becomes a Temporal failure. The message is our own, since the provider's text may
 * name a beneficiary. Every failure is retryable: an activity that can end a payment returns that as its result instead.
 */
export function retryLater(failure: ProviderFailure): ApplicationFailure {
  const isEarly = failure.httpStatus === FORBIDDEN && activityInfo().attempt < FORBIDDEN_TRIES;
  const delayMs = isDenied(failure) ? (isEarly ? FORBIDDEN_RETRY_MS : SLOW_RETRY_MS) : failure.retryAfterMs;
  return ApplicationFailure.create({
    message: failure.message,
    type: `provider_${failure.kind}`,
    ...(delayMs === null ? {} : { nextRetryDelay: delayMs }),
  });
}

/** Has Temporal retry this activity after `delayMs`. Retries add nothing to the history. */
export function tryAgainIn(delayMs: number, type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type,
    nextRetryDelay: Math.max(1, Math.ceil(delayMs)),
    // Waiting is not an error, so it is not logged as one.
    category: ApplicationFailureCategory.BENIGN,
  });
}
