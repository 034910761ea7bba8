import { EXIT } from '../client/cli/exit-code.ts';
import { createEngine } from '../client/engine/create-engine.ts';
import { openDatabase } from '../store/database.ts';
import { temporalClient } from './connect-temporal.ts';
import { type Environment, EnvironmentError, readEnvironment } from './environment.ts';
import { type Installation, readInstallation } from './installation.ts';
import type { CommandIo } from '../client/cli/command-io.ts';

interface Finding {
  subject: string;
  /** Null: fine. */
  problem: string | null;
  detail: string;
}

/** `payrun doctor`: what is configured, and whether it can be reached. Shows no secret. */
export async function runDoctor(io: CommandIo, options: { json: boolean }): Promise<number> {
  const findings: Finding[] = [nodeVersion()];
  let badEnvironment = false;
  try {
    const environment = readEnvironment(io.env);
    const installation = readInstallation(environment, io.cwd);
    findings.push({ subject: 'environment', problem: null, detail: `data folder ${installation.home}` });
    findings.push(...(await servicesOf(environment, installation)));
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    badEnvironment = true;
    findings.push({ subject: 'environment', problem: error.message, detail: '' });
  }
  if (options.json) io.stdout.write(`${JSON.stringify({ findings })}\n`);
  else for (const finding of findings) io.stdout.write(`${lineOf(finding)}\n`);
  if (badEnvironment) return EXIT.wrongInput;
  return findings.some(({ problem }) => problem !== null) ? EXIT.unreachable : EXIT.done;
}

function lineOf({ subject, problem, detail }: Finding): string {
  return problem === null ? `ok    ${subject}: ${detail}` : `WRONG ${subject}: ${problem}`;
}

function nodeVersion(): Finding {
  return { subject: 'Node', problem: null, detail: process.version };
}

async function servicesOf(environment: Environment, installation: Installation): Promise<Finding[]> {
  const database = openDatabase(installation.databaseUrl, { maxConnections: 1, applicationName: 'payrun-doctor' });
  const temporal = temporalClient(installation.temporal);
  try {
    const engine = createEngine({
      database,
      temporal: temporal.client,
      accounts: installation.accounts,
      now: Date.now,
      settings: { decisionWithinMs: 0, windowSize: 0, referenceMaxAgeMs: 0, referenceTimeoutMs: 0 },
    });
    const { postgres, temporal: temporalProblem } = await engine.health();
    const accounts = await Promise.all(
      installation.accounts.map(async ({ name, apiUrl, requestsPerSecond }) => ({
        subject: `provider account ${name}`,
        problem: await providerProblem(apiUrl, environment.PAYRUN_REQUEST_TIMEOUT_MS),
        detail: `${apiUrl}, ${requestsPerSecond === 0 ? 'no limit' : `${requestsPerSecond} requests a second`}`,
      })),
    );
    return [
      { subject: 'Postgres', problem: postgres, detail: new URL(installation.databaseUrl).host },
      {
        subject: 'Temporal',
        problem: temporalProblem,
        detail: `${installation.temporal.address}, namespace ${installation.temporal.namespace}`,
      },
      ...accounts,
    ];
  } finally {
    await temporal.connection.close();
    await database.end();
  }
}

/** Without credentials any answer will do: it shows that the address is reached. */
async function providerProblem(apiUrl: string, timeoutMs: number): Promise<string | null> {
  try {
    await fetch(`${apiUrl}/currencies/v1/pairs`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    return null;
  } catch {
    return `${apiUrl} does not answer`;
  }
}
