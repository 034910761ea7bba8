import type { z } from 'zod';
import type { FailureKind } from '../../domain/payments/request-result.ts';
import type { ApiCall, CallOptions } from './api-call.ts';
import type { ApiCaller } from './api-caller.ts';
import { ProviderFailure } from './failure.ts';
import type { Operation } from '../operations.ts';
import type { Session } from './session.ts';

/** Sends requests with the account's token. */
export interface AuthorisedCaller {
  call<Schema extends z.ZodType>(call: ApiCall<Schema>, options?: CallOptions): Promise<z.output<Schema>>;
  /** For calls that may not need a token: with the one in use, without when there is none. */
  callOpen<Schema extends z.ZodType>(call: ApiCall<Schema>, options?: CallOptions): Promise<z.output<Schema>>;
}

/**
 * A 401 means that the request was turned away before anything was done, so with another token it is sent once more;
 * a second 401 stands. Contract: account 5, 7.
 */
export function createAuthorisedCaller(api: ApiCaller, session: Session): AuthorisedCaller {
  const sendWith = async <Schema extends z.ZodType, Token extends string | null>(
    first: () => Promise<Token>,
    call: ApiCall<Schema>,
    options: CallOptions,
  ): Promise<z.output<Schema>> => {
    const token = await forCall(call.operation, options, first);
    try {
      return await api.send(call, token, options);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.httpStatus !== 401) throw error;
      const renew = () => (token === null ? session.token() : session.tokenAfterRefusal(token));
      const another = await forCall(call.operation, options, renew);
      if (another === token) throw error;
      return await api.send(call, another, options);
    }
  };
  return {
    call: (call, options = {}) => sendWith(() => session.token(), call, options),
    callOpen: (call, options = {}) => sendWith(() => session.tokenInUse(), call, options),
  };
}

/**
 * The token for a call, within the call's own patience. Whatever goes wrong here, the call itself was not made, and its
 * failure says so.
 */
async function forCall<Token>(operation: Operation, options: CallOptions, get: () => Promise<Token>): Promise<Token> {
  try {
    return await orGivenUp(get(), options.signal);
  } catch (cause) {
    const failed = cause instanceof ProviderFailure ? cause : null;
    throw new ProviderFailure({
      operation,
      kind: failed === null ? 'not_sent' : KIND_FOR_CALL[failed.kind],
      reason: failed === null ? 'not sent: no token could be had' : `not sent: ${failed.message}`,
      httpStatus: failed?.httpStatus ?? null,
      providerCode: failed?.providerCode ?? null,
      providerMessage: failed?.providerMessage ?? null,
      retryAfterMs: failed?.retryAfterMs ?? null,
      cause,
    });
  }
}

/** What a failure to authenticate means for the call that needed the token. */
const KIND_FOR_CALL: Readonly<Record<FailureKind, FailureKind>> = {
  not_sent: 'not_sent',
  unknown_outcome: 'not_sent',
  rate_limited: 'rate_limited',
  unauthenticated: 'unauthenticated',
  refused: 'unauthenticated',
  duplicate_reference: 'unauthenticated',
};

/** The renewal itself goes on: others wait for it too. */
function orGivenUp<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => reject(new Error('given up before it was sent'));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
