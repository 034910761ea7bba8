/** What is needed of the process, or of a stand-in for it. */
export interface SignalSource {
  on: (signal: string, listener: (signal: string) => void) => unknown;
  off: (signal: string, listener: (signal: string) => void) => unknown;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The first SIGINT, SIGTERM or SIGHUP calls `stop`; a second one `kill`, for whoever does not want to wait. `signals` is
 * the process. Returns how to take the listeners away again. Neither callback may throw; ending the process is theirs.
 */
export function onStopSignals(options: {
  signals: SignalSource;
  report: (line: string) => void;
  stop: (signal: string) => void;
  kill: (signal: string) => void;
}): () => void {
  let asked = false;
  const listener = (signal: string): void => {
    if (asked) {
      options.report(`${signal} again: killing all services at once`);
      options.kill(signal);
      return;
    }
    asked = true;
    options.report(`${signal}: stopping all services in order (once more kills them at once)`);
    options.stop(signal);
  };
  for (const signal of STOP_SIGNALS) options.signals.on(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) options.signals.off(signal, listener);
  };
}
