import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_HTTP_PORT } from '../../config/environment.ts';
import { isPortFree, rememberedPort } from '../embedded/free-port.ts';
import { type InstanceAddresses, removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import { acquireInstanceLock } from '../embedded/lock-file.ts';
import type { ServiceProcess } from '../embedded/service-process.ts';
import { createSupervisor } from '../embedded/supervisor.ts';
import { childVariablesByStart } from './child-variables.ts';
import { startDataServices } from './data-services.ts';
import { publishedAddresses, reachableHost } from './instance-addresses.ts';
import { startSandboxService } from './sandbox-service.ts';
import { spawnCommand } from './spawn-command.ts';
import type { StackOptions } from './stack-options.ts';
import { environmentServerAccount } from '../../config/account-settings.ts';
import { ensureDataKeyFile, keptDataKeys } from '../../config/data-key-file.ts';
import { webhookTokens } from '../../config/webhook-token.ts';

export interface Stack {
  home: string;
  addresses: InstanceAddresses & { serverUrl: string };
  /** For migrations and the first users; never written to a file. */
  ownerDatabaseUrl: string;
  stop: () => Promise<void>;
  kill: () => void;
}

/**
 * Starts all of payrun on this machine; services that the environment does not name are embedded. All of them are
 * supervised, end when this process ends, for whatever reason, and keep their data in the home folder.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { home, environment, report, accounts = null } = options;
  const lock = acquireInstanceLock(home);
  const supervisor = createSupervisor({ report, onGaveUp: options.onGaveUp });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    removeRunningInstance(home);
    lock.release();
  };
  try {
    const data = await startDataServices(options, supervisor);
    await options.beforeServices?.({ ownerUrl: data.ownerUrl });
    const [token = ''] = webhookTokens(home, environmentServerAccount(environment));
    const dataKeyFile = environment.PAYRUN_DATA_KEY === undefined ? dataKeyFileIn(home, report) : undefined;
    const httpPort = await chooseHttpPort(options);
    const serverUrl = `http://${reachableHost(environment.PAYRUN_HTTP_HOST)}:${httpPort}`;
    const headers = environment.PAYRUN_WEBHOOK_HEADERS ?? { 'x-payrun-webhook': randomBytes(24).toString('base64url') };
    const sandboxUrl =
      environment.PAYRUN_API_URL === undefined && accounts === null
        ? await startSandboxService(
            { ...options, webhooks: { url: `${serverUrl}/webhooks/${token}`, headers } },
            supervisor,
          )
        : undefined;
    const addresses = publishedAddresses(environment, { ...data, serverUrl, sandboxUrl });
    // Before the services start, so that other payrun commands find them as soon as they run.
    writeRunningInstance(home, addresses, Date.now);
    const variablesNow = childVariablesByStart(options.variables, { ...data, sandboxUrl, accounts, dataKeyFile });
    // The embedded sandbox sends headers for the server to check, so that this check is in daily use.
    const ownVariables = {
      PAYRUN_HTTP_PORT: String(httpPort),
      ...(sandboxUrl === undefined
        ? {}
        : { PAYRUN_WEBHOOK_HEADERS: JSON.stringify(headers), PAYRUN_WEBHOOK_HEADERS_FILE: undefined }),
    };
    report('Starting the worker and the server');
    const start = (command: 'worker' | 'server', args: readonly string[] = []): Promise<ServiceProcess> =>
      supervisor.start({
        name: `the ${command}`,
        start: () => spawnCommand({ ...options, variables: variablesNow()[command] }, command, args, ownVariables),
      });
    // Only one version is installed here, so after an upgrade no other worker could finish the open payments.
    await Promise.all([start('worker', ['--set-current', '--take-over']), start('server')]);
    const { temporalUiUrl, ownerUrl: ownerDatabaseUrl } = data;
    return {
      home,
      addresses: { ...addresses, serverUrl, temporalUiUrl },
      ownerDatabaseUrl,
      stop,
      kill: () => supervisor.kill(),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A new key must not go unnoticed: without it, or with another one, nobody reads what it encrypts. */
export function dataKeyFileIn(home: string, report: (line: string) => unknown): string {
  const isNew = keptDataKeys(home) === null;
  const path = ensureDataKeyFile(home);
  if (isNew) {
    report(
      `Made a data key in ${path}. Keep a copy elsewhere: nobody reads the personal data of applicants without it`,
    );
  }
  return path;
}

/** The configured port, else the default one, else, if that is taken, a port that this folder keeps. */
async function chooseHttpPort({ home, environment, anyHttpPort, report }: StackOptions): Promise<number> {
  const { PAYRUN_HTTP_PORT: wanted, PAYRUN_HTTP_HOST: host } = environment;
  if (wanted !== undefined) {
    if (await isPortFree(wanted, host)) return wanted;
    throw new Error(`PAYRUN_HTTP_PORT: port ${wanted} is taken; stop the program that uses it, or choose another`);
  }
  if (anyHttpPort !== true && (await isPortFree(DEFAULT_HTTP_PORT, host))) return DEFAULT_HTTP_PORT;
  mkdirSync(home, { recursive: true });
  const port = await rememberedPort(join(home, 'http-port'), [DEFAULT_HTTP_PORT]);
  if (anyHttpPort !== true) report(`Port ${DEFAULT_HTTP_PORT} is taken; the server listens on ${port}`);
  return port;
}
