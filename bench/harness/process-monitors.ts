import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurements } from '../benchmark.ts';

const MONITOR = new URL('process-monitor.mjs', import.meta.url).href;
const folderIn = (home: string): string => join(home, 'monitors');

/** The variables by which a process measures itself and its threads. */
export function monitorVariables(home: string): Record<string, string> {
  mkdirSync(folderIn(home));
  return { NODE_OPTIONS: `--import ${MONITOR}`, BENCH_MONITORS: folderIn(home) };
}

/** What the processes did before, their start above all, does not count. */
export function beginMonitoring(home: string): void {
  writeFileSync(join(folderIn(home), 'begun'), '');
}

interface Monitored {
  longestBlockMs: number;
  peakHeapBytes: number;
  peakResidentBytes: number;
}

/** What a process has measured so far: its resident memory with all threads, the longest block of its event loop, and the heap of each thread. */
export function readMonitors(home: string, pid: number): Measurements {
  const names = readdirSync(folderIn(home)).filter((name) => name.startsWith(`${pid}-`) && name.endsWith('.json'));
  const read = (name: string): Monitored => JSON.parse(readFileSync(join(folderIn(home), name), 'utf8')) as Monitored;
  const main = read(`${pid}-main.json`);
  const threads = names.filter((name) => !name.endsWith('-main.json')).map((name) => read(name).peakHeapBytes);
  return {
    longestBlockMs: main.longestBlockMs,
    peakResidentMiB: inMib(main.peakResidentBytes),
    peakHeapMiB: inMib(main.peakHeapBytes),
    peakHeapOfThreadsMiB: threads.map(inMib),
  };
}

const inMib = (bytes: number): number => Math.round(bytes / 2 ** 20);
