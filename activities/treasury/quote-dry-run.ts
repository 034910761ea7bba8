import { approvedTotal } from '../../domain/treasury/conversion-order.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { readCommittedToday, readConversionLimits, readGuardFacts } from '../../store/treasury/order-guards.ts';
import { readDryRun, recordDryRun, recordDryRunReference } from '../../store/treasury/dry-runs.ts';
import { callProvider } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { guardReport } from './commit-conversion.ts';
import { storedQuoteOf } from './quote-conversion.ts';
import { readReference } from './read-rate.ts';

/** Reads what a dry run is compared with. */
export function readDryRunRateActivity(dependencies: ActivityDependencies) {
  const { database } = dependencies;
  return async function readDryRunRate({ dryRunId }: { dryRunId: string }): Promise<void> {
    const { terms } = await readDryRun(database, dryRunId);
    await recordDryRunReference(database, dryRunId, await readReference(dependencies, terms));
  };
}

/** Asks for a quote that is not used, and records what the guards say of it. Contract: payments 2.3, 4.3. */
export function quoteDryRunActivity({ database, provider }: ActivityDependencies) {
  return async function quoteDryRun({ dryRunId }: { dryRunId: string }): Promise<void> {
    const { terms, reference } = await readDryRun(database, dryRunId);
    const { account, sellCurrency, buyCurrency, fixedSide, amount } = terms;
    const reply = await callProvider((options) =>
      provider(account).conversions.quote({ sellCurrency, buyCurrency, fixedSide, amount }, options),
    );
    if (reply instanceof ProviderFailure) {
      if (reply.kind !== 'refused') throw retryLater(reply);
      const problem = reply.providerMessage ?? reply.message;
      await recordDryRun(database, dryRunId, {
        quote: null,
        problem,
        findings: [],
        decision: 'skip',
        code: 'quote_refused',
      });
      return;
    }
    const quote = storedQuoteOf(reply.value);
    const limits = await readConversionLimits(database, terms);
    const committedToday = await readCommittedToday(database, terms, limits);
    const facts = await readGuardFacts(database, terms);
    const record = { terms, approvedUpTo: approvedTotal(terms) ?? '0', reference };
    const report = guardReport({ record, quote, limits, committedToday, facts });
    await recordDryRun(database, dryRunId, { quote, problem: null, ...report });
  };
}
