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
  /** Its output; `<name>.pid` is written beside it. */
  logFile: string;
  /** Recognises the line of its output that means ready; default: ready once started. */
  readyWhen?: (line: string) => boolean;
  /** Default one minute. */
  readyTimeoutMs?: number;
  /** From SIGTERM to the kill; default 15 s, so that a worker can finish its activities. */
  stopGraceMs?: number;
  report: (line: string) => void;
}

/** A payrun process under a watchdog: worker, server, sandbox. */
export interface ServiceProcess {
  name: string;
  pid: number;
  exited: Promise<ProcessExit>;
  stop: () => Promise<void>;
  kill: () => void;
}

/**
 * Starts a payrun process and waits until it is ready. It ends when this process ends, for whatever reason.
 * Errors: it cannot be started, ends before it is ready (with its last lines), or is not ready in time.
 */
export async function spawnService(options: ServiceOptions): Promise<ServiceProcess> {
  const { name, command, args, env, report } = options;
  // Absolute, because the watchdog has another working directory.
  const logFile = resolve(options.logFile);
  const cwd = resolve(options.cwd ?? '.');
  const ready = waitForLine(options.readyWhen);
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
  await waitUntilReady({
    name,
    guarded,
    logFile,
    ready: ready.seen,
    timeoutMs: options.readyTimeoutMs ?? READY_TIMEOUT_MS,
  });
  return { name, pid: guarded.pid, exited: guarded.exited, stop: guarded.stop, kill: guarded.kill };
}

/** Resolves at the first line that matches, or at once without `matches`. */
export function waitForLine(matches: ((line: string) => boolean) | undefined): {
  onLine: (line: string) => void;
  seen: Promise<void>;
} {
  let markSeen: () => void = () => undefined;
  const seen = new Promise<void>((resolve) => {
    markSeen = resolve;
    if (matches === undefined) resolve();
  });
  return {
    seen,
    onLine: (line) => {
      if (matches?.(line) === true) markSeen();
    },
  };
}

/**
 * Waits for `ready`. If the process ends first or is not ready in time, it is stopped.
 * Errors: why it is not ready, with the last lines of its output and the path of its log.
 */
export async function waitUntilReady(options: {
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
  const output = guarded.lastLines().join('\n');
  throw new Error(
    `${name} ${why} while starting. Its log: ${logFile}${output === '' ? '' : `\nIts last output:\n${output}`}`,
  );
}
