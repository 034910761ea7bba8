import { randomBytes } from 'node:crypto';
import { endUpgrade } from '../../store/database/migrate.ts';
import { acquireInstanceLock } from '../embedded/instance-lock.ts';
import { type InstanceAddresses, removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import type { ServiceProcess } from '../embedded/service-process.ts';
import { createSupervisor } from '../embedded/supervisor.ts';
import { childVariables } from './child-variables.ts';
import { startDataServices } from './data-services.ts';
import { chooseHttpPort } from './http-port.ts';
import { addressesToTell, reachableHost } from './instance-addresses.ts';
import { startSandboxService } from './sandbox-service.ts';
import { spawnVerb } from './spawn-verb.ts';
import type { StackOptions } from './stack-options.ts';
import { webhookToken } from '../../config/webhook-token.ts';

export interface Stack {
  home: string;
  addresses: InstanceAddresses & { serverUrl: string };
  /** For migrations and the first users; it is not left where others find it. */
  ownerDatabaseUrl: string;
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
    const data = await startDataServices(options, supervisor);
    // On one machine nothing of the version before can be running any more.
    if (data.isDatabaseEmbedded) await endUpgrade(data.ownerUrl);
    await options.beforeServices?.({ ownerUrl: data.ownerUrl });
    const token = webhookToken(home, environment.PAYRUN_WEBHOOK_TOKEN);
    const httpPort = await chooseHttpPort(options);
    const serverUrl = `http://${reachableHost(environment.PAYRUN_HTTP_HOST)}:${httpPort}`;
    const headers = environment.PAYRUN_WEBHOOK_HEADERS ?? { 'x-payrun-webhook': randomBytes(24).toString('base64url') };
    const sandboxUrl =
      environment.PAYRUN_API_URL === undefined
        ? await startSandboxService(
            { ...options, webhooks: { url: `${serverUrl}/webhooks/${token}`, headers } },
            supervisor,
          )
        : undefined;
    const addresses = addressesToTell(environment, { ...data, serverUrl, sandboxUrl });
    // Before the services start, so that a person's later `payrun worker` finds them as soon as they run.
    writeRunningInstance(home, addresses, Date.now);
    const children = childVariables(options.variables, { ...data, sandboxUrl });
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
        start: () => spawnVerb({ ...options, variables: children[verb] }, verb, more, ownVariables),
      });
    // Only one version is installed here: after an upgrade nobody else could go on with what the last one began.
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
