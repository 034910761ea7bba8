import { EXIT } from '../../client/cli/exit-code.ts';
import { onStopSignals } from '../embedded/stop-signals.ts';
import type { StackOptions } from './stack-options.ts';
import { type Stack, startStack } from './start-stack.ts';

/**
 * Starts a stack, does the work and always stops the stack. `stopped` resolves when a person stops payrun (with
 * `onStopCode`) or when a service keeps crashing. Returns the exit code.
 */
export async function withStack(
  options: Omit<StackOptions, 'onGaveUp'> & { onStopCode: number },
  work: (stack: Stack, stopped: Promise<number>) => Promise<number>,
): Promise<number> {
  const { report, onStopCode } = options;
  let stack: Stack | null = null;
  let finish: (code: number) => void = () => undefined;
  const stopped = new Promise<number>((resolve) => {
    finish = resolve;
  });
  const removeListeners = onStopSignals({
    signals: process,
    report,
    // During the start, the services that run already end with this process.
    stop: () => (stack === null ? process.exit(EXIT.interrupted) : finish(onStopCode)),
    kill: () => {
      stack?.kill();
      process.exit(EXIT.interrupted);
    },
  });
  const onGaveUp = ({ name, reason }: { name: string; reason: string }): void => {
    report(`${name} keeps crashing: ${reason}`);
    finish(EXIT.unreachable);
  };
  try {
    stack = await startStack({ ...options, onGaveUp }).catch((error: unknown) => {
      report(`payrun cannot start: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    });
    return stack === null ? EXIT.unreachable : await work(stack, stopped);
  } finally {
    await stack?.stop();
    removeListeners();
  }
}
