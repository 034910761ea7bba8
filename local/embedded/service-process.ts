import { dirname, join, resolve } from 'node:path';
import { describeExit, type GuardedProcess, type ProcessExit, spawnGuarded } from './guarded-process.ts';

const STOP_GRACE_MS = 15_000;
const READY_TIMEOUT_MS = 60_000;

export interface ServiceOptions {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** Default: this process's. */
  cwd?: string;
  /** Its output; `<name>.pid` lies beside it. */
  logFile: string;
  /** Says by a line of its output that it is ready; without, it counts as ready once started. */
  readyWhen?: (line: string) => boolean;
  /** Default one minute. */
  readyTimeoutMs?: number;
  /** After SIGTERM, until it is killed; default 15 s, so that a worker may finish what it is at. */
  stopGraceMs?: number;
  report: (line: string) => void;
}

/** A process of ours that runs under a watchdog: worker, server, sandbox. */
export interface ServiceProcess {
  name: string;
  pid: number;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
  kill: () => void;
}

/**
 * Starts a process of ours and waits until it is ready. It ends with this process, however that ends.
 * Errors: it cannot be started, ends before it is ready (the error carries its last lines), or is not ready in time.
 */
export async function spawnService(options: ServiceOptions): Promise<ServiceProcess> {
  const { name, command, args, env, report } = options;
  // The watchdog has a working directory of its own.
  const logFile = resolve(options.logFile);
  const cwd = resolve(options.cwd ?? '.');
  const ready = lineThat(options.readyWhen);
  const guarded = await spawnGuarded({
    name,
    command,
    args,
    env,
    cwd,
    logFile,
    report,
    stopSignal: 'SIGTERM',
    graceMs: options.stopGraceMs ?? STOP_GRACE_MS,
    pidFile: join(dirname(logFile), `${name}.pid`),
    onLine: ready.onLine,
  });
  await readyOrEnded({
    name,
    guarded,
    logFile,
    ready: ready.seen,
    timeoutMs: options.readyTimeoutMs ?? READY_TIMEOUT_MS,
  });
  return { name, pid: guarded.pid, exited: guarded.exited, stop: guarded.stop, kill: guarded.kill };
}

/** A promise of the first line that matches; without a match to wait for, it is fulfilled already. */
export function lineThat(matches: ((line: string) => boolean) | undefined): {
  onLine: (line: string) => void;
  seen: Promise<void>;
} {
  let fulfil: () => void = () => undefined;
  const seen = new Promise<void>((resolve) => {
    fulfil = resolve;
    if (matches === undefined) resolve();
  });
  return {
    seen,
    onLine: (line) => {
      if (matches?.(line) === true) fulfil();
    },
  };
}

/**
 * Waits for `ready`. When the process ends first, or is not ready in time, it is stopped and an error says why, with
 * the last lines of its output and where the rest is.
 */
export async function readyOrEnded(options: {
  name: string;
  guarded: GuardedProcess;
  logFile: string;
  ready: Promise<void>;
  timeoutMs: number;
}): Promise<void> {
  const { name, guarded, logFile, timeoutMs } = options;
  let timer: NodeJS.Timeout | undefined;
  const outcome = await Promise.race([
    options.ready.then(() => 'ready' as const),
    guarded.exited,
    new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), timeoutMs);
    }),
  ]).finally(() => clearTimeout(timer));
  if (outcome === 'ready') {
    guarded.quiet();
    return;
  }
  const why = outcome === 'late' ? `was not ready within ${timeoutMs / 1000} s` : `stopped (${describeExit(outcome)})`;
  if (outcome === 'late') await guarded.stop();
  const said = guarded.lastLines().join('\n');
  throw new Error(`${name} ${why} while starting. Its log: ${logFile}${said === '' ? '' : `\nIt said:\n${said}`}`);
}
