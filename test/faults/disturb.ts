import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultStack } from './fault-stack.ts';
import { signalProcess } from './kept-running.ts';
import type { Passing } from './provider-door.ts';
import type { Action, Service } from './scenario.ts';

/** What a disturbance may touch besides the stack. */
export interface Surroundings {
  stack: FaultStack;
  sandboxUrl: string;
}

/**
 * Does what a disturbance says, at once, and puts right afterwards what it broke. What is killed comes back by itself.
 * The time that something stays broken is part of the scenario.
 */
export async function disturb(
  { stack, sandboxUrl }: Surroundings,
  action: Action,
  passing: Passing | null,
): Promise<void> {
  const worker = Math.min(passing?.worker ?? 0, stack.workers.length - 1);
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
      stack.door.refuse(true);
      if (action.forMs > 0) await sleep(action.forMs);
      stack.door.refuse(false);
      return;
    case 'lose_postgres':
      return lose(stack.toPostgres, action);
    case 'lose_temporal':
      return lose(stack.toTemporal, action);
    case 'fill_disk':
      stack.disk?.fill();
      await sleep(action.forMs);
      stack.disk?.free();
      return;
    case 'stale_reads':
      stack.door.staleReads(action.times);
      return;
    case 'no_creation_times':
      stack.door.leaveOutCreationTimes(action.times);
      return;
    case 'forge_webhooks':
      return forgeWebhook(stack, passing);
    case 'money_comes':
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

async function lose(
  way: FaultStack['toPostgres'],
  { how, forMs }: { how: 'refuse' | 'hang' | 'reset'; forMs: number },
): Promise<void> {
  if (how === 'reset') {
    way.reset();
    return;
  }
  way.set(how);
  await sleep(forMs);
  way.set('pass');
}

/** Says of the payment that has just been created, and of one that never was, that they are completed. */
async function forgeWebhook(stack: FaultStack, passing: Passing | null): Promise<void> {
  const id = /"simplePaymentId":"([^"]+)"/.exec(passing?.body?.toString('utf8') ?? '')?.[1];
  for (const resourceId of [id, '00000000-0000-4000-8000-000000000000']) {
    if (resourceId === undefined) continue;
    await fetch(stack.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resource: 'simple_payment', resourceId, status: 'completed' }),
    }).catch(() => undefined);
  }
}
