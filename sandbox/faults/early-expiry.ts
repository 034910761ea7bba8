import { z } from 'zod';
import type { Account } from '../account/account.ts';
import type { Fault } from './faults.ts';
import type { World } from '../world.ts';

const TOKEN_ENDED = 'token-ended';
const QUOTE_EXPIRED = 'quote-expired';

const quoteReference = z.object({ quoteId: z.string() });

/** Adds the replay handlers for tokens and quotes that a fault ended early, which is an effect before the call's own. */
export function registerEarlyExpiry(world: World): void {
  world.replayHandlers.set(TOKEN_ENDED, ({ account, token }) => () => {
    if (token) account.tokens.revoke(token);
  });
  world.replayHandlers.set(QUOTE_EXPIRED, ({ account, body }) => {
    const { quoteId } = quoteReference.parse(body);
    return () => expireQuote(world, account, quoteId);
  });
}

/** Revokes a token early. @throws Refusal 503 `state_not_kept` */
export function revokeToken(world: World, account: Account, token: string): void {
  world.perform({ name: TOKEN_ENDED, account, token }, () => account.tokens.revoke(token));
}

/** Makes the quote of a request expire early when the fault is `quote_dies`. @throws Refusal 503 `state_not_kept` */
export function expireQuoteByFault(
  world: World,
  account: Account,
  fault: Readonly<Fault> | undefined,
  body: unknown,
): void {
  if (fault?.kind !== 'quote_dies') return;
  const { quoteId } = quoteReference.parse(body);
  world.perform({ name: QUOTE_EXPIRED, account, body: { quoteId } }, () => expireQuote(world, account, quoteId));
}

/** The quote of a payment or of a conversion: their ids are distinct. */
function expireQuote(world: World, account: Account, quoteId: string): void {
  account.quotes.expire(quoteId, world.clock.now());
  account.conversions.expireQuote(quoteId);
}
