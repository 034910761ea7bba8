import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileToSubmit, PayrunClient, RunSummary } from '../../client/sdk/index.ts';
import type { Ledger } from '../../local/demo/demo-script.ts';
import { sandboxLedger } from '../../local/demo/demo-files.ts';
import { readEnvironment } from '../../config/environment.ts';
import { type Stack, startStack } from '../../local/stack/start-stack.ts';
import { exampleClients } from '../../local/demo/example-clients.ts';
import { approveOverHttp } from './decide-over-http.ts';

export interface StackUnderTest {
  stack: Stack;
  maker: PayrunClient;
  checker: PayrunClient;
  administrator: PayrunClient;
  /** What the supervisor said. */
  said: string[];
  ledger(): Promise<Ledger>;
  /** Where the sandbox sends its webhooks, and how they fared. */
  webhooks(): Promise<{ url: string; deliveries: { outcome: string }[] }>;
  /** Kills a service's process the hard way, as a crash would end it. */
  crash(service: CrashableService): void;
  stop(): Promise<void>;
}

export type CrashableService = keyof typeof PID_FILES;

/** Where each service's process is named, below the home folder. */
const PID_FILES = {
  worker: 'logs/worker.pid',
  server: 'logs/server.pid',
  postgres: 'postgres/postgres.pid',
  temporal: 'temporal/temporal.pid',
} as const;

/** A whole payrun as `payrun up` starts it, every service a process of its own, at a limit that suits a test. */
export async function startTestStack(): Promise<StackUnderTest> {
  const home = mkdtempSync(join(tmpdir(), 'payrun-stack-'));
  // As root, Postgres runs under a user of its own, who must be able to enter.
  chmodSync(home, 0o755);
  const variables = {
    ...process.env,
    PAYRUN_REQUESTS_PER_SECOND: '20',
    PAYRUN_REQUEST_TIMEOUT_MS: '3000',
    PAYRUN_VISIBILITY_DELAY_MS: '500',
    PAYRUN_LOG_LEVEL: 'warn',
  };
  const said: string[] = [];
  const stack = await startStack({
    home,
    environment: readEnvironment(variables),
    variables,
    anyHttpPort: true,
    sandboxArguments: ['--completion-min-ms', '500', '--completion-max-ms', '2000'],
    report: (line) => said.push(line),
    onGaveUp: ({ name, reason }) => said.push(`gave up on ${name}: ${reason}`),
  });
  return {
    stack,
    said,
    ...(await exampleClients(stack.ownerDatabaseUrl, stack.addresses.serverUrl)),
    ledger: () => sandboxLedger<Ledger>(stack.addresses['sandboxUrl'] ?? ''),
    webhooks: async () => {
      const answer = await fetch(`${stack.addresses['sandboxUrl'] ?? ''}/__sandbox/webhooks`);
      return (await answer.json()) as { url: string; deliveries: { outcome: string }[] };
    },
    crash: (service) => process.kill(pidOf(join(home, PID_FILES[service])), 'SIGKILL'),
    stop: async () => {
      await stack.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function pidOf(file: string): number {
  const { child } = JSON.parse(readFileSync(file, 'utf8')) as { child: { pid: number } };
  return child.pid;
}

/** Submits the file and has it approved; answers the run's id. */
export async function submitAndApprove(
  { maker, checker }: StackUnderTest,
  csv: Uint8Array,
  files: FileToSubmit[] = [],
): Promise<string> {
  const { runId } = await maker.submitRun({ fileName: 'test.csv', csv, files });
  await untilRunIs(maker, runId, (run) => run.state === 'in_approval');
  await approveOverHttp(checker, runId);
  return runId;
}

/** Follows the run, also over a server that is gone for a while, until the condition holds. */
export async function untilRunIs(
  client: PayrunClient,
  runId: string,
  holds: (run: RunSummary) => boolean,
): Promise<RunSummary> {
  for await (const run of client.watchRun(runId)) if (holds(run)) return run;
  throw new Error('the run ended before the condition held');
}
