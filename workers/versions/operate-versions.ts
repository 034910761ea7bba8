import type { Client } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { type CommandIo, writeJson, writeLine } from '../../client/cli/command-io.ts';
import { WrongInput } from '../../client/cli/exit-code.ts';
import { textTable } from '../../client/cli/text-table.ts';
import { ownBuildId } from '../build-id.ts';
import { temporalClientWithoutRetries } from '../../config/temporal/connect-temporal.ts';
import { payrunCacheDir } from '../../local/embedded/temporal-cache.ts';
import { readEnvironment } from '../../config/environment.ts';
import { readTemporalSettings } from '../../config/temporal/temporal-settings.ts';
import { workflowBundle } from '../workflow-bundle.ts';
import { refusalText } from './migrate-orphaned.ts';
import { describeVersions, type VersionSummary } from './describe-versions.ts';
import { refusalReason } from './server-refusal.ts';
import { setCurrent, setRamp } from './set-current.ts';
import { takeOver } from './take-over.ts';

/** The message names the address. */
export class TemporalUnreachableError extends Error {
  override readonly name = 'TemporalUnreachableError';
}

/** `payrun versions list`. */
export async function listVersions(io: CommandIo, json: boolean): Promise<void> {
  const versions = await withTemporal(io, (client) => describeVersions(client, Date.now()));
  if (json) return writeJson(io, { own: ownBuildId(), versions });
  await writeLine(io.stdout, versions.length === 0 ? 'No worker has come to this namespace yet.' : table(versions));
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
    versions.map(({ buildId, status, rampPercent, payments, isServed }) => [
      buildId,
      rampPercent === null ? status : `${status} (${rampPercent} %)`,
      String(payments),
      isServed ? 'yes' : payments > 0 ? 'none: start one, or take over' : 'none',
    ]),
  );
}

/**
 * `payrun versions set-current`: all of what begins, or with a percentage a part of it.
 * @throws WrongInput when there is no such version or its workers are not there.
 */
export async function setCurrentVersion(io: CommandIo, buildId: string, rampPercent: number | null): Promise<void> {
  await withTemporal(io, async (client) => {
    const { isServed } = await versionNamed(client, buildId);
    if (!isServed) throw new WrongInput(`no worker of ${buildId} runs; start one first, then make it current`);
    await (rampPercent === null ? setCurrent(client, buildId) : setRamp(client, buildId, rampPercent));
  });
  const part = rampPercent === null ? 'What begins from now on' : `Of what begins from now on, ${rampPercent} %`;
  await writeLine(io.stdout, `${part} begins on ${buildId}; workers of the versions before must run until drained.`);
}

/**
 * `payrun versions take-over`, by the code of this very payrun.
 * @throws WrongInput when that version is served or unknown, no worker of this one runs, or payments were left.
 */
export async function takeOverVersion(io: CommandIo, fromBuildId: string): Promise<void> {
  const toBuildId = ownBuildId();
  const bundlePath = await workflowBundle(payrunCacheDir(io.env), (line) => io.stderr.write(`${line}\n`));
  const { moved, refused } = await withTemporal(io, async (client) => {
    if (fromBuildId === toBuildId) throw new WrongInput(`${toBuildId} is this version itself`);
    if ((await versionNamed(client, fromBuildId)).isServed) {
      throw new WrongInput(
        `workers of ${fromBuildId} run, or did so minutes ago, and finish its payments by themselves`,
      );
    }
    const { isServed } = await versionNamed(client, toBuildId);
    if (!isServed) throw new WrongInput(`no worker of ${toBuildId} runs, which would go on; start one first`);
    // What does not replay is named at the end; how it failed, event by event, is of no use to an operator.
    const logging = { filter: makeTelemetryFilterString({ core: 'ERROR' }), console: {} };
    Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [], telemetryOptions: { logging } });
    return takeOver({ client, fromBuildId, toBuildId, bundlePath });
  });
  await writeLine(io.stdout, `${moved} open payments of ${fromBuildId} go on as ${toBuildId}.`);
  if (refused.length > 0) throw new WrongInput(refusalText(fromBuildId, toBuildId, refused));
}

async function versionNamed(client: Client, buildId: string): Promise<VersionSummary> {
  const versions = await describeVersions(client, Date.now());
  const found = versions.find((version) => version.buildId === buildId);
  if (found !== undefined) return found;
  const known = versions.map((version) => version.buildId).join(', ');
  throw new WrongInput(`there is no version ${buildId}; there are: ${known === '' ? 'none yet' : known}`);
}

async function withTemporal<T>(io: CommandIo, work: (client: Client) => Promise<T>): Promise<T> {
  const settings = readTemporalSettings(readEnvironment(io.env), io.cwd);
  const { client, connection } = temporalClientWithoutRetries(settings);
  try {
    await connection.ensureConnected().catch(() => {
      throw new TemporalUnreachableError(`Temporal at ${settings.address} does not answer`);
    });
    return await work(client);
  } catch (error) {
    const reason = refusalReason(error);
    throw reason === null ? error : new WrongInput(`Temporal does not take it: ${reason}`);
  } finally {
    await connection.close();
  }
}
