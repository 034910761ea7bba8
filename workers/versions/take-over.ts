import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import proto from '@temporalio/proto';
import { DEPLOYMENT_NAME } from '../../domain/identifiers.ts';
import { isMissing } from './server-refusal.ts';
import { listPinned } from './open-payments.ts';

const { PINNED_OVERRIDE_BEHAVIOR_PINNED } = proto.temporal.api.workflow.v1.VersioningOverride.PinnedOverrideBehavior;

/** The result of taking over the workflows that were pinned to a version. */
export interface TakeOverResult {
  moved: number;
  /** Ids of the workflows whose history the new code does not replay; they stay on their version. */
  refused: string[];
}

/**
 * Moves the workflows that are pinned to a version to another one, whose code is installed here. That code first
 * replays each history: a workflow that it does not replay stays, since on the new version it could not make progress
 * either.
 */
export async function takeOver(options: {
  client: Client;
  fromBuildId: string;
  toBuildId: string;
  /** The workflows of `toBuildId`. */
  bundlePath: string;
}): Promise<TakeOverResult> {
  const { client, fromBuildId, toBuildId, bundlePath } = options;
  const result: TakeOverResult = { moved: 0, refused: [] };
  const replays = Worker.runReplayHistories(
    { workflowBundle: { codePath: bundlePath } },
    historiesOf(client, fromBuildId),
  );
  for await (const { workflowId, error } of replays) {
    if (error !== undefined) result.refused.push(workflowId);
    else if (await pin(client, workflowId, toBuildId)) result.moved += 1;
  }
  return result;
}

/** The histories of the open workflows of a version. */
async function* historiesOf(
  client: Client,
  buildId: string,
): AsyncGenerator<{ workflowId: string; history: proto.temporal.api.history.v1.IHistory }> {
  for await (const { workflowId, runId } of listPinned(client, buildId)) {
    yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
  }
}

/** False if the workflow has ended meanwhile. */
async function pin({ connection, options }: Client, workflowId: string, buildId: string): Promise<boolean> {
  try {
    await connection.workflowService.updateWorkflowExecutionOptions({
      namespace: options.namespace,
      workflowExecution: { workflowId },
      workflowExecutionOptions: {
        versioningOverride: {
          pinned: {
            behavior: PINNED_OVERRIDE_BEHAVIOR_PINNED,
            version: { deploymentName: DEPLOYMENT_NAME, buildId },
          },
        },
      },
      updateMask: { paths: ['versioning_override'] },
      identity: options.identity,
    });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
