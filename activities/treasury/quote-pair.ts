import { withoutFloatNoise } from '../../domain/money.ts';
import { answered } from '../../domain/treasury/occurrence-plan.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { planOccurrence, readOccurrence } from '../../store/treasury/occurrences.ts';
import { holdIfStopped, retryIfStopped, unlessAccountStopped } from '../calls/account-stop.ts';
import { callProvider } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * Asks for one of the prices that an occurrence plans with, and records it; it is used for nothing else. Nothing is asked for twice, or
 * beyond the plan. Contract: payments 2.3.
 */
export function quotePairActivity({ database, provider }: ActivityDependencies) {
  return async function quotePair({ occurrenceId, n }: { occurrenceId: string; n: number }): Promise<void> {
    const { account, plan } = await readOccurrence(database, occurrenceId);
    const quote = plan.quotes[n];
    if (quote === undefined || quote.answer !== undefined) return;
    await holdIfStopped(database, account);
    const { sellCurrency, buyCurrency, fixedSide, amount } = quote;
    const reply = await callProvider(
      (options) => provider(account).conversions.quote({ sellCurrency, buyCurrency, fixedSide, amount }, options),
      unlessAccountStopped(database, account),
    );
    if (reply instanceof ProviderFailure && reply.kind !== 'refused') {
      retryIfStopped(reply);
      throw retryLater(reply);
    }
    const answer =
      reply instanceof ProviderFailure
        ? null
        : {
            totalAmount: withoutFloatNoise(reply.value.totalAmount),
            buyAmount: withoutFloatNoise(reply.value.buyAmount),
          };
    await planOccurrence(database, occurrenceId, answered(plan, n, answer));
  };
}
