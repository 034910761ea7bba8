import { readFileSync } from 'node:fs';

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
