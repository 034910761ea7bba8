import type { Client } from '@temporalio/client';
import { DEPLOYMENT_NAME } from '../../domain/identifiers.ts';

/**
 * Makes a version current: new payments start on it, and runs move to it.
 * @throws ServiceError with FAILED_PRECONDITION when its workers do not poll every queue that is in use, or when the
 * deployment has changed since the conflict token was read.
 */
export async function setCurrent(
  { connection, options }: Client,
  buildId: string,
  conflictToken?: Uint8Array,
): Promise<void> {
  await connection.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: options.namespace,
    deploymentName: DEPLOYMENT_NAME,
    buildId,
    identity: options.identity,
    ...(conflictToken === undefined ? {} : { conflictToken }),
  });
}
