import { resolve } from 'node:path';
import { EXIT } from '../../client/cli/exit-code.ts';
import { followRun } from '../../client/cli/runs/follow-run.ts';
import type { PayrunClient, RunSummary } from '../../client/sdk/index.ts';
import { dataFolder, findRunningInstance } from '../../config/running-instance.ts';
import { PROVIDER_VARIABLES } from '../../config/account-settings.ts';
import { readEnvironment } from '../../config/environment.ts';
import { collectRows, demoSubmission, readSandboxLedger, writeResultFiles } from './demo-files.ts';
import { type DemoScreen, openDemoScreen } from './demo-screen.ts';
import { findDeviations, type Ledger } from './demo-script.ts';
import type { CommandIo } from '../../client/cli/command-io.ts';
import type { Stack } from '../stack/start-stack.ts';
import { exampleClients } from './example-clients.ts';
import { withStack } from '../stack/with-stack.ts';

export interface DemoOptions {
  keep: boolean;
  json: boolean;
}

/** The demo did not go as expected: a defect of payrun or of the machine. */
const NOT_AS_EXPECTED = 1;

/**
 * `payrun demo`: a CSV from submission to results, on services started only for it. Exit code 0 if every row ended as
 * the example expects and the provider's ledger agrees.
 */
export async function runDemo(io: CommandIo, options: DemoOptions): Promise<number> {
  const variables = { ...io.env, ...WITHOUT_REAL_SERVICES };
  const environment = readEnvironment(variables);
  const screen = openDemoScreen(options.json ? io.stderr : io.stdout);
  const stackOptions = {
    home: freeDemoHome(dataFolder(environment.PAYRUN_HOME, io.cwd)),
    environment,
    variables,
    fresh: true,
    anyHttpPort: true,
    sandboxArguments: ['--seed', '7'],
    report: (line: string) => screen.say(line),
    onStopCode: EXIT.interrupted,
  };
  screen.title('Starting payrun: Temporal, Postgres, the sandbox, a worker and the server');
  return withStack(stackOptions, async (stack, stopped) => {
    const stop = new AbortController();
    void stopped.then(() => stop.abort());
    const code = await Promise.race([stopped, playDemo(stack, screen, io, { ...options, signal: stop.signal })]);
    if (!options.keep || code === EXIT.interrupted) return code;
    screen.say('Everything keeps running until Ctrl-C.');
    await stopped;
    return code;
  });
}

/** A demo must never use real services, whatever the environment names. */
const WITHOUT_REAL_SERVICES = {
  ...Object.fromEntries(PROVIDER_VARIABLES.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, undefined])),
  DATABASE_URL: undefined,
  DATABASE_URL_FILE: undefined,
  PAYRUN_OWNER_DATABASE_URL: undefined,
  PAYRUN_OWNER_DATABASE_URL_FILE: undefined,
  TEMPORAL_ADDRESS: undefined,
  PAYRUN_HTTP_HOST: undefined,
  PAYRUN_HTTP_PORT: undefined,
};

/** A folder in which no other demo runs. */
function freeDemoHome(home: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = resolve(home, number === 1 ? 'demo' : `demo-${number}`);
    if (findRunningInstance([candidate]) === undefined) return candidate;
  }
}

async function playDemo(
  stack: Stack,
  screen: DemoScreen,
  io: CommandIo,
  options: DemoOptions & { signal: AbortSignal },
): Promise<number> {
  const startedAtMs = performance.now();
  const { serverUrl, sandboxUrl } = stack.addresses;
  screen.say(`API description: ${serverUrl}/api/v1/openapi.json`);
  screen.say(`Temporal's UI: ${stack.addresses.temporalUiUrl ?? ''}`);
  const { maker, checker } = await exampleClients(stack.ownerDatabaseUrl, serverUrl);
  screen.title('The maker submits examples/supplier-payments.csv');
  const { runId } = await maker.submitRun(await demoSubmission());
  const proposed = await waitForProposal(maker, runId);
  screen.proposal(proposed);
  screen.title('The checker approves');
  await checker.approveRun(runId, { contentHash: proposed.proposal?.contentHash ?? '', comment: 'demo' });
  const run = await followRun(checker, runId, io, options.json ? io.stderr : io.stdout, options.signal);
  const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
  screen.rows(await collectRows(maker, runId));
  const written = await writeResultFiles(maker, runId, io.cwd);
  const ledger = await readSandboxLedger<Ledger>(sandboxUrl ?? '');
  const deviations = findDeviations(run, ledger);
  screen.ending({ run, seconds, ledger, deviations, written, stack, isKept: options.keep });
  if (options.json)
    io.stdout.write(`${JSON.stringify({ runId, state: run.state, rows: run.rows, seconds, ledger })}\n`);
  return deviations.length === 0 ? 0 : NOT_AS_EXPECTED;
}

async function waitForProposal(maker: PayrunClient, runId: string): Promise<RunSummary> {
  for await (const run of maker.watchRun(runId)) if (run.state !== 'validating' && run.state !== 'proposed') return run;
  throw new Error('the run ended before it was proposed');
}
