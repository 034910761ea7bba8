import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type ProcessExit } from './guarded-process.ts';

const MAX_RESTARTS = 5;
const WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 100;

/** A running service, as the supervisor sees it. */
export interface RunningService {
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
  kill: () => void;
}

export interface SupervisedService<S extends RunningService> {
  name: string;
  /** Starts it; after a crash, `previous` is what ran before, so that it can restart on the same port. */
  start: (previous?: S) => Promise<S>;
  /** Completes the message 'restarting it …', e.g. 'on port 21345, data is kept'. */
  describe?: (running: S) => string;
}

export interface SupervisorOptions {
  report: (line: string) => void;
  /** A service crashed too often and stays stopped: the caller should stop the rest and exit. */
  onGaveUp: (failure: { name: string; reason: string }) => void;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  pause?: (ms: number) => Promise<unknown>;
}

export interface Supervisor {
  /** Starts a service and keeps it running. Errors of the first start are thrown without a retry. */
  start: <S extends RunningService>(service: SupervisedService<S>) => Promise<S>;
  /** Stops all services, the last started first, and resolves when all have ended. A second call waits for the first. */
  stop: () => Promise<void>;
  /** Kills all at once. */
  kill: () => void;
}

interface Entry {
  name: string;
  running: () => RunningService | undefined;
  /** Resolves when a start in progress has ended, so that a stop does not miss the new process. */
  startEnded: () => Promise<unknown>;
}

/** A supervisor of child processes: it reports a crash and restarts the service, at most five times in a minute. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const entries: Entry[] = [];
  let stopping: Promise<void> | undefined;

  const stopAll = async (): Promise<void> => {
    for (const entry of entries.toReversed()) {
      await entry.startEnded();
      await entry.running()?.stop();
    }
  };
  const isStopping = (): boolean => stopping !== undefined;

  return {
    start: async (service) => {
      if (isStopping()) throw new Error(`${service.name} is not started: payrun is stopping`);
      const supervised = superviseOne(service, options, isStopping);
      entries.push(supervised.entry);
      return supervised.first;
    },
    stop: () => (stopping ??= stopAll()),
    kill: () => {
      stopping ??= Promise.resolve();
      for (const entry of entries) entry.running()?.kill();
    },
  };
}

function superviseOne<S extends RunningService>(
  service: SupervisedService<S>,
  options: SupervisorOptions,
  isStopping: () => boolean,
): { entry: Entry; first: Promise<S> } {
  const mayRestart = restartBudget(options.now ?? (() => performance.now()));
  const pause = options.pause ?? sleep;
  let running: S | undefined;
  let starting: Promise<unknown> = Promise.resolve();

  const startOnce = (previous?: S): Promise<S> => {
    const attempt = service.start(previous).then((started) => (running = started));
    starting = attempt.catch(() => undefined);
    return attempt;
  };

  const restart = async (previous: S, why: string): Promise<S | undefined> => {
    let reason = why;
    while (!isStopping()) {
      const restarts = mayRestart();
      if (restarts === undefined) {
        options.report(`${service.name} ${reason}; it was restarted ${MAX_RESTARTS} times in a minute: giving up`);
        options.onGaveUp({ name: service.name, reason });
        return undefined;
      }
      const where = service.describe === undefined ? '' : ` ${service.describe(previous)}`;
      options.report(`${service.name} ${reason}; restarting it${where}`);
      if (restarts > 1) await pause(FIRST_PAUSE_MS * 2 ** restarts);
      if (isStopping()) return undefined;
      try {
        return await startOnce(previous);
      } catch (error) {
        reason = `did not start again (${error instanceof Error ? error.message : String(error)})`;
      }
    }
    return undefined;
  };

  const watch = async (first: S): Promise<void> => {
    let current: S | undefined = first;
    while (current !== undefined) {
      const exit: ProcessExit = await current.exited;
      running = undefined;
      if (isStopping()) return;
      current = await restart(current, `stopped unexpectedly (${describeExit(exit)})`);
    }
  };

  const first = startOnce().then((started) => {
    void watch(started);
    return started;
  });
  return { entry: { name: service.name, running: () => running, startEnded: () => starting }, first };
}

/** Counts restarts in a sliding window. Returns the number of this restart, or undefined after too many. */
function restartBudget(now: () => number): () => number | undefined {
  let times: number[] = [];
  return () => {
    const at = now();
    times = times.filter((time) => at - time < WINDOW_MS);
    if (times.length >= MAX_RESTARTS) return undefined;
    times.push(at);
    return times.length;
  };
}
