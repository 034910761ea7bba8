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
  /** Its name in messages. */
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** The user and group to run as, if this process is root and the program must not be. */
  uid?: number;
  gid?: number;
  stopSignal: NodeJS.Signals;
  /** Time between the stop signal and the kill. */
  graceMs: number;
  /** Its output, kept in at most two files of 10 MiB. */
  logFile: string;
  /** Identifies the running process, so that the next start finds and stops one that was left running. */
  pidFile: string;
  onLine?: (line: string) => void;
  report: (line: string) => void;
}

/** A program that runs under its watchdog and cannot outlive this process. */
export interface GuardedProcess {
  pid: number;
  exited: Promise<ProcessExit>;
  /** The last lines of its output, until `quiet`. */
  lastLines: () => readonly string[];
  /** From now on its output goes only to the log. */
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
 * Starts a program under its own watchdog; a process left running by an earlier start is stopped first.
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
  /** Undefined if the watchdog itself was killed. */
  exited: Promise<ProcessExit | undefined>;
}

function listen(watchdog: ChildProcess, name: string, onLine: (line: string) => void): WatchdogChannel {
  let exit: ProcessExit | undefined;
  const started = new Promise<ProcessIdentity>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${name} could not be started: ${why}`));
    watchdog.on('error', (error) => fail(error.message));
    watchdog.once('exit', () => fail('its watchdog ended'));
    watchdog.on('message', (raw) => {
      const message = MESSAGE.parse(raw);
      if (message.type === 'line') onLine(message.text);
      else if (message.type === 'failed') fail(message.message);
      else if (message.type === 'exited') exit = { code: message.code, signal: message.signal };
      // A program that has already ended has no start time; a fixed text matches no process.
      else resolve(identityOf(message.pid) ?? { pid: message.pid, startedAt: 'ended' });
    });
  });
  const exited = new Promise<ProcessExit | undefined>((resolve) => {
    watchdog.once('close', () => resolve(exit));
  });
  return { started, exited };
}

/** The watchdog was killed and its program may still run: unguarded, it could outlive this process, so it is ended. */
async function endUnguarded(
  child: ProcessIdentity,
  options: Pick<GuardedOptions, 'stopSignal' | 'graceMs'>,
): Promise<ProcessExit> {
  if (isAlive(child)) await endProcess(child, options.stopSignal, options.graceMs);
  return { code: null, signal: 'SIGKILL of its watchdog' };
}

function send(watchdog: ChildProcess, message: object): void {
  // If the channel is closed the watchdog has ended or is about to, and `exited` resolves.
  if (watchdog.connected) watchdog.send(message, () => undefined);
}
