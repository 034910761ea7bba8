import { cpus, totalmem } from 'node:os';
import type { Findings } from './benchmark.ts';

/** What the figures were measured on. */
export const machine = (): Findings => ({
  processors: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
});
