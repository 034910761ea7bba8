import type { Client } from '@temporalio/client';
import { describeVersions, type VersionSummary } from './describe-versions.ts';
import { setCurrent } from './set-current.ts';

/** An operator's request that the versions do not allow as they are. The message says what to do first. */
export class VersionOperationError extends Error {
  override readonly name = 'VersionOperationError';
}

/** Makes a version current. @throws VersionOperationError when there is no such version or no worker of it runs */
export async function makeVersionCurrent(client: Client, buildId: string): Promise<void> {
  const { isServed } = await findVersion(client, buildId);
  if (!isServed) throw new VersionOperationError(`no worker of ${buildId} runs; start one first, then make it current`);
  await setCurrent(client, buildId);
}

/**
 * Whether the payments of one version can be taken over by the other.
 * @throws VersionOperationError when either is unknown, the first still has workers, or the second has none
 */
export async function assertCanTakeOver(client: Client, fromBuildId: string, toBuildId: string): Promise<void> {
  if (fromBuildId === toBuildId) throw new VersionOperationError(`${toBuildId} is this version itself`);
  const from = await findVersion(client, fromBuildId);
  if (from.isServed) {
    throw new VersionOperationError(
      `workers of ${fromBuildId} run, or did so minutes ago, and finish its payments by themselves`,
    );
  }
  const to = await findVersion(client, toBuildId);
  if (!to.isServed) throw new VersionOperationError(`no worker of ${toBuildId} runs; start one first`);
}

async function findVersion(client: Client, buildId: string): Promise<VersionSummary> {
  const versions = await describeVersions(client, Date.now());
  const found = versions.find((version) => version.buildId === buildId);
  if (found !== undefined) return found;
  const known = versions.map((version) => version.buildId).join(', ');
  throw new VersionOperationError(`there is no version ${buildId}; there are: ${known === '' ? 'none yet' : known}`);
}
