import { readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second, whatever its clock. */
const TICK_MS = 10;

/**
 * How long a process has used a processor so far, milliseconds: its own threads', not its children's. Null where the
 * system does not tell (it is read from /proc, which Linux alone has) or the process has ended.
 */
export function processorTimeMs(pid: number): number | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may hold spaces.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}
