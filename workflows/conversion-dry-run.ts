import { setWorkflowOptions } from '@temporalio/workflow';
import { conversionActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import type { ConversionDryRunInput } from './messages.ts';

/** What an order would be quoted at, for somebody who waits for the answer. The record has it. */
export async function conversionDryRun({ trialId, account }: ConversionDryRunInput): Promise<void> {
  const provider = conversionActivities(account, 'read');
  await provider.readDryRunRate({ trialId }).catch(rethrowCancellation);
  await provider.quoteDryRun({ trialId });
}

setWorkflowOptions({ versioningBehavior: 'PINNED' }, conversionDryRun);
