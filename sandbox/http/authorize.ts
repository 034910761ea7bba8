import type { Account } from '../account/account.ts';
import { Refusal, WrongMethod } from '../core/refusal.ts';
import { revokeToken } from '../faults/early-expiry.ts';
import type { Fault } from '../faults/faults.ts';
import type { World } from '../world.ts';

/** The part of a request that is checked before its body is read. */
interface IncomingRequest {
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
  /** Monotonic. */
  readonly arrivedAtMs: number;
  /** The checklist id; null where no operation has the path. */
  readonly operation: string | null;
  /** The methods of the path, as in an `Allow` header, when no operation has both the method and the path. */
  readonly allow?: string;
}

/** A request with valid credentials, within the limits. */
export interface AuthorizedRequest {
  readonly account: Account;
  readonly token: string | null;
  readonly operation: string;
  readonly fault: Readonly<Fault> | undefined;
}

/**
 * Authorizes a request or refuses it, in this order: missing or unknown API key (403), over the limit (429), unknown
 * path (404) or wrong method (405), no valid token (401). Requests without a known key are counted for the first
 * account. Contract: account 5 and 7.
 * @throws Refusal
 */
export function authorize(world: World, request: IncomingRequest): AuthorizedRequest {
  const { apiKey, operation, allow } = request;
  const caller = apiKey === undefined ? undefined : world.account(apiKey);
  const countedFor = caller ?? world.firstAccount();
  countedFor.requests += 1;
  if (operation !== null) countedFor.countOperation(operation);
  if (!caller) {
    throw new Refusal(403, 'forbidden', apiKey === undefined ? 'X-Api-Key is missing' : 'X-Api-Key is unknown');
  }
  const nowMs = world.clock.now();
  checkRateLimit(world, caller, request.arrivedAtMs, nowMs);
  if (operation === null && allow) throw new WrongMethod(allow);
  if (operation === null) throw new Refusal(404, 'not_found', 'no operation has this method and path');
  const isOpen = world.options.openOperations.includes(operation);
  const token = caller.tokens.accepts(request.token, nowMs) ? request.token : null;
  if (!isOpen && token === null) throw authenticationFailed();
  const fault = caller.faults.take(operation);
  if (fault?.kind === 'token_dies' && token !== null) {
    revokeToken(world, caller, token);
    throw authenticationFailed();
  }
  return { account: caller, token, operation, fault };
}

function checkRateLimit(world: World, caller: Account, arrivedAtMs: number, nowMs: number): void {
  const over = caller.rateLimiter.countRequest(arrivedAtMs, nowMs);
  if (!over) return;
  const message = `too many requests in a ${over.limit}`;
  throw new Refusal(world.options.limitStatus, 'rate_limited', message, over.retryAfterSeconds);
}

const authenticationFailed = (): Refusal => new Refusal(401, 'authentication_failed', 'authentication_failed');
