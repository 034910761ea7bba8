import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessExit } from '../../local/embedded/guarded-process.ts';

interface RunningProcess {
  pid: number;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
}

/** A service that comes back whenever it ends, as often as that may be: a scenario may kill it many times. */
export interface KeptRunning {
  /** The process that runs now; null while it is being started. */
  pid(): number | null;
  kill(): void;
  stop(): Promise<void>;
}

const PAUSE_MS = 250;

/** @throws Error when the first start fails */
export async function keepRunning(start: () => Promise<RunningProcess>): Promise<KeptRunning> {
  let running: RunningProcess | null = await start();
  let stopping = false;
  const isStopping = (): boolean => stopping;

  const comeBack = async (): Promise<void> => {
    while (!isStopping()) {
      await running?.exited;
      running = null;
      if (isStopping()) return;
      // What it needs may be gone as well: then it is tried again until that is back.
      running = await start().catch(() => null);
      if (running === null) await sleep(PAUSE_MS);
    }
    // It was being started when it was told to stop.
    await running?.stop();
  };
  const over = comeBack();

  return {
    pid: () => running?.pid ?? null,
    kill: () => {
      if (running !== null) signalProcess(running.pid, 'SIGKILL');
    },
    stop: async () => {
      stopping = true;
      // A frozen process hears no other signal.
      if (running !== null) signalProcess(running.pid, 'SIGCONT');
      await running?.stop();
      await over;
    },
  };
}

/** A process that has just ended hears nothing, which is what was wanted. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}
