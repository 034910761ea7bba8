import type { Findings } from '../benchmark.ts';
import { usageOf } from './process-tree.ts';

/** Reading the memory of many processes takes a few milliseconds, which is not to be noticed. */
const SAMPLE_MS = 2_000;

export interface ResourceMeter {
  /** Ends the measurement: by service, processor time per payment and in all, and the most memory that was seen. */
  stop(payments: number): Findings;
}

/** Measures services from now on, each with its child processes. Where the system does not tell, it finds nulls. */
export function startResourceMeter(pids: Readonly<Record<string, number>>): ResourceMeter {
  const meters = Object.entries(pids).map(([name, pid]) => ({ name, pid, begin: usageOf(pid), mostBytes: 0 }));
  const sample = (): void => {
    for (const meter of meters) meter.mostBytes = Math.max(meter.mostBytes, usageOf(meter.pid)?.memoryBytes ?? 0);
  };
  sample();
  // A benchmark that fails must not be kept alive by its meter.
  const timer = setInterval(sample, SAMPLE_MS).unref();
  return {
    stop: (payments) => {
      clearInterval(timer);
      sample();
      return Object.fromEntries(
        meters.map(({ name, pid, begin, mostBytes }) => {
          const end = usageOf(pid);
          const cpuMs = begin === null || end === null ? null : end.cpuMs - begin.cpuMs;
          return [
            name,
            {
              cpuMsPerPayment: cpuMs === null ? null : Math.round((cpuMs / payments) * 100) / 100,
              cpuSeconds: cpuMs === null ? null : Math.round(cpuMs / 10) / 100,
              peakMemoryMiB: end === null ? null : Math.round(mostBytes / 2 ** 20),
            },
          ];
        }),
      );
    },
  };
}
