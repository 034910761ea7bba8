/** The seed, the clock and the state file. */
export interface SimulationOptions {
  readonly seed: number;
  /** The time at which the clock is stopped, so that only the control API moves it; null: it runs. */
  readonly frozenAtMs: number | null;
  /** How far a running clock is behind the time of day at the start, in milliseconds; the control API moves it forward. */
  readonly clockBehindMs: number;
  /** The time of day, milliseconds since 1970. */
  readonly wallNow: () => number;
  /** A monotonic high-resolution time in milliseconds, used to measure the request limit. */
  readonly monotonicNow: () => number;
  /** The file that keeps the state between starts; null: the state is kept in memory only. */
  readonly stateFile: string | null;
  /** Receives messages for people about the state file. */
  readonly report: ((line: string) => void) | null;
}

export const defaultSimulationOptions: SimulationOptions = {
  seed: 1,
  frozenAtMs: null,
  clockBehindMs: 0,
  wallNow: Date.now,
  monotonicNow: () => performance.now(),
  stateFile: null,
  report: null,
};
