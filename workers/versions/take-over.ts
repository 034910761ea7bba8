import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import proto from '@temporalio/proto';
import { DEPLOYMENT_NAME } from './deployment.ts';
import { isMissing } from './server-refusal.ts';
import { listPinned } from './open-payments.ts';

const { PINNED_OVERRIDE_BEHAVIOR_PINNED } = proto.temporal.api.workflow.v1.VersioningOverride.PinnedOverrideBehavior;

/** What became of the workflows that were pinned to a version. */
export interface TakenOver {
  moved: number;
  /** Workflow ids of those that this version's code would take another way than they went; they stay where they are. */
  refused: string[];
}

/**
 * Moves what is pinned to a version over to another one whose code is at hand. Each is replayed by that code first, up
 * to where it stands: one that does not go the same way stays, since moving it would only stop it in another place.
 */
export async function takeOver(options: {
  client: Client;
  fromBuildId: string;
  toBuildId: string;
  /** The workflows of `toBuildId`. */
  bundlePath: string;
}): Promise<TakenOver> {
  const { client, fromBuildId, toBuildId, bundlePath } = options;
  const taken: TakenOver = { moved: 0, refused: [] };
  const replays = Worker.runReplayHistories(
    { workflowBundle: { codePath: bundlePath } },
    historiesOf(client, fromBuildId),
  );
  for await (const { workflowId, error } of replays) {
    if (error !== undefined) taken.refused.push(workflowId);
    else if (await pin(client, workflowId, toBuildId)) taken.moved += 1;
  }
  return taken;
}

/** Histories of open workflows; one that has ended since it was listed needs no new home. */
async function* historiesOf(
  client: Client,
  buildId: string,
): AsyncGenerator<{ workflowId: string; history: proto.temporal.api.history.v1.IHistory }> {
  for await (const { workflowId, runId } of listPinned(client, buildId)) {
    yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
  }
}

/** False when it has ended meanwhile. */
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
