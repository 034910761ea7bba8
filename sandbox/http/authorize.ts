import type { Account } from '../account/account.ts';
import type { Fault } from '../faults/faults.ts';
import { Refusal, WrongMethod } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { endToken } from './early-ends.ts';

/** What every request is judged by before its body is read. */
export interface Knock {
  readonly apiKey: string | undefined;
  readonly token: string | undefined;
  /** Monotonic, taken first thing. */
  readonly arrivedAtMs: number;
  /** The checklist id; null where no operation has the path. */
  readonly operation: string | null;
  /** The methods that its path has, as an `Allow` header lists them, where no operation has method and path. */
  readonly allow?: string;
}

/** A request that was let in. */
export interface Admitted {
  readonly account: Account;
  readonly token: string | null;
  readonly operation: string;
  readonly fault: Readonly<Fault> | undefined;
}

/**
 * Lets a request in or turns it away, in this order: no or an unknown API key (403), over the limit (429), no such
 * path (404) or not with this method (405), no valid token (401). Requests without a key of ours are counted for the
 * first account.
 * Contract: account 5 and 7.
 * @throws Refusal
 */
export function admit(world: World, knock: Knock): Admitted {
  const { apiKey, operation, allow } = knock;
  const caller = apiKey === undefined ? undefined : world.account(apiKey);
  const counted = caller ?? world.firstAccount();
  counted.requests += 1;
  if (operation !== null) counted.countOperation(operation);
  if (!caller) {
    throw new Refusal(403, 'forbidden', apiKey === undefined ? 'X-Api-Key is missing' : 'X-Api-Key is unknown');
  }
  const nowMs = world.clock.now();
  const over = caller.arrivals.arrive(knock.arrivedAtMs, nowMs);
  if (over) {
    throw new Refusal(
      world.options.limitStatus,
      'rate_limited',
      `too many requests in a ${over.limit}`,
      over.retryAfterSeconds,
    );
  }
  if (operation === null && allow) throw new WrongMethod(allow);
  if (operation === null) throw new Refusal(404, 'not_found', 'no operation has this method and path');
  const open = world.options.openOperations.includes(operation);
  const token = caller.tokens.accepts(knock.token, nowMs) ? knock.token : null;
  if (!open && token === null) throw new Refusal(401, 'authentication_failed', 'authentication_failed');
  const fault = caller.faults.take(operation);
  if (fault?.kind === 'token_dies' && token !== null) {
    endToken(world, caller, token);
    throw new Refusal(401, 'authentication_failed', 'authentication_failed');
  }
  return { account: caller, token, operation, fault };
}
