import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FileToSubmit, PayrunClient, RunSummary } from '../../client/sdk/index.ts';
import type { Ledger } from '../../local/demo/demo-script.ts';
import { readSandboxLedger } from '../../local/demo/demo-files.ts';
import { readEnvironment } from '../../config/environment.ts';
import { exampleClients } from '../../local/demo/example-users.ts';
import { type Stack, startStack } from '../../local/stack/start-stack.ts';
import { controlSandbox } from './control-sandbox.ts';
import { approveOverHttp } from './decide-over-http.ts';
import { newFolderInMemory } from './folder-in-memory.ts';

export interface StackUnderTest {
  stack: Stack;
  maker: PayrunClient;
  checker: PayrunClient;
  administrator: PayrunClient;
  treasurer: PayrunClient;
  onboarder: PayrunClient;
  /** The supervisor's messages. */
  messages: string[];
  ledger(): Promise<Ledger>;
  /** The address of the sandbox's webhooks, and the outcomes of the deliveries. */
  webhooks(): Promise<{ url: string; deliveries: { outcome: string }[] }>;
  /** A call of the sandbox's control API. */
  control(path: string, body: object): Promise<void>;
  /** Kills a service's process with SIGKILL, like a crash. */
  crash(service: CrashableService): void;
  stop(): Promise<void>;
}

export type CrashableService = keyof typeof PID_FILES;

/** The file with each service's process id, below the home folder. */
const PID_FILES = {
  worker: 'logs/worker.pid',
  server: 'logs/server.pid',
  postgres: 'postgres/postgres.pid',
  temporal: 'temporal/temporal.pid',
} as const;

/** All of payrun as `payrun up` starts it, each service its own process, with a request limit that suits a test. */
export async function startTestStack(
  sandboxArguments: readonly string[] = [],
  moreVariables: Readonly<Record<string, string>> = {},
): Promise<StackUnderTest> {
  const home = newFolderInMemory('stack');
  const variables = {
    ...process.env,
    ...moreVariables,
    PAYRUN_REQUESTS_PER_SECOND: '20',
    PAYRUN_REQUEST_TIMEOUT_MS: '3000',
    PAYRUN_VISIBILITY_DELAY_MS: '500',
    PAYRUN_LOG_LEVEL: 'warn',
  };
  const messages: string[] = [];
  const stack = await startStack({
    home,
    environment: readEnvironment(variables),
    variables,
    anyHttpPort: true,
    sandboxArguments: ['--completion-min-ms', '500', '--completion-max-ms', '2000', ...sandboxArguments],
    report: (line) => messages.push(line),
    onGaveUp: ({ name, reason }) => messages.push(`gave up on ${name}: ${reason}`),
  });
  return {
    stack,
    messages,
    ...(await exampleClients(stack.ownerDatabaseUrl, stack.addresses.serverUrl)),
    ledger: () => readSandboxLedger<Ledger>(stack.addresses['sandboxUrl'] ?? ''),
    webhooks: async () => {
      const answer = await fetch(`${stack.addresses['sandboxUrl'] ?? ''}/__sandbox/webhooks`);
      return (await answer.json()) as { url: string; deliveries: { outcome: string }[] };
    },
    control: (path, body) => controlSandbox(stack.addresses.sandboxUrl ?? '', path, body),
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

/** Submits the file and approves the run; returns the run's id. */
export async function submitAndApprove(
  { maker, checker }: StackUnderTest,
  csv: Uint8Array,
  files: FileToSubmit[] = [],
): Promise<string> {
  const { runId } = await maker.submitRun({ fileName: 'test.csv', file: csv, files });
  await untilRunIs(maker, runId, (run) => run.state === 'in_approval');
  await approveOverHttp(checker, runId);
  return runId;
}

/** Follows the run until the condition is true, also while the server is down. */
export async function untilRunIs(
  client: PayrunClient,
  runId: string,
  isTrue: (run: RunSummary) => boolean,
): Promise<RunSummary> {
  for await (const run of client.watchRun({ runId })) if (isTrue(run)) return run;
  throw new Error('the run ended before the condition was true');
}
