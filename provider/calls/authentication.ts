import { z } from 'zod';
import { type ApiCall, type CallOptions, nothing, recordOf } from './api-call.ts';
import type { ApiCaller } from './api-caller.ts';
import { ProviderFailure } from './failure.ts';
import type { Session, StoredToken } from './session.ts';

/** Credentials as the operator issues them. Contract: account 1. */
export interface Credentials {
  apiKey: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Contract: account 5.3. */
const TOKEN_LIFE_MS = 8 * 60 * 60_000;

/** The token is sent in a header, so it must consist of header characters. */
const tokenAnswer = z.object({ token: z.string().regex(/^[\x21-\x7e]{1,8192}$/) });

/**
 * Exchanges the credentials for a token. The answer does not say when the token expires, so its eight hours are counted
 * from the sending of the request. A 401 here is final. Contract: account 4.1, 5.
 */
export function createAuthenticate(
  api: ApiCaller,
  { accessKeyId, secretAccessKey }: Credentials,
  now: () => number,
): () => Promise<StoredToken> {
  return async () => {
    let sentMs = now();
    const { token } = await api.send(
      {
        operation: 'auth-authenticate',
        method: 'POST',
        path: '/users/v1/authenticate',
        body: { accessKeyId, secretAccessKey },
        answer: recordOf(tokenAnswer),
      },
      null,
      {
        beforeSend: () => {
          sentMs = now();
          return Promise.resolve();
        },
      },
    );
    return { token, expiresAtMs: sentMs + TOKEN_LIFE_MS };
  };
}

export interface AuthenticationCalls {
  /**
   * Invalidates the current token for every process that shares it: the next request anywhere gets a new one. Does
   * nothing if there is none. Contract: account 4.1, 5.4.
   */
  logout(options?: CallOptions): Promise<void>;
}

const LOGOUT: ApiCall<z.ZodUnknown> = {
  operation: 'auth-logout',
  method: 'POST',
  path: '/users/v1/logout',
  answer: nothing,
};

export function createAuthenticationCalls(api: ApiCaller, session: Session): AuthenticationCalls {
  return {
    logout: async (options = {}) => {
      const token = await session.currentToken();
      if (token === null) return;
      try {
        await api.send(LOGOUT, token, options);
      } catch (error) {
        // On a 401 it is already invalid. After any other failure it is kept, so that the call can be repeated.
        if (!(error instanceof ProviderFailure) || error.httpStatus !== 401) throw error;
      }
      await session.forget(token);
    },
  };
}
