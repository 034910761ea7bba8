import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessExit } from '../../local/embedded/guarded-process.ts';

interface RunningProcess {
  pid: number;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
}

/** A service that restarts whenever its process ends, without limit: a scenario may kill it many times. */
export interface RestartingService {
  /** The running process; null while it is being started. */
  pid(): number | null;
  kill(): void;
  /** Kills it, and starts it again only when the answered function is called. */
  takeDown(): () => void;
  stop(): Promise<void>;
}

const PAUSE_MS = 250;

/** @throws Error when the first start fails */
export async function startRestarting(start: () => Promise<RunningProcess>): Promise<RestartingService> {
  let running: RunningProcess | null = await start();
  let stopping = false;
  let outage: { over: Promise<void>; end: () => void } | null = null;
  const isStopping = (): boolean => stopping;

  const keepRunning = async (): Promise<void> => {
    while (!isStopping()) {
      await running?.exited;
      running = null;
      await outage?.over;
      if (isStopping()) return;
      // A service that it needs may be down as well, so the start is repeated.
      running = await start().catch(() => null);
      if (running === null) await sleep(PAUSE_MS);
    }
    // The stop came while the process was being started.
    await running?.stop();
  };
  const stopped = keepRunning();

  const kill = (): void => {
    if (running !== null) signalProcess(running.pid, 'SIGKILL');
  };

  return {
    pid: () => running?.pid ?? null,
    kill,
    takeDown: () => {
      let end = (): void => undefined;
      const over = new Promise<void>((resolve) => {
        end = resolve;
      });
      outage = { over, end };
      kill();
      return end;
    },
    stop: async () => {
      stopping = true;
      outage?.end();
      // A frozen process does not react to other signals.
      if (running !== null) signalProcess(running.pid, 'SIGCONT');
      await running?.stop();
      await stopped;
    },
  };
}

/** Does nothing when the process has already ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}
