import type { Gate, Gates } from '../../api/gate/gate.ts';
import { providerTaskQueue } from '../../domain/identifiers.ts';
import { countSlotHolders, type GateRecord, readGates as readStored } from '../../store/gate/gate-views.ts';
import { readDayUse } from '../../store/payments/request-days.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { readWaiting } from './task-queues.ts';

/** The request gates of the accounts that the user may use; what waits, as Temporal counts it. */
export async function readGates(dependencies: ApplicationDependencies, user: SignedIn): Promise<Gates> {
  const { database, accounts } = dependencies;
  const stored = new Map((await readStored(database)).map((gate) => [gate.account, gate]));
  const shown = accounts.filter(({ name }) => mayUse(user, name));
  const gates = await Promise.all(shown.map((account) => gateOf(dependencies, account, stored.get(account.name))));
  return { gates, processes: await countSlotHolders(database) };
}

async function gateOf(
  { database, temporal }: ApplicationDependencies,
  account: ApplicationDependencies['accounts'][number],
  stored: GateRecord | undefined,
): Promise<Gate> {
  return {
    account: account.name,
    limitPerSecond: account.requestsPerSecond,
    limitPerDay: account.requestsPerDay,
    reservedPerDay: account.requestsReservedPerDay,
    requestsToday: stored?.requestsToday ?? 0,
    dayEndsInSeconds: stored?.dayEndsInSeconds ?? (await readDayUse(database, account.name)).secondsLeft,
    slots: (stored?.slots ?? []).filter(({ slot }) => slot < account.requestsPerSecond),
    pause: pauseOf(stored),
    waiting: await readWaiting(temporal, providerTaskQueue(account.name)).catch(() => null),
  };
}

function pauseOf(stored: GateRecord | undefined): Gate['pause'] {
  if (stored === undefined || stored.pausedUntil === null) return null;
  const { pauseLeftSeconds, pausedForSeconds, pausedUntil } = stored;
  return { secondsLeft: pauseLeftSeconds, forSeconds: pausedForSeconds, until: pausedUntil.toISOString() };
}
