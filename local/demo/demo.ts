import type { CommandIo } from '../../client/cli/command-io.ts';
import type { Stack } from '../stack/start-stack.ts';
import type { DemoScreen } from './demo-screen.ts';

export interface DemoOptions {
  /** Keep everything running afterwards, until Ctrl-C. */
  keep: boolean;
  json: boolean;
}

/** What a demo plays on. */
export interface Demo {
  stack: Stack;
  screen: DemoScreen;
  io: CommandIo;
  options: DemoOptions;
  /** Aborted when a person stops the demo. */
  signal: AbortSignal;
}

export interface PlayedDemo {
  /** What differs from the script; empty if nothing does. */
  deviations: readonly string[];
  /** For --json. */
  document: object;
}

/** Seconds since a moment of `performance.now()`, to a tenth. */
export function secondsSince(startedAtMs: number): number {
  return Math.round((performance.now() - startedAtMs) / 100) / 10;
}
