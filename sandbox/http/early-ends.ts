import { z } from 'zod';
import type { Account } from '../account/account.ts';
import type { Fault } from '../faults/faults.ts';
import type { World } from '../core/world.ts';

const TOKEN_ENDED = 'token-ended';
const QUOTE_EXPIRED = 'quote-expired';

const quoteNamed = z.object({ quoteId: z.string() });

/** Lets the world do again what faults ended before its time: an effect of its own, which comes before the call's. */
export function registerEarlyEnds(world: World): void {
  world.redos.set(TOKEN_ENDED, ({ account, token }) => () => {
    if (token) account.tokens.revoke(token);
  });
  world.redos.set(QUOTE_EXPIRED, ({ account, body }) => {
    const { quoteId } = quoteNamed.parse(body);
    return () => expireQuote(world, account, quoteId);
  });
}

/** Ends a token before its time. @throws Refusal 503 `state_not_kept` */
export function endToken(world: World, account: Account, token: string): void {
  world.perform({ name: TOKEN_ENDED, account, token }, () => account.tokens.revoke(token));
}

/** Lets the quote that a call names expire before its time, when a fault says so. @throws Refusal 503 `state_not_kept` */
export function expireQuoteByFault(
  world: World,
  account: Account,
  fault: Readonly<Fault> | undefined,
  body: unknown,
): void {
  if (fault?.kind !== 'quote_dies') return;
  const { quoteId } = quoteNamed.parse(body);
  world.perform({ name: QUOTE_EXPIRED, account, body: { quoteId } }, () => expireQuote(world, account, quoteId));
}

/** Of a payment or a conversion: no two have one id. */
function expireQuote(world: World, account: Account, quoteId: string): void {
  account.quotes.expire(quoteId, world.clock.now());
  account.conversions.expireQuote(quoteId);
}
