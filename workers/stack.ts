import { join } from 'node:path';
import type { Variables } from './environment.ts';
import { acquireInstanceLock } from './embedded/instance-lock.ts';
import { type InstanceAddresses, removeRunningInstance, writeRunningInstance } from './embedded/running-instance.ts';
import { type ServiceProcess, spawnService } from './embedded/service-process.ts';
import { createSupervisor } from './embedded/supervisor.ts';
import type { Environment } from './environment.ts';
import { startDataServices } from './stack-data-services.ts';
import { chooseHttpPort } from './stack-ports.ts';
import { startSandboxService } from './stack-sandbox.ts';
import { webhookToken } from './webhook-token.ts';

/** The command line of payrun itself: its own services are started by the same verbs that a person would type. */
const PAYRUN = new URL('../bin/payrun', import.meta.url).pathname;

/** The embedded Temporal takes none: those in the environment are another cluster's. */
const NO_CREDENTIALS = {
  TEMPORAL_API_KEY: undefined,
  TEMPORAL_API_KEY_FILE: undefined,
  TEMPORAL_TLS: undefined,
  TEMPORAL_TLS_CERT: undefined,
  TEMPORAL_TLS_KEY: undefined,
};

export interface StackOptions {
  home: string;
  environment: Environment;
  /** What the child processes start from; the stack's own addresses are put over it. */
  variables: Variables;
  /** More arguments of the sandbox. */
  sandboxArguments?: readonly string[];
  /** Begin with nothing: what the home folder holds of runs before is deleted. */
  fresh?: boolean;
  /** Take whichever HTTP port is free, rather than the usual one. */
  anyHttpPort?: boolean;
  report: (line: string) => void;
  onGaveUp: (failure: { name: string; reason: string }) => void;
}

export interface Stack {
  home: string;
  addresses: InstanceAddresses & { serverUrl: string };
  stop: () => Promise<void>;
  kill: () => void;
}

/**
 * Starts a whole payrun on this machine: what the environment does not name is embedded. Everything is supervised,
 * ends with this process however that ends, and leaves its data in the home folder.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { home, environment, report } = options;
  const lock = acquireInstanceLock(home);
  const supervisor = createSupervisor({ report, onGaveUp: options.onGaveUp });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    removeRunningInstance(home);
    lock.release();
  };
  try {
    const { isTemporalEmbedded, addresses: data } = await startDataServices(options, supervisor);
    const variables = isTemporalEmbedded ? { ...options.variables, ...NO_CREDENTIALS } : options.variables;
    const token = webhookToken(home, environment.PAYRUN_WEBHOOK_TOKEN);
    const httpPort = await chooseHttpPort(options);
    const serverUrl = `http://${environment.PAYRUN_HTTP_HOST}:${httpPort}`;
    const sandboxUrl =
      environment.PAYRUN_API_URL === undefined
        ? await startSandboxService(
            { ...options, webhookUrl: `${serverUrl}/webhooks/${token}`, spawn: spawnVerb },
            supervisor,
          )
        : undefined;
    const addresses = { ...data, serverUrl, ...(sandboxUrl === undefined ? {} : { sandboxUrl }) };
    // Before the services start: they find each other, and a person's later `payrun worker` finds them, by it.
    writeRunningInstance(home, addresses, Date.now);
    report('Starting the worker and the server');
    const start = (verb: 'worker' | 'server'): Promise<ServiceProcess> =>
      supervisor.start({
        name: `the ${verb}`,
        start: () => spawnVerb({ ...options, variables }, verb, [], { PAYRUN_HTTP_PORT: String(httpPort) }),
      });
    await Promise.all([start('worker'), start('server')]);
    return { home, addresses, stop, kill: () => supervisor.kill() };
  } catch (error) {
    await stop();
    throw error;
  }
}

export type SpawnVerb = typeof spawnVerb;

/** Starts one verb of payrun as a process of its own, and waits until it says that it is ready. */
async function spawnVerb(
  { home, variables, report }: Pick<StackOptions, 'home' | 'variables' | 'report'>,
  verb: 'worker' | 'server' | 'sandbox',
  more: readonly string[] = [],
  env: Variables = {},
): Promise<ServiceProcess> {
  return spawnService({
    name: verb,
    command: process.execPath,
    args: [PAYRUN, verb, ...more],
    env: { ...variables, PAYRUN_HOME: home, ...env },
    logFile: join(home, 'logs', `${verb}.log`),
    readyWhen: (line) => line.startsWith(`payrun ${verb} is ready`),
    report,
  });
}
