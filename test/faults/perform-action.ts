import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultStack } from './fault-stack.ts';
import { signalProcess } from './restarting-service.ts';
import type { ProxiedRequest } from './provider-proxy.ts';
import type { Action, Service } from './scenario.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** What actions work on. */
export interface ActionContext {
  stack: FaultStack;
  sandboxUrl: string;
}

/**
 * Performs the action at once, and repairs what it broke after the action's duration. Killed services restart by
 * themselves. `request` is the one that triggered the action, if any.
 */
export async function performAction(
  { stack, sandboxUrl }: ActionContext,
  action: Action,
  request: ProxiedRequest | null,
): Promise<void> {
  const worker = Math.min(request?.worker ?? 0, stack.workers.length - 1);
  switch (action.kind) {
    case 'kill':
      for (const service of action.services) kill(stack, service, worker);
      return;
    case 'freeze_worker': {
      const pid = stack.workers[worker]?.pid();
      if (pid === undefined || pid === null) return;
      signalProcess(pid, 'SIGSTOP');
      await sleep(action.forMs);
      signalProcess(pid, 'SIGCONT');
      return;
    }
    case 'jump_clock':
      stack.setClock(worker, action.byMs);
      return;
    case 'cut_provider':
      stack.providerProxy.setRefusing(true);
      if (action.forMs > 0) await sleep(action.forMs);
      stack.providerProxy.setRefusing(false);
      return;
    case 'disconnect_postgres':
      return disconnect(stack.postgresProxy, action);
    case 'disconnect_temporal':
      return disconnect(stack.temporalProxy, action);
    case 'fill_disk':
      stack.disk?.fill();
      await sleep(action.forMs);
      stack.disk?.free();
      return;
    case 'stale_reads':
      stack.providerProxy.serveStaleReads(action.times);
      return;
    case 'omit_creation_times':
      stack.providerProxy.omitCreationTimes(action.times);
      return;
    case 'forge_webhooks':
      return forgeWebhooks(stack, request);
    case 'deposit':
      await fetch(`${sandboxUrl}/__sandbox/fundings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ currency: action.currency, amount: action.amount }),
      });
      return;
  }
}

function kill(stack: FaultStack, service: Service, worker: number): void {
  if (service === 'worker') stack.workers[worker]?.kill();
  else stack.services[service].kill();
}

async function disconnect(
  proxy: TcpProxy,
  { how, forMs }: { how: 'refuse' | 'hang' | 'reset'; forMs: number },
): Promise<void> {
  if (how === 'reset') {
    proxy.reset();
    return;
  }
  proxy.setMode(how);
  await sleep(forMs);
  proxy.setMode('pass');
}

/** Sends webhooks that report the payment that was just created, and one that does not exist, as completed. */
async function forgeWebhooks(stack: FaultStack, request: ProxiedRequest | null): Promise<void> {
  const id = /"simplePaymentId":"([^"]+)"/.exec(request?.body?.toString('utf8') ?? '')?.[1];
  for (const resourceId of [id, '00000000-0000-4000-8000-000000000000']) {
    if (resourceId === undefined) continue;
    await fetch(stack.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resource: 'simple_payment', resourceId, status: 'completed' }),
    }).catch(() => undefined);
  }
}
