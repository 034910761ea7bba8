import { setWorkflowOptions } from '@temporalio/workflow';
import { conversionActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import type { ConversionDryRunInput } from './messages.ts';

/** What an order would be quoted at, for somebody who waits for the answer. The database has it. */
export async function conversionDryRun({ dryRunId, account }: ConversionDryRunInput): Promise<void> {
  const provider = conversionActivities(account, 'read');
  await provider.readDryRunRate({ dryRunId }).catch(rethrowCancellation);
  await provider.quoteDryRun({ dryRunId });
}

setWorkflowOptions({ versioningBehavior: 'PINNED' }, conversionDryRun);
