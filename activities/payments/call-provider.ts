import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { CallOptions } from '../../provider/calls/api-call.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { InvalidRequest } from '../../provider/calls/invalid-request.ts';
import type { Queryable } from '../../store/database/database.ts';
import { isStopped } from '../../store/approvals/stops.ts';

export interface Sent<T> {
  value: T;
  httpStatus: number | null;
}

/**
 * Sends one request, unless this activity has lost its turn while it waited for its slot. What the provider did not
 * answer as asked comes back as a value: each step knows what a failure means for its money.
 */
export async function callProvider<T>(
  call: (options: CallOptions) => Promise<T>,
  beforeSend?: () => Promise<void>,
): Promise<Sent<T> | ProviderFailure> {
  let httpStatus: number | null = null;
  try {
    const value = await call({
      signal: cancellationSignal(),
      ...(beforeSend === undefined ? {} : { beforeSend }),
      onAnswer: (answer) => {
        httpStatus = answer.httpStatus;
      },
    });
    return { value, httpStatus };
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    if (error instanceof InvalidRequest) return neverSent(error);
    throw error;
  }
}

/**
 * An exclusive request is sent within this time of its intent, or not at all: whoever looks up an open one may rely on
 * it. A slot is usually there within a second.
 */
export const SEND_WITHIN_MS = 10_000;

/**
 * As `callProvider`, for a request whose intent is on record since `begunAtMs` (of `performance.now()`, read before the
 * intent was written). One that waited too long is not sent.
 */
export async function callNonIdempotent<T>(
  begunAtMs: number,
  beforeSend: () => Promise<void>,
  call: (options: CallOptions) => Promise<T>,
): Promise<Sent<T> | ProviderFailure> {
  return callProvider(call, async () => {
    await beforeSend();
    if (performance.now() - begunAtMs > SEND_WITHIN_MS) throw new Error('it waited too long for its slot');
  });
}

/** A stop holds: nothing of the run is sent. */
class PaymentsStopped extends Error {
  override readonly name = 'PaymentsStopped';
}

/**
 * To be called just before a request of a payment leaves: a stop may have come while it waited for its slot. A record
 * that cannot be asked keeps it from being sent as well.
 */
export function unlessStopped(
  database: Queryable,
  { account, runId }: { account: string; runId: string },
): () => Promise<void> {
  return async () => {
    if (await isStopped(database, account, runId)) throw new PaymentsStopped('a stop holds');
  };
}

export function wasStopped(failure: ProviderFailure): boolean {
  return failure.cause instanceof PaymentsStopped;
}

/** What we would not send, the provider could only have refused: it is the row that needs mending. */
function neverSent(invalid: InvalidRequest): ProviderFailure {
  return new ProviderFailure({
    operation: invalid.operation,
    kind: 'refused',
    reason: `not sent: ${invalid.field} is not as it must be`,
    providerCode: 'invalid_request',
    providerMessage: invalid.message,
  });
}

/** As `callProvider`, for requests that may simply be sent again: a failure is Temporal's to retry. */
export async function callRepeatable<T>(call: (options: CallOptions) => Promise<T>): Promise<Sent<T>> {
  const sent = await callProvider(call);
  if (sent instanceof ProviderFailure) throw retryLater(sent);
  return sent;
}

/** What needs a person (credentials, a refusal of a mere question): asking often would only fill the provider's log. */
const SLOW_RETRY_MS = 60_000;

/** About the credentials or about the row: so often it is asked at once, to know which (`asForbiddenRow`). */
export const FORBIDDEN = 403;
export const FORBIDDEN_TRIES = 3;
const FORBIDDEN_RETRY_MS = 5_000;

/**
 * The one place where a provider's failure becomes Temporal's. Its message is ours alone, since what the provider
 * wrote may name a beneficiary. Nothing is final here: a step that can end a payment does so by its outcome.
 */
export function retryLater(failure: ProviderFailure): ApplicationFailure {
  const needsPerson = failure.kind === 'unauthenticated' || failure.kind === 'refused';
  const isEarly = failure.httpStatus === FORBIDDEN && activityInfo().attempt < FORBIDDEN_TRIES;
  const delayMs = needsPerson ? (isEarly ? FORBIDDEN_RETRY_MS : SLOW_RETRY_MS) : failure.retryAfterMs;
  return ApplicationFailure.create({
    message: failure.message,
    type: `provider_${failure.kind}`,
    ...(delayMs === null ? {} : { nextRetryDelay: delayMs }),
  });
}

/** Whether the request provably changed nothing, so that the same step may begin again. */
export function hadNoEffect(failure: ProviderFailure): boolean {
  return failure.kind === 'not_sent' || failure.kind === 'rate_limited' || failure.kind === 'unauthenticated';
}

/** What a person is told of a refusal: the provider's own words where it gave any. Kept in Postgres alone. */
export function refusalWords(failure: ProviderFailure): { error_code: string; error_message: string } {
  return {
    error_code: failure.providerCode ?? 'refused_by_provider',
    error_message: failure.providerMessage ?? failure.message,
  };
}

/** Asks Temporal to try this activity again after the given time, which costs no history. */
export function tryAgainIn(delayMs: number, type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type,
    nextRetryDelay: Math.max(1, Math.ceil(delayMs)),
    // Waiting is no fault: nothing to log.
    category: ApplicationFailureCategory.BENIGN,
  });
}
