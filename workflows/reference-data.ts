import { setWorkflowOptions } from '@temporalio/workflow';
import { mainActivities, providerActivities } from './activity-options.ts';
import type { ReferenceDataInput } from './messages.ts';

/** Fetches the lists of what the provider supports that are missing or too old. Runs before a file is validated. */
export async function referenceData(input: ReferenceDataInput): Promise<void> {
  const { account } = input;
  const { fetch } = await mainActivities.listStaleReferences(input);
  const provider = providerActivities(account, 'interactive');
  await Promise.all(fetch.map((reference) => provider.fetchReference({ account, reference })));
}

// It takes seconds, so it ends on the version that started it.
setWorkflowOptions({ versioningBehavior: 'PINNED' }, referenceData);
