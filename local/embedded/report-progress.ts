import { setTimeout as sleep } from 'node:timers/promises';

const REPORT_EVERY_MS = 10_000;

/** Waits until a condition is true, and reports at the start and every ten seconds what it waits for. */
export async function waitWithProgress(
  what: string,
  options: { until: () => boolean; pollMs: number; report: (line: string) => void },
): Promise<void> {
  await withProgress(
    () => what,
    async () => {
      while (!options.until()) await sleep(options.pollMs);
    },
    options.report,
  );
}

/** Does long work, and reports at the start and every ten seconds: `what()`, and since when. */
export async function withProgress<T>(
  what: () => string,
  work: () => Promise<T>,
  report: (line: string) => void,
): Promise<T> {
  const startedAtMs = performance.now();
  report(what());
  const timer = setInterval(() => {
    report(`${what()} (${Math.round((performance.now() - startedAtMs) / 1000)} s)`);
  }, REPORT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
