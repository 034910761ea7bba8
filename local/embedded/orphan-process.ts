import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isAlive, ownIdentity, type ProcessIdentity } from '../../config/process-identity.ts';
import { writeWhole } from '../../config/whole-file.ts';

const POLL_MS = 25;
const ORPHAN_GRACE_MS = 15_000;
const KILL_TIMEOUT_MS = 5_000;

const IDENTITY = z.object({ pid: z.number(), startedAt: z.string() });
/** The running program and the payrun main process that started it. */
const RECORD = z.object({ child: IDENTITY, owner: IDENTITY });

/** Records in `pidFile` that `child` runs for this process. Returns a function that removes the record. */
export function claimPidFile(pidFile: string, child: ProcessIdentity): () => void {
  mkdirSync(dirname(pidFile), { recursive: true });
  writeWhole(pidFile, JSON.stringify({ child, owner: ownIdentity() }));
  return () => {
    if (readRecord(pidFile)?.child.pid === child.pid) rmSync(pidFile, { force: true });
  };
}

/**
 * Stops the process that an earlier start left running, because payrun and the watchdog were both killed or the watchdog
 * is still stopping it. Two servers on one folder would damage it.
 * Errors: the program belongs to another running payrun.
 */
export async function stopOrphan(options: {
  name: string;
  pidFile: string;
  stopSignal: NodeJS.Signals;
  report: (line: string) => void;
}): Promise<void> {
  const record = readRecord(options.pidFile);
  if (record === undefined || !isAlive(record.child)) return;
  const { child, owner } = record;
  if (owner.pid !== process.pid && isAlive(owner)) {
    throw new Error(
      `${options.name} already runs for another payrun (process ${owner.pid}, by ${options.pidFile}). ` +
        `Stop that one first (kill ${owner.pid}).`,
    );
  }
  options.report(`${options.name} of an earlier start still runs (process ${child.pid}); stopping it first`);
  await endProcess(child, options.stopSignal, ORPHAN_GRACE_MS);
  rmSync(options.pidFile, { force: true });
}

/**
 * Ends a process that is not a child of this one: the signal first, a kill after the grace time. Resolves when it has
 * ended. Errors: it cannot be ended (it belongs to another user).
 */
export async function endProcess(target: ProcessIdentity, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  signalProcess(target.pid, signal);
  if (await hasEnded(target, graceMs)) return;
  killGroup(target);
  if (await hasEnded(target, KILL_TIMEOUT_MS)) return;
  throw new Error(`process ${target.pid} could not be stopped: stop it by hand (kill -9 ${target.pid})`);
}

/** Kills a guarded program at once, with everything that it started in its process group. */
export function killGroup(target: ProcessIdentity): void {
  if (!isAlive(target)) return;
  signalProcess(-target.pid, 'SIGKILL');
  signalProcess(target.pid, 'SIGKILL');
}

async function hasEnded(target: ProcessIdentity, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += POLL_MS) {
    if (!isAlive(target)) return true;
    await sleep(POLL_MS);
  }
  return !isAlive(target);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended or belongs to another user; the caller checks whether it still runs.
  }
}

function readRecord(pidFile: string): z.infer<typeof RECORD> | undefined {
  try {
    return RECORD.parse(JSON.parse(readFileSync(pidFile, 'utf8')));
  } catch {
    return undefined;
  }
}
