import type { z } from 'zod';
import type { FailureKind } from '../../domain/payments/request-result.ts';
import type { ApiCall, CallOptions } from './api-call.ts';
import type { ApiCaller } from './api-caller.ts';
import { ProviderFailure } from './failure.ts';
import type { Operation } from '../operations.ts';
import type { Session } from './session.ts';

/** Sends requests with the account's token. */
export interface AuthorizedCaller {
  call<Schema extends z.ZodType>(call: ApiCall<Schema>, options?: CallOptions): Promise<z.output<Schema>>;
  /** For calls that may not need a token: with the current one, or without if there is none. */
  callWithOptionalToken<Schema extends z.ZodType>(
    call: ApiCall<Schema>,
    options?: CallOptions,
  ): Promise<z.output<Schema>>;
}

/**
 * A 401 of the provider means that the request was refused before it had any effect, so it is sent once more with another token;
 * a second 401 is final. Contract: account 5, 7.
 */
export function createAuthorizedCaller(api: ApiCaller, session: Session): AuthorizedCaller {
  const sendWith = async <Schema extends z.ZodType, Token extends string | null>(
    first: () => Promise<Token>,
    call: ApiCall<Schema>,
    options: CallOptions,
  ): Promise<z.output<Schema>> => {
    const token = await tokenForCall(call.operation, options, first);
    try {
      return await api.send(call, token, options);
    } catch (error) {
      if (!isNotLetIn(error)) throw error;
      const renew = () => (token === null ? session.token() : session.tokenAfterRefusal(token));
      const another = await tokenForCall(call.operation, options, renew);
      if (another === token) throw error;
      return await api.send(call, another, options);
    }
  };
  return {
    call: (call, options = {}) => sendWith(() => session.token(), call, options),
    callWithOptionalToken: (call, options = {}) => sendWith(() => session.currentToken(), call, options),
  };
}

/** A 401 that a gateway may have answered in the provider's place says so only of a request that may be repeated. */
function isNotLetIn(error: unknown): boolean {
  // guard: sent-again-after-401-alone, sent-again-after-own-401
  return error instanceof ProviderFailure && error.httpStatus === 401 && error.kind === 'unauthenticated';
}

/**
 * The token for a call, until the call's signal aborts. After any failure here the call itself has not been sent, which
 * its own failure says.
 */
async function tokenForCall<Token>(
  operation: Operation,
  options: CallOptions,
  get: () => Promise<Token>,
): Promise<Token> {
  try {
    return await unlessGivenUp(get(), options.signal);
  } catch (cause) {
    const failed = cause instanceof ProviderFailure ? cause : null;
    throw new ProviderFailure({
      operation,
      kind: failed === null ? 'not_sent' : KIND_OF_CALL_FAILURE[failed.kind],
      reason: failed === null ? 'not sent: no token is available' : `not sent: ${failed.message}`,
      httpStatus: failed?.httpStatus ?? null,
      providerCode: failed?.providerCode ?? null,
      providerMessage: failed?.providerMessage ?? null,
      retryAfterMs: failed?.retryAfterMs ?? null,
      cause,
    });
  }
}

/** The failure of the call, by the failure of the authentication that it needed. */
const KIND_OF_CALL_FAILURE: Readonly<Record<FailureKind, FailureKind>> = {
  not_sent: 'not_sent',
  unknown_outcome: 'not_sent',
  rate_limited: 'rate_limited',
  unauthenticated: 'unauthenticated',
  refused: 'unauthenticated',
  duplicate_reference: 'unauthenticated',
};

/** Stops waiting when the signal aborts. The renewal itself continues, since other calls wait for it too. */
function unlessGivenUp<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => reject(new Error('given up before it was sent'));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
