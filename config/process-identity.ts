import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process, told apart from a later one that got the same number: `startedAt` is opaque, and equal only for the
 * very same process. A file that names a process by its number alone would one day name a stranger.
 */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** The identity of the living process `pid`; undefined when there is none (a zombie counts as none). */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  const own = identityOf(process.pid);
  if (own === undefined) throw new Error('this machine does not say when a process started (is /proc mounted?)');
  return own;
}

/** Whether the very process that is meant still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startedAt === identity.startedAt;
}

/** The command line of a living process; empty when there is none or it is not ours to see. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** Ticks since boot say nothing after the next boot, so the boot is part of the identity. */
function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold anything, parentheses too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (ticks === undefined || state === 'Z' || state === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
    const answer = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim();
    if (answer === '' || answer.startsWith('Z')) return undefined;
    return answer.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}
