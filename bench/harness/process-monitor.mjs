// Plain JavaScript: a process that is measured loads it before anything else, and so do its threads.
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread, threadId } from 'node:worker_threads';

const folder = process.env['BENCH_MONITORS'];
if (folder !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const file = `${folder}/${process.pid}-${isMainThread ? 'main' : threadId}.json`;
  let peakHeapBytes = 0;
  let peakResidentBytes = 0;
  let isBegun = false;
  delays.enable();
  // A reader may come while it is written: it gets the one before.
  setInterval(() => {
    if (!isBegun && existsSync(`${folder}/begun`)) {
      isBegun = true;
      delays.reset();
      peakHeapBytes = 0;
      peakResidentBytes = 0;
    }
    const { heapUsed, rss } = process.memoryUsage();
    peakHeapBytes = Math.max(peakHeapBytes, heapUsed);
    peakResidentBytes = Math.max(peakResidentBytes, rss);
    const longestBlockMs = Math.max(0, Math.round(delays.max / 1e6) - 10);
    writeFileSync(`${file}.new`, JSON.stringify({ longestBlockMs, peakHeapBytes, peakResidentBytes }));
    renameSync(`${file}.new`, file);
  }, 250).unref();
}
