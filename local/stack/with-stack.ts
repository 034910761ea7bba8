import { EXIT } from '../../client/cli/exit-code.ts';
import { onStopSignals } from '../embedded/stop-signals.ts';
import type { StackOptions } from './stack-options.ts';
import { type Stack, startStack } from './start-stack.ts';

/** What a shell takes from a program that was told to stop. */
export const INTERRUPTED = 130;

/**
 * Starts a stack, does the work and stops it all again, whatever happens in between. `stopped` resolves when a person
 * stops payrun (with `onStopCode`) or when a service does not stay up. Answers the exit code.
 */
export async function withStack(
  options: Omit<StackOptions, 'onGaveUp'> & { onStopCode: number },
  work: (stack: Stack, stopped: Promise<number>) => Promise<number>,
): Promise<number> {
  const { report, onStopCode } = options;
  let stack: Stack | null = null;
  let endWith: (code: number) => void = () => undefined;
  const stopped = new Promise<number>((resolve) => {
    endWith = resolve;
  });
  const removeListeners = onStopSignals({
    signals: process,
    report,
    // While it is still starting, what runs already ends with this process.
    stop: () => (stack === null ? process.exit(INTERRUPTED) : endWith(onStopCode)),
    kill: () => {
      stack?.kill();
      process.exit(INTERRUPTED);
    },
  });
  const onGaveUp = ({ name, reason }: { name: string; reason: string }): void => {
    report(`${name} does not stay up: ${reason}`);
    endWith(EXIT.unreachable);
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
