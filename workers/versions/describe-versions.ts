import type { Client } from '@temporalio/client';
import { type DeploymentVersion, readDeployment } from './deployment.ts';
import { countPinned, listServedBuilds } from './open-payments.ts';

/** A version, with what an operator needs to decide about it. */
export interface VersionSummary extends DeploymentVersion {
  /** Open workflows that are pinned to this version: payments, and for seconds the fetching of lists. */
  payments: number;
  /** Whether one of its workers has polled in the last 2.5 minutes. */
  isServed: boolean;
}

/** All versions, newest first. Empty before the first worker has connected. */
export async function describeVersions(client: Client, nowMs: number): Promise<VersionSummary[]> {
  const deployment = await readDeployment(client);
  if (deployment === null) return [];
  const served = await listServedBuilds(client, nowMs);
  return Promise.all(
    deployment.versions.map(async ({ buildId, status }) => ({
      buildId,
      status,
      payments: await countPinned(client, buildId),
      isServed: served.has(buildId),
    })),
  );
}

/** Versions with open payments and no worker. */
export function orphanedVersions(versions: readonly VersionSummary[]): VersionSummary[] {
  return versions.filter(({ payments, isServed }) => payments > 0 && !isServed);
}
