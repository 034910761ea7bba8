import type { Measurements } from '../benchmark.ts';
import { usageOf } from './process-tree.ts';

/** Rare enough that reading the memory of many processes, a few milliseconds, does not affect the measurements. */
const SAMPLE_MS = 2_000;

export interface ResourceMeter {
  /** Ends the measurement. By service: processor time per payment and in total, and the peak memory. */
  stop(payments: number): Measurements;
}

/** Measures services, each with its child processes, from now on. The measurements are null where there is no /proc. */
export function startResourceMeter(pids: Readonly<Record<string, number>>): ResourceMeter {
  const meters = Object.entries(pids).map(([name, pid]) => ({ name, pid, begin: usageOf(pid), maxBytes: 0 }));
  const sample = (): void => {
    for (const meter of meters) meter.maxBytes = Math.max(meter.maxBytes, usageOf(meter.pid)?.memoryBytes ?? 0);
  };
  sample();
  // The timer must not keep a failed benchmark running.
  const timer = setInterval(sample, SAMPLE_MS).unref();
  return {
    stop: (payments) => {
      clearInterval(timer);
      sample();
      return Object.fromEntries(
        meters.map(({ name, pid, begin, maxBytes }) => {
          const end = usageOf(pid);
          const cpuMs = begin === null || end === null ? null : end.cpuMs - begin.cpuMs;
          return [
            name,
            {
              cpuMsPerPayment: cpuMs === null ? null : Math.round((cpuMs / payments) * 100) / 100,
              cpuSeconds: cpuMs === null ? null : Math.round(cpuMs / 10) / 100,
              peakMemoryMiB: end === null ? null : Math.round(maxBytes / 2 ** 20),
            },
          ];
        }),
      );
    },
  };
}
