import { setWorkflowOptions } from '@temporalio/workflow';
import { engineActivities, providerActivities } from './activity-options.ts';
import type { ReferenceDataInput } from './messages.ts';

/** Fetches what the provider supports, as far as it is not known or too old: it is asked for before a file is checked. */
export async function referenceData(input: ReferenceDataInput): Promise<void> {
  const { account } = input;
  const { fetch } = await engineActivities.listStaleReferences(input);
  const provider = providerActivities(account, 'ask');
  await Promise.all(fetch.map((reference) => provider.fetchReference({ account, reference })));
}

// It takes seconds: it ends on the version that began it.
setWorkflowOptions({ versioningBehavior: 'PINNED' }, referenceData);
