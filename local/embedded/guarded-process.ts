import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { claimPidFile, endProcess, killGroup, stopOrphan } from './orphan-process.ts';
import { identityOf, isAlive, type ProcessIdentity } from '../../config/process-identity.ts';

const WATCHDOG = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const KEPT_LINES = 20;

/** How a process ended: an exit code or the signal that ended it. */
export interface ProcessExit {
  code: number | null;
  signal: string | null;
}

export interface GuardedOptions {
  /** What people call it, for messages. */
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** The user and group it runs under, when this process is root and it must not be. */
  uid?: number;
  gid?: number;
  stopSignal: NodeJS.Signals;
  /** After the stop signal, how long until it is killed. */
  graceMs: number;
  /** Its output, kept in at most two files of 10 MiB. */
  logFile: string;
  /** Names the running process, so that the next start finds one that was left over and stops it first. */
  pidFile: string;
  onLine?: (line: string) => void;
  report: (line: string) => void;
}

/** A program that runs under its watchdog and cannot outlive this process. */
export interface GuardedProcess {
  pid: number;
  exited: Promise<ProcessExit>;
  /** The last lines of its output while lines were wanted. */
  lastLines: () => readonly string[];
  /** From now on its output goes to the log alone. */
  quiet: () => void;
  /** Sends the stop signal, kills after the grace time; resolves when it has ended. */
  stop: () => Promise<void>;
  /** Kills at once. */
  kill: () => void;
}

const MESSAGE = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), pid: z.number() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('line'), text: z.string() }),
  z.object({ type: z.literal('exited'), code: z.number().nullable(), signal: z.string().nullable() }),
]);

/** 'signal SIGKILL' or 'exit code 1'. */
export function describeExit(exit: ProcessExit): string {
  return exit.signal === null ? `exit code ${exit.code ?? 'unknown'}` : `signal ${exit.signal}`;
}

/**
 * Starts a program under a watchdog of its own; a left-over of an earlier start is stopped first.
 * Errors: the program cannot be started; another living payrun has it running.
 */
export async function spawnGuarded(options: GuardedOptions): Promise<GuardedProcess> {
  await stopOrphan(options);
  const watchdog = spawn(process.execPath, [WATCHDOG], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
    env: { PATH: options.env['PATH'] ?? '/usr/bin:/bin' },
    cwd: '/',
  });
  const lines: string[] = [];
  const channel = listen(watchdog, options.name, (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    options.onLine?.(line);
  });
  const { command, args, env, cwd, uid, gid, stopSignal, graceMs, logFile } = options;
  const maxLogBytes = MAX_LOG_BYTES;
  send(watchdog, { type: 'start', command, args, env, cwd, uid, gid, stopSignal, graceMs, logFile, maxLogBytes });
  const child = await channel.started;
  const release = claimPidFile(options.pidFile, child);
  const exited = channel.exited.then(async (exit) => {
    const ended = exit ?? (await endUnguarded(child, options));
    release();
    return ended;
  });
  return {
    pid: child.pid,
    exited,
    lastLines: () => lines,
    quiet: () => send(watchdog, { type: 'quiet' }),
    stop: async () => {
      send(watchdog, { type: 'stop' });
      await exited;
    },
    kill: () => killGroup(child),
  };
}

interface WatchdogChannel {
  started: Promise<ProcessIdentity>;
  /** Undefined when the watchdog itself was killed and cannot say. */
  exited: Promise<ProcessExit | undefined>;
}

function listen(watchdog: ChildProcess, name: string, onLine: (line: string) => void): WatchdogChannel {
  let ending: ProcessExit | undefined;
  const started = new Promise<ProcessIdentity>((resolve, reject) => {
    const cannot = (why: string): void => reject(new Error(`${name} could not be started: ${why}`));
    watchdog.on('error', (error) => cannot(error.message));
    watchdog.once('exit', () => cannot('its watchdog ended'));
    watchdog.on('message', (raw) => {
      const message = MESSAGE.parse(raw);
      if (message.type === 'line') onLine(message.text);
      else if (message.type === 'failed') cannot(message.message);
      else if (message.type === 'exited') ending = { code: message.code, signal: message.signal };
      // A program that has already ended has no start time any more, and needs none: nothing can be mistaken for it.
      else resolve(identityOf(message.pid) ?? { pid: message.pid, startedAt: 'ended' });
    });
  });
  const exited = new Promise<ProcessExit | undefined>((resolve) => {
    watchdog.once('close', () => resolve(ending));
  });
  return { started, exited };
}

/** The watchdog was killed and its program may still run: unguarded, it would outlive this process, so it ends. */
async function endUnguarded(
  child: ProcessIdentity,
  options: Pick<GuardedOptions, 'stopSignal' | 'graceMs'>,
): Promise<ProcessExit> {
  if (isAlive(child)) await endProcess(child, options.stopSignal, options.graceMs);
  return { code: null, signal: 'SIGKILL of its watchdog' };
}

function send(watchdog: ChildProcess, message: object): void {
  // A closed channel means that the watchdog has ended or is about to, which `exited` tells.
  if (watchdog.connected) watchdog.send(message, () => undefined);
}
