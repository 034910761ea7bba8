import { readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second, whatever its clock. */
const TICK_MS = 10;

/**
 * Processor time of a process so far in milliseconds: all its threads, without its children. Null after the process
 * has ended, and on systems other than Linux, which have no /proc.
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
