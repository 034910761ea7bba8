import { cpus, totalmem } from 'node:os';
import type { Figures } from './benchmark.ts';

/** The machine that the figures were measured on. */
export const machine = (): Figures => ({
  processors: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
});
