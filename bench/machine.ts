import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Measurements } from './benchmark.ts';

/** The machine that was measured. */
export const machine = (): Measurements => ({
  processors: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
});

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

/**
 * Starts a measurement. The function that it returns gives the share of the time since then, from 0 to 1, in which
 * something on this machine waited for a processor. Near 0 payrun determines the measurements, near 1 the machine does. Null
 * where Linux's pressure stall information is not available.
 */
export function watchProcessorPressure(): () => number | null {
  const startedMs = performance.now();
  const before = stalledMicroseconds();
  return () => {
    const after = stalledMicroseconds();
    if (before === null || after === null) return null;
    return Math.round((after - before) / (performance.now() - startedMs) / 10) / 100;
  };
}

function stalledMicroseconds(): number | null {
  try {
    return Number(/^some .*total=(\d+)$/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}
