import { cpus, totalmem } from 'node:os';
import type { Measurements } from './benchmark.ts';

/** The machine that was measured. */
export const machine = (): Measurements => ({
  processors: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
});
