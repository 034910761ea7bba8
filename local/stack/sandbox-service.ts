import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rememberedPort } from '../embedded/free-port.ts';
import type { ServiceProcess } from '../embedded/service-process.ts';
import type { Supervisor } from '../embedded/supervisor.ts';
import { spawnCommand } from './spawn-command.ts';
import type { StackOptions } from './stack-options.ts';

/** Where the sandbox sends its webhooks, and their headers, value by name. */
interface WebhookAddress {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** Starts the sandbox and sets the webhook address through its control API, because arguments are visible to all. */
export async function startSandboxService(
  options: StackOptions & { webhooks: WebhookAddress },
  supervisor: Supervisor,
): Promise<string> {
  const { home, environment, report } = options;
  report('Starting the sandbox');
  mkdirSync(home, { recursive: true });
  const port = await rememberedPort(join(home, 'sandbox-port'));
  const url = `http://127.0.0.1:${port}`;
  const limit = String(environment.PAYRUN_REQUESTS_PER_SECOND);
  // A stack that starts empty each time keeps no state.
  const stateFile = options.fresh === true ? null : join(home, 'sandbox-state.jsonl');
  await supervisor.start({
    name: 'the sandbox',
    start: async (): Promise<ServiceProcess> => {
      const sandbox = await spawnCommand(options, 'sandbox', [
        '--port',
        String(port),
        '--limit',
        limit,
        ...(stateFile === null ? [] : ['--state', stateFile]),
        ...(options.sandboxArguments ?? []),
      ]);
      await setWebhookAddress(url, options.webhooks);
      return sandbox;
    },
    describe: () =>
      stateFile === null
        ? 'on the same port; its data is lost, because it is kept in memory'
        : 'on the same port, data is kept',
  });
  return url;
}

async function setWebhookAddress(sandboxUrl: string, webhooks: WebhookAddress): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/__sandbox/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(webhooks),
  });
  if (!answer.ok) throw new Error(`the sandbox refused the webhook address (HTTP ${answer.status})`);
}
