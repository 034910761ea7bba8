import { resolve } from 'node:path';
import { followRun } from '../../client/cli/runs/follow-run.ts';
import type { PayrunClient, RunSummary } from '../../client/sdk/index.ts';
import { dataFolder, findRunningInstance } from '../../config/running-instance.ts';
import { PROVIDER_VARIABLES } from '../../config/account-settings.ts';
import { readEnvironment } from '../../config/environment.ts';
import { collectRows, demoSubmission, sandboxLedger, writeResultFiles } from './demo-files.ts';
import { type DemoScreen, openDemoScreen } from './demo-screen.ts';
import { deviations, type Ledger } from './demo-script.ts';
import type { CommandIo } from '../../client/cli/command-io.ts';
import type { Stack } from '../stack/start-stack.ts';
import { exampleClients } from './example-clients.ts';
import { INTERRUPTED, withStack } from '../stack/with-stack.ts';

export interface DemoOptions {
  keep: boolean;
  json: boolean;
}

/** It did not go as scripted: a defect of payrun, or of the machine. */
const NOT_AS_SCRIPTED = 1;

/**
 * `payrun demo`: the whole way of a CSV, on real services started for it alone. Exit code 0 when every row ended as
 * the example says and the provider's ledger agrees.
 */
export async function runDemo(io: CommandIo, options: DemoOptions): Promise<number> {
  const variables = { ...io.env, ...NOT_FOR_THE_DEMO };
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
    onStopCode: INTERRUPTED,
  };
  screen.title('Starting payrun: Temporal, Postgres, the sandbox, a worker and the server');
  return withStack(stackOptions, async (stack, stopped) => {
    const stop = new AbortController();
    void stopped.then(() => stop.abort());
    const code = await Promise.race([stopped, playDemo(stack, screen, io, { ...options, signal: stop.signal })]);
    if (!options.keep || code === INTERRUPTED) return code;
    screen.say('Everything keeps running until Ctrl-C.');
    await stopped;
    return code;
  });
}

/** Nothing real may be touched by a demonstration, whatever the environment names. */
const NOT_FOR_THE_DEMO = {
  ...Object.fromEntries(PROVIDER_VARIABLES.flatMap((name) => [name, `${name}_FILE`]).map((name) => [name, undefined])),
  DATABASE_URL: undefined,
  DATABASE_URL_FILE: undefined,
  PAYRUN_OWNER_DATABASE_URL: undefined,
  PAYRUN_OWNER_DATABASE_URL_FILE: undefined,
  TEMPORAL_ADDRESS: undefined,
  PAYRUN_HTTP_HOST: undefined,
  PAYRUN_HTTP_PORT: undefined,
};

/** Where no other demo is kept running. */
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
  const begunAtMs = performance.now();
  const { serverUrl, sandboxUrl } = stack.addresses;
  screen.say(`API description: ${serverUrl}/api/v1/openapi.json`);
  screen.say(`Temporal's UI: ${stack.addresses.temporalUiUrl ?? ''}`);
  const { maker, checker } = await exampleClients(stack.ownerDatabaseUrl, serverUrl);
  screen.title('The maker submits examples/supplier-payments.csv');
  const { runId } = await maker.submitRun(await demoSubmission());
  const proposed = await untilProposed(maker, runId);
  screen.proposal(proposed);
  screen.title('The checker approves');
  await checker.approveRun(runId, { contentHash: proposed.proposal?.contentHash ?? '', comment: 'demo' });
  const run = await followRun(checker, runId, io, options.json ? io.stderr : io.stdout, options.signal);
  const seconds = Math.round((performance.now() - begunAtMs) / 100) / 10;
  screen.rows(await collectRows(maker, runId));
  const written = await writeResultFiles(maker, runId, io.cwd);
  const ledger = await sandboxLedger<Ledger>(sandboxUrl ?? '');
  const wrong = deviations(run, ledger);
  screen.ending({ run, seconds, ledger, wrong, written, stack, isKept: options.keep });
  if (options.json)
    io.stdout.write(`${JSON.stringify({ runId, state: run.state, rows: run.rows, seconds, ledger })}\n`);
  return wrong.length === 0 ? 0 : NOT_AS_SCRIPTED;
}

async function untilProposed(maker: PayrunClient, runId: string): Promise<RunSummary> {
  for await (const run of maker.watchRun(runId)) if (run.state !== 'validating' && run.state !== 'proposed') return run;
  throw new Error('the run ended before it was proposed');
}
