import { randomBytes } from 'node:crypto';
import { acquireInstanceLock } from '../embedded/instance-lock.ts';
import { type InstanceAddresses, removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import type { ServiceProcess } from '../embedded/service-process.ts';
import { createSupervisor } from '../embedded/supervisor.ts';
import { startDataServices } from './data-services.ts';
import { chooseHttpPort } from './http-port.ts';
import { startSandboxService } from './sandbox-service.ts';
import { spawnVerb } from './spawn-verb.ts';
import type { StackOptions } from './stack-options.ts';
import { webhookToken } from '../webhook-token.ts';

/** Migrations are over when the services start: none of them may do as the database's owner. */
const NOT_FOR_SERVICES = { PAYRUN_OWNER_DATABASE_URL: undefined, PAYRUN_OWNER_DATABASE_URL_FILE: undefined };

/** The embedded Temporal takes none: those in the environment are another cluster's. */
const NO_CREDENTIALS = {
  TEMPORAL_API_KEY: undefined,
  TEMPORAL_API_KEY_FILE: undefined,
  TEMPORAL_TLS: undefined,
  TEMPORAL_TLS_CERT: undefined,
  TEMPORAL_TLS_KEY: undefined,
};

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
    const variables = { ...options.variables, ...NOT_FOR_SERVICES, ...(isTemporalEmbedded ? NO_CREDENTIALS : {}) };
    const token = webhookToken(home, environment.PAYRUN_WEBHOOK_TOKEN);
    const httpPort = await chooseHttpPort(options);
    const serverUrl = `http://${environment.PAYRUN_HTTP_HOST}:${httpPort}`;
    const headers = environment.PAYRUN_WEBHOOK_HEADERS ?? { 'x-payrun-webhook': randomBytes(24).toString('base64url') };
    const sandboxUrl =
      environment.PAYRUN_API_URL === undefined
        ? await startSandboxService(
            { ...options, webhooks: { url: `${serverUrl}/webhooks/${token}`, headers } },
            supervisor,
          )
        : undefined;
    const addresses = { ...data, serverUrl, ...(sandboxUrl === undefined ? {} : { sandboxUrl }) };
    // Before the services start: they find each other, and a person's later `payrun worker` finds them, by it.
    writeRunningInstance(home, addresses, Date.now);
    // A sandbox of our own sends headers that the server checks, so that the check is in daily use.
    const ownVariables = {
      PAYRUN_HTTP_PORT: String(httpPort),
      ...(sandboxUrl === undefined
        ? {}
        : { PAYRUN_WEBHOOK_HEADERS: JSON.stringify(headers), PAYRUN_WEBHOOK_HEADERS_FILE: undefined }),
    };
    report('Starting the worker and the server');
    const start = (verb: 'worker' | 'server', more: readonly string[] = []): Promise<ServiceProcess> =>
      supervisor.start({
        name: `the ${verb}`,
        start: () => spawnVerb({ ...options, variables }, verb, more, ownVariables),
      });
    // Only one version is installed here: after an upgrade nobody else could go on with what the last one began.
    await Promise.all([start('worker', ['--set-current', '--take-over']), start('server')]);
    return { home, addresses, stop, kill: () => supervisor.kill() };
  } catch (error) {
    await stop();
    throw error;
  }
}
