import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

interface ProcessReading {
  readonly pid: number;
  readonly parent: number;
  /** Its own and that of its children that have ended. */
  readonly cpuMs: number;
}

/** What a process and its descendants have used so far. */
export interface Usage {
  readonly cpuMs: number;
  /** Proportional set size: a shared page is divided among its processes, so that processes can be added up. */
  readonly memoryBytes: number;
}

/** Null on systems other than Linux, which have no /proc, and when the process has ended. */
export function usageOf(root: number): Usage | null {
  const all = allProcesses();
  if (!all.some(({ pid }) => pid === root)) return null;
  const family = new Set([root]);
  // A child may be listed before its parent.
  for (let known = 0; known !== family.size; ) {
    known = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const members = all.filter(({ pid }) => family.has(pid));
  return {
    cpuMs: members.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    memoryBytes: members.reduce((sum, { pid }) => sum + memoryOf(pid), 0),
  };
}

function allProcesses(): ProcessReading[] {
  const names = ifReadable(() => readdirSync('/proc')) ?? [];
  return names.flatMap((name) => (/^\d+$/.test(name) ? (ifReadable(() => readProcess(Number(name))) ?? []) : []));
}

function readProcess(pid: number): ProcessReading {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
}

function memoryOf(pid: number): number {
  const text = ifReadable(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? '';
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}

/** Null when the process ends while it is read. */
function ifReadable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
