import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second, whatever its clock. */
const TICK_MS = 10;

interface Seen {
  readonly pid: number;
  readonly parent: number;
  /** Of its own and of its children that have ended. */
  readonly cpuMs: number;
}

/** What a process and all below it have used so far. */
export interface Usage {
  readonly cpuMs: number;
  /** Memory, each page that several share counted in parts, so that all processes add up. */
  readonly memoryBytes: number;
}

/** Null where the system does not tell: it is read from /proc, which Linux alone has. */
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

function allProcesses(): Seen[] {
  const names = readable(() => readdirSync('/proc')) ?? [];
  return names.flatMap((name) => (/^\d+$/.test(name) ? (readable(() => readProcess(Number(name))) ?? []) : []));
}

function readProcess(pid: number): Seen {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets, which may hold spaces.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), cpuMs: ticks * TICK_MS };
}

function memoryOf(pid: number): number {
  const text = readable(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? '';
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}

/** A process may end while it is read. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
