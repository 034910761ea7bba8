import type { Client } from '@temporalio/client';
import { type DeploymentVersion, readDeployment } from './deployment.ts';
import { countPinned, servedBuilds } from './open-payments.ts';

/** A version as an operator wants to see it. */
export interface VersionSummary extends DeploymentVersion {
  /** Of what begins, while it is ramping; null otherwise. */
  rampPercent: number | null;
  /** Open payments that end on this version. */
  payments: number;
  /** Whether a worker of it asked for work in the last minutes. */
  isServed: boolean;
}

/** Every version that Temporal knows, newest first. Empty before the first worker has come. */
export async function describeVersions(client: Client, nowMs: number): Promise<VersionSummary[]> {
  const deployment = await readDeployment(client);
  if (deployment === null) return [];
  const served = await servedBuilds(client, nowMs);
  const { versions, ramp } = deployment;
  return Promise.all(
    versions.map(async ({ buildId, status }) => ({
      buildId,
      status,
      rampPercent: ramp?.buildId === buildId ? ramp.percent : null,
      payments: await countPinned(client, buildId),
      isServed: served.has(buildId),
    })),
  );
}

/** Versions with open payments and no worker to pay them. */
export function stranded(versions: readonly VersionSummary[]): VersionSummary[] {
  return versions.filter(({ payments, isServed }) => payments > 0 && !isServed);
}
