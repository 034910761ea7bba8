import { setWorkflowOptions } from '@temporalio/workflow';
import { conversionActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import type { ConversionTrialInput } from './messages.ts';

/** What an order would be quoted at, for somebody who waits for the answer. The record has it. */
export async function conversionTrial({ trialId, account }: ConversionTrialInput): Promise<void> {
  const provider = conversionActivities(account, 'read');
  await provider.tryRate({ trialId }).catch(rethrowCancellation);
  await provider.tryQuote({ trialId });
}

setWorkflowOptions({ versioningBehavior: 'PINNED' }, conversionTrial);
