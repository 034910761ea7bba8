/** Is notified of what happens at the gate of an account in this process, for metrics. It must not throw. */
export interface GateObserver {
  /** Requests that wait for a slot, each time that it changes. */
  waiting(requests: number): void;
  /** A request may be sent, so long after it came. */
  admitted(waitedMs: number): void;
  refused(why: 'daily_limit_reached' | 'abandoned' | 'expired' | 'store_failed'): void;
  /** The provider asked for a pause. */
  paused(): void;
}

export const NO_GATE_OBSERVER: GateObserver = {
  waiting: () => undefined,
  admitted: () => undefined,
  refused: () => undefined,
  paused: () => undefined,
};
