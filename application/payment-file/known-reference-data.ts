import { createHash } from 'node:crypto';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { MAIN_TASK_QUEUE, referenceDataWorkflowId } from '../../domain/identifiers.ts';
import {
  type Corridor,
  type CurrencyFact,
  corridorKey,
  type ReferenceData,
  type RequirementSet,
} from '../../domain/payment-file/reference-data.ts';
import { readReferences } from '../../store/payment-file/reference-data.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';

/**
 * What the provider supports, for these corridors: from the database where it is fresh, else fetched by a short
 * workflow, since only workers call the provider. Throws `unavailable` when that takes too long.
 */
export async function knownReferenceData(
  dependencies: ApplicationDependencies,
  account: string,
  corridors: Corridor[],
): Promise<ReferenceData> {
  const known = await read(dependencies, account);
  if (isComplete(known, corridors)) return known;
  await fetchMissing(dependencies, account, corridors);
  const fetched = await read(dependencies, account);
  if (!isComplete(fetched, corridors)) {
    throw new ApplicationError(
      'unavailable',
      'what the provider supports could not be read completely; try again in a minute',
    );
  }
  return fetched;
}

async function fetchMissing(
  dependencies: ApplicationDependencies,
  account: string,
  corridors: Corridor[],
): Promise<void> {
  const { temporal, settings } = dependencies;
  const subject = createHash('sha256').update(corridors.map(corridorKey).sort().join('\n')).digest('hex').slice(0, 16);
  try {
    await temporal.workflow.execute('referenceData', {
      workflowId: `${referenceDataWorkflowId(account)}/${subject}`,
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account, corridors }],
      // Concurrent files with the same corridors share one fetch.
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      workflowExecutionTimeout: settings.referenceTimeoutMs,
      staticSummary: `What ${account} supports, for ${corridors.length} corridors`,
    });
  } catch (error) {
    throw new ApplicationError(
      'unavailable',
      'what the provider supports could not be read in time; check that a worker runs and that the provider can be reached',
      { cause: error },
    );
  }
}

async function read({ database, settings }: ApplicationDependencies, account: string): Promise<ReferenceData> {
  const entries = await readReferences(database, account, settings.referenceMaxAgeMs);
  const listOf = (kind: string): unknown[] =>
    entries.filter((entry) => entry.kind === kind).flatMap(({ content }) => content as unknown[]);
  return {
    currencies: new Map((listOf('currencies') as CurrencyFact[]).map((fact) => [fact.code, fact])),
    pairs: new Set(listOf('pairs') as string[]),
    localCurrencies: new Set(listOf('local_currencies') as string[]),
    requirements: new Map(
      entries
        .filter(({ kind }) => kind === 'requirements')
        .map(({ key, content }) => [key, content as readonly RequirementSet[]]),
    ),
  };
}

function isComplete(reference: ReferenceData, corridors: readonly Corridor[]): boolean {
  return (
    reference.currencies.size > 0 && corridors.every((corridor) => reference.requirements.has(corridorKey(corridor)))
  );
}
