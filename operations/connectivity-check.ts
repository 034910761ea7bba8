import type { ProviderClient } from '../provider/client.ts';
import { ProviderFailure } from '../provider/calls/failure.ts';
import { RateLimiterRefusal } from '../provider/rate-limiter/rate-limiter.ts';

/**
 * Signs in to the account, or uses the current token, and sends a request without effect. Returns null if it is answered,
 * else what failed, starting with `address`, `credentials`, `permission` or `limit`. It never quotes the provider, whose
 * message may contain a secret.
 */
export async function checkConnectivity(client: ProviderClient, withinMs: number): Promise<string | null> {
  try {
    await client.currencies.pairs({ signal: AbortSignal.timeout(withinMs) });
    return null;
  } catch (error) {
    if (error instanceof ProviderFailure) return explain(error, withinMs);
    throw error;
  }
}

function explain(failure: ProviderFailure, withinMs: number): string {
  const causes = causesOf(failure);
  // Refused by the rate limiter, or while another request waited for a token.
  if (causes.some(({ message }) => message === 'given up before it was sent')) {
    return `limit: no request lease was free within ${withinMs / 1000} s: other processes use the whole limit`;
  }
  const refusal = causes.find((cause) => cause instanceof RateLimiterRefusal);
  if (refusal !== undefined) return `limit: ${refusal.message}`;
  if (failure.kind === 'rate_limited') {
    return `limit: the provider demands a pause of ${(failure.retryAfterMs ?? 0) / 1000} s`;
  }
  const status = failure.httpStatus;
  if (status === null) return unreachable(failure, causes);
  const isSignIn = causes.some((cause) => cause instanceof ProviderFailure && cause.operation === 'auth-authenticate');
  return `${whatIsWrong(status, isSignIn)} (HTTP ${status})`;
}

function whatIsWrong(status: number, isSignIn: boolean): string {
  if (status === 401 || status === 403 || (status === 400 && isSignIn)) {
    if (!isSignIn)
      return 'permission: the account signs in, but its requests are refused: check what the API key allows';
    if (status === 403) return 'credentials: the provider refuses PAYRUN_API_KEY, or refuses it from here';
    return 'credentials: the provider refuses PAYRUN_ACCESS_KEY_ID with PAYRUN_SECRET_ACCESS_KEY';
  }
  if (status >= 500) return 'address: the provider has an internal error';
  if (status >= 300 && status < 400) return 'address: it answers by a redirect, which is not followed';
  return "address: the server there is not the provider's API";
}

/** Plain words for the usual error codes. */
const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name cannot be looked up now',
  ECONNRESET: 'the connection broke',
};

/** Node's error codes for an untrusted certificate, or that of another host. */
const CERTIFICATE = /CERT|ISSUER|SELF_SIGNED|VERIFY/;

function unreachable(failure: ProviderFailure, causes: readonly Error[]): string {
  const code = causes.map((cause) => ('code' in cause ? String(cause.code) : '')).find((text) => text !== '');
  if (code === undefined) return `address: ${failure.message}`;
  if (CERTIFICATE.test(code)) {
    return `address: its certificate is not trusted (${code}): name the certificate of its authority in PAYRUN_API_CA_FILE`;
  }
  return `address: ${CODES[code] ?? 'it cannot be reached'} (${code})`;
}

/** The failure and its causes. */
function causesOf(failure: Error): Error[] {
  const causes: Error[] = [];
  for (let cause: unknown = failure; cause instanceof Error; cause = cause.cause) causes.push(cause);
  return causes;
}
