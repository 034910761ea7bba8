import { readFileSync } from 'node:fs';

/**
 * Begins to watch how short processors are; the function that it answers tells the share of the time since then, from
 * 0 to 1, in which something on this machine waited for one. Near 0 the figures are payrun's own; near 1 they are the
 * machine's. Null where the system does not tell: it is Linux's pressure stall account.
 */
export function watchProcessorPressure(): () => number | null {
  const beganMs = performance.now();
  const before = stalledMicroseconds();
  return () => {
    const after = stalledMicroseconds();
    if (before === null || after === null) return null;
    return Math.round((after - before) / (performance.now() - beganMs) / 10) / 100;
  };
}

function stalledMicroseconds(): number | null {
  try {
    return Number(/^some .*total=(\d+)$/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1] ?? Number.NaN);
  } catch {
    return null;
  }
}
