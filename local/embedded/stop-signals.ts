/** The part of `process` that is used, so that tests can replace it. */
export interface SignalSource {
  on: (signal: string, listener: (signal: string) => void) => unknown;
  off: (signal: string, listener: (signal: string) => void) => unknown;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The first SIGINT, SIGTERM or SIGHUP calls `stop`, a second one `kill`. The callbacks end the process and must not throw.
 * Returns a function that removes the listeners.
 */
export function onStopSignals(options: {
  signals: SignalSource;
  report: (line: string) => void;
  stop: (signal: string) => void;
  kill: (signal: string) => void;
}): () => void {
  let isStopping = false;
  const listener = (signal: string): void => {
    if (isStopping) {
      options.report(`${signal} again: killing all services at once`);
      options.kill(signal);
      return;
    }
    isStopping = true;
    options.report(`${signal}: stopping all services in order (repeat it to kill them at once)`);
    options.stop(signal);
  };
  for (const signal of STOP_SIGNALS) options.signals.on(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) options.signals.off(signal, listener);
  };
}
