import type { Client } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { type CommandIo, writeJson, writeLine } from '../client/cli/command-io.ts';
import { NotAsRequested, ServiceUnreachable, WrongInput } from '../client/cli/exit-code.ts';
import { textTable } from '../client/cli/text-table.ts';
import { readEnvironment } from '../config/environment.ts';
import { temporalClientWithoutRetries } from '../config/temporal/connect-temporal.ts';
import { readTemporalSettings } from '../config/temporal/temporal-settings.ts';
import { payrunCacheDir } from '../local/embedded/temporal-cache.ts';
import { ownBuildId } from '../workers/build-id.ts';
import { describeVersions, type VersionSummary } from '../workers/versions/describe-versions.ts';
import { refusalText } from '../workers/versions/migrate-orphaned.ts';
import { assertCanTakeOver, makeVersionCurrent, VersionOperationError } from '../workers/versions/operate-versions.ts';
import { refusalReason } from '../workers/versions/server-refusal.ts';
import { takeOver } from '../workers/versions/take-over.ts';
import { workflowBundle } from '../workers/workflow-bundle.ts';

/** `payrun versions list`. */
export async function listVersions(io: CommandIo, json: boolean): Promise<void> {
  const versions = await withTemporal(io, (client) => describeVersions(client, Date.now()));
  if (json) return writeJson(io, { own: ownBuildId(), versions });
  await writeLine(
    io.stdout,
    versions.length === 0 ? 'No worker has connected to this namespace yet.' : table(versions),
  );
  await writeLine(io.stdout, `This payrun is ${ownBuildId()}.`);
}

const COLUMNS = [
  { title: 'Version' },
  { title: 'Status' },
  { title: 'Open payments', align: 'right' },
  { title: 'Workers' },
] as const;

function table(versions: readonly VersionSummary[]): string {
  return textTable(
    COLUMNS,
    versions.map(({ buildId, status, payments, isServed }) => [
      buildId,
      status,
      String(payments),
      isServed ? 'yes' : payments > 0 ? 'none: start one, or take over' : 'none',
    ]),
  );
}

/** `payrun versions set-current`. @throws WrongInput when there is no such version or no worker of it runs */
export async function setCurrentVersion(io: CommandIo, buildId: string, json: boolean): Promise<void> {
  await withTemporal(io, (client) => makeVersionCurrent(client, buildId));
  if (json) return writeJson(io, { currentBuildId: buildId });
  const done = `New payments start on ${buildId}; workers of the earlier versions must run until those are drained.`;
  await writeLine(io.stdout, done);
}

/**
 * `payrun versions take-over`, with the code of the installed payrun.
 * @throws WrongInput when that version is served or unknown, or no worker of this one runs; NotAsRequested when
 * payments could not be taken over
 */
export async function takeOverVersion(io: CommandIo, fromBuildId: string, json: boolean): Promise<void> {
  const toBuildId = ownBuildId();
  const bundlePath = await workflowBundle(payrunCacheDir(io.env), (line) => io.stderr.write(`${line}\n`));
  const { moved, refused } = await withTemporal(io, async (client) => {
    await assertCanTakeOver(client, fromBuildId, toBuildId);
    // Workflows that do not replay are listed at the end; the SDK's log of each failure does not help an operator.
    const logging = { filter: makeTelemetryFilterString({ core: 'ERROR' }), console: {} };
    Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [], telemetryOptions: { logging } });
    return takeOver({ client, fromBuildId, toBuildId, bundlePath });
  });
  await (json
    ? writeJson(io, { fromBuildId, toBuildId, moved, refused })
    : writeLine(io.stdout, `${moved} open payments of ${fromBuildId} continue on ${toBuildId}.`));
  if (refused.length > 0) throw new NotAsRequested(refusalText(fromBuildId, toBuildId, refused));
}

async function withTemporal<T>(io: CommandIo, work: (client: Client) => Promise<T>): Promise<T> {
  const settings = readTemporalSettings(readEnvironment(io.env), io.cwd);
  const { client, connection } = temporalClientWithoutRetries(settings);
  try {
    await connection.ensureConnected().catch(() => {
      throw new ServiceUnreachable(`Temporal at ${settings.address} does not answer`);
    });
    return await work(client);
  } catch (error) {
    if (error instanceof VersionOperationError) throw new WrongInput(error.message);
    const reason = refusalReason(error);
    throw reason === null ? error : new WrongInput(`Temporal refused it: ${reason}`);
  } finally {
    await connection.close();
  }
}
