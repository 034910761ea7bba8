import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rememberedPort } from '../embedded/free-port.ts';
import type { ServiceProcess } from '../embedded/service-process.ts';
import type { Supervisor } from '../embedded/supervisor.ts';
import { spawnVerb } from './spawn-verb.ts';
import type { StackOptions } from './stack-options.ts';

/** Starts the sandbox and tells it where webhooks go: by its control door, since arguments are for all to see. */
export async function startSandboxService(
  options: StackOptions & { webhookUrl: string },
  supervisor: Supervisor,
): Promise<string> {
  const { home, environment, report } = options;
  report('Starting the sandbox');
  mkdirSync(home, { recursive: true });
  const port = await rememberedPort(join(home, 'sandbox-port'));
  const url = `http://127.0.0.1:${port}`;
  const limit = String(environment.PAYRUN_REQUESTS_PER_SECOND);
  await supervisor.start({
    name: 'the sandbox',
    start: async (): Promise<ServiceProcess> => {
      const sandbox = await spawnVerb(options, 'sandbox', [
        '--port',
        String(port),
        '--limit',
        limit,
        ...(options.sandboxArguments ?? []),
      ]);
      await setWebhookAddress(url, options.webhookUrl);
      return sandbox;
    },
    describe: () => 'on the same port; it forgets what it held, as it keeps everything in memory',
  });
  return url;
}

async function setWebhookAddress(sandboxUrl: string, webhookUrl: string): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/__sandbox/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: webhookUrl }),
  });
  if (!answer.ok) throw new Error(`the sandbox does not take the webhook address (HTTP ${answer.status})`);
}
