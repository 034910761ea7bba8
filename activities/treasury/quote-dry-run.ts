import { approvedTotal } from '../../domain/treasury/conversion-order.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { readCommittedToday, readConversionLimits, readGuardFacts } from '../../store/treasury/order-guards.ts';
import { readTrial, recordTrial, recordTrialReference } from '../../store/treasury/order-trials.ts';
import { callProvider } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { guardReport } from './commit-conversion.ts';
import { storedQuoteOf } from './quote-conversion.ts';
import { readReference } from './read-rate.ts';

/** Reads what a trial is compared with. */
export function readDryRunRateActivity(dependencies: ActivityDependencies) {
  const { database } = dependencies;
  return async function readDryRunRate({ trialId }: { trialId: string }): Promise<void> {
    const { terms } = await readTrial(database, trialId);
    await recordTrialReference(database, trialId, await readReference(dependencies, terms));
  };
}

/** Asks for a quote that is not used, and records what the guards say of it. Contract: payments 2.3, 4.3. */
export function quoteDryRunActivity({ database, provider }: ActivityDependencies) {
  return async function quoteDryRun({ trialId }: { trialId: string }): Promise<void> {
    const { terms, reference } = await readTrial(database, trialId);
    const { account, sellCurrency, buyCurrency, fixedSide, amount } = terms;
    const reply = await callProvider((options) =>
      provider(account).conversions.quote({ sellCurrency, buyCurrency, fixedSide, amount }, options),
    );
    if (reply instanceof ProviderFailure) {
      if (reply.kind !== 'refused') throw retryLater(reply);
      const problem = reply.providerMessage ?? reply.message;
      await recordTrial(database, trialId, {
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
    await recordTrial(database, trialId, { quote, problem: null, ...report });
  };
}
