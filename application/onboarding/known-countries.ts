import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { MAIN_TASK_QUEUE, referenceDataWorkflowId } from '../../domain/identifiers.ts';
import type { OnboardingCountry } from '../../domain/onboarding/check-country.ts';
import { readReferences } from '../../store/payment-file/reference-data.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';

/**
 * The countries of the provider with their dialling codes: from the database where they are fresh, else fetched by a short
 * workflow, since only workers call the provider. @throws ApplicationError `unavailable` when that takes too long
 */
export async function knownCountries(
  dependencies: ApplicationDependencies,
  account: string,
): Promise<readonly OnboardingCountry[]> {
  const known = await read(dependencies, account);
  if (known.length > 0) return known;
  const { temporal, settings } = dependencies;
  try {
    await temporal.workflow.execute('referenceData', {
      workflowId: `${referenceDataWorkflowId(account)}/countries`,
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account, corridors: [], countries: true }],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      workflowExecutionTimeout: settings.referenceTimeoutMs,
      staticSummary: `Countries of ${account}`,
    });
  } catch (error) {
    throw new ApplicationError(
      'unavailable',
      "the provider's list of countries could not be read in time; check that a worker runs and that the provider can be reached",
      { cause: error },
    );
  }
  return read(dependencies, account);
}

async function read(
  { database, settings }: ApplicationDependencies,
  account: string,
): Promise<readonly OnboardingCountry[]> {
  const entries = await readReferences(database, account, settings.referenceMaxAgeMs);
  return entries.flatMap(({ kind, content }) => (kind === 'countries' ? (content as OnboardingCountry[]) : []));
}
