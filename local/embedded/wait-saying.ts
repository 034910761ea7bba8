import { setTimeout as sleep } from 'node:timers/promises';

const SAY_EVERY_MS = 10_000;

/** Waits until a condition holds, saying at the start and every ten seconds what for. */
export async function waitSaying(
  what: string,
  options: { until: () => boolean; pollMs: number; report: (line: string) => void },
): Promise<void> {
  await saying(
    () => what,
    async () => {
      while (!options.until()) await sleep(options.pollMs);
    },
    options.report,
  );
}

/** Does something long, saying at the start and every ten seconds how it goes: `what()`, and for how long. */
export async function saying<T>(
  what: () => string,
  work: () => Promise<T>,
  report: (line: string) => void,
): Promise<T> {
  const began = performance.now();
  report(what());
  const timer = setInterval(() => {
    report(`${what()} (${Math.round((performance.now() - began) / 1000)} s)`);
  }, SAY_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
